"""What was found of a finished match, for people: a verdict on each move, and who stood better."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.boards import BOARDS
from games.engine.judging import LOST, UNCLEAR, judge
from games.match.state import Row
from games.names import isolated

_WIDTH, _HEIGHT = 640, 120  # of the chart


class Verdict(Struct, frozen=True):
    """On one move: what it kept or lost, and what would have been better.

    `kind` is as in `games.engine.judging`: "kept", "lost", "unclear" where the search contradicts
    itself, or "" where nothing could be said. `better` are the elements of the board that the
    better action touches.
    """

    kind: str
    words: str
    better: tuple[int, ...] = ()
    basis: str = ""  # "proved" or "searched"


def verdicts(row: Row, looks: Sequence[Mapping[str, Any]]) -> list[Verdict]:
    """One for each ply."""
    return [_verdict(row, look) for look in looks]


def _verdict(row: Row, look: Mapping[str, Any]) -> Verdict:
    judged = judge(look)
    if not judged.kind:
        return Verdict("", "Nothing can be said about this move.")
    basis = "proved" if look["proved"] else "searched"
    if judged.kind == UNCLEAR:
        return Verdict(UNCLEAR, "Unclear: the search is not sure of it.", (), basis)
    if judged.kind != LOST:
        return Verdict(judged.kind, f"Kept what there was ({basis}).", (), basis)
    board = BOARDS[row.game]
    about = "" if look["proved"] else "about "
    points = f"{about}{judged.lost:.0f} points" + (" of the lead" if judged.of_lead else "")
    words = f"Lost {points} ({basis}). Better: {board.say(look['best'])}."
    return Verdict(LOST, words, tuple(board.touched(look["best"])), basis)


def attach(frames: list[dict[str, Any]], found: Sequence[Verdict]) -> list[dict[str, Any]]:
    """The frames of a match (see `frames_of`), each with the verdict on its move."""
    for frame, verdict in zip(frames[1:], found, strict=False):
        frame["verdict"] = {"kind": verdict.kind, "words": verdict.words, "basis": verdict.basis}
        frame["better"] = verdict.better
    return frames


def summary(
    row: Row, roles: Sequence[str], found: Sequence[Verdict], names: Mapping[str, str]
) -> list[str]:
    """A line about each player; `roles` are those of the moves."""
    lines = []
    for role in row.rules.roles:
        own = [v for moved, v in zip(roles, found, strict=False) if moved == role and v.kind]
        lost = sum(verdict.kind == "lost" for verdict in own)
        moves = "1 move" if len(own) == 1 else f"{len(own)} moves"
        lines.append(f"{isolated(names[role])} lost value with {lost or 'none'} of {moves}.")
    return lines


def chart(row: Row, looks: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> dict[str, Any]:
    """Who stood better before each move and at the end: lengths and places, the page draws them.

    The first role's half is the lower one: where the area is high, that role stands better.
    """
    standings = [look.get("standing") for look in looks]
    if row.goals is not None and row.ended == "rules":
        one, other = (row.goals[role] for role in row.rules.roles)
        standings.append((one + 100 - other) / 2)
    step = _WIDTH / max(1, len(standings) - 1)
    points = [
        (round(index * step, 1), round(_HEIGHT * (1 - standing / 100), 1))
        for index, standing in enumerate(standings)
        if standing is not None
    ]
    first, second = (isolated(names[role]) for role in row.rules.roles)
    line = " ".join(f"{x},{y}" for x, y in points)
    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "middle": _HEIGHT / 2,
        "step": round(step, 3),
        "line": line,
        "area": f"0,{_HEIGHT} {line} {points[-1][0]},{_HEIGHT}" if points else "",
        "basis": _basis(looks),
        "first": first,
        "second": second,
        "label": f"Who stood better after each move: {_spoken(standings, first, second)}",
    }


def _basis(looks: Sequence[Mapping[str, Any]]) -> str:
    """What the chart rests on."""
    proved = [bool(look.get("proved")) for look in looks]
    if all(proved):
        return "All of it is proved."
    if not proved[-1]:
        return "What is not proved was searched."
    start = len(proved) - proved[::-1].index(False)
    return f"Proved from move {start + 1} on; before that, searched."


def _spoken(standings: Sequence[float | None], first: str, second: str) -> str:
    """The chart in words: whom each stretch of moves belongs to."""
    stretches: list[tuple[str, int, int]] = []
    for ply, standing in enumerate(standings):
        if standing is None:
            continue
        who = "even" if 45 <= standing <= 55 else first if standing > 55 else second
        if stretches and stretches[-1][0] == who:
            stretches[-1] = (who, stretches[-1][1], ply)
        else:
            stretches.append((who, ply, ply))
    return ", ".join(
        f"{'even' if who == 'even' else who + ' better'} "
        + (f"after {start}" if start == end else f"after {start} to {end}")
        for who, start, end in stretches
    )
