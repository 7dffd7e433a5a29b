"""A match as values: its state, its changes, and the context of a command."""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import cached_property

from msgspec import Struct

from games.match.clock import TimeControl, parse_control
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.rules import GAMES, Game, Position

BOTH = 3  # `acted`, once both seats have


class MatchState(Struct, frozen=True, dict=True):  # a dict: for what is cached
    """The state of a match as it is stored: the columns of `Match` that change, and the seats."""

    id: str
    game: str
    first_id: int
    second_id: int
    status: str
    ended: str
    first_goal: int | None
    second_goal: int | None
    ply: int
    version: int
    notation: str
    last: str
    acted: int
    draw_by: int | None
    draw_ply: int | None
    rematch_by: int | None
    rematch_id: str | None
    clock: str
    first_ms: int | None
    second_ms: int | None
    deadline: datetime | None
    created_at: datetime
    acted_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    ended_by: int | None
    resumed_at: datetime | None
    chain: str
    digest: str
    first_level: int | None = None  # of the computer in that seat; None: a person
    second_level: int | None = None
    bot_at: datetime | None = None  # from when on somebody is to think for the computer
    outage: int | None = None  # the last one that the clocks were moved on by
    first_lag_ms: int | None = None  # delay given back, as `games.match.clock.given_back` counts it
    second_lag_ms: int | None = None
    options: str = ""  # see `Setup`
    rated: bool = False
    arranged: bool = False  # by an event: neither cancelled nor played again by its players
    berserk: int | None = (
        None  # seats that gave half of their time away, as `acted`; None: none may
    )

    @property
    def setup(self) -> Setup:
        """What the two agreed to play."""
        return Setup(self.game, self.clock, self.options, self.rated)

    @property
    def rules(self) -> Game:
        return GAMES[self.game]

    @cached_property  # every command and every frame asks for it several times
    def position(self) -> Position:
        return self.rules.read(self.notation)

    @property
    def game_is_unknown(self) -> bool:
        return self.game not in GAMES

    @property
    def is_readable(self) -> bool:
        """False where what is stored is no position of the game, or no time control: somebody
        tampered with it."""
        try:
            return self.position is not None and bool(not self.clock or self.control)
        except (KeyError, ValueError):
            return False

    @property
    def is_live(self) -> bool:
        return self.status == "live"

    @property
    def turn(self) -> str | None:
        """The role in control; None once the match is no longer live."""
        return self.position.turn if self.is_live else None

    @property
    def control(self) -> TimeControl | None:
        return parse_control(self.clock) if self.clock else None

    @property
    def left_ms(self) -> tuple[int, int] | None:
        """What each seat has left as of `acted_at`; None in an untimed match."""
        if self.first_ms is None or self.second_ms is None:
            return None
        return self.first_ms, self.second_ms

    @property
    def goals(self) -> dict[str, int] | None:
        if self.first_goal is None or self.second_goal is None:
            return None
        return dict(zip(self.rules.roles, (self.first_goal, self.second_goal), strict=True))

    @property
    def levels(self) -> tuple[int | None, int | None]:
        """The level of the computer in each seat; None where a person sits."""
        return self.first_level, self.second_level

    @property
    def has_computer(self) -> bool:
        return self.first_level is not None or self.second_level is not None

    def seat_of(self, player_id: int | None) -> int | None:
        """0 or 1, the index of the player's role in the game's roles; None for anybody else."""
        if player_id is None:
            return None
        if player_id == self.first_id:
            return 0
        return 1 if player_id == self.second_id else None

    def seats_of(self, player_ids: Collection[int]) -> tuple[int, ...]:
        """The seats, 0 or 1, in which any of these players sits."""
        people = self.first_id, self.second_id
        return tuple(seat for seat, pk in enumerate(people) if pk in player_ids)

    def role_of(self, player_id: int | None) -> str | None:
        seat = self.seat_of(player_id)
        return None if seat is None else self.rules.roles[seat]


class NewMove(Struct, frozen=True):
    """An action that was accepted, to be stored as a `Move`."""

    match_id: str
    ply: int
    role: str
    action: str
    at: datetime
    spent_ms: int


class Change(Struct, frozen=True):
    """The effect of a command: the match's state after it, and what must be stored with it."""

    state: MatchState
    move: NewMove | None = None
    rematch: bool = False  # a new match is to be opened, with the seats swapped
    refusal: Refused | None = None  # the command came too late, and its coming changed the match


class Limits(Struct, frozen=True):
    """How long things may take."""

    start_within: timedelta  # a timed match in which nobody has acted is aborted after that
    lag_ms: int  # the most that the network's delay is given back for one action
    lag_budget_ms: int  # and for the whole match, to one player
    lag_refill_ms: int  # of that budget, with each action of theirs
    gone_timed: timedelta  # a player gone for so long: the other may claim the match
    gone_untimed: timedelta
    stalled: timedelta  # so long without an action in an untimed match: the other may claim it
    referee_waits: int = 3  # times as long, until the referee ends the match by itself

    def gone_for(self, state: MatchState) -> timedelta:
        return self.gone_timed if state.clock else self.gone_untimed


class Context(Struct, frozen=True):
    """What a command depends on beside the match and the player."""

    now: datetime
    limits: Limits
    recorded: Callable[[int], tuple[str, str] | None]  # (role, action) stored for a ply
    seen: Callable[[], tuple[datetime, datetime]]  # when each seat's player was last here
    up_since: Callable[[], datetime | None] = lambda: None  # the end of the site's last outage
    lag_ms: int = 0  # the delay of the player's connection, as the server measured it
