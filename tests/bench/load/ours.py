"""The load upon this site: players with sessions, their matches, and the frames they exchange."""

import asyncio
from typing import Any

from tests.bench.load.client import NEXT, STATE, Connection, Game, Times, connect
from tests.bench.load.script import SIX, make_script


class OurGame(Game):
    """A match of two players, and its rematches for as long as the load runs."""

    def __init__(
        self,
        times: Times,
        port: int,
        match: str,
        cookies: list[str],
        origin: str = "",
        game: str = SIX,
        number: int = 0,
        **how: Any,
    ) -> None:
        super().__init__(times, **how)
        self.port = port
        self.origin = origin
        self.match = match
        self.cookies = cookies  # in the order of the seats
        script = make_script(game, number)
        self._actors = [seat for seat, _ in script]
        self._frames = [
            b'{"type":"play","ply":%d,"action":"%s"}' % (ply, action.encode())
            for ply, (_, action) in enumerate(script)
        ]
        self.plies = [-1, -1]
        self.sockets: list[Connection | None] = [None, None]
        self.watching: list[Connection] = []
        self._seen = -1
        self._is_moving = False
        self._moving: asyncio.Future[None] | None = None

    async def open(self) -> None:
        """Connect both; the one whose turn it is begins with the first state."""
        self.plies = [-1, -1]
        self._is_moving = False
        for seat in (0, 1):
            self.sockets[seat] = await connect(
                self.port,
                f"/ws/match/{self.match}/?patches=1",  # as pages do
                lambda _, body, seat=seat, match=self.match: self._took(seat, match, body),
                self.cookies[seat],
                self.origin,
                on_close=self._closed,
            )

    async def watch(self) -> None:
        """One more watcher."""
        last = [-1]

        def took(_: Connection, body: bytes) -> None:
            found = STATE.search(body)
            if found is not None and int(found[1]) > last[0]:
                last[0] = int(found[1])
                self.saw_watcher(last[0] - 1)

        self.watching.append(
            await connect(self.port, f"/ws/match/{self.match}/?patches=1", took, "", self.origin)
        )

    def begin(self) -> None:
        """Let the first player act."""
        self._seen = max(self._seen, 0)
        self._play(0)

    def _closed(self, code: int) -> None:
        if not self.times.stopped:
            self.times.errors.append(f"closed with {code}")

    def _took(self, seat: int, match: str, body: bytes) -> None:
        if match != self.match:
            return
        if body.startswith(b'{"type":"error"'):
            self.times.errors.append(body[:120].decode())
            return
        found = STATE.search(body)
        ply = int(found[1]) if found else self.plies[seat]
        if ply <= self.plies[seat]:
            if ply == len(self._frames):
                self._look_for_rematch(body)
            return
        self.plies[seat] = ply
        if ply == 0:
            return
        if self._actors[ply - 1] == seat:
            self.saw_own(ply - 1)
        else:
            self.saw_other(ply - 1)
        if ply < len(self._frames) and self._actors[ply] == seat:
            self._play(ply)
        if ply == len(self._frames):
            self._send(seat, b'{"type":"rematch"}')

    def _play(self, ply: int) -> None:
        seat, frame = self._actors[ply], self._frames[ply]
        self.act(ply, lambda: self._send(seat, frame))

    def _send(self, seat: int, frame: bytes) -> None:
        socket = self.sockets[seat]
        if socket is not None:
            socket.send(frame)

    def _look_for_rematch(self, body: bytes) -> None:
        found = NEXT.search(body)
        if found is None or self._is_moving or self.times.stopped:
            return
        self._is_moving = True
        self.times.games += self.times.measuring
        self._moving = asyncio.ensure_future(self._move(found[1].decode()))

    async def _move(self, match: str) -> None:
        old = list(self.sockets)
        self.match = match
        self.cookies.reverse()  # the seats are swapped
        self.sent.clear()
        await self.open()
        for socket in old:
            if socket is not None:
                socket.close()
        self.begin()
