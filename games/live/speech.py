"""The rules that decide who may send a phrase, and whether others can read it."""

from collections.abc import Callable

from games.journal.opening import are_apart, list_people
from games.match.state import MatchState

speaker_checks: list[Callable[[int], None]] = []
"""Functions that are called with the id of the player who sends a phrase. They raise `Refused` if
the player may not send it. `config.wiring` sets them."""


def check_speech(state: MatchState, seat: int) -> bool:
    """Return whether only the speaker may read the phrase, because the players must not meet.

    Raise `Refused` if the player may not send any phrase.
    """
    for check in speaker_checks:
        check((state.first_id, state.second_id)[seat])
    return are_apart(list_people(state.first_id, state.second_id, state.levels))
