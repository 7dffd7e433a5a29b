"""Malformed frames, made by Hypothesis, and clients that send nothing else."""

import asyncio
import contextlib
import json
import os
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hostile.raw import BINARY, CLOSE, PING, frame, handshake

TYPES = (
    "play", "resign", "abort", "offer-draw", "accept-draw", "decline-draw", "claim-time", "rematch",
    "phrase", "ping", "echo", "seek", "join", "cancel", "resume", "state", "hint",
    "websocket.close",
)  # fmt: skip
KEYS = ("ply", "action", "t", "mark", "phrase", "game", "clock", "seek", "match", "type", "you")

_scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40)
    | st.integers(min_value=-(2**200), max_value=2**200)
)  # fmt: skip
_json = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner, max_size=5)
    ),
    max_leaves=15,
)
_messages = st.builds(
    lambda kind, more: {**more, "type": kind},
    st.sampled_from(TYPES) | _json,
    st.dictionaries(st.sampled_from(KEYS), _json, max_size=4),
)
_utf8 = (
    st.builds(lambda value: json.dumps(value).encode(), _json | _messages)
    | st.text(st.characters(codec="utf-8"), max_size=200).map(str.encode)
    | st.builds(
        lambda depth, mark: mark * depth, st.integers(100, 8000), st.sampled_from((b"[", b'{"a":'))
    ).map(lambda text: text[:8100])
    | st.sampled_from(("\U0001d7d9", "\uff11", "\u202e", "\x00")).map(
        lambda digit: f'{{"type":"play","ply":{digit},"action":"mark {digit} 1"}}'.encode()
    )
)


_not_utf8 = st.binary(min_size=20, max_size=200).map(lambda body: b"\xff" + body) | st.text(
    st.characters(categories=["Cs"]), min_size=1
).map(lambda text: text.encode("utf-8", "surrogatepass"))


@st.composite
def _fragments(draw: st.DrawFn) -> bytes:
    body = draw(_utf8)
    at = draw(st.integers(0, len(body)))
    between = draw(st.sampled_from((b"", frame(b"p", PING))))
    return frame(body[:at], last=False) + between + frame(body[at:], 0)


_refused = st.one_of(
    _utf8.map(frame),
    _utf8.map(frame),
    _fragments(),
    _utf8.map(lambda body: frame(body, BINARY)),
)
"""Frames that the server refuses without closing the socket."""
_closing = st.one_of(
    _not_utf8.map(frame),
    st.integers(8200, 20000).map(lambda size: frame(b"x" * size)),
    _utf8.map(lambda body: frame(body[:100], masked=False)),
    st.builds(
        lambda bits, kind: frame(b"x", kind, reserved=bits), st.integers(1, 7), st.integers(0, 15)
    ),
    st.just(frame(b"x" * 200, PING)),
    st.just(frame(b"\x00", CLOSE)),
    st.just(frame(b"x", 0)),  # continues a message that never began
    st.just(b"\x81\xff" + b"\xff" * 8 + b"\0\0\0\0"),  # declares a length of 2**64 bytes
)
"""Protocol violations that close the connection."""


def corpus(size: int) -> list[bytes]:
    """Return `size` frames, the same each time; one in 20 violates the protocol."""
    found = _made(_refused, size - size // 20) + _made(_closing, size // 20)
    random.Random(1).shuffle(found)
    return found


def _made(strategy: st.SearchStrategy[bytes], size: int) -> list[bytes]:
    found: list[bytes] = []

    @settings(
        max_examples=size,
        database=None,
        derandomize=True,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(made: bytes) -> None:
        found.append(made)

    collect()
    while len(found) < size:  # Hypothesis has no new examples left
        found += found[: size - len(found)]
    return found[:size]


async def attack(
    port: int,
    paths: Sequence[str],
    frames: Sequence[bytes],
    origin: str,
    cookies: Sequence[str] = ("",),
    sockets: int = 20,
    seconds: float = 10,
) -> int:
    """Send all the frames over that many sockets at once, opened anew whenever one is closed.

    Gives how many connections it took.
    """
    opened = 0

    async def one(number: int) -> None:
        nonlocal opened
        chance = random.Random(number)
        own = list(frames[number::sockets])
        pause = seconds / max(1, len(own))
        while own:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                reader, writer = await _open(
                    port, chance.choice(paths), origin, chance.choice(cookies)
                )
                opened += 1
                swallowing = asyncio.ensure_future(_swallow(reader))
                try:
                    while own and not swallowing.done():
                        writer.write(own.pop())
                        await writer.drain()
                        await asyncio.sleep(chance.uniform(0, 2 * pause))
                finally:
                    swallowing.cancel()
                    writer.close()

    await asyncio.gather(*(one(number) for number in range(sockets)))
    return opened


def attack_politely(*arguments: Any) -> int:
    """The same in a process of its own that gives way: on one machine, what the attacker computes
    should not slow down the players' own programs."""
    with ProcessPoolExecutor(1, get_context("spawn"), os.nice, (19,)) as pool:
        return pool.submit(_attack, *arguments).result()


def _attack(*arguments: Any) -> int:
    return asyncio.run(attack(*arguments))


async def _swallow(reader: asyncio.StreamReader) -> None:
    while await reader.read(65536):
        pass


async def _open(
    port: int, path: str, origin: str, cookie: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    # Limits count by address, so the attacker has its own.
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
    writer.write(handshake(port, path, origin, cookie))
    answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
    if b" 101 " not in answer.split(b"\r\n", 1)[0]:
        writer.close()
        raise ConnectionError(answer[:60])
    return reader, writer


def figures_of(found: dict[str, Any]) -> str:
    """The load test's figures that an attack may change."""
    middle, slow = found["other_p50_ms"], found["other_p99_ms"]
    return f"{found['actions_s']} actions/s, p50 {middle}, p99 {slow} ms"
