"""The outcome of a match as a code with parameters, and its message for each viewer."""

from collections.abc import Mapping

from msgspec import Struct

from games.boards import BOARDS
from games.match.state import MatchState
from games.messages import Message, build_message


class Outcome(Struct, frozen=True):
    """The outcome of a match.

    `code` is the code of a message. If there is a `winner` (a role), there are three messages: for
    the winner (`.won`), the loser (`.lost`) and everybody else (`.seen`). `{result}` in them is the
    result without the reason, such as "You won". `won` and `lost` are the scores on the board, such
    as the number of boxes, and not the goals of 0 to 100. They are None in games without a score.
    `more` has the board's details, such as the outcome on each grid. A detail may have a winner of
    its own, and its `won` and `lost` can be goals.
    """

    code: str
    winner: str | None = None
    won: int | None = None
    lost: int | None = None
    more: tuple["Outcome", ...] = ()

    @property
    def is_result(self) -> bool:
        """Return whether the outcome is a win or a draw, so that the match counts."""
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


def get_outcome(state: MatchState) -> Outcome | None:
    """Return the outcome of a match; None while it is live."""
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


def get_outcome_for(found: Outcome, names: Mapping[str, str], viewer: str | None = None) -> Message:
    """Return the message about an outcome for a viewer: a role, or None for a watcher.

    `names` has the player's name for each role. `static/js/shared/messages.js` builds the same
    message.
    """
    result = _told(Outcome("end.rules", found.winner), names, viewer)
    said: Message = {**_told(found, names, viewer), "result": result}
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
        return Outcome("end.stalled", winner)  # a player left, or kept the opponent waiting
    if state.ended == "agreement" and state.is_readable and state.position.is_dead:
        return Outcome("end.dead")
    if state.ended == "adjudicated" and state.arranged and state.ended_by is not None:
        return Outcome("end.settled", winner)  # the tournament ended the match
    return Outcome(f"end.{state.ended}", winner)


def _by_rules(state: MatchState, winner: str | None) -> Outcome:
    if not state.is_readable or not state.position.is_over:  # somebody edited the database
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
