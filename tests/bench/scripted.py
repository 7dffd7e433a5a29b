"""Scripted players who play a match over a bad network, and the figures of what happened."""

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from games.rules import GAMES
from tests.builders.ports import free_port
from tests.builders.sites import Person

# While the server is down, a request for the record fails as well.
LOST = (OSError, WebSocketException, TimeoutError, EOFError, AssertionError, HTTPException)


@dataclass
class Figures:
    """Counts and errors of a run."""

    matches: int = 0
    actions: int = 0
    accepted: int = 0  # actions that their player saw accepted
    kills: int = 0
    cuts: int = 0
    delays: int = 0
    repeats: int = 0
    doubled: int = 0  # times that a player used two connections
    reconnects: int = 0
    told: int = 0  # times that an ending server sent a player elsewhere
    longest_wait: float = 0.0  # seconds from an action's first sending until its player saw it
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)


class Proxy:
    """Carries bytes to the server, and cuts and delays some at random."""

    def __init__(
        self, target: int, chance: random.Random, figures: Figures, delays: bool = True
    ) -> None:
        self.port = free_port()
        self._target, self._chance, self._figures = target, chance, figures
        self._delays = delays
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", self.port)

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()

    def cut_some(self, part: float) -> None:
        for writer in list(self._writers):
            if self._chance.random() < part:
                self._figures.cuts += 1
                writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, there[1]}
        ways = (self._pump(reader, there[1]), self._pump(there[0], writer))
        await asyncio.gather(*ways, return_exceptions=True)
        for end in (writer, there[1]):
            self._writers.discard(end)
            end.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if self._delays and self._chance.random() < 0.02:
                self._figures.delays += 1
                await asyncio.sleep(self._chance.uniform(0.02, 0.4))
            writer.write(data)
            await writer.drain()
        writer.transport.abort()


@dataclass
class Player:
    """One scripted player of one match: acts when it is its turn, until the match is over."""

    match_id: str
    role: str
    slug: str
    person: Person
    proxy: Proxy
    chance: random.Random
    figures: Figures
    think: float  # seconds at the most
    state: dict[str, Any] = field(default_factory=dict)
    accepted: dict[int, str] = field(default_factory=dict)  # what the player saw accepted, by ply
    wanted: tuple[int, str] | None = None
    wanted_at: float = 0.0

    async def run(self) -> None:
        while self.state.get("status", "live") == "live":
            tabs = 2 if self.chance.random() < 0.2 else 1
            self.figures.doubled += tabs - 1
            ends = await asyncio.gather(
                *(self._connected() for _ in range(tabs)), return_exceptions=True
            )
            for end in ends:
                if isinstance(end, BaseException) and not isinstance(end, LOST):
                    raise end
                if isinstance(end, ConnectionClosed) and end.rcvd and end.rcvd.code == 1012:
                    self.figures.told += 1
            self.figures.reconnects += 1
            await asyncio.sleep(self.chance.uniform(0.05, 0.4))

    async def _connected(self) -> None:
        async with connect(
            self.person.site.socket_url(f"/ws/match/{self.match_id}/", self.proxy.port),
            ssl=self.person.site.tls,
            origin=self.person.site.url,  # type: ignore[arg-type]
            additional_headers={"Cookie": self.person.cookie_header()},
            compression=None,
            open_timeout=3,
            ping_interval=None,
        ) as socket:
            if self.wanted:
                await self._send(socket)
            while True:
                self._take(json.loads(await asyncio.wait_for(socket.recv(), 4)))
                if self.state.get("status") != "live":
                    return
                if self.state["turn"] == self.role and self.wanted is None:
                    await self._learn()
                    self.wanted = (self.state["ply"], self._choose())
                    await asyncio.sleep(self.chance.uniform(0, self.think))
                    self.wanted_at = time.monotonic()
                    await self._send(socket)

    async def _send(self, socket: Any) -> None:
        assert self.wanted is not None
        text = json.dumps({"type": "play", "ply": self.wanted[0], "action": self.wanted[1]})
        await socket.send(text)
        if self.chance.random() < 0.15:
            self.figures.repeats += 1
            await socket.send(text)

    async def _learn(self) -> None:
        """After missed frames, read the moves from the record, as the pages do."""
        if any(ply not in self.moves for ply in range(self.state["ply"])):
            path = f"/match/{self.match_id}/record.json"
            record = await asyncio.to_thread(self.person.json, path)
            self.moves.update({move["ply"]: move["action"] for move in record["moves"]})

    def _choose(self) -> str:
        game = GAMES[self.slug]
        position = game.start
        for ply in range(self.state["ply"]):
            position = position.play(self.moves[ply])
        return self.chance.choice(position.legal())

    @property
    def moves(self) -> dict[int, str]:
        return self.person.site.moves_of[self.match_id]  # type: ignore[attr-defined,no-any-return]

    def _take(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "error" and frame["code"] not in {"stale", "not-live", "unavailable"}:
            self.figures.wrong.append(f"{self.match_id}: refused with {frame['code']}")
        if frame["type"] != "state" or frame["version"] < self.state.get("version", -1):
            return
        self._check_clocks(frame)
        self.state = frame
        ply, last = frame["ply"], frame["last"]
        if ply:
            known = self.moves.setdefault(ply - 1, last)
            if known != last:
                self.figures.wrong.append(f"{self.match_id}: ply {ply - 1} was {known}, now {last}")
        if self.wanted and ply > self.wanted[0]:
            if ply == self.wanted[0] + 1 and last == self.wanted[1]:
                self.accepted[self.wanted[0]] = last
                waited = time.monotonic() - self.wanted_at if self.wanted_at else 0
                self.figures.longest_wait = max(self.figures.longest_wait, waited)
            self.wanted, self.wanted_at = None, 0.0

    def _check_clocks(self, frame: dict[str, Any]) -> None:
        before = self.state.get("clock")
        if not before or not frame["clock"]:
            return
        grown = (frame["ply"] - self.state["ply"]) * before["increment_ms"]
        for role, left in frame["clock"]["remaining_ms"].items():
            if left > before["remaining_ms"][role] + grown:
                self.figures.wrong.append(f"{self.match_id}: the clock of {role} grew")
