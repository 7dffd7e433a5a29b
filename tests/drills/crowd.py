"""A crowd of sockets from one address that say the same few things again and again.

In a process of its own that gives way, so that what it computes slows nobody down. Reads a plan
from its standard input, prints how many frames it sent, and the answers it had, by their kind:

{"port": …, "origin": "http://…", "sockets": [[path, cookie], …], "texts": ["…", …],
 "per_second": 18, "seconds": 10, "address": "127.0.0.2"}
"""

import asyncio
import contextlib
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from typing import Any

from tests.live import ROOT
from tests.load.client import Connection, connect

_KIND = re.compile(rb'"type":"([a-z-]+)"(?:,"code":"([a-z-]+)")?')
_APART = 0.02  # seconds between two sockets that are opened: no address is given them all at once


class Crowd:
    """The process. Give it a plan; `result` waits until it is through."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.drills.crowd"],
            cwd=ROOT,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(plan))
        self._process.stdin.close()

    def result(self) -> dict[str, int]:
        assert self._process.stdout is not None
        found: dict[str, int] = json.loads(self._process.stdout.read())
        self._process.wait()
        return found

    def __enter__(self) -> "Crowd":
        return self

    def __exit__(self, *args: object) -> None:
        self._process.kill()
        self._process.wait()


async def _crowd(plan: dict[str, Any]) -> Counter[str]:
    seen: Counter[str] = Counter()
    until = asyncio.get_running_loop().time() + plan["seconds"]

    def heard(_: Connection, body: bytes) -> None:
        found = _KIND.search(body)
        if found is not None:
            seen[(found[2] or found[1]).decode()] += 1

    async def one(number: int, path: str, cookie: str) -> None:
        loop, chance = asyncio.get_running_loop(), random.Random(number)
        await asyncio.sleep(number * _APART)
        while loop.time() < until:
            codes: list[int] = []  # with which the server closed it
            with contextlib.suppress(OSError):
                connection = await connect(
                    plan["port"],
                    path,
                    heard,
                    cookie,
                    plan["origin"],
                    codes.append,
                    plan["address"],
                )
                seen["opened"] += 1
                while loop.time() < until and not codes:
                    connection.send(chance.choice(plan["texts"]).encode())
                    seen["sent"] += 1
                    await asyncio.sleep(chance.uniform(0.5, 1.5) / plan["per_second"])
                connection.close()
            await asyncio.sleep(0.5)

    await asyncio.gather(*(one(i, *where) for i, where in enumerate(plan["sockets"])))
    return seen


if __name__ == "__main__":
    os.nice(19)
    print(json.dumps(asyncio.run(_crowd(json.load(sys.stdin)))))
