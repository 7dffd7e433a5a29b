"""The replay of a match: its positions, and the context of a page that shows one of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.boards import BOARDS
from games.engine.verdicts import Verdict
from games.match.state import MatchState, NewMove
from games.messages import Message
from games.store.proof import replay_moves
from games.store.records import MatchRecord


class Step(Struct, frozen=True):
    """A position of a match, and the move that led to it (None for the first position)."""

    ply: int
    role: str | None
    last: str | None
    said: Message | None
    mark: str
    diagram: str
    fresh: tuple[int, ...]
    line: tuple[int, ...]
    turn: str | None
    scores: Mapping[str, int | None]
    verdict: Verdict | None = None  # the verdict on the move, if the match was analysed
    better: tuple[int, ...] = ()  # the board elements of a better action


def build_steps(
    state: MatchState, moves: Sequence[NewMove], verdicts: Sequence[Verdict] = ()
) -> list[Step]:
    """Return a step for the starting position, and one for the position after each move.

    If the stored moves were tampered with, the steps end before the first illegal move.
    """
    board = BOARDS[state.game]
    found: list[Step] = []
    for ply, position in enumerate(replay_moves(state, moves).positions):
        role, action = (moves[ply - 1].role, moves[ply - 1].action) if ply else (None, "")
        found.append(
            Step(
                ply=ply,
                role=role,
                last=action or None,
                said=board.say(action) if action else None,
                mark=board.mark_of_move(position, role, action) if role else "",
                diagram=position.diagram,
                fresh=board.find_fresh(position, action) if action else (),
                line=position.line,
                turn=position.turn,
                scores={role: board.score(position, role) for role in state.rules.roles},
            )
        )
    for number, verdict in enumerate(verdicts[: len(found) - 1], 1):
        found[number] = replace(found[number], verdict=verdict, better=verdict.better)
    return found


def build_replay_context(
    found: MatchRecord, asked: str, live_too: bool = False, verdicts: Sequence[Verdict] = ()
) -> dict[str, Any]:
    """Return the context of a page that shows the step after `asked` moves, by default the last.

    `asked` is text from the URL. Only the last step of a live match is shown, unless `live_too`.
    """
    steps = build_steps(found.state, found.moves, verdicts)
    last = len(steps) - 1
    is_ply = asked.isascii() and asked.isdigit() and len(asked) < 8
    may_step = live_too or not found.state.is_live
    shown = min(int(asked), last) if is_ply and may_step else last
    return {
        "frame": steps[shown],
        "moves": steps[1:],
        "is_live": found.state.is_live,
        "shown_ply": shown,
        "previous_ply": max(0, shown - 1),
        "next_ply": min(last, shown + 1),
        "last_ply": last,
    }
