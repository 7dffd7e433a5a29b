"""The stream of several games for anybody: how each stands, and how it ends."""

import time
from collections.abc import Mapping

from msgspec.structs import replace

from games.live.protocol import StateFrame
from games.live.room import Room
from games.live.rooms import rooms
from lobby.api import matches
from lobby.api.caller import Caller
from lobby.api.streams.stream import Stream


class SeveralStream(Stream):
    """A line for each game, and another one when it ends. It ends with the last of them."""

    kind = "several-stream"

    def __init__(
        self,
        caller: Caller | None,
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
        """That game is followed no longer."""
        watch.leave()
        self._waiting.discard(watch)
        self._end_with_last()

    def _end_with_last(self) -> None:
        if not self._waiting:
            self.end()


class _Watch:
    """A viewer of one of the games."""

    player_id: int | None = None
    seats: tuple[int, ...] = ()
    address = ""
    is_counted = False

    def __init__(self, stream: SeveralStream, found: matches.Read, epoch: str) -> None:
        self._stream, self._found, self._epoch = stream, found, epoch
        self._room: Room | None = None
        self._is_told = False

    @property
    def id(self) -> str:
        return self._found.state.id

    async def enter(self) -> None:
        found = self._found
        self._room = rooms().enter(
            found.state, found.in_room[0], self, self._epoch, found.in_room[1]
        )
        await self.show(self._room.frame())

    def leave(self) -> None:
        if self._room is not None:
            rooms().leave(self._room, self)
            self._room = None

    def last_here(self) -> float:
        return time.time()

    async def show(self, state: StateFrame) -> None:
        is_over = not state.state.is_live
        if self._room is None or (self._is_told and not is_over):
            return
        self._is_told = True
        self._stream.tell(matches.game(replace(self._found, state=state.state)))
        if is_over:
            self._stream.over(self)

    async def send_text(self, text: str) -> None:
        """What players say to each other is not for everybody."""

    async def close(self, code: int) -> None:
        self._stream.over(self)
