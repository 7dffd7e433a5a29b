"""A crowd of sockets from one address that say the same few things again and again.

It is a separate process with low priority, so that its own work slows nobody down. It reads a plan
from standard input, and prints how many frames it sent and the answers that it got, by kind:

{"port": …, "origin": "http://…", "sockets": [[path, cookie], …], "texts": ["…", …],
 "per_second": 18, "seconds": 10, "address": "127.0.0.2"}
"""

import contextlib
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from typing import Any

from tests.builders.prepared import give_way
from tests.builders.sites import ROOT
from tests.hostile.raw import frame, handshake

_KIND = re.compile(rb'"type":"([a-z-]+)"(?:,"code":"([a-z-]+)")?')
_TICK = 0.005  # seconds between two looks at what is due
_APART = 0.02  # seconds between two sockets that are opened: no address is given them all at once


class Crowd:
    """The process. Give it a plan; `result` waits for its end."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.drills.crowd"],
            cwd=ROOT,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
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


class _Socket:
    """One socket: connects, sends something now and then, and counts the answers."""

    def __init__(self, plan: dict[str, Any], number: int, path: str, cookie: str) -> None:
        self._plan, self._chance = plan, random.Random(number)
        self._request = handshake(plan["port"], path, plan["origin"], cookie)
        self._frames = [frame(text.encode()) for text in plan["texts"]]
        self._socket: socket.socket | None = None
        self._is_open = False
        self.due = time.monotonic() + number * _APART

    def act(self, seen: Counter[str], now: float) -> None:
        """What is due now: to connect, or to say something."""
        if self._socket is None:
            self.due = now + 0.5
            self._connect()
            return
        self.due = now + self._chance.uniform(0.5, 1.5) / self._plan["per_second"]
        self._hear(seen, now)
        if self._is_open and self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.send(self._chance.choice(self._frames))
                seen["sent"] += 1

    def _connect(self) -> None:
        found = socket.socket()
        try:
            found.bind((self._plan.get("address", "127.0.0.1"), 0))
            found.connect(("127.0.0.1", self._plan["port"]))
            found.setblocking(False)
            found.send(self._request)
        except OSError:
            found.close()
            return
        self._socket, self._is_open = found, False

    def _hear(self, seen: Counter[str], now: float) -> None:
        assert self._socket is not None
        try:
            data = self._socket.recv(1 << 20)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not self._is_open and b"\r\n\r\n" in data:
            self._is_open = True
            seen["opened"] += 1
        for kind, code in _KIND.findall(data):
            seen[(code or kind).decode()] += 1
        if not data or b"\x88\x02\x11" in data:  # gone, or closed with 4352 to 4607
            self._socket.close()
            self._socket, self.due = None, now + 0.5


def _crowd(plan: dict[str, Any]) -> Counter[str]:
    """One plain loop, because its own work must not slow down those who are measured."""
    seen: Counter[str] = Counter()
    sockets = [_Socket(plan, i, *where) for i, where in enumerate(plan["sockets"])]
    until = time.monotonic() + plan["seconds"]
    while (now := time.monotonic()) < until:
        for each in sockets:
            if each.due <= now:
                each.act(seen, now)
        time.sleep(_TICK)  # so many a second that each sends about as often as it is to
    return seen


if __name__ == "__main__":
    give_way()
    print(json.dumps(_crowd(json.load(sys.stdin))))
