"""Messages of the match socket: those that clients send, and frames for states and phrases."""

import time
from collections.abc import Callable
from itertools import count
from typing import Any

import msgspec
from django.conf import settings
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import astuple, replace

from games.boards import BOARDS
from games.boards.board import Path
from games.live.frames import Echo, Frame, Ping, Pong, encode_bytes, encode_text
from games.match.commands import Phrase, PlayerCommand
from games.match.conduct import list_allowed, seat_in_hand
from games.match.outcome import Outcome, get_outcome
from games.match.state import MatchState
from games.messages import Message, build_message
from games.store.ratings import NOT_RATED, Ratings, SeatRating
from games.store.visibility import mask_names_for_seats

# -- messages from clients


class StateRequest(Struct, frozen=True, tag="look"):
    """A client's request for the current state, which it sends when it has missed a frame."""


decoder = msgspec.json.Decoder(PlayerCommand | Phrase | Ping | Echo | StateRequest)


# -- messages to clients


class StateSeat(Struct, frozen=True):
    """A seat: its player's name and presence, the player's mark, and the score if the game has one.

    `rating` is only set in rated matches (`games.store.ratings`).
    """

    name: str
    here: bool
    mark: str
    score: int | None
    rating: SeatRating | UnsetType = UNSET


class StateClock(Struct, frozen=True):
    """The time that each role had left at `since`, and the role whose clock is running.

    Durations are in milliseconds, and times in seconds since 1970.
    """

    control: str
    increment_ms: int
    remaining_ms: dict[str, int]
    running: str | None
    since: float
    deadline: float | None
    started: bool
    lag_ms: int


class StateRematch(Struct, frozen=True):
    """The role that offered a rematch, and the new match's id and URL once both have agreed."""

    by: str | None
    match: str | None
    url: str | None


class SharedState(Struct, frozen=True, tag="state"):
    """The part of the state frame that is the same for all viewers, unless a name is hidden.

    `said`, `verdict` and `prompt` are codes with parameters, which the page renders.
    """

    match: str
    game: str
    ply: int
    version: int
    turn: str | None
    diagram: str
    last: str | None
    said: Message | None
    fresh: tuple[int, ...]
    line: tuple[int, ...]
    status: str
    ended: str | None
    goals: dict[str, int] | None
    verdict: Outcome | None
    prompt: Message | None
    hand: str  # the mark that the role in control would make
    # Pairs of elements: an action on the first would complete the second.
    closing: tuple[tuple[int, int], ...]
    # The elements that the role in control can act on, so that clients need no rules.
    open: str
    buttons: list[str]
    seats: dict[str, StateSeat]
    draw: str | None
    rematch: StateRematch | None
    clock: StateClock | None
    watchers: int
    epoch: str
    # On boards where one click is not enough: the legal actions with their names and, for each
    # step, the elements to act on. Other boards do not have it.
    paths: tuple[Path, ...] | UnsetType = UNSET


class ViewerState(Struct, frozen=True):
    """The part of the state frame that depends on the viewer: role and allowed commands.

    `yours` are the roles for which the viewer acts. If two players share a screen, these are both
    roles, and `you` is the role in control, or None once the match is over. `claim_at` is only sent
    to the opponent of an absent player: the time, in seconds since 1970, from which the opponent
    can claim a win.
    """

    you: str | None
    can: list[str]
    yours: tuple[str, ...] = ()
    claim_at: float | UnsetType = UNSET


class PhraseFrame(Struct, frozen=True, tag="phrase"):
    """A preset phrase that a player has sent."""

    role: str
    phrase: str
    words: Message


class MatchPeople(Struct, frozen=True):
    """The part of a state frame that is about people. Tuples have one item for each seat."""

    names: tuple[str, str]
    here: tuple[bool, bool] = (False, False)
    watchers: int = 0
    # Whether the player has been absent for so long that the opponent can claim a win.
    abandoned: tuple[bool, bool] = (False, False)
    # Whether the player has been idle for so long that the opponent can claim a win.
    stalled: tuple[bool, bool] = (False, False)
    epoch: str = ""  # the epoch of the database from which the state was read; "" if unknown
    ratings: Ratings = NOT_RATED
    # Whether a seat's name is hidden from the other player.
    hidden: tuple[bool, bool] = (False, False)
    abandoned_at: tuple[float | None, float | None] = (None, None)  # when `abandoned` becomes true


_numbers = count()
"""Numbers for frames, so that a frame that is no longer in use does not stay in memory as a key."""


def _changes(before: Struct, after: Struct) -> dict[str, Any]:
    """Return the values that have changed. A field that is not sent any more becomes None."""
    return {
        name: None if new is UNSET else new
        for name, old, new in zip(
            after.__struct_fields__, astuple(before), astuple(after), strict=True
        )
        if new is not old and new != old
    }


class StateFrame:
    """A match's state, encoded once for all viewers who act for the same seats.

    A viewer gets the whole state, or a patch with what has changed since the last frame that it
    received.
    """

    def __init__(self, state: MatchState, around: MatchPeople) -> None:
        self.state = state
        self.around = around
        self._number = next(_numbers)
        self._is_masked = any(around.hidden)
        self._now = time.time()
        self._shared: dict[tuple[int, ...], SharedState] = {}
        self._bodies: dict[tuple[int, ...], bytes] = {}
        self._own: dict[tuple[int, ...], ViewerState] = {}
        self._frames: dict[tuple[int, ...], Frame] = {}
        self._patches: dict[tuple[int, tuple[int, ...]], Frame] = {}
        self._lines: dict[Callable[[MatchState], bytes], bytes] = {}

    @property
    def watchers(self) -> int:
        """The number of watchers on all servers."""
        return self.around.watchers

    def for_seats(self, seats: tuple[int, ...]) -> Frame:
        """Return the frame for a viewer who acts for these seats. A watcher has none."""
        found = self._frames.get(seats)
        if found is None:
            who = self._whose(seats)
            body = self._bodies.get(who)
            if body is None:
                body = self._bodies[who] = encode_bytes(self._shared_with(seats))[:-1]
            own = encode_bytes(self._own_of(seats))
            found = self._frames[seats] = Frame(
                b'%b,"now":%b,%b' % (body, encode_bytes(self._now), own[1:])
            )
        return found

    def since(self, base: "StateFrame", seats: tuple[int, ...]) -> Frame:
        """Return the patch for a viewer of these seats who has received `base`.

        A patch has the version of `base`, and the keys that have changed since then. If `base` is
        of another epoch, return the whole state.
        """
        if base.around.epoch != self.around.epoch:
            return self.for_seats(seats)
        key = base._number, self._whose(seats) or base._whose(seats)
        patch = self._patches.get(key)
        if patch is None:
            head = {"type": "patch", "from": base.state.version, "version": self.state.version}
            shared = _changes(base._shared_with(seats), self._shared_with(seats))
            body = encode_bytes({**head, "now": self._now, **shared})
            patch = self._patches[key] = Frame(body)
        before, after = base._own_of(seats), self._own_of(seats)
        if before == after:
            return patch
        return Frame(b"%b,%b" % (patch.body[:-1], encode_bytes(_changes(before, after))[1:]))

    def _whose(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Return the key of the shared part: the seats if any name is hidden, otherwise ()."""
        return seats if self._is_masked else ()

    def _shared_with(self, seats: tuple[int, ...]) -> SharedState:
        who = self._whose(seats)
        found = self._shared.get(who)
        if found is None:
            around = self.around
            if self._is_masked:
                names = mask_names_for_seats(seats, around.names, around.hidden)
                around = replace(around, names=names)
            found = self._shared[who] = build_shared_state(self.state, around)
        return found

    def _own_of(self, seats: tuple[int, ...]) -> ViewerState:
        found = self._own.get(seats)
        if found is None:
            found = self._own[seats] = build_viewer_state(self.state, seats, self.around)
        return found

    def line(self, written: Callable[[MatchState], bytes]) -> bytes:
        """Return the state in another format, such as a line of an API stream.

        `written` encodes the state, and is called once for all viewers.
        """
        found = self._lines.get(written)
        if found is None:
            found = self._lines[written] = written(self.state)
        return found


def build_shared_state(state: MatchState, around: MatchPeople) -> SharedState:
    game, board, position, is_live = state.rules, BOARDS[state.game], state.position, state.is_live
    return SharedState(
        match=state.id,
        game=state.game,
        ply=state.ply,
        version=state.version,
        turn=position.turn if is_live else None,
        diagram=position.diagram,
        last=state.last or None,
        said=board.say(state.last) if state.last else None,
        fresh=board.find_fresh(position, state.last) if state.last else (),
        line=position.line,
        status=state.status,
        ended=state.ended or None,
        goals=state.goals,
        verdict=get_outcome(state),
        prompt=board.prompt(position, state.last) if is_live else None,
        hand=board.mark_of(position),
        closing=board.closing(position) if is_live else (),
        open=board.packed_targets(position) if is_live else "",
        buttons=board.list_buttons(position) if is_live else [],
        seats={
            role: StateSeat(
                around.names[seat],
                around.here[seat],
                board.badge(position, role),
                board.score(position, role),
                around.ratings[seat] or UNSET,
            )
            for seat, role in enumerate(game.roles)
        },
        draw=None if state.draw_by is None else game.roles[state.draw_by],
        rematch=_rematch(state),
        clock=_clock(state),
        watchers=around.watchers,
        epoch=around.epoch,
        paths=board.paths(position) if board.paths and is_live else UNSET,
    )


def build_viewer_state(
    state: MatchState, seats: tuple[int, ...], around: MatchPeople
) -> ViewerState:
    able = list_allowed(state, seats)
    if not seats:
        return ViewerState(None, able)
    claim_at: float | UnsetType = UNSET
    if len(seats) == 1 and state.is_live:
        other = 1 - seats[0]
        claim_at = around.abandoned_at[other] or UNSET
        if around.abandoned[other]:
            able.append("claim-abandoned")
        elif around.stalled[other]:
            able.append("claim-stalled")
    roles, seat = state.rules.roles, seat_in_hand(state, seats)
    you = None if seat is None else roles[seat]
    return ViewerState(you, able, tuple([roles[each] for each in seats]), claim_at)


def _clock(state: MatchState) -> StateClock | None:
    left, control = state.left_ms, state.control
    if left is None or control is None:
        return None
    return StateClock(
        control=state.clock,
        increment_ms=control.increment_ms,
        remaining_ms=dict(zip(state.rules.roles, left, strict=True)),
        running=state.turn,
        since=state.acted_at.timestamp(),
        deadline=state.deadline.timestamp() if state.deadline else None,
        started=state.acted != 0,
        lag_ms=settings.LAG_ALLOWANCE_MS,
    )


def _rematch(state: MatchState) -> StateRematch | None:
    if state.rematch_id is None and state.rematch_by is None:
        return None
    return StateRematch(
        None if state.rematch_by is None else state.rules.roles[state.rematch_by],
        state.rematch_id,
        None if state.rematch_id is None else f"/match/{state.rematch_id}/",
    )


def encode_match_pong(ping: Ping, state: MatchState, epoch: str, mark: str | None) -> str:
    return encode_text(Pong(ping.t, time.time(), state.ply, mark, state.version, epoch))


def encode_phrase(state: MatchState, seat: int, phrase: str) -> str:
    return encode_text(
        PhraseFrame(state.rules.roles[seat], phrase, build_message(f"phrase.{phrase}"))
    )
