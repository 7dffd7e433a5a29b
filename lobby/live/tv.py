"""The TV wall: a few live matches, on boards that show the moves.

Each board is a viewer of its match (`games.live.presence`), like a socket, so it receives a move as
soon as the match's own page does, regardless of which server committed it. `Wall.tend` collects the
changes to all boards in one frame, which it sends to all viewers of the wall.
"""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.utils import timezone
from msgspec import UNSET
from msgspec.structs import asdict

from games.live.frames import Frame, encode_bytes
from games.live.protocol import StateFrame
from games.live.room import Room
from games.live.rooms import rooms
from games.match.outcome import get_outcome
from games.match.state import MatchState
from games.messages import build_message, get_game_name, render
from games.runtime.db import in_db_for_reading
from games.store.epoch import get_epoch
from games.store.ratings import NOT_RATED, Ratings, get_seat_ratings
from games.store.records import read_with_names
from lobby.live.live_matches import choose_most_watched, get_played_matches
from lobby.live.protocol import Named, WallClock, WallFrame, WallMatch
from lobby.live.tabs import Tab
from lobby.live.thumbnails import Thumbnail, compare_thumbnails, get_thumbnail

log = structlog.get_logger(__name__)

PLACES = 6
_LINGERS = 6.0  # seconds for which a finished match stays on the wall

Found = dict[str, tuple[MatchState, tuple[str, str]]]


class WallEntry(NamedTuple):
    """A match on the wall. `clock` is None in an untimed match."""

    match: WallMatch
    board: Thumbnail
    clock: WallClock | None


class WallBoard:
    """A viewer of one match that keeps the match's newest state for the wall's next frame."""

    player_id: int | None = None
    seats: tuple[int, ...] = ()
    address = ""
    is_counted = False

    def __init__(self, state: MatchState, names: tuple[str, str]) -> None:
        self.state, self.names = state, names
        self.watchers = 0
        self.ratings: Ratings = NOT_RATED
        self.over_at: float | None = None  # the monotonic time when the match ended
        self.is_gone = False
        self.room: Room | None = None

    def last_here(self) -> float:
        return time.time()

    def show(self, state: StateFrame) -> None:
        self.state, self.watchers = state.state, state.watchers
        self.ratings = state.around.ratings
        if self.room is not None:
            self.names = self.room.names
        if not self.state.is_live and self.over_at is None:
            self.over_at = time.monotonic()

    def send_text(self, text: str) -> None:
        pass  # the wall does not show phrases

    def close(self, code: int) -> None:
        self.is_gone = True

    @property
    def may_go(self) -> bool:
        """Return whether another match may take the place of this board."""
        return self.is_gone or (
            self.over_at is not None and time.monotonic() - self.over_at >= _LINGERS
        )


class Wall:
    """The wall of this process. It reads and follows matches only while it has viewers."""

    def __init__(self) -> None:
        self._tabs: set[Tab] = set()
        self._boards: dict[str, WallBoard] = {}  # the boards, in display order
        self._shown: dict[str, WallEntry] = {}  # the entries that were last sent to the tabs
        self._chosen_at = 0.0

    async def enter(self, tab: Tab) -> None:
        if not self._tabs:
            await self._choose()
            self._shown = self._entries()
        shown = self._shown
        tab.send_frame(_build_whole_frame(shown))
        self._tabs.add(tab)
        if shown is not self._shown:  # the wall has changed while the frame was being sent
            tab.send_frame(_build_whole_frame(self._shown))

    def leave(self, tab: Tab) -> None:
        self._tabs.discard(tab)
        if not self._tabs:
            for match_id in list(self._boards):
                self._drop(match_id)

    async def tend(self) -> None:
        """Choose the matches again at intervals, and send the changes to all tabs."""
        if not self._tabs:
            return
        if time.monotonic() - self._chosen_at >= settings.LOBBY_INTERVAL_SECONDS:
            await self._choose()
        before, self._shown = self._shown, self._entries()
        frame = build_changes(before, self._shown)
        if frame != WallFrame():
            sent = Frame(encode_bytes(frame))
            for tab in list(self._tabs):
                tab.send_frame(sent)

    async def _choose(self) -> None:
        """Follow the most watched matches. A finished match keeps its place for a moment."""
        self._chosen_at = time.monotonic()
        played = await in_db_for_reading(get_played_matches)
        staying = {pk for pk, board in self._boards.items() if not board.may_go}
        over = {pk for pk in staying if self._boards[pk].over_at is not None}
        live = {
            pk: match for pk, match in played.items() if pk in staying or pk not in self._boards
        }
        wanted = choose_most_watched(
            list(self._boards), live, timezone.now(), PLACES - len(over - live.keys())
        )
        new = [pk for pk in wanted if pk not in self._boards]
        epoch, found = await in_db_for_reading(_read_most_watched, new) if new else ("", {})
        for pk in [pk for pk in self._boards if pk not in wanted and pk not in over]:
            self._drop(pk)
        for pk, (state, names) in found.items():
            if state.is_live:
                board = self._boards[pk] = WallBoard(state, names)
                board.room = rooms().enter(state, names, board, epoch)
                board.show(board.room.frame())
        first = [pk for pk in wanted[:1] if pk in self._boards]
        # A finished match in the first place stays there until it is removed.
        first = [pk for pk in [*self._boards][:1] if pk in over] or first
        self._boards = {pk: self._boards[pk] for pk in dict.fromkeys((*first, *self._boards))}

    def _drop(self, match_id: str) -> None:
        board = self._boards.pop(match_id)
        if board.room is not None:
            rooms().leave(board.room, board)

    def _entries(self) -> dict[str, WallEntry]:
        found = {}
        for match_id, board in self._boards.items():
            if not board.is_gone and board.state.is_readable:
                found[match_id] = build_entry(
                    board.state, board.names, board.watchers, board.ratings
                )
        return found


def build_entry(
    state: MatchState,
    names: tuple[str, str],
    watchers: int = 0,
    ratings: Ratings = NOT_RATED,
) -> WallEntry:
    """Return the entry of a match on the wall."""
    seats = {
        role: Named(name, (rating.after or rating.before) if rating else UNSET)
        for role, name, rating in zip(state.rules.roles, names, ratings, strict=True)
    }
    match = WallMatch(
        match=state.id,
        game=state.game,
        clock=state.clock or None,
        seats=seats,
        watchers=watchers,
        verdict=get_outcome(state),
    )
    board = get_thumbnail(state.game, state.notation, state.last)
    return WallEntry(match, board, _build_clock(state))


def _build_clock(state: MatchState) -> WallClock | None:
    if state.left_ms is None:
        return None
    left = [ms // 1000 for ms in state.left_ms]
    # Before the first action, the deadline is the limit for that action.
    until = state.deadline if state.is_live and state.acted else None
    return WallClock(
        dict(zip(state.rules.roles, left, strict=True)),
        state.turn if until else None,
        int(until.timestamp()) if until else None,
    )


def read_wall() -> list[WallEntry]:
    """Return the current wall for a page, with the number of watchers as last stored."""
    played = get_played_matches()
    chosen = choose_most_watched((), played, timezone.now(), PLACES)
    found = read_with_names(chosen, viewer_id=None)
    ratings = get_seat_ratings(state for state, _ in found.values())
    return [
        build_entry(*found[pk], played[pk].watchers, ratings.get(pk, NOT_RATED))
        for pk in chosen
        if pk in found
    ]


def get_board_context(entry: WallEntry) -> dict[str, Any]:
    """Return the template context for a match on the wall, with its board and clocks."""
    match, board, clock = entry
    left = dict(clock.left) if clock else {}
    if clock and clock.running and clock.until:
        left[clock.running] = max(0, clock.until - int(time.time()))
    names = [seat.name for seat in match.seats.values()]
    players = build_message("match.against", one=names[0], other=names[1])
    said = {
        "game_name": get_game_name(match.game),
        "watched": render(build_message("wall.watchers", count=match.watchers))
        if match.watchers
        else "",
        "label": render(
            build_message("match.watch", game=build_message(f"{match.game}.name"), players=players)
        ),
    }
    seats = [
        {
            "role": role,
            "name": seat.name,
            "rating": seat.rating or "",
            "mark": board.badges[role],
            "moves": role == board.turn,
            "left": f"{left[role] // 60}:{left[role] % 60:02}" if clock else "",
        }
        for role, seat in match.seats.items()
    ]
    return {**asdict(match), **asdict(board), **said, "seats": seats}


def _read_most_watched(match_ids: Sequence[str]) -> tuple[str, Found]:
    epoch = get_epoch()  # read first, so that the match is at least as new as the epoch
    return epoch, read_with_names(match_ids, viewer_id=None)


def _build_whole_frame(shown: dict[str, WallEntry]) -> Frame:
    return Frame(encode_bytes(build_changes(None, shown)))


def build_changes(before: dict[str, WallEntry] | None, after: dict[str, WallEntry]) -> WallFrame:
    """Return the frame that turns one wall into the other.

    The frame has the matches if any match, their order or their watchers have changed, and the
    changed marks and clocks. If `before` is None, it contains the whole wall.
    """
    known = before or {}
    matches = tuple(entry.match for entry in after.values())
    is_same = before is not None and matches == tuple(entry.match for entry in before.values())
    new = {pk: entry for pk, entry in after.items() if known.get(pk) != entry}
    clocks = {
        pk: entry.clock
        for pk, entry in new.items()
        if entry.clock and (pk not in known or known[pk].clock != entry.clock)
    }
    return WallFrame(
        UNSET if is_same else matches,
        tuple(
            compare_thumbnails(
                pk, entry.match.game, known[pk].board if pk in known else None, entry.board
            )
            for pk, entry in new.items()
            if pk not in known or known[pk].board != entry.board
        ),
        clocks or UNSET,
        time.time() if clocks else UNSET,
    )
