"""How a match ended, as a code with parameters, and what is said of it to each who reads it."""

from collections.abc import Mapping

from msgspec import Struct

from games.boards import BOARDS
from games.match.state import MatchState
from games.messages import Message, build_message


class Outcome(Struct, frozen=True):
    """How a match ended.

    `code` is that of a sentence; where somebody won, one stands for who won (`.won`), who lost
    (`.lost`) and anybody else (`.seen`). `winner` is a role, None for a draw or where nobody wins.
    `won` and `lost` are what the winner and the other gained on the board (boxes, for example),
    None where that is not counted. They are not the goals of 0 to 100. `more` is said after it, in
    the same way: each part is of the role that it names as its winner.
    """

    code: str
    winner: str | None = None
    won: int | None = None
    lost: int | None = None
    more: tuple["Outcome", ...] = ()

    @property
    def is_result(self) -> bool:
        """Whether it counts: somebody won, or it was a draw."""
        return self.code not in _NO_RESULTS


_NO_RESULTS = frozenset(
    {
        "end.not-begun",
        "end.not-come",
        "end.cancelled",
        "end.voided",
        "end.one-person",
        "end.damaged",
    }
)


def outcome(state: MatchState) -> Outcome | None:
    """How the match ended; None while it is live."""
    if state.is_live:
        return None
    match state.ended:
        case "aborted" if state.arranged:
            return Outcome("end.not-come")
        case "aborted":
            never_begun = state.acted == 0 and state.clock
            return Outcome("end.not-begun" if never_begun else "end.cancelled")
        case "voided":
            return Outcome("end.voided" if state.ended_by is None else "end.one-person")
        case "rules" | "resignation" | "time" | "agreement" | "abandoned" | "adjudicated":
            return _decided(state) if state.goals else Outcome("end.damaged")
    return Outcome("end.damaged")


def outcome_for(found: Outcome, names: Mapping[str, str], viewer: str | None = None) -> Message:
    """What is said of an outcome to the viewer: a role, None for a watcher.

    `names` gives the player's name of each role. `static/js/shared/messages.js` does the same.
    """
    said = _told(found, names, viewer)
    for part in found.more:
        said = build_message("end.more", said=said, more=_told(part, names, viewer))
    return said


def _told(found: Outcome, names: Mapping[str, str], viewer: str | None) -> Message:
    gained = {} if found.won is None or found.lost is None else _gained(found.won, found.lost)
    if found.winner is None:
        return build_message(found.code, **gained)
    (loser,) = (role for role in names if role != found.winner)
    side = "seen" if viewer is None else "won" if viewer == found.winner else "lost"
    return build_message(
        f"{found.code}.{side}", winner=names[found.winner], loser=names[loser], **gained
    )


def _gained(won: int, lost: int) -> dict[str, int]:
    return {"won": won, "lost": lost}


def _decided(state: MatchState) -> Outcome:
    one, other = state.rules.roles
    goals = state.goals or {}
    winner = None if goals[one] == goals[other] else one if goals[one] > goals[other] else other
    if state.ended == "rules":
        return _by_rules(state, winner)
    if state.ended == "abandoned" and not state.clock:
        return Outcome("end.stalled", winner)  # had left, or kept the other waiting
    if state.ended == "agreement" and state.is_readable and state.position.is_dead:
        return Outcome("end.dead")
    if state.ended == "adjudicated" and state.arranged and state.ended_by is not None:
        return Outcome("end.settled", winner)  # by the tournament that it belongs to
    return Outcome(f"end.{state.ended}", winner)


def _by_rules(state: MatchState, winner: str | None) -> Outcome:
    if not state.is_readable or not state.position.is_over:  # what is stored was changed by hand
        return Outcome("end.rules", winner)
    board, position = BOARDS[state.game], state.position
    code = board.result(position)
    one, other = state.rules.roles
    first = winner or one
    won, lost = (board.score(position, role) for role in (first, other if first == one else one))
    counted = won is not None and lost is not None
    more = tuple(
        Outcome(f"{state.game}.{part.code}", part.owner, part.won, part.lost)
        for part in board.details(position)
    )
    if code:
        return Outcome(f"{state.game}.{code}", winner, won, lost, more)
    return Outcome("end.score" if counted else "end.rules", winner, won, lost, more)
