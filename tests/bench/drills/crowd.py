"""A crowd of sockets at one address that repeat a few messages.

It is a separate process with low priority, so that its own work does not slow others down. It reads
a plan from standard input, and prints the number of frames sent and of answers by kind:

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
_TICK = 0.005  # seconds between two checks for due messages
_APART = 0.02  # seconds between opening two sockets, as the site limits new sockets per address


class Crowd:
    """The crowd's process. `result` waits for its end."""

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
    """A socket that connects, sends messages at times, and counts the answers."""

    def __init__(self, plan: dict[str, Any], number: int, path: str, cookie: str) -> None:
        self._plan, self._chance = plan, random.Random(number)
        self._request = handshake(plan["port"], path, plan["origin"], cookie)
        self._frames = [frame(text.encode()) for text in plan["texts"]]
        self._socket: socket.socket | None = None
        self._is_open = False
        self.due = time.monotonic() + number * _APART

    def act(self, seen: Counter[str], now: float) -> None:
        """Connect or send a message if either is due."""
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
        if not data or b"\x88\x02\x11" in data:  # disconnected, or closed with 4352 to 4607
            self._socket.close()
            self._socket, self.due = None, now + 0.5


def _crowd(plan: dict[str, Any]) -> Counter[str]:
    """Run a plain loop, whose own work does not slow down the measured players."""
    seen: Counter[str] = Counter()
    sockets = [_Socket(plan, i, *where) for i, where in enumerate(plan["sockets"])]
    until = time.monotonic() + plan["seconds"]
    while (now := time.monotonic()) < until:
        for each in sockets:
            if each.due <= now:
                each.act(seen, now)
        time.sleep(_TICK)  # short enough for each socket to keep its rate
    return seen


if __name__ == "__main__":
    give_way()
    print(json.dumps(_crowd(json.load(sys.stdin))))
