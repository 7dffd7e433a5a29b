"""Many visitors of the lobby, and some who seek: a process that counts what each of them gets.

It reads its plan from standard input, and says "ready" once all are connected. For each further
line it prints what it has counted:

{"port": …, "origin": "…", "path": "/ws/lobby/…", "visitors": 100, "seekers": ["cookie", …]}
"""

import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from tests.bench.load.client import Connection, connect
from tests.builders.sites import ROOT, Site

_PING = 2.5  # seconds, as the pages do
_AT_ONCE = 20
_SEEKS = 3  # of each seeker
_GAMES = ("tic-tac-toe", "parallel-tic-tac-toe", "dots-and-boxes", "six-in-a-row")


class Visitors:
    """That process, from outside."""

    def __init__(self, site: Site, path: str, visitors: int, seekers: Sequence[str]) -> None:
        self._visitors = visitors
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.drills.visitors"],
            cwd=ROOT,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        plan = {
            "port": site.port, "origin": site.url, "path": path, "visitors": visitors,
            "seekers": list(seekers),
        }  # fmt: skip
        assert self._ask(json.dumps(plan)) == "ready\n"

    def sent(self, seconds: float) -> dict[str, float]:
        """Bytes and frames a second for each visitor in that time; and how many seeks were made."""
        before = json.loads(self._ask("count"))
        time.sleep(seconds)
        after = json.loads(self._ask("count"))
        each = max(1, self._visitors) * seconds
        return {
            "bytes_s": round((after["bytes"] - before["bytes"]) / each, 1),
            "frames_s": round((after["frames"] - before["frames"]) / each, 2),
            "seeks": after["seeks"],
        }

    def _ask(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def __enter__(self) -> "Visitors":
        return self

    def __exit__(self, *args: object) -> None:
        self._process.kill()
        self._process.communicate()


async def look(plan: dict[str, Any]) -> None:
    frames = seeking = 0
    asked = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(asked), sys.stdin
    )

    def read(connection: Connection, body: bytes) -> None:
        nonlocal frames, seeking
        frames += b'"type":"lobby"' in body or b'"type":"changes"' in body
        seeking += b'"type":"seeking"' in body

    async def come(path: str, cookie: str = "") -> Connection:
        return await connect(plan["port"], path, read, cookie, plan["origin"])

    seekers = [await come("/ws/lobby/?shows=own", cookie) for cookie in plan["seekers"]]
    for index, seeker in enumerate(seekers):
        for which in range(_SEEKS):
            wish = index * _SEEKS + which  # each another, so nobody is paired
            clock = f"{1 + wish % 180}+{wish // 180}"
            message = {"type": "seek", "game": _GAMES[wish % 4], "clock": clock}
            seeker.send(json.dumps(message).encode())
    visitors: list[Connection] = []
    for first in range(0, plan["visitors"], _AT_ONCE):
        some = min(_AT_ONCE, plan["visitors"] - first)
        visitors += await asyncio.gather(*(come(plan["path"]) for _ in range(some)))

    async def ping(connection: Connection) -> None:
        await asyncio.sleep(random.uniform(0, _PING))
        while True:
            connection.send(b'{"type":"ping","t":1}')
            await asyncio.sleep(_PING)

    pings = [asyncio.ensure_future(ping(connection)) for connection in seekers + visitors]
    print("ready", flush=True)
    while await asked.readline():
        got = sum(visitor.bytes for visitor in visitors)
        print(json.dumps({"bytes": got, "frames": frames, "seeks": seeking}), flush=True)
    for task in pings:
        task.cancel()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(look(json.loads(sys.stdin.readline())))
