"""Streams of several games for watchers, with the state of each game and its end."""

import time
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta

from django.utils import timezone
from msgspec import Struct
from msgspec.structs import replace

from games.live.protocol import StateFrame
from games.live.room import Room
from games.live.rooms import rooms
from games.models import Match
from games.rules import GAMES
from games.runtime.db import in_db_for_reading
from games.runtime.per_loop import PerLoop
from games.runtime.tasks import Repeated
from games.store.epoch import get_epoch
from lobby.api import matches
from lobby.api.caller import ApiCaller
from lobby.api.streams.stream import Stream

MOST_FOLLOWED = 50  # the maximum number of games that one stream follows
_CHECK_SECONDS = 2.0
_MOST_READ = 2000  # the maximum number of recent games, and of live games, that one check reads
# A check also finds a game that is already over if the game began less than this long ago.
_RECENT = timedelta(seconds=30)


class SeveralStream(Stream):
    """A stream with a line for each game, and another one when a live game ends.

    The stream ends with the last game.
    """

    kind = "several-stream"

    def __init__(
        self,
        caller: ApiCaller | None,
        address: str,
        found: Mapping[str, matches.Read],
        epoch: str,
    ) -> None:
        super().__init__(caller, address)
        self._waiting = {_Watch(self, each, epoch) for each in found.values()}

    async def open(self) -> None:
        self.write(b"")
        for watch in sorted(self._waiting, key=lambda each: each.id):
            await watch.enter()
        self._end_with_last()

    def left(self) -> None:
        for watch in self._waiting:
            watch.leave()
        self._waiting.clear()

    def over(self, watch: "_Watch") -> None:
        """Stop following a game that has ended."""
        watch.leave()
        self._waiting.discard(watch)
        self._end_with_last()

    def _end_with_last(self) -> None:
        if not self._waiting:
            self.end()


class PlayersStream(Stream):
    """A stream with a line for each game that starts between certain players, and one for its end.

    The stream continues when these games have ended.
    """

    kind = "players-stream"

    def __init__(
        self,
        caller: ApiCaller | None,
        address: str,
        player_ids: frozenset[int],
        with_current: bool,
    ) -> None:
        super().__init__(caller, address)
        self.player_ids, self.since = player_ids, timezone.now()
        self._with_current = with_current
        self._watching: dict[str, _Watch] = {}
        self._ended: dict[str, datetime] = {}  # when the followed games ended

    @property
    def room(self) -> int:
        """The number of further games that the stream can follow."""
        return MOST_FOLLOWED - len(self._watching)

    def is_new(self, match_id: str) -> bool:
        return match_id not in self._watching and match_id not in self._ended

    async def open(self) -> None:
        self.write(b"")
        players_streams().opened(self)

    def left(self) -> None:
        players_streams().left(self)
        for watch in self._watching.values():
            watch.leave()
        self._watching.clear()

    def over(self, watch: "_Watch") -> None:
        watch.leave()
        if self._watching.pop(watch.id, None) is not None:
            self._ended[watch.id] = timezone.now()

    async def follow(self, found: Mapping[str, matches.Read], epoch: str) -> None:
        """Follow those of these games that are new, while the stream is open and has room."""
        recent = timezone.now() - 2 * _RECENT
        self._ended = {pk: at for pk, at in self._ended.items() if at > recent}
        for each in found.values():
            if self.is_open and self.room > 0 and self.is_new(each.state.id):
                is_current = each.state.created_at < self.since
                watch = _Watch(self, each, epoch, is_told=is_current and not self._with_current)
                self._watching[watch.id] = watch
                await watch.enter()


class PlayersStreams:
    """The open `PlayersStream`s of this process. They share the queries for new games."""

    def __init__(self) -> None:
        self._streams: set[PlayersStream] = set()
        self._looking = Repeated(
            "players-streams", self._look, _CHECK_SECONDS, goes_on=lambda: bool(self._streams)
        )

    def opened(self, stream: PlayersStream) -> None:
        self._streams.add(stream)
        if not self._looking.start():
            self._looking.call()

    def left(self, stream: PlayersStream) -> None:
        self._streams.discard(stream)

    async def _look(self) -> None:
        asked = [
            _Asked(s.player_id, s.player_ids, s.since, s.is_new, s.room) for s in self._streams
        ]
        streams = list(self._streams)
        epoch, found = await in_db_for_reading(_games_between, asked)
        for stream, games in zip(streams, found, strict=True):
            if stream in self._streams:
                await stream.follow(games, epoch)


players_streams = PerLoop(PlayersStreams)
"""The `PlayersStreams` of the running event loop."""


class _Asked(Struct, frozen=True):
    """The request of a `PlayersStream`: up to `most` new games between its players."""

    viewer_id: int | None
    player_ids: frozenset[int]
    since: datetime
    is_new: Callable[[str], bool]
    most: int


def _games_between(asked: Collection[_Asked]) -> tuple[str, list[dict[str, matches.Read]]]:
    """Return the epoch of the database, and a dictionary of games for each element of `asked`.

    The dictionary maps the ids of new games between the element's players to the games. These are
    live, or began recently and after the stream was opened.
    """
    epoch = get_epoch()
    players = frozenset[int]().union(*(each.player_ids for each in asked))
    columns = "pk", "first_id", "second_id", "created_at", "status"
    between = Match.objects.filter(first__in=players, second__in=players, game__in=GAMES)
    newest = between.order_by("-created_at").values_list(*columns)
    # Two queries, so that each can use an index of its own. The first one is needed because a game
    # may begin and end between two checks.
    recent = newest.filter(created_at__gt=timezone.now() - _RECENT)[:_MOST_READ]
    live = newest.filter(status=Match.Status.LIVE)[:_MOST_READ]
    rows = sorted({*recent, *live}, key=lambda row: (row[3], row[0]))
    wanted = [
        [
            pk
            for pk, first, second, created_at, status in rows
            if {first, second} <= each.player_ids
            and (status == Match.Status.LIVE or created_at > each.since)
            and each.is_new(pk)
        ][: each.most]
        for each in asked
    ]
    return epoch, [
        matches.read_matches(some, each.viewer_id) if some else {}
        for each, some in zip(asked, wanted, strict=True)
    ]


class _Watch:
    """The viewer of one game for a stream of several games."""

    player_id: int | None = None
    seats: tuple[int, ...] = ()
    address = ""
    is_counted = False

    def __init__(
        self,
        stream: SeveralStream | PlayersStream,
        found: matches.Read,
        epoch: str,
        is_told: bool = False,
    ) -> None:
        self._stream, self._found, self._epoch = stream, found, epoch
        self._room: Room | None = None
        self._is_told = is_told

    @property
    def id(self) -> str:
        return self._found.state.id

    async def enter(self) -> None:
        found = self._found
        self._room = rooms().enter(
            found.state, found.in_room[0], self, self._epoch, found.in_room[1]
        )
        self.show(self._room.frame())

    def leave(self) -> None:
        if self._room is not None:
            rooms().leave(self._room, self)
            self._room = None

    def last_here(self) -> float:
        return time.time()

    def show(self, state: StateFrame) -> None:
        is_over = not state.state.is_live
        if self._room is None or (self._is_told and not is_over):
            return
        self._is_told = True
        self._stream.tell(matches.serialize_game(replace(self._found, state=state.state)))
        if is_over:
            self._stream.over(self)

    def send_text(self, text: str) -> None:
        """Ignore phrases, which are only for the players."""

    def close(self, code: int) -> None:
        self._stream.over(self)
