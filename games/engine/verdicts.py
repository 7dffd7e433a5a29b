"""Verdicts on the moves of an analysed match, and a chart of who stood better.

If an evaluation is proved, it decides the judgement. If the bot only searched, an action is a
mistake when each of the searches finds a loss greater than the usual error of a search. The action
is good when none of them finds more than a small loss. Otherwise the judgement is "unclear".

If an action is proved to win, it is not a mistake. In games in which a win can be worth only 75
points, the judgement is then "won" if more points were possible.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from games.boards import BOARDS
from games.match.state import MatchState, NewMove
from games.messages import Message, build_message, join_list, render
from games.rules import Position
from games.store.proof import replay_moves

KEPT, LOST, WON, UNCLEAR, UNKNOWN = "kept", "lost", "won", "unclear", ""


class Judgement(Struct, frozen=True):
    """A judgement of one of the five kinds above.

    `lost` is the loss in points or, if `of_lead` is true, in points of the lead over the opponent.
    """

    kind: str
    lost: float = 0.0
    of_lead: bool = False


def judge(look: Mapping[str, Any], is_win: bool = False) -> Judgement:
    """Return the judgement of an action from the fields of a `games.bots.Look`.

    If the search failed, `look` is {} and the kind of the judgement is `UNKNOWN`. `is_win` means
    that the action ended the game and that its player has more points than the opponent.
    """
    if not look:
        return Judgement(UNKNOWN)
    lost = look["value"] - look["after"]
    if look["proved"]:
        if lost > 0:
            return Judgement(WON if is_win else LOST, lost)
        # Analyses of earlier releases have no margins.
        lead = (look.get("margin") or 0) - (look.get("margin_after") or 0)
        return Judgement(LOST, lead, of_lead=True) if lead > 0 else Judgement(KEPT)
    losses = look.get("losses") or ()
    if len(losses) > 1 and min(losses) > look["noise"]:
        return Judgement(LOST, lost)
    # Earlier releases searched only once, which cannot establish a mistake.
    doubtful = max(losses, default=lost) > look.get("tells", 0.0)
    return Judgement(UNCLEAR) if doubtful else Judgement(KEPT)


_WIDTH, _HEIGHT = 640, 120  # size of the chart


class Verdict(Struct, frozen=True):
    """A verdict on one move.

    `kind` is the kind of the judgement: "kept"; "lost"; "won" if the move won or keeps a win, but
    more points were possible; "unclear" if the searches do not decide it; or "" for no verdict.
    `label` is for the list of moves. `better` has the board elements that a better action touches.
    """

    kind: str
    words: Message
    label: Message
    better: tuple[int, ...] = ()
    basis: str = ""  # "proved" or "searched", or "" for no verdict


def judge_moves(
    state: MatchState, moves: Sequence[NewMove], looks: Sequence[Mapping[str, Any]]
) -> list[Verdict]:
    """Return a verdict for each ply. `looks` has the fields of a `games.bots.Look` for each."""
    positions = replay_moves(state, moves).positions
    steps: list[tuple[Position, str] | None] = [
        (position, move.action) for position, move in zip(positions[:-1], moves, strict=False)
    ]
    # Moves that were tampered with, and the moves after them, cannot be replayed.
    steps += [None] * (len(looks) - len(steps))
    return [
        _judge_move(state, ply, look, step)
        for ply, (look, step) in enumerate(zip(looks, steps, strict=False), 1)
    ]


def _is_win(state: MatchState, ply: int, look: Mapping[str, Any]) -> bool:
    """Return whether the move ended the match and its player has more points than the opponent."""
    if ply != state.ply or state.ended != "rules" or state.goals is None:
        return False
    # The points after the last move are the points of the match.
    least, most = sorted(state.goals.values())
    return bool(least < most and look.get("after") == most)


def _judge_move(
    state: MatchState, ply: int, look: Mapping[str, Any], step: tuple[Position, str] | None
) -> Verdict:
    judged = judge(look, _is_win(state, ply, look))
    if not judged.kind:
        return Verdict("", build_message("verdict.none"), build_message("verdict.none"))
    basis = "proved" if look["proved"] else "searched"
    sure = "certain" if look["proved"] else "estimate"
    if judged.kind not in {LOST, WON}:
        is_clear = judged.kind != UNCLEAR
        words = build_message(f"verdict.good.{sure}" if is_clear else "verdict.unclear")
        label = build_message("verdict-label.good" if is_clear else "verdict-label.unclear")
        return Verdict(judged.kind, words, label, (), basis)
    board = BOARDS[state.game]
    fault, better, count = _find_fault(judged, look, step)
    code = (
        f"verdict.{fault}"
        if fault in {"won-less", "winning", "lead"}
        else f"verdict.{fault}.{sure}"
    )
    words = build_message(code, count=round(count), better=board.say(better))
    label = build_message(f"verdict-label.{fault if fault != 'lead' else 'mistake'}")
    kind = WON if fault in {"won-less", "winning"} else LOST
    return Verdict(kind, words, label, tuple(board.touched(better)), basis)


def _find_fault(
    judged: Judgement, look: Mapping[str, Any], step: tuple[Position, str] | None
) -> tuple[str, str, float]:
    """Return the name of a move's fault in the sentences, the better action, and the points.

    The only fault of a move that wins or keeps a win is losing points. For other moves, the worst
    fault counts: giving away a win, then leaving a threat, then losing points.
    """
    best = look["best"]
    if judged.kind == WON:
        return "won-less", best, look["value"]
    if look["proved"] and _is_winning(look, "after"):
        return "winning", best, judged.lost
    wins = find_wins(step[0]) if step else ()
    if wins:
        return "missed", best if best in wins else wins[0], 0
    if look["proved"] and _is_winning(look, "value"):
        return "missed", best, 0
    if step and is_missed_block(*step, best):
        return "block", best, 0
    return "lead" if judged.of_lead else "mistake", best, judged.lost


def _is_winning(look: Mapping[str, Any], which: str) -> bool:
    """Return whether the best ("value") or the evaluated ("after") action leads to a win."""
    margin = look.get({"value": "margin", "after": "margin_after"}[which])
    return bool(look[which] > 50 if margin is None else margin > 0)


def render_summary(
    state: MatchState, roles: Sequence[str], found: Sequence[Verdict], names: Mapping[str, str]
) -> list[Message]:
    """Return a message for each player with the numbers of mistakes and of judged moves.

    `roles` has the role of each move.
    """
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


def build_chart(
    state: MatchState, looks: Sequence[Mapping[str, Any]], names: Mapping[str, str]
) -> dict[str, Any]:
    """Return the context of a chart that shows who stood better before each move.

    If the match ended by the rules, the chart also shows its result. The area of the first role
    starts at the bottom: the higher it reaches, the better the role stands.
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
        "basis": _render_basis(looks),
        "first": first,
        "second": second,
        "marks": [BOARDS[state.game].badge(state.position, role) for role in state.rules.roles],
        "label": build_message("chart.label", stretches=_describe_chart(standings, first, second)),
    }


def _render_basis(looks: Sequence[Mapping[str, Any]]) -> Message:
    """Return the sentence about the part of the chart that is proved: all, none, or its end."""
    proved = [bool(look.get("proved")) for look in looks]
    if all(proved):
        return build_message("chart.all")
    if not proved[-1]:
        return build_message("chart.none")
    return build_message("chart.from", ply=len(proved) - proved[::-1].index(False) + 1)


def _describe_chart(standings: Sequence[float | None], first: str, second: str) -> str:
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
    return join_list(render(_describe_stretch(*stretch)) for stretch in stretches)


def _describe_stretch(who: str, start: int, end: int) -> Message:
    if who and start == end:
        return build_message("chart.better-at", name=who, ply=start)
    if who:
        return build_message("chart.better-between", name=who, first=start, last=end)
    if start == end:
        return build_message("chart.even-at", ply=start)
    return build_message("chart.even-between", first=start, last=end)


def is_won(position: Position, role: str) -> bool:
    """Return whether the game is over and the role has more points than its opponent."""
    goals = position.goals
    return goals is not None and goals[role] > max(v for r, v in goals.items() if r != role)


@lru_cache(maxsize=4096)
def find_wins(position: Position) -> tuple[str, ...]:
    """Return the actions that win immediately for the role in control."""
    role = position.turn
    if role is None:
        return ()
    return tuple(action for action in position.actions() if is_won(position.play(action), role))


@lru_cache(maxsize=4096)
def is_missed_block(position: Position, action: str, better: str) -> bool:
    """Return whether the opponent threatened an immediate win that `better` would have stopped.

    A win that the action itself made possible is not a threat. A winning action of the opponent
    counts as a threat if it wins after at least half of those actions of the player that pass the
    turn and leave it legal.
    """
    role = position.turn
    after = position.play(action)
    wins = find_wins(after) if after.turn != role else ()
    if not wins:
        return False
    stopped = position.play(better)
    if stopped.turn == role or find_wins(stopped):
        return False
    return any(_was_threat(position, win) for win in wins)


def _was_threat(position: Position, win: str) -> bool:
    replies = [position.play(action) for action in position.actions()]
    open_to = [after for after in replies if after.turn != position.turn and after.may(win)]
    left = sum(is_won(after.play(win), str(after.turn)) for after in open_to)
    return bool(open_to) and 2 * left >= len(open_to)
