"""Hostile visitors from one address, in a separate process, with raw HTTP."""

import asyncio
import base64
import contextlib
import multiprocessing
import os
import ssl
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.builders.prepared import give_way
from tests.builders.sites import PATIENCE, Place

Work = Callable[..., Coroutine[Any, Any, Counter[str]]]
_TAKEN = PATIENCE  # seconds for one answer


@cache
def _trusting() -> ssl.SSLContext:
    """A context that accepts any certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@dataclass(frozen=True)
class Target:
    """The site as a stranger reaches it. `address` is the loopback address they come from."""

    url: str
    port: int
    address: str = "127.0.0.1"

    async def connect(
        self, tls: bool | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection; by TLS where the site has it, unless told otherwise."""
        context = None
        if self.url.startswith("https") if tls is None else tls:
            context = _trusting()
        return await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0), ssl=context
        )

    def head(self, method: str, path: str, **headers: str) -> bytes:
        """The head of a request."""
        lines = {"Host": urlsplit(self.url).netloc, **headers}
        text = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
        return f"{method} {path} HTTP/1.1\r\n{text}\r\n".encode()


def target(site: Place, address: str = "127.0.0.1") -> Target:
    return Target(site.url, site.port, address)


async def ask(there: Target, head: bytes, body: bytes = b"") -> str:
    """Return the status of the answer to one request; "none" if there is no answer."""
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(_TAKEN):
            reader, writer = await there.connect()
            try:
                writer.write(head + body)
                line = await reader.readline()
                await reader.read()
                return line.split(b" ")[1].decode() if b" " in line else "none"
            finally:
                writer.transport.abort()
    return "none"


async def pages(there: Target, cookie: str, path: str, times: int, at_once: int) -> Counter[str]:
    """Request a page repeatedly; return the answers by status."""
    head = there.head("GET", path, Cookie=cookie, Connection="close")
    return await _often(lambda: ask(there, head), times, at_once)


async def guesses(
    there: Target, cookie: str, token: str, name: str, times: int, at_once: int
) -> Counter[str]:
    """Guess the password of a staff account; return the answers by status."""
    body = urlencode({"csrfmiddlewaretoken": token, "login": name, "password": "guess"}).encode()
    head = there.head(
        "POST", "/accounts/login/", Cookie=cookie, Connection="close", Origin=there.url,
        Content_Type="application/x-www-form-urlencoded", Content_Length=str(len(body)),
    )  # fmt: skip
    return await _often(lambda: ask(there, head, body), times, at_once)


async def sockets(
    there: Target, cookie: str, times: int, rounds: int, path: str = "/ws/lobby/"
) -> Counter[str]:
    """Open lobby sockets repeatedly, many at a time; return the outcomes."""
    key = base64.b64encode(os.urandom(16)).decode()
    head = there.head(
        "GET", path, Cookie=cookie, Origin=there.url, Connection="Upgrade", Upgrade="websocket",
        Sec_WebSocket_Version="13", Sec_WebSocket_Key=key,
    )  # fmt: skip

    async def opened() -> str:
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(_TAKEN):
                reader, writer = await there.connect()
                try:
                    writer.write(head)
                    status = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode()
                    if status != "101":
                        return status
                    first = await reader.read(200)
                    return "unavailable" if b'"unavailable"' in first else "admitted"
                finally:
                    writer.transport.abort()
        return "none"

    found: Counter[str] = Counter()
    for _ in range(rounds):
        found.update(await asyncio.gather(*(opened() for _ in range(times))))
    return found


async def pause(seconds: float) -> Counter[str]:
    """Do nothing for `seconds`."""
    await asyncio.sleep(seconds)
    return Counter()


async def openings(there: Target, cookie: str, rounds: int) -> Counter[str]:
    """60 sockets at once with a good cookie, and again: what `bad_beside_honest` does without the
    senseless ones."""
    found: Counter[str] = Counter()
    for _ in range(rounds):
        found.update(await sockets(there, cookie, 60, 1))
        await asyncio.sleep(0.3)
    return found


async def bad_beside_honest(
    honest: Target, cookie: str, bad: Target, senseless: str, rounds: int
) -> Counter[str]:
    """Open 60 sockets with valid cookies repeatedly, with eight invalid ones among them."""
    found: Counter[str] = Counter()
    for _ in range(rounds):
        good, other = await asyncio.gather(
            sockets(honest, cookie, 60, 1), sockets(bad, senseless, 8, 1)
        )
        found.update({f"honest: {what}": times for what, times in good.items()})
        found.update({f"bad: {what}": times for what, times in other.items()})
        await asyncio.sleep(0.3)
    return found


async def everything(there: Target, seconds: float, each: int, least: int) -> Counter[str]:
    """Take all connections that one address can get, for so many seconds.

    Open `each` sockets, and as many connections of each other kind: silent ones, ones with half a
    request, and ones that send a body byte by byte. Return the number of each kind, and the most
    sockets that were open at the same time. On a slow machine, wait until `least` are open.
    """
    key = base64.b64encode(os.urandom(16)).decode()
    upgrade = there.head(
        "GET", "/ws/lobby/", Origin=there.url, Connection="Upgrade", Upgrade="websocket",
        Sec_WebSocket_Version="13", Sec_WebSocket_Key=key,
    )  # fmt: skip
    slow = there.head("POST", "/guest/", Content_Length="60000")
    kinds = {"silent": b"", "half": upgrade[:-2], "body": slow, "socket": upgrade}
    held: list[asyncio.StreamWriter] = []
    going: list[asyncio.StreamWriter] = []  # those that send on, byte by byte
    found: Counter[str] = Counter()
    some = asyncio.Semaphore(50)
    open_now, enough = 0, asyncio.Event()

    async def stay(reader: asyncio.StreamReader) -> None:
        """Until the site closes the socket, as it does where no ping is answered."""
        nonlocal open_now
        open_now += 1
        found["sockets at once"] = max(found["sockets at once"], open_now)
        if open_now >= least:
            enough.set()
        try:
            while await reader.read(65536):
                pass
        finally:
            open_now -= 1

    async def hold(kind: str) -> None:
        try:
            async with some:
                # Without TLS for some: a handshake costs the attacker as much as the site.
                reader, writer = await there.connect(None if kind in {"socket", "body"} else False)
            held.append(writer)
            if kind != "socket":  # a byte would be an unreadable frame, for which it is closed
                going.append(writer)
            writer.write(kinds[kind])
            if kind == "socket":
                status = (await reader.readline()).split(b" ")[1].decode()
                found[f"socket {status}"] += 1
                if status == "101":
                    await stay(reader)
            else:
                found[f"{kind} held"] += 1
        except (OSError, IndexError):
            found[f"{kind} refused"] += 1

    async def go_on() -> None:
        while True:
            for writer in going:
                if not writer.transport.is_closing():
                    writer.write(b"x")
            await asyncio.sleep(1)

    tasks = [asyncio.ensure_future(go_on())]
    tasks += [asyncio.ensure_future(hold(kind)) for _ in range(each) for kind in kinds]
    await asyncio.sleep(seconds)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(enough.wait(), PATIENCE)
    told = Counter(found)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for writer in held:
        writer.transport.abort()
    return told


async def _often(
    one: Callable[[], Coroutine[Any, Any, str]], times: int, at_once: int
) -> Counter[str]:
    left = iter(range(times))
    found: Counter[str] = Counter()

    async def some() -> None:
        for _ in left:
            found[await one()] += 1

    await asyncio.gather(*(some() for _ in range(at_once)))
    return found


class Stranger:
    """One of the works above, in a separate process."""

    def __init__(self, work: Work, *arguments: Any) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._ours, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_live, args=(theirs, work, arguments), daemon=True)
        self._process.start()

    def begin(self) -> None:
        """Wait until it can, then let it."""
        assert self._ours.recv() == "ready"
        self._ours.send("go")

    @property
    def is_over(self) -> bool:
        return self._ours.poll()

    def result(self) -> Counter[str]:
        found: Counter[str] = self._ours.recv()
        self._process.join()
        return found


def _live(ours: Any, work: Work, arguments: Sequence[Any]) -> None:
    give_way()
    ours.send("ready")
    ours.recv()
    ours.send(asyncio.run(work(*arguments)))


@contextlib.contextmanager
def stranger(work: Work, *arguments: Any) -> Iterator[Stranger]:
    """Yield a stranger who is ready to begin."""
    found = Stranger(work, *arguments)
    try:
        yield found
    finally:
        found._process.kill()
        found._process.join()
