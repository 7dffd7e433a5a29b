"""The match socket's messages: what a client may send, and the state as it is sent."""

import time

import msgspec
from django.conf import settings
from msgspec import Struct

from games.boards import BOARDS
from games.live.frames import Echo, Frame, Ping, Pong, encode, encoded
from games.match.commands import Phrase, PlayerCommand
from games.match.conduct import may
from games.match.outcome import Outcome, outcome
from games.match.state import Row
from games.words import Words, words

# -- what a client may send


class Look(Struct, frozen=True, tag="look"):
    """Send me the state: I have missed one."""


decoder = msgspec.json.Decoder(PlayerCommand | Phrase | Ping | Echo | Look)


# -- what it is sent


class Seat(Struct, frozen=True):
    """Who sits there, what marks they play with, and what they have gained so far, if counted."""

    name: str
    here: bool
    mark: str
    score: int | None


class Clock(Struct, frozen=True):
    """What each role had left (ms) at `since`, and whose time runs. Moments are epoch seconds."""

    control: str
    increment_ms: int
    remaining_ms: dict[str, int]
    running: str | None
    since: float
    deadline: float | None
    started: bool
    lag_ms: int


class NextMatch(Struct, frozen=True):
    """Who asked for a rematch, and where it is once both wanted it."""

    by: str | None
    match: str | None
    url: str | None


class State(Struct, frozen=True, tag="state"):
    """The part of the state frame that is the same for everyone.

    `said`, `verdict` and `prompt` are codes with parameters: the page makes the sentences.
    """

    match: str
    game: str
    ply: int  # load clients read these three by a pattern: they stay together
    version: int
    turn: str | None
    diagram: str
    last: str | None
    said: Words | None
    fresh: tuple[int, ...]
    line: tuple[int, ...]
    status: str
    ended: str | None
    goals: dict[str, int] | None
    verdict: Outcome | None
    prompt: Words | None
    open: str  # what the role in control may act on: no client looks at the rules for it
    buttons: list[str]
    seats: dict[str, Seat]
    draw: str | None
    rematch: NextMatch | None
    clock: Clock | None
    watchers: int
    epoch: str
    now: float


class Own(Struct, frozen=True):
    """The part of the state frame that is a viewer's own: their role, and what they may send."""

    you: str | None
    can: list[str]


class Said(Struct, frozen=True, tag="phrase"):
    """A preset phrase of a player."""

    role: str
    phrase: str
    words: Words


class Around(Struct, frozen=True):
    """What belongs to a match's state and is not in its row: people."""

    names: tuple[str, str]  # in the order of the seats
    here: tuple[bool, bool] = (False, False)
    watchers: int = 0
    abandoned: tuple[bool, bool] = (False, False)  # gone so long that the other may claim
    stalled: tuple[bool, bool] = (False, False)  # has kept the other waiting for so long
    epoch: str = ""  # the history that the row was read from; "" where that is not known


class StateFrame:
    """A match's state, encoded once for everyone who is sent it."""

    def __init__(self, row: Row, around: Around) -> None:
        self.row = row
        self._around = around
        self._body = encoded(common(row, around))[:-1]
        self._frames: dict[int | None, Frame] = {}

    def for_seat(self, seat: int | None) -> Frame:
        """The state for a player of that seat (None: for a watcher)."""
        found = self._frames.get(seat)
        if found is None:
            own = encoded(personal(self.row, seat, self._around))
            found = self._frames[seat] = Frame(b"%b,%b" % (self._body, own[1:]))
        return found


def common(row: Row, around: Around) -> State:
    """The part of the state frame that is the same for everyone."""
    game, board, position, is_live = row.rules, BOARDS[row.game], row.position, row.is_live
    return State(
        match=row.id,
        game=row.game,
        ply=row.ply,
        version=row.version,
        turn=position.turn if is_live else None,
        diagram=position.diagram,
        last=row.last or None,
        said=board.say(row.last) if row.last else None,
        fresh=board.touched(row.last) if row.last else (),
        line=position.line,
        status=row.status,
        ended=row.ended or None,
        goals=row.goals,
        verdict=outcome(row),
        prompt=board.prompt(position) if is_live else None,
        open=board.packed_targets(position) if is_live else "",
        buttons=[b.action for b in board.buttons if position.may(b.action)] if is_live else [],
        seats={
            role: Seat(name, here, board.badge(position, role), board.score(position, role))
            for role, name, here in zip(game.roles, around.names, around.here, strict=True)
        },
        draw=None if row.draw_by is None else game.roles[row.draw_by],
        rematch=_rematch(row),
        clock=_clock(row),
        watchers=around.watchers,
        epoch=around.epoch,
        now=time.time(),
    )


def personal(row: Row, seat: int | None, around: Around) -> Own:
    """The part of the state frame that is a viewer's own."""
    if seat is None:
        return Own(None, [])
    able = may(row, seat)
    if row.is_live and around.abandoned[1 - seat]:
        able.append("claim-abandoned")
    elif row.is_live and around.stalled[1 - seat]:
        able.append("claim-stalled")
    return Own(row.rules.roles[seat], able)


def _clock(row: Row) -> Clock | None:
    left, control = row.left_ms, row.control
    if left is None or control is None:
        return None
    return Clock(
        control=row.clock,
        increment_ms=control.increment_ms,
        remaining_ms=dict(zip(row.rules.roles, left, strict=True)),
        running=row.turn,
        since=row.acted_at.timestamp(),
        deadline=row.deadline.timestamp() if row.deadline else None,
        started=row.acted != 0,
        lag_ms=settings.LAG_ALLOWANCE_MS,
    )


def _rematch(row: Row) -> NextMatch | None:
    if row.rematch_id is None and row.rematch_by is None:
        return None
    return NextMatch(
        None if row.rematch_by is None else row.rules.roles[row.rematch_by],
        row.rematch_id,
        None if row.rematch_id is None else f"/match/{row.rematch_id}/",
    )


def match_pong(ping: Ping, row: Row, epoch: str, mark: str | None) -> str:
    """The answer to a ping at a match."""
    return encode(Pong(ping.t, time.time(), row.ply, mark, row.version, epoch))


def phrase_frame(row: Row, seat: int, phrase: str) -> str:
    """The frame in which a player says something."""
    return encode(Said(row.rules.roles[seat], phrase, words(f"phrase.{phrase}")))
