"""The actions that are allowed in each state of a tournament."""

from collections.abc import Mapping
from enum import StrEnum

from games.messages.refusal import Refused
from lobby.models import Tournament

State = Tournament.State


class Act(StrEnum):
    """An action of a player or an organiser."""

    EDIT = "edit"  # an organiser changes any of the settings
    DESCRIBE = "describe"  # an organiser changes the name and the description
    JOIN = "join"
    LEAVE = "leave"  # a player leaves before the start
    CHECK_IN = "check-in"
    ASK_BYE = "ask-bye"
    WITHDRAW = "withdraw"
    COME_BACK = "come-back"
    INVITE = "invite"
    REMOVE = "remove"
    ADD_LATE = "add-late"
    START = "start"  # an organiser starts the tournament before its start time
    PAUSE = "pause"
    FORFEIT = "forfeit"  # an organiser declares a live game forfeited
    CLOSE_ROUND = "close-round"  # an organiser ends the round, and its live games are decided
    END = "end"  # an organiser ends the tournament before its end
    CALL_OFF = "call-off"


_BEFORE = frozenset({Act.EDIT, Act.DESCRIBE, Act.INVITE, Act.REMOVE, Act.CALL_OFF, Act.LEAVE})

MAY: Mapping[str, frozenset[Act]] = {
    State.ANNOUNCED: _BEFORE,
    State.REGISTRATION: _BEFORE | {Act.JOIN, Act.ASK_BYE, Act.START},
    State.CHECK_IN: _BEFORE | {Act.JOIN, Act.CHECK_IN, Act.ASK_BYE, Act.START},
    State.RUNNING: frozenset(
        {
            *(Act.DESCRIBE, Act.ASK_BYE, Act.WITHDRAW, Act.COME_BACK, Act.REMOVE, Act.ADD_LATE),
            *(Act.PAUSE, Act.FORFEIT, Act.CLOSE_ROUND, Act.END),
        }
    ),
    State.OVER: frozenset({Act.DESCRIBE}),
    State.CALLED_OFF: frozenset(),
}
"""The allowed actions by state. `is_allowed` also considers the kind and the round."""


def is_allowed(tournament: Tournament, act: Act) -> bool:
    """Return whether the action is allowed now, for a person with the permission for it.

    Players can also join a running arena, and only a round that exists can be closed.
    """
    if act == Act.CLOSE_ROUND and (tournament.is_arena or not tournament.round):
        return False
    is_late = act == Act.JOIN and tournament.is_arena and tournament.state == State.RUNNING
    return is_late or act in MAY[tournament.state]


def is_left_for_good(tournament: Tournament) -> bool:
    """Return whether a player who withdraws from the running tournament cannot rejoin."""
    return bool(tournament.kind == Tournament.Kind.KNOCKOUT)


def must_be_allowed(tournament: Tournament, act: Act) -> None:
    """Raise `Refused` if the action is not allowed now (see `is_allowed`)."""
    if not is_allowed(tournament, act):
        raise Refused("not-in-this-state")
