"""The same load upon boardgame.io: its socket.io frames, directly over a websocket."""

import json
import re
from typing import Any

from tests.bench.load.client import Connection, Game, Times, connect
from tests.bench.load.script import order

_LENGTH = len(order())
_UPDATE = re.compile(rb'^42/six-in-a-row,\["update","([^"]+)"')
_STATE = re.compile(rb'"_stateID":(\d+)\},\[')  # of the state; its log's come after


class PeerGame(Game):
    """Two sockets that play one game after the other; a new one is another match's id."""

    def __init__(self, times: Times, port: int, tag: str, **how: Any) -> None:
        super().__init__(times, **how)
        self.port = port
        self.tag = tag
        self.number = 0
        self.match = ""
        self.ready = 0
        self.over = 0
        self.sockets: list[Connection | None] = [None, None]
        self._joined = [False, False]

    async def open(self) -> None:
        import asyncio

        for seat in (0, 1):
            joined: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.sockets[seat] = await connect(
                self.port,
                "/socket.io/?EIO=4&transport=websocket",
                lambda socket, body, seat=seat, joined=joined: self._took(
                    seat, socket, body, joined
                ),
                origin="http://localhost:3000",
            )
            await joined

    def begin(self) -> None:
        self.number += 1
        self.match = f"{self.tag}-{self.number}"
        self.ready = self.over = 0
        self.sent.clear()
        for seat in (0, 1):
            self._send(seat, f'42/six-in-a-row,["sync","{self.match}","{seat}",null,2]')

    def _send(self, seat: int, text: str) -> None:
        socket = self.sockets[seat]
        if socket is not None:
            socket.send(text.encode())

    def _took(self, seat: int, socket: Connection, body: bytes, joined: Any) -> None:
        if body == b"2":
            socket.send(b"3")
        elif body[:1] == b"0":
            socket.send(b"40/six-in-a-row,")
        elif body[:2] == b"40":
            joined.set_result(None)
        elif body[:2] == b"42":
            found = _UPDATE.match(body)
            if found is not None:
                if found[1].decode() == self.match:
                    self._saw(seat, int(_STATE.findall(body)[0]))
            elif json.loads(body[body.index(b",") + 1 :])[0] == "sync":
                self.ready += 1
                if self.ready == 2:
                    self._play(0)

    def _saw(self, seat: int, ply: int) -> None:
        if (ply - 1) % 2 == seat:
            self.saw_own(ply - 1)
        else:
            self.saw_other(ply - 1)
            if ply < _LENGTH:
                self._play(ply)
        if ply == _LENGTH:
            self.over += 1
            if self.over == 2 and not self.times.stopped:
                self.times.games += self.times.measuring
                self.begin()

    def _play(self, ply: int) -> None:
        seat = ply % 2
        text = (
            '42/six-in-a-row,["update",{"type":"MAKE_MOVE","payload":{"type":"place","args":'
            f'[{order()[ply]}],"playerID":"{seat}","credentials":null}}}},{ply},"{self.match}","{seat}"]'
        )
        self.act(ply, lambda: self._send(seat, text))
