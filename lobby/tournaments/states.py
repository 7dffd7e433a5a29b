"""What may be done with a tournament in each of its states: the one table of it."""

from collections.abc import Mapping
from enum import StrEnum

from games.messages.refusal import Refused
from lobby.models import Tournament

State = Tournament.State


class Act(StrEnum):
    """What somebody may want to do."""

    EDIT = "edit"  # the organiser: all of it
    DESCRIBE = "describe"  # the organiser: its name and what is said of it
    JOIN = "join"
    LEAVE = "leave"  # without a trace
    CHECK_IN = "check-in"
    ASK_BYE = "ask-bye"
    WITHDRAW = "withdraw"
    COME_BACK = "come-back"
    INVITE = "invite"
    REMOVE = "remove"
    ADD_LATE = "add-late"
    START = "start"  # before its time
    PAUSE = "pause"
    FORFEIT = "forfeit"  # the organiser: of a live game
    END = "end"  # early
    CALL_OFF = "call-off"


_BEFORE = frozenset({Act.EDIT, Act.DESCRIBE, Act.INVITE, Act.REMOVE, Act.CALL_OFF, Act.LEAVE})

MAY: Mapping[str, frozenset[Act]] = {
    State.ANNOUNCED: _BEFORE,
    State.REGISTRATION: _BEFORE | {Act.JOIN, Act.ASK_BYE, Act.START},
    State.CHECK_IN: _BEFORE | {Act.JOIN, Act.CHECK_IN, Act.ASK_BYE, Act.START},
    State.RUNNING: frozenset(
        {
            *(Act.DESCRIBE, Act.ASK_BYE, Act.WITHDRAW, Act.COME_BACK, Act.REMOVE, Act.ADD_LATE),
            *(Act.PAUSE, Act.FORFEIT, Act.END),
        }
    ),
    State.OVER: frozenset({Act.DESCRIBE}),
    State.CALLED_OFF: frozenset(),
}
"""In an arena one may also join while it runs: `may`."""


def may(tournament: Tournament, act: Act) -> bool:
    """Whether that may be done now, by whoever has the right to."""
    is_late = act == Act.JOIN and tournament.is_arena and tournament.state == State.RUNNING
    return is_late or act in MAY[tournament.state]


def is_left_for_good(tournament: Tournament) -> bool:
    """Whether who withdraws from it while it runs does not come back."""
    return bool(tournament.kind == Tournament.Kind.KNOCKOUT)


def must(tournament: Tournament, act: Act) -> None:
    """Raises `Refused` if that may not be done in this state."""
    if not may(tournament, act):
        raise Refused("not-in-this-state")
