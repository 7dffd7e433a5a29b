"""Channels, each of which shows its most watched game, and the streams that follow a channel.

A channel is a game's slug, or `best` for all games. Each channel is a single viewer of its match,
regardless of the number of streams. A channel that nobody follows neither reads nor follows a
match.
"""

import time

from django.conf import settings
from django.utils import timezone
from msgspec import UNSET

from games.live.protocol import StateFrame
from games.live.room import Room
from games.live.rooms import rooms
from games.match.state import MatchState
from games.runtime.db import in_db_for_reading
from games.runtime.per_loop import PerLoop
from games.runtime.tasks import Repeated
from games.store.epoch import get_epoch
from lobby.api import matches, names
from lobby.api.schemas.games import COLOURS
from lobby.api.schemas.people import LightUser
from lobby.api.schemas.streams import (
    Featured,
    FeaturedPlayer,
    FeedFeatured,
    FeedPosition,
    PositionSchema,
)
from lobby.api.streams.stream import Stream, encode
from lobby.live.live_matches import choose_most_watched, get_played_matches

BEST = "best"
_LOOKED_AT = 200  # the number of most watched games from which the channels choose
_LINGERS = 5.0  # seconds that a finished game stays in its channel


class ChannelViewer:
    """The viewer of a channel's current match. It writes to the streams that follow the channel."""

    player_id: int | None = None
    seats: tuple[int, ...] = ()
    address = ""
    is_counted = False

    def __init__(self) -> None:
        self.streams: set[Stream] = set()
        self.match_id: str | None = None
        self.over_at: float | None = None
        self._room: Room | None = None
        self._featured = self._position = b""
        self._version = -1

    def last_here(self) -> float:
        return time.time()

    @property
    def may_change(self) -> bool:
        """Return whether the match can be replaced. A finished match stays for a moment."""
        return self.over_at is None or time.monotonic() - self.over_at >= _LINGERS

    def enter(self, stream: Stream) -> None:
        self.streams.add(stream)
        for known in (self._featured, self._position):
            if known:
                stream.write(known)

    async def turn_to(self, found: matches.Read, epoch: str) -> None:
        """Follow another match instead of the current one."""
        self.turn_off()
        self.match_id, self._version = found.state.id, -1
        self._room = rooms().enter(found.state, found.in_room[0], self, epoch, found.in_room[1])
        self._featured = encode(FeedFeatured(serialize_featured(found)))
        self._send(self._featured)
        self.show(self._room.frame())

    def turn_off(self) -> None:
        if self._room is not None:
            rooms().leave(self._room, self)
        self._room, self.match_id, self.over_at = None, None, None
        self._featured = self._position = b""

    def show(self, state: StateFrame) -> None:
        now = state.state
        if now.version == self._version:
            return
        self._version = now.version
        self._position = encode(FeedPosition(serialize_position(now)))
        self._send(self._position)
        if not now.is_live and self.over_at is None:
            self.over_at = time.monotonic()

    def send_text(self, text: str) -> None:
        """Ignore phrases, which are only for the players."""

    def close(self, code: int) -> None:
        """Stop showing a match that cannot be shown any more, until another one is chosen."""
        self.turn_off()

    def _send(self, line: bytes) -> None:
        for stream in list(self.streams):
            stream.write(line)


class FeedStream(Stream):
    """A stream of the most watched games of a channel."""

    kind = "tv-stream"

    def __init__(self, address: str, channel: str) -> None:
        super().__init__(None, address)
        self._channel = channel

    async def open(self) -> None:
        self.write(b"")
        await tv().enter(self, self._channel)

    def left(self) -> None:
        tv().leave(self, self._channel)


class Tv:
    """The channels of this process that have streams."""

    def __init__(self) -> None:
        self._channels: dict[str, ChannelViewer] = {}
        self._choosing = Repeated(
            "tv",
            self._choose,
            settings.LOBBY_INTERVAL_SECONDS,
            goes_on=lambda: bool(self._channels),
        )

    async def enter(self, stream: Stream, name: str) -> None:
        self._channels.setdefault(name, ChannelViewer()).enter(stream)
        self._choosing.start()

    def leave(self, stream: Stream, name: str) -> None:
        channel = self._channels.get(name)
        if channel is not None:
            channel.streams.discard(stream)
            if not channel.streams:
                channel.turn_off()
                del self._channels[name]

    async def _choose(self) -> None:
        wanted = list(self._channels)
        epoch, found = await in_db_for_reading(_get_featured_with_epoch, wanted)
        for name, each in found.items():
            channel = self._channels.get(name)
            if channel is None or channel.match_id == each.state.id:
                continue
            if channel.match_id is None or channel.may_change:
                await channel.turn_to(each, epoch)


tv = PerLoop(Tv)
"""The channels of the running event loop."""


def get_featured_games(channels: list[str]) -> dict[str, matches.Read]:
    """Return a dictionary that maps these channels to their most watched live games.

    Channels without a live game are left out.
    """
    played = get_played_matches()
    order = choose_most_watched([], played, timezone.now(), _LOOKED_AT)
    known = matches.read_matches(order, viewer_id=None)
    games = [known[pk] for pk in order if pk in known and known[pk].state.is_live]
    found = {}
    for name in channels:
        first = next((each for each in games if name in {BEST, each.state.game}), None)
        if first is not None:
            found[name] = first
    return found


def list_channel_games(channel: str, most: int) -> list[matches.Read]:
    """Return up to `most` games of a channel.

    Games between people come first, and the most watched ones before others. Games against the
    computer follow.
    """
    order = choose_most_watched([], get_played_matches(), timezone.now(), _LOOKED_AT)
    known = matches.read_matches(order, viewer_id=None)
    games = [known[pk] for pk in order if pk in known]
    return [each for each in games if channel in {BEST, each.state.game}][:most]


def serialize_featured(found: matches.Read) -> Featured:
    """Serialize a game for the line that announces it on a channel."""
    state, left = found.state, matches.get_time_left(found.state)
    players = [
        FeaturedPlayer(
            COLOURS[seat],
            serialize_player(found, seat),
            get_rating(found, seat),
            left[seat] // 1000 if state.clock else UNSET,
        )
        for seat in (0, 1)
    ]
    return Featured(state.id, "white", players, state.notation, state.game)


def serialize_position(state: MatchState) -> PositionSchema:
    """Serialize the position and the clocks of a match for a channel."""
    white, black = matches.get_time_left(state)
    return PositionSchema(state.notation, state.last, white // 1000, black // 1000)


def serialize_player(found: matches.Read, seat: int) -> LightUser:
    """Serialize the player in a seat, without the rating."""
    name = found.names[seat]
    return LightUser(names.get_id(name), name, found.title(seat) or UNSET)


def get_rating(found: matches.Read, seat: int) -> int:
    """Return the rating of the player in a seat, or 0 if the match is not rated."""
    rating = found.ratings[seat]
    return 0 if rating is None else names.parse_number(rating.before)[0]


def _get_featured_with_epoch(channels: list[str]) -> tuple[str, dict[str, matches.Read]]:
    return get_epoch(), get_featured_games(channels)
