"""Presentation of an analysis: a verdict on each move, and a chart of who stood better."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.boards import BOARDS
from games.engine.judgement import LOST, UNCLEAR, WON, judge
from games.match.state import MatchState
from games.messages import Message, build_message, render

_WIDTH, _HEIGHT = 640, 120  # size of the chart


class Verdict(Struct, frozen=True):
    """The verdict on one move.

    `kind` is as in `games.engine.judgement`: "kept", "lost", "won" if the move won with fewer
    points than were possible, "unclear" if the search contradicts itself, or "" if there is no
    verdict. `better` has the elements of the board that a better action touches.
    """

    kind: str
    words: Message
    better: tuple[int, ...] = ()
    basis: str = ""  # "proved" or "searched"


def verdicts(state: MatchState, looks: Sequence[Mapping[str, Any]]) -> list[Verdict]:
    """Return a verdict for each ply."""
    return [_verdict(state, ply, look) for ply, look in enumerate(looks, 1)]


def _is_win(state: MatchState, ply: int, look: Mapping[str, Any]) -> bool:
    """Return whether the move ended the match and its player has more points than the opponent."""
    if ply != state.ply or state.ended != "rules" or state.goals is None:
        return False
    # After the last move, its player has the points of the match.
    least, most = sorted(state.goals.values())
    return bool(least < most and look.get("after") == most)


def _verdict(state: MatchState, ply: int, look: Mapping[str, Any]) -> Verdict:
    judged = judge(look, _is_win(state, ply, look))
    if not judged.kind:
        return Verdict("", build_message("verdict.none"))
    basis = "proved" if look["proved"] else "searched"
    sure = "certain" if look["proved"] else "estimate"
    if judged.kind == UNCLEAR:
        return Verdict(UNCLEAR, build_message("verdict.unclear"), (), basis)
    if judged.kind not in {LOST, WON}:
        return Verdict(judged.kind, build_message(f"verdict.best.{sure}"), (), basis)
    board = BOARDS[state.game]
    best = look["best"]
    code, count = f"verdict.mistake.{sure}", judged.lost
    if judged.kind == WON:
        code, count = "verdict.won.points", look["value"]
    elif judged.of_lead:
        code = "verdict.lead"
    told = build_message(code, count=round(count), better=board.say(best))
    return Verdict(judged.kind, told, tuple(board.touched(best)), basis)


def summary(
    state: MatchState, roles: Sequence[str], found: Sequence[Verdict], names: Mapping[str, str]
) -> list[Message]:
    """Render one sentence about each player. `roles` has the role of each move."""
    lines = []
    for role in state.rules.roles:
        own = [v for moved, v in zip(roles, found, strict=False) if moved == role and v.kind]
        lost = sum(verdict.kind == LOST for verdict in own)
        lines.append(
            build_message(
                "summary.line",
                name=names[role],
                mistakes=build_message("summary.mistakes", count=lost),
                moves=build_message("summary.moves", count=len(own)),
            )
        )
    return lines


def chart(
    state: MatchState, looks: Sequence[Mapping[str, Any]], names: Mapping[str, str]
) -> dict[str, Any]:
    """Return the points of a chart that shows who stood better before each move and at the end.

    The first role's area starts at the bottom: the higher it is, the better that role stands.
    """
    standings = [look.get("standing") for look in looks]
    if state.goals is not None and state.ended == "rules":
        one, other = (state.goals[role] for role in state.rules.roles)
        standings.append((one + 100 - other) / 2)
    step = _WIDTH / max(1, len(standings) - 1)
    points = [
        (round(index * step, 1), round(_HEIGHT * (1 - standing / 100), 1))
        for index, standing in enumerate(standings)
        if standing is not None
    ]
    first, second = (names[role] for role in state.rules.roles)
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
        "label": build_message("chart.label", stretches=_spoken(standings, first, second)),
    }


def _basis(looks: Sequence[Mapping[str, Any]]) -> Message:
    """Return the sentence that names the first move from which the chart is proved."""
    proved = [bool(look.get("proved")) for look in looks]
    if all(proved):
        return build_message("chart.all")
    if not proved[-1]:
        return build_message("chart.none")
    return build_message("chart.from", ply=len(proved) - proved[::-1].index(False) + 1)


def _spoken(standings: Sequence[float | None], first: str, second: str) -> str:
    """Describe in words who stood better in each stretch of moves."""
    stretches: list[tuple[str, int, int]] = []
    for ply, standing in enumerate(standings):
        if standing is None:
            continue
        who = "" if 45 <= standing <= 55 else first if standing > 55 else second
        if stretches and stretches[-1][0] == who:
            stretches[-1] = (who, stretches[-1][1], ply)
        else:
            stretches.append((who, ply, ply))
    return ", ".join(render(_stretch(*stretch)) for stretch in stretches)


def _stretch(who: str, start: int, end: int) -> Message:
    if start == end:
        when = build_message("chart.at", ply=start)
    else:
        when = build_message("chart.between", first=start, last=end)
    return (
        build_message("chart.better", name=who, when=when)
        if who
        else build_message("chart.even", when=when)
    )
