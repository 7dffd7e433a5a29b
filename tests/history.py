"""Plays many matches over a bad network and a server that is killed, and checks what is left.

Scripted players speak to the site through a proxy that cuts and delays what it carries, often over
two connections at once, while the server is killed (`kill -9`) and started again. Afterwards every
accepted action must be stored once, plies without a gap, each client's last state equal to the
database, clocks grown by the increment at the most, and the moves replay to the stored result.

    python -m tests.history --players 40 --kills 20 [--postgres]
"""

import argparse
import asyncio
import contextlib
import json
import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from games.rules import GAMES, IllegalAction
from tests.live import Person, Place, Site, free_port, pair, postgres, redis

CLOCK = "5+1"
# While the server is down, a request for the record fails as well.
LOST = (OSError, WebSocketException, TimeoutError, EOFError, AssertionError, HTTPException)


@dataclass
class Figures:
    """What happened, and what was found wrong."""

    matches: int = 0
    actions: int = 0
    accepted: int = 0  # actions of which their player was told that they are played
    kills: int = 0
    cuts: int = 0
    delays: int = 0
    repeats: int = 0
    doubled: int = 0  # times that a player came with two connections at once
    reconnects: int = 0
    told: int = 0  # times that a server sent a player elsewhere, before it ended
    longest_wait: float = 0.0  # seconds from an action's first sending until its player saw it
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)


class Proxy:
    """Carries bytes to the server; cuts and delays as chance has it."""

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
    accepted: dict[int, str] = field(default_factory=dict)  # what I was told is played, by ply
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
        """Who missed a frame reads the record for the moves to choose by, as the pages do."""
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


def check(players: list[Player], figures: Figures) -> None:
    """Compare what everybody saw with what is stored."""
    by_match: dict[str, list[Player]] = {}
    for player in players:
        by_match.setdefault(player.match_id, []).append(player)
    for match_id, pair_ in by_match.items():
        record = pair_[0].person.json(f"/match/{match_id}/record.json")
        figures.wrong += faults(match_id, record)
        for player in pair_:
            figures.wrong += differences(player, record)
            figures.accepted += len(player.accepted)
        figures.actions += len(record["moves"])
    figures.matches = len(by_match)


def faults(match_id: str, record: dict[str, Any]) -> list[str]:
    """What is wrong with a match's record by itself."""
    wrong = []
    plies = [move["ply"] for move in record["moves"]]
    if plies != list(range(len(plies))):
        wrong.append(f"{match_id}: plies {Counter(plies).most_common(2)}")
    position = GAMES[record["game"]].start
    for move in record["moves"]:
        if position.turn != move["role"]:
            wrong.append(f"{match_id}: {move['role']} was not on move at {move['ply']}")
        try:
            position = position.play(move["action"])
        except IllegalAction:
            wrong.append(f"{match_id}: {move['action']} is not legal at {move['ply']}")
            return wrong
    if position.notation != record["notation"] or (
        record["ended"] == "rules" and position.goals != record["goals"]
    ):
        wrong.append(f"{match_id}: the moves do not replay to what is stored")
    return wrong


def differences(player: Player, record: dict[str, Any]) -> list[str]:
    """What a player was told that is not in the record."""
    wrong = []
    stored = {move["ply"]: move["action"] for move in record["moves"]}
    diagram = GAMES[record["game"]].read(record["notation"]).diagram
    seen = tuple(player.state.get(part) for part in ("ply", "status", "diagram"))
    if seen != (len(record["moves"]), record["status"], diagram):
        wrong.append(f"{player.match_id}: {player.role} last saw something else")
    for ply, action in player.accepted.items():
        if stored.get(ply) != action:
            wrong.append(f"{player.match_id}: {action} at {ply} was accepted and is not stored")
    return wrong


SLUGS = ("six-in-a-row", "dots-and-boxes", "tic-tac-toe", "parallel-tic-tac-toe")
During = Callable[[Figures, list["asyncio.Task[None]"]], Awaitable[None]]


async def play(
    site: Place,
    during: During,
    players: int,
    seed: int,
    limit: float,
    think: float,
    slugs: Sequence[str] = SLUGS,
    cutting: bool = True,
) -> Figures:
    """The whole run, with `during` beside it; the matches may go on for `limit` seconds.

    Half of the matches are of the first two games, the last two of the others. `cutting` makes the
    network between the players and the site a bad one.
    """
    figures, chance = Figures(), random.Random(seed)
    started = time.monotonic()
    proxy = Proxy(site.port, chance, figures, delays=cutting)
    await proxy.start()
    site.moves_of = {}  # type: ignore[attr-defined]
    seated: list[Player] = []
    for i in range(players // 2):
        slug = slugs[i % 2] if i < players // 2 - 2 or len(slugs) == 2 else slugs[2 + i % 2]
        people = [await asyncio.to_thread(Person(site).be_guest) for _ in range(2)]
        match_id, roles = await asyncio.to_thread(pair, people[0], people[1], slug, CLOCK)
        site.moves_of[match_id] = {}  # type: ignore[attr-defined]
        for role, person in roles.items():
            own = random.Random(f"{seed} {i} {role}")
            seated.append(Player(match_id, role, slug, person, proxy, own, figures, think))
    tasks = [asyncio.ensure_future(player.run()) for player in seated]

    async def cut() -> None:
        while cutting:
            await asyncio.sleep(chance.uniform(0.1, 0.4))
            proxy.cut_some(0.04)

    troubling = asyncio.ensure_future(cut())
    await during(figures, tasks)
    _, late = await asyncio.wait(tasks, timeout=max(1, limit - (time.monotonic() - started)))
    troubling.cancel()
    for task in late:
        task.cancel()
    if late:
        figures.wrong.append(f"{len(late)} players did not come to the end in {limit:.0f} s")
    for task in tasks:
        if task.done() and not task.cancelled() and task.exception():
            figures.wrong.append(f"a player failed: {task.exception()!r}")
    await proxy.stop()
    if not late:
        await asyncio.to_thread(check, seated, figures)
    figures.seconds = time.monotonic() - started
    return figures


def killing(restart: Callable[[], object], kills: int, seed: int) -> During:
    """While they play, `restart()` (which kills a server and starts it again) so many times."""
    chance = random.Random(seed)

    async def during(figures: Figures, tasks: list["asyncio.Task[None]"]) -> None:
        for _ in range(kills):
            await asyncio.sleep(chance.uniform(0.5, 2.5))
            if all(task.done() for task in tasks):
                return
            figures.kills += 1
            await asyncio.to_thread(restart)

    return during


def run(
    folder: Path,
    env: dict[str, str],
    players: int,
    kills: int,
    seed: int = 1,
    limit: float = 240,
    think: float = 0.12,
) -> Figures:
    """One run against a server of its own."""
    servers = [Site(folder, {"SECRET_KEY": "k" * 50, **env}).wait()]

    def restart() -> None:
        servers[-1].stop(signal.SIGKILL)
        servers.append(Site(folder, {"SECRET_KEY": "k" * 50, **env}, port=servers[0].port).wait())

    try:
        during = killing(restart, kills, seed)
        figures = asyncio.run(play(servers[0], during, players, seed, limit, think))
    finally:
        servers[-1].stop()
    if "Traceback" in servers[-1].output():
        figures.wrong.append("a traceback in the server's log")
    return figures


def show(figures: Figures) -> None:
    """Print the figures, and what is wrong."""
    for name, value in vars(figures).items():
        if name != "wrong":
            print(f"{name:14}{value:10.1f}" if isinstance(value, float) else f"{name:14}{value:10}")
    print("\n".join(["sound" if not figures.wrong else "WRONG:", *figures.wrong]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--think", type=float, default=0.5, help="seconds before an action")
    parser.add_argument("--limit", type=float, default=600, help="seconds at the most")
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL and Redis, not SQLite")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        env = {}
        if asked.postgres:
            for name in ("pg", "redis", "site"):
                (folder / name).mkdir()
            env["DATABASE_URL"] = stack.enter_context(postgres(folder / "pg"))
            env["REDIS_URL"] = stack.enter_context(redis(folder / "redis"))
        data = folder / "site"
        data.mkdir(exist_ok=True)
        figures = run(data, env, asked.players, asked.kills, asked.seed, asked.limit, asked.think)
    show(figures)
    raise SystemExit(bool(figures.wrong))


if __name__ == "__main__":
    main()
