"""A thousand streams beside a thousand sockets: memory of the server, and how late moves come.

    python -m tests.bench.api_streams [--streams 1000] [--moves 60]

One game is played by a program; all the others watch it, first by sockets, then by streams, each at
a server of its own. Memory is what the server grows by after the first `_WARM` of them, for which
it loads and starts what is needed once. "us each" is what the server computes, divided by the
lines: unlike the time until they come, it hardly depends on what else this machine does. Only
figures of one run are comparable.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from games.rules import GAMES
from tests.builders.api import create_client, create_token, send_request
from tests.builders.sites import Site

GAME = "six-in-a-row"
_AT_ONCE = 25  # connections opened at the same time
_HEAD = "kind       open  kB each   p50 ms   p99 ms  us each  missed"
_WARM = 200  # connections opened before memory is measured, as many kept


def main() -> None:
    """Print a line for each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--moves", type=int, default=60)
    asked = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(_HEAD)
    for kind, follow in (("sockets", _socket), ("streams", _stream)):
        with tempfile.TemporaryDirectory(prefix="streams-") as folder:
            site = Site(Path(folder)).wait()
            try:
                asyncio.run(_measure(site, kind, follow, asked.streams, asked.moves))
            finally:
                site.stop()


Follow = Callable[
    [Site, str, dict[int, list[float]], asyncio.Semaphore, list[int]], Awaitable[None]
]


async def _measure(site: Site, kind: str, follow: Follow, count: int, moves: int) -> None:
    loop = asyncio.get_running_loop()
    one, other = create_token(site, "alice"), create_token(site, "bob")
    game = await loop.run_in_executor(None, _begin, site, one, other)
    seen, opened = dict[int, list[float]](), list[int]()
    gate, tasks = asyncio.Semaphore(_AT_ONCE), list[asyncio.Task[None]]()

    async def open_some(more: int) -> float:
        for _ in range(more):
            tasks.append(asyncio.create_task(follow(site, game, seen, gate, opened)))
        while len(opened) < len(tasks):  # noqa: ASYNC110  # by all of them
            await asyncio.sleep(0.1)
        await asyncio.sleep(2)
        return _memory(site)

    before = await open_some(_WARM)
    each = (await open_some(count) - before) / count
    count += _WARM
    late: list[float] = []
    missed, worked = 0, _worked(site)
    for ply in range(1, moves + 1):
        sent = time.perf_counter()
        await loop.run_in_executor(None, _move, site, one, other, game)
        for _ in range(100):
            if len(seen.get(ply, ())) >= count:
                break
            await asyncio.sleep(0.02)
        came = seen.get(ply, [])
        missed += max(0, count - len(came))
        late += [1000 * (at - sent) for at in came]
    cost = 1e6 * (_worked(site) - worked) / (moves * count)
    cuts = statistics.quantiles(late, n=100)
    print(f"{kind:8} {count:6} {each:8.1f} {cuts[49]:8.1f} {cuts[98]:8.1f} {cost:8.1f} {missed:7}")
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _socket(site: Site, game: str, seen: Any, gate: asyncio.Semaphore, opened: Any) -> None:
    async with gate:
        where = site.socket_url(f"/ws/match/{game}/")
        connection = await connect(where, origin=site.url, compression=None)  # type: ignore[arg-type]
        await connection.recv()
        opened.append(1)
    with contextlib.suppress(asyncio.CancelledError):
        async for text in connection:
            frame = json.loads(text)
            if frame["type"] == "state":
                seen.setdefault(frame["ply"], []).append(time.perf_counter())
    await connection.close()


async def _stream(site: Site, game: str, seen: Any, gate: asyncio.Semaphore, opened: Any) -> None:
    async with gate:
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        writer.write(f"GET /api/stream/game/{game} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        while b'"id"' not in await reader.readline():
            pass
        opened.append(1)
    with contextlib.suppress(asyncio.CancelledError):
        while text := await reader.readline():
            if text.startswith(b"{"):
                seen.setdefault(json.loads(text).get("turns"), []).append(time.perf_counter())
    writer.close()


def _begin(site: Site, one: str, other: str) -> str:
    made = create_client(site, one).challenges.create(
        "bob", rated=False, variant=GAME, color="white"
    )
    create_client(site, other).challenges.accept(made["id"])
    return str(send_request(site, "GET", f"/api/challenge/{made['id']}/show", one)[1]["gameId"])


def _move(site: Site, one: str, other: str, game: str) -> None:
    """Play by chance, the same in each run: that makes no line of six so soon."""
    legal = send_request(site, "GET", f"/api/board/game/{game}/legal", one)[1]
    actions = legal["actions"]
    action = random.Random(legal["ply"]).choice(actions).replace(" ", "%20")
    text = one if legal["color"] == "white" else other
    status, told, _ = send_request(site, "POST", f"/api/board/game/{game}/move/{action}", text)
    assert status == 200, told


def _memory(site: Site) -> float:
    """The server's memory in kB."""
    text = Path(f"/proc/{site.pid}/status").read_text()
    return float(text.split("VmRSS:")[1].split()[0])


def _worked(site: Site) -> float:
    """Seconds for which the server has computed."""
    text = Path(f"/proc/{site.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(text[11]) + int(text[12])) / os.sysconf("SC_CLK_TCK")


assert GAME in GAMES

if __name__ == "__main__":
    main()
