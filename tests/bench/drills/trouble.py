"""Faults that the drills cause, and their view of the site."""

import asyncio
import contextlib
import json
import os
import re
import resource
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.builders.commands import run_module
from tests.builders.production import Production, Server
from tests.builders.sites import ROOT, Person, Place, Site, pair


class Direct(Place):
    """One server of the site without nginx, for sockets only."""

    def __init__(self, site: Production, server: Server) -> None:
        self.url, self.port, self.tls = site.url, server.port, None


def crossing(site: Production) -> float:
    """Return the seconds until an action at one server reaches the opponent at another."""
    people = [Person(site).be_guest() for _ in range(2)]
    match_id, roles = pair(*people, "tic-tac-toe")
    x = roles["xplayer"].at(Direct(site, site.servers[0])).match(match_id)
    o = roles["oplayer"].at(Direct(site, site.servers[1])).match(match_id)
    with x, o:
        for socket in (x, o):
            socket.next("state")
        began = time.monotonic()
        x.send("play", ply=0, action="mark 2 2")
        o.ply(1)
        return time.monotonic() - began


class Wire:
    """A TCP proxy on its own thread that can be cut, silently or not."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._writers: set[asyncio.StreamWriter] = set()
        self._flows = threading.Event()
        self._is_up = threading.Event()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._server: asyncio.Server = self._on_loop(self._listen(0))
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.mend()

    def cut(self) -> None:
        """Drop all bytes silently."""
        self._flows.clear()

    def mend(self) -> None:
        """Reset open connections, as a restarted firewall does, and let new ones through."""
        self._on_loop(self._mend())

    def _on_loop(self, work):  # type: ignore[no-untyped-def]
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _listen(self, port: int) -> asyncio.Server:
        return await asyncio.start_server(self._carry, "127.0.0.1", port)

    async def _mend(self) -> None:
        # Do this first, so that new connections lose nothing.
        self._flows.set()
        for writer in list(self._writers):
            writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with contextlib.suppress(OSError):
            there = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers.add(there[1])
            ways = (self._pump(reader, there[1]), self._pump(there[0], writer))
            await asyncio.gather(*ways, return_exceptions=True)
            self._writers.discard(there[1])
            there[1].transport.abort()
        self._writers.discard(writer)
        writer.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if self._flows.is_set():
                writer.write(data)
        writer.transport.abort()


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """Mount a file system of that size; without permission to mount, yield the folder."""
    folder.mkdir(exist_ok=True)
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    done = subprocess.run(["mount", *options], check=False, capture_output=True)
    try:
        yield folder
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextlib.contextmanager
def no_room(site: Site) -> Iterator[None]:
    """Leave no space for the site's data for a while.

    A file system of its own is filled to the last byte. Elsewhere the kernel lets the process
    write no file beyond 64 kB, which fails at the same place with another number.
    """
    # Else SQLite would overwrite its log and need no space at first.
    with contextlib.closing(sqlite3.connect(site.folder / "site.sqlite3", timeout=20)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if not site.folder.is_mount():
        before = resource.prlimit(site.pid, resource.RLIMIT_FSIZE, (65536, resource.RLIM_INFINITY))
        try:
            yield
        finally:
            resource.prlimit(site.pid, resource.RLIMIT_FSIZE, before)
        return
    filler = site.folder / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)):
            pass
    try:
        yield
    finally:
        filler.unlink()


def refusals(site: Production) -> dict[str, int]:
    """Return the servers' refusals so far, by code."""
    found: dict[str, int] = {}
    for server in site.servers:
        for code, times in re.findall(
            r'^parlour_refusals_total\{code="([^"]+)"\} (\S+)', metrics(site, server), re.M
        ):
            found[code] = found.get(code, 0) + int(float(times))
    return found


def metrics(site: Production, server: Server) -> str:
    """Return the server's metrics."""
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}/metrics")
    request.add_header("Authorization", f"Bearer {site.env['METRICS_TOKEN']}")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return str(answer.read().decode())


class Load:
    """Scripted matches at one server, played in a separate process.

    The sockets are open when the object is made, however long it took. Play starts with `begin()`.
    """

    def __init__(
        self,
        server: Site | Server,
        origin: str,
        matches: int,
        think: float,
        seconds: float,
    ) -> None:
        plan = {
            "kind": "ours",
            "port": server.port,
            "origin": origin,
            "games": run_module(server.env, "tests.bench.load.seed", str(matches)),
            "pids": [server.pid],
            "think": think,
            "warm": 5,
            "run": seconds,
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.load.play"],
            cwd=ROOT,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(plan) + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "connected\n"

    def begin(self) -> "Load":
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self

    @property
    def is_over(self) -> bool:
        return self._process.poll() is not None

    def result(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        found: dict[str, Any] = json.loads(self._process.stdout.read())
        self._process.wait()
        return found


def held(server: Site | Server) -> dict[str, int]:
    """Return the memory in kB and the open files of a server."""
    pid = server.pid
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"^VmRSS:\s+(\d+)", status, re.M)
    assert found is not None
    return {"kB": int(found[1]), "files": len(list(Path(f"/proc/{pid}/fd").iterdir()))}
