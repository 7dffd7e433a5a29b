"""Simulated players of a tournament.

Each has the tournament's page open, goes to its match when it starts, plays it through the match's
socket, and returns.
"""

import asyncio
import json
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.bench.load.client import Connection, connect
from tests.bench.load.script import actions

_OWN = re.compile(rb'"games":\[\{"match":"(\w+)"')
_OVER = re.compile(rb'"stage":"(over|called-off)')
_STATE = re.compile(rb'"ply":(\d+),"version":\d+,"turn":(?:"(\w+)"|null)')
_STATUS = re.compile(rb'"status":"(\w+)"')
_YOU = re.compile(rb'"you":"(\w+)"')
_TYPE = re.compile(rb'^\{"type":"([\w-]+)"')
_AGAIN = re.compile(rb'"rematch":\{[^}]*"match":"(\w+)"')


@dataclass
class Seen:
    """The observations of all players. Times are in seconds, sizes in bytes."""

    moves: list[float] = field(default_factory=list)  # from a move to the state that contains it
    games: int = 0
    frames: Counter[str] = field(default_factory=Counter)  # of tournament pages, by type
    sizes: Counter[str] = field(default_factory=Counter)
    largest: dict[str, int] = field(default_factory=dict)
    per_second: list[int] = field(default_factory=list)  # frames of standings per tab
    errors: list[str] = field(default_factory=list)
    page_seconds: float = 0.0
    began: float = 0.0  # the first move
    ended: float = 0.0
    server_seconds: float = 0.0  # of CPU time
    is_over: bool = False

    def frame(self, body: bytes) -> str:
        found = _TYPE.match(body)
        kind = found[1].decode() if found else "?"
        self.frames[kind] += 1
        self.sizes[kind] += len(body)
        self.largest[kind] = max(self.largest.get(kind, 0), len(body))
        return kind


class Simulated:
    """A simulated player.

    `think` is the mean of the seconds before a move and `plies` the mean length of a game, after
    which the player to move resigns.
    """

    def __init__(
        self, seen: Seen, port: int, tournament: str, cookie: str, think: float, plies: int
    ) -> None:
        self._seen, self._port, self._tournament = seen, port, tournament
        self._cookie, self._think, self._plies = cookie, think, plies
        self._over: set[str] = set()  # matches

    async def play(self) -> None:
        """Take part until the tournament is over."""
        while not self._seen.is_over:
            match = await self._wait()
            if match is not None:
                await self._play(match)
                self._over.add(match)

    async def _wait(self) -> str | None:
        """Keep the tournament's page open until a match starts. Return None when it is over."""
        found: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        times: Counter[int] = Counter()

        def took(_: Connection, body: bytes) -> None:
            kind = self._seen.frame(body)
            if kind == "tournament":
                times[int(time.monotonic())] += 1
                if _OVER.search(body):
                    self._seen.is_over = True
                    self._seen.ended = self._seen.ended or time.monotonic()
                    if not found.done():
                        found.set_result(None)
            for match in _OWN.findall(body):
                if match.decode() not in self._over and not found.done():
                    found.set_result(match.decode())

        path = f"/ws/lobby/?shows=tournament&tournament={self._tournament}"
        began = time.monotonic()
        tab = await connect(self._port, path, took, self._cookie)
        try:
            while not found.done() and not self._seen.is_over:
                await asyncio.wait([found], timeout=1)
        finally:
            tab.close()
            self._seen.page_seconds += time.monotonic() - began
            self._seen.per_second += times.values()
        return found.result() if found.done() else None

    async def _play(self, match: str) -> None:
        await Played(self._seen, self._port, match, self._cookie, self._think, self._plies).run()
        self._seen.games += 1


class Played:
    """One player's side of a match."""

    def __init__(
        self,
        seen: Seen,
        port: int,
        match: str,
        cookie: str,
        think: float,
        plies: int,
        again: bool = False,
        is_first: bool = False,
    ) -> None:
        self._seen, self._port, self._match = seen, port, match
        self._cookie, self._think, self._again = cookie, think, again
        self.next: str | None = None  # their next match, if the two play again
        chance = random.Random(match)  # both players agree on the length
        length = plies * chance.uniform(0.5, 1.5)
        if is_first and again:
            length *= chance.random()  # the game is already in progress
        self._length = max(2, round(length))
        self._sent: dict[int, float] = {}
        self._acted = -1
        self._asked = False
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tab: Connection | None = None

    async def run(self) -> None:
        """Play until the match is over."""
        path = f"/ws/match/{self._match}/"
        self._tab = await connect(self._port, path, self._took, self._cookie, on_close=self._closed)
        try:
            await asyncio.wait([self._done], timeout=120)
            if not self._done.done():
                self._seen.errors.append(f"{self._match} did not end")
        finally:
            self._tab.close()

    def _closed(self, code: int) -> None:
        self._seen.errors.append(f"closed with {code}")
        if not self._done.done():
            self._done.set_result(None)

    def _took(self, _: Connection, body: bytes) -> None:
        if body.startswith(b'{"type":"error"'):
            if b'"code":"not-live"' in body:
                return  # it ended while the player was thinking
            self._seen.errors.append(body.decode()[:120])
            return
        state = _STATE.search(body)
        if state is None or not body.startswith(b'{"type":"state"'):
            return
        ply, turn = int(state[1]), state[2]
        if ply - 1 in self._sent:
            self._seen.moves.append(time.perf_counter() - self._sent.pop(ply - 1))
            self._seen.began = self._seen.began or time.monotonic()
        status, you = _STATUS.search(body), _YOU.search(body)
        if status is not None and status[1] != b"live":
            self._is_over(body)
        elif turn and you and turn == you[1] and ply > self._acted:
            self._acted = ply
            pause = random.uniform(0.5, 1.5) * self._think
            asyncio.get_running_loop().call_later(pause, self._act, ply)

    def _is_over(self, body: bytes) -> None:
        if self._done.done():
            return
        if not self._again:
            self._done.set_result(None)
        elif found := _AGAIN.search(body):
            self.next = found[1].decode()
            self._done.set_result(None)
        elif not self._asked and self._tab is not None:
            self._asked = True
            self._tab.send(b'{"type":"rematch"}')

    def _act(self, ply: int) -> None:
        if self._tab is None or self._done.done():
            return
        if ply >= self._length:
            self._tab.send(b'{"type":"resign"}')
            return
        self._sent[ply] = time.perf_counter()
        frame = {"type": "play", "ply": ply, "action": actions()[ply]}
        self._tab.send(json.dumps(frame).encode())


async def play(
    ports: list[int],
    tournament: str,
    cookies: list[str],
    think: float = 0.0,
    plies: int = 4,
    patience: float = 120.0,
    seen: Seen | None = None,
) -> Seen:
    """Run the players on these servers, round-robin, until the tournament is over."""
    seen = seen or Seen()
    tasks = []
    for place, cookie in enumerate(cookies):
        port = ports[place % len(ports)]
        one = Simulated(seen, port, tournament, cookie, think, plies)
        tasks.append(asyncio.ensure_future(one.play()))
        if place % 20 == 19:
            await asyncio.sleep(0.05)
    _, late = await asyncio.wait(tasks, timeout=patience)
    for task in tasks:
        if task in late:
            task.cancel()
        elif task.exception() is not None:
            seen.errors.append(repr(task.exception()))
    seen.ended = seen.ended or time.monotonic()
    return seen


async def play_alone(
    port: int,
    matches: list[str],
    cookies: list[str],
    think: float,
    plies: int,
    seconds: float,
    pause: float = 0.0,
    stop: asyncio.Event | None = None,
) -> Seen:
    """Run games of the same length without a tournament.

    The same two players play again and again, with a mean pause in between. They start in the
    middle of a game, so that games end at a steady rate.
    """
    seen = Seen()
    tasks = []
    until = time.monotonic() + seconds

    stop = stop or asyncio.Event()
    stopped = asyncio.ensure_future(stop.wait())

    async def go_on(match: str | None, cookie: str) -> None:
        is_first = True
        while match is not None and time.monotonic() < until and not stop.is_set():
            played = Played(seen, port, match, cookie, think, plies, again=True, is_first=is_first)
            is_first = False
            ended = asyncio.ensure_future(played.run())
            left = max(0.0, until - time.monotonic())
            await asyncio.wait([ended, stopped], timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                ended.cancel()
                break
            match = played.next
            seen.games += 1
            await asyncio.sleep(random.uniform(0.5, 1.5) * pause)

    for place, cookie in enumerate(cookies):
        tasks.append(asyncio.ensure_future(go_on(matches[place // 2], cookie)))
        if place % 20 == 19:
            await asyncio.sleep(0.05)
    await asyncio.gather(*tasks)
    stopped.cancel()
    seen.ended = time.monotonic()
    return seen


def summary(seen: Seen) -> dict[str, Any]:
    """Return the figures."""
    moves = sorted(seen.moves)
    tabs = max(seen.page_seconds, 0.001)
    seconds = max(seen.ended - seen.began, 0.001)
    return {
        "games": seen.games // 2,
        "games_a_second": round(seen.games / 2 / seconds, 2),
        "moves": len(moves),
        "moves_a_second": round(len(moves) / seconds, 1),
        "move_p50_ms": _at(moves, 0.5, 1000),
        "move_p95_ms": _at(moves, 0.95, 1000),
        "move_p99_ms": _at(moves, 0.99, 1000),
        "server_ms": round(1000 * seen.server_seconds / max(1, len(moves)), 2),  # per move
        "frames": dict(seen.frames),
        "largest_frame": seen.largest,
        "bytes_per_tab_second": round(sum(seen.sizes.values()) / tabs),
        "standings_per_tab_second": round(seen.frames["tournament"] / tabs, 2),
        "standings_most_in_a_second": max(seen.per_second, default=0),
        "errors": seen.errors[:5],
        "error_count": len(seen.errors),
    }


def _at(times: list[float], share: float, times_by: float = 1) -> float | None:
    if not times:
        return None
    return round(times_by * times[min(len(times) - 1, int(len(times) * share))], 2)
