"""Delays for players, watchers and lobby visitors during a drill.

They run in a separate process that measures on request, so that the calm run and the attack are
measured with the same people in the same places. The program reads a plan, then lines with the
seconds to measure; for each line it prints the figures:

{"port": …, "origin": "https://…", "authority": "/…/ca.pem", "games": [[match, cookie, cookie], …],
 "think": 0.1, "watchers": 5, "viewers": 5}
"""

import asyncio
import json
import os
import ssl
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.bench.load.client import Connection, OnText, Times
from tests.bench.load.ours import OurGame
from tests.bench.load.play import at
from tests.builders.commands import run_module
from tests.builders.production import Production
from tests.builders.sites import ROOT, Site
from tests.hostile.raw import handshake

_BEAT = 0.05  # seconds between two pings of one viewer


@dataclass
class Felt:
    """Figures of one measurement: milliseconds, and the frames of each socket."""

    actions: int
    move_p50: float
    move_p99: float  # from sending an action until the opponent receives it
    watched_p99: float  # until the last watcher receives it
    ping_p99: float
    frames: int  # received by visitors of the lobby
    fewest: int  # received by the visitor with the fewest
    errors: list[str]

    def __str__(self) -> str:
        return (
            f"{self.actions} actions, p50 {self.move_p50}, p99 {self.move_p99} ms, "
            f"watchers' {self.watched_p99} ms; pings' p99 {self.ping_p99} ms; "
            f"{self.frames} frames of the lobby, {self.fewest} at least"
        )


def ratios(calm: Felt, hard: Felt) -> str:
    """Return the ratios of the figures as text."""
    return (
        f"p99 of moves {hard.move_p99 / calm.move_p99:.2f} times a calm while's, "
        f"of watchers {hard.watched_p99 / calm.watched_p99:.2f}, "
        f"of pings {hard.ping_p99 / calm.ping_p99:.2f}; "
        f"frames received {hard.frames / max(1, calm.frames):.2f} times as many"
    )


class Bystanders:
    """The process with ten matches, watchers of the first one, and viewers of the lobby."""

    def __init__(self, site: Site | Production, think: float = 0.1, matches: int = 10) -> None:
        seeder = site if isinstance(site, Site) else site.servers[0]
        games = run_module(seeder.env, "tests.bench.load.seed", str(matches))
        self.match_id: str = games[0][0]  # the watched match
        plan = {
            "port": site.port,
            "origin": site.url,
            "authority": authority(site),
            "games": games,
            "think": think,
            "watchers": 5,
            "viewers": 5,
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.drills.bystanders"],
            cwd=ROOT,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._tell(json.dumps(plan))
        self._answer()

    def begin(self, seconds: float) -> None:
        """Start measuring for `seconds`."""
        self._tell(str(seconds))

    def felt(self) -> Felt:
        """Wait for the end of the measurement and return its figures."""
        return Felt(**json.loads(self._answer()))

    def feel(self, seconds: float) -> Felt:
        self.begin(seconds)
        return self.felt()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the bystanders' process ended"
        return line

    def __enter__(self) -> "Bystanders":
        return self

    def __exit__(self, *args: object) -> None:
        self._process.kill()
        self._process.wait()


def authority(site: Site | Production) -> str:
    """Return the path of the site's CA certificate; "" for plain connections."""
    if site.tls is None:
        return ""
    assert isinstance(site, Production)
    found = site.folder / "authority.pem"
    certificates = site.tls.get_ca_certs(binary_form=True)
    found.write_text("".join(map(ssl.DER_cert_to_PEM_cert, certificates)))
    return str(found)


def trusting(path: str) -> ssl.SSLContext | None:
    """Return an SSL context that trusts that certificate; None for plain connections."""
    if not path:
        return None
    found = ssl.create_default_context(cafile=path)
    found.maximum_version = ssl.TLSVersion.TLSv1_2
    return found


class _Line:
    """Connections from this process to the site."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.port, self.origin = plan["port"], plan["origin"]
        self._tls = trusting(plan["authority"])

    async def connect(self, path: str, on_text: OnText, cookie: str = "") -> Connection:
        request = handshake(self.port, path, self.origin, cookie)
        _, found = await asyncio.get_running_loop().create_connection(
            lambda: Connection(request, on_text), "127.0.0.1", self.port, ssl=self._tls
        )
        await found.is_open
        return found


class _Game(OurGame):
    """A match played over such a line."""

    line: _Line

    async def open(self) -> None:
        self.plies = [-1, -1]
        self._is_moving = False
        for seat in (0, 1):
            self.sockets[seat] = await self.line.connect(
                f"/ws/match/{self.match}/",
                lambda _, body, seat=seat, match=self.match: self._took(seat, match, body),
                self.cookies[seat],
            )

    async def _move(self, match: str) -> None:
        """Move the players and the watchers to the rematch."""
        await super()._move(match)
        old, self.watching = self.watching, []
        for connection in old:
            connection.close()
        for _ in old:
            await self.watch_too()

    async def watch_too(self) -> None:
        seen = [-1]

        def took(_: Connection, body: bytes) -> None:
            ply = int(body.split(b'"ply":', 1)[1].split(b",", 1)[0]) if b'"ply":' in body else -1
            if ply > seen[0]:
                seen[0] = ply
                self.saw_watcher(ply - 1)

        self.watching.append(await self.line.connect(f"/ws/match/{self.match}/", took))


class _Viewer:
    """A visitor of the lobby."""

    def __init__(self) -> None:
        self.frames = 0
        self.waits: list[float] = []
        self._sent: float | None = None

    async def look(self, line: _Line) -> None:
        connection = await line.connect("/ws/lobby/?shows=changes", self._took)
        while True:
            # Send the next ping only after the answer to the last one.
            if self._sent is None:
                self._sent = time.perf_counter()
                connection.send(b'{"type":"ping","t":1}')
            await asyncio.sleep(_BEAT)

    def _took(self, _: Connection, body: bytes) -> None:
        if body.startswith(b'{"type":"pong"') and self._sent is not None:
            self.waits.append(time.perf_counter() - self._sent)
            self._sent = None
        elif body.startswith((b'{"type":"lobby"', b'{"type":"changes"')):
            self.frames += 1

    def waited(self) -> list[float]:
        """Return the time until each answer. A missing answer counts with its time so far."""
        open_ = [] if self._sent is None else [time.perf_counter() - self._sent]
        return self.waits + open_


async def _stand_by() -> None:
    loop = asyncio.get_running_loop()
    plan = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    line, times = _Line(plan), Times()
    games = []
    for index, (match, *cookies) in enumerate(plan["games"]):
        watchers = 0 if index else plan["watchers"]
        game = _Game(times, plan["port"], match, cookies, think=plan["think"], watchers=watchers)
        game.line = line
        games.append(game)
        await game.open()
    for _ in range(plan["watchers"]):
        await games[0].watch_too()
    viewers = [_Viewer() for _ in range(plan["viewers"])]
    looking = [asyncio.ensure_future(viewer.look(line)) for viewer in viewers]
    for index, game in enumerate(games):
        loop.call_later(0.7 * index / len(games), game.begin)
    await asyncio.sleep(1.5)
    print("ready", flush=True)
    while seconds := await loop.run_in_executor(None, sys.stdin.readline):
        times.actions = 0
        for found in (times.own, times.other, times.last_watcher, times.errors):
            found.clear()
        for viewer in viewers:
            viewer.frames = 0
            viewer.waits.clear()
        times.measuring = True
        await asyncio.sleep(float(seconds))
        times.measuring = False
        frames = [viewer.frames for viewer in viewers]
        felt = Felt(
            actions=times.actions,
            move_p50=_ms(times.other, 0.5),
            move_p99=_ms(times.other, 0.99),
            watched_p99=_ms(times.last_watcher, 0.99),
            ping_p99=_ms([wait for viewer in viewers for wait in viewer.waited()], 0.99),
            frames=sum(frames),
            fewest=min(frames),
            errors=times.errors[:3],
        )
        print(json.dumps(asdict(felt)), flush=True)
    for task in looking:
        task.cancel()


def _ms(times: list[float], share: float) -> float:
    return round(at(times, share) or float("nan"), 1)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(ROOT)))
    asyncio.run(_stand_by())
