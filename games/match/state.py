"""The values of a match: its state, a change, and the context of a command."""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import cached_property

from msgspec import Struct

from games.match.clock import TimeControl, parse_control
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.rules import GAMES, Game, Position

BOTH = 3  # the value of `acted` once both seats have acted


class MatchState(Struct, frozen=True, dict=True):  # cached properties need a `__dict__`
    """The stored state of a match. Each field is the column of `Match` with the same name."""

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
    first_level: int | None = None  # the computer's level in that seat; None for a person
    second_level: int | None = None
    bot_at: datetime | None = None  # the start of the computer's turn
    outage: int | None = None  # the last outage whose time was given back
    # The part of the delay budget that each seat has used (`games.match.clock.return_time`).
    first_lag_ms: int | None = None
    second_lag_ms: int | None = None
    options: str = ""  # the options as in `Setup`
    rated: bool = False
    # Whether a tournament opened the match. If so, the players cannot cancel it or offer a rematch.
    arranged: bool = False
    berserk: int | None = None  # a bit for each seat that halved its time; None if no seat may

    @property
    def setup(self) -> Setup:
        """The setup that the players agreed on."""
        return Setup(self.game, self.clock, self.options, self.rated)

    # Cached, because every command and every frame needs these two several times.
    @cached_property
    def rules(self) -> Game:
        return GAMES[self.game]

    @cached_property
    def position(self) -> Position:
        return self.rules.read(self.notation)

    def know_position(self, position: Position) -> None:
        """Cache the position that `notation` describes, so that `notation` is not parsed."""
        self.__dict__["position"] = position

    @property
    def game_is_unknown(self) -> bool:
        return self.game not in GAMES

    @property
    def is_readable(self) -> bool:
        """Return whether the game is known, and the stored position and time control are valid.

        This is not the case if the site no longer has the game, or if somebody edited the database.
        """
        try:
            return self.position is not None and bool(not self.clock or self.control)
        except (KeyError, ValueError):
            return False

    @property
    def is_live(self) -> bool:
        return self.status == "live"

    @property
    def turn(self) -> str | None:
        """The role in control; None if the match is not live."""
        return self.position.turn if self.is_live else None

    @property
    def control(self) -> TimeControl | None:
        return parse_control(self.clock) if self.clock else None

    @property
    def left_ms(self) -> tuple[int, int] | None:
        """The time that each seat had left at `acted_at`; None in an untimed match."""
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
        """The level of the computer in each seat; None for a person."""
        return self.first_level, self.second_level

    @property
    def has_computer(self) -> bool:
        return self.first_level is not None or self.second_level is not None

    def seat_of(self, player_id: int | None) -> int | None:
        """Return the player's seat, 0 or 1, or None if the player has no seat."""
        if player_id is None:
            return None
        if player_id == self.first_id:
            return 0
        return 1 if player_id == self.second_id else None

    def seats_of(self, player_ids: Collection[int]) -> tuple[int, ...]:
        """Return the seats, 0 or 1, of these players."""
        if self.first_id in player_ids:
            return (0, 1) if self.second_id in player_ids else (0,)
        return (1,) if self.second_id in player_ids else ()

    def role_of(self, player_id: int | None) -> str | None:
        seat = self.seat_of(player_id)
        return None if seat is None else self.rules.roles[seat]


class NewMove(Struct, frozen=True):
    """An accepted action, to be stored as a `Move`."""

    match_id: str
    ply: int
    role: str
    action: str
    at: datetime
    spent_ms: int


class Change(Struct, frozen=True):
    """The effect of a command: the new state, and the move or rematch to store with it."""

    state: MatchState
    move: NewMove | None = None
    position: Position | None = None  # the position of `state`, if the command has computed it
    rematch: bool = False  # whether to open a new match with the seats swapped
    # Set if the command came too late, so that the player lost on time.
    refusal: Refused | None = None


class Limits(Struct, frozen=True):
    """The time limits of a match."""

    # Time for the first action of a timed match, before the match is aborted.
    start_within: timedelta
    # The most delay that is given back for one action. A win on time can be claimed this long after
    # the deadline, because an action may be on its way.
    lag_ms: int
    lag_budget_ms: int  # the most delay that is given back to a player in a match, besides refills
    lag_refill_ms: int  # the amount that each action adds to the player's budget
    # How long a player must be absent before the opponent can claim a win.
    gone_timed: timedelta
    gone_untimed: timedelta
    stalled: timedelta  # the longest turn in an untimed match before the opponent can claim a win
    # After this multiple of `gone_timed` or `gone_untimed`, the referee ends the match. It applies
    # the multiple to `stalled` too, but only if the other player has left.
    referee_waits: int = 3

    def gone_for(self, state: MatchState) -> timedelta:
        return self.gone_timed if state.clock else self.gone_untimed


class Context(Struct, frozen=True):
    """The values, besides the match and the player, that a command depends on."""

    now: datetime
    limits: Limits
    recorded: Callable[[int], tuple[str, str] | None]  # returns (role, action) for a ply
    seen: Callable[[], tuple[datetime, datetime]]  # returns when each player was last present
    # Returns the end of the site's last outage, or None if it is unknown.
    up_since: Callable[[], datetime | None] = lambda: None
    lag_ms: int = 0  # the delay of the player's connection, as the server measured it
