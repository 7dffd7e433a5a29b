"""The HTTP request of one delivery attempt: a POST to the webhook's address.

The registration of a webhook checks the text of its address. An attempt resolves the host name
once, checks the IP addresses, and connects to one of them. The request is signed according to
Standard Webhooks 1.0. Redirects are not followed, and only the start of the response is read.
"""

import asyncio
import re
import socket
import ssl
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from hashlib import sha256
from hmac import new as hmac
from urllib.parse import urlsplit

from django.conf import settings
from msgspec import Struct

from games.messages.refusal import Refused
from games.runtime.addresses import is_public
from lobby.models.webhook import LONGEST_ADDRESS

LookUp = Callable[[str, int], Sequence[str]]
"""A function that resolves a host name and port to IP addresses. It raises `OSError` or
`UnicodeError`."""

_PRINTED = re.compile(r"[!-~]+")
_HOST = re.compile(r"[0-9a-z._-]+|[0-9a-f:.]+")  # a name, an IPv4 address or an IPv6 address
_TRIED = 3  # the maximum number of a name's addresses that are tried
_LEAST_PORT = 1024  # lower ports, except 443, belong to other services
# Resolving a name blocks its thread. These threads have no database connections.
AT_ONCE = 16  # the maximum number of concurrent attempts of one process
_names = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="webhook-names")


class DeliveryError(Exception):
    """A delivery failed. `code` is stored and displayed (`lobby.views.webhooks`)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Destination(Struct, frozen=True):
    """The parts of a webhook's address."""

    host: str  # the host for the resolver and the certificate
    port: int
    authority: str  # the host and port for the `Host` header
    target: str  # the path and query
    is_tls: bool


def parse_address(address: str) -> Destination:
    """Parse an address.

    Raise `Refused` if webhooks cannot use it ("hook-address"), or if it names this machine or a
    private network ("hook-private"), unless `WEBHOOKS_TO_PRIVATE_NETWORKS` is set.
    """
    if len(address) > LONGEST_ADDRESS or _PRINTED.fullmatch(address) is None:
        raise Refused("hook-address")
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Refused("hook-address") from None
    is_tls, anywhere = parts.scheme == "https", settings.WEBHOOKS_TO_PRIVATE_NETWORKS
    if not (is_tls or (parts.scheme == "http" and anywhere)):
        raise Refused("hook-address")
    port = port if port is not None else (443 if is_tls else 80)
    if "@" in parts.netloc or parts.fragment or _HOST.fullmatch(host) is None:
        raise Refused("hook-address")
    if not anywhere and port != 443 and port < _LEAST_PORT:
        raise Refused("hook-address")
    if not anywhere and _is_private(host, port):
        raise Refused("hook-private")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Destination(host, port, parts.netloc, target, is_tls)


async def resolve_address(to: Destination, look_up: LookUp) -> Sequence[str]:
    """Return the IP addresses to which an attempt may connect.

    Raise `DeliveryError` if the name has no address ("no-name") or if one of them is not public
    ("private"), unless `WEBHOOKS_TO_PRIVATE_NETWORKS` is set.
    """
    loop = asyncio.get_running_loop()
    looking = asyncio.ensure_future(loop.run_in_executor(_names, look_up, to.host, to.port))
    try:
        found = await asyncio.shield(looking)
    except (OSError, UnicodeError):
        raise DeliveryError("no-name") from None
    except asyncio.CancelledError:
        # The thread cannot be stopped, so the attempt waits for it. Otherwise a few slow names
        # could occupy all threads and make the deliveries to other names fail.
        await asyncio.wait({looking})
        if not looking.cancelled():
            looking.exception()
        raise
    if not found:
        raise DeliveryError("no-name")
    if not settings.WEBHOOKS_TO_PRIVATE_NETWORKS and not all(map(is_public, found)):
        raise DeliveryError("private")
    return list(dict.fromkeys(found))[:_TRIED]


def look_up(host: str, port: int) -> list[str]:
    """Return the IP addresses that the resolver of this machine finds."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(place[0]) for *_, place in found]


def _is_private(host: str, port: int) -> bool:
    """Return whether the host is a private IP address or a local name, judging by its text."""
    try:
        numeric = socket.getaddrinfo(host, port, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        name = host.rstrip(".")
        return "." not in name or name.endswith(".localhost")
    return not all(is_public(str(place[0])) for *_, place in numeric)


SECONDS = 10.0  # seconds for a whole attempt
SECRET_PREFIX = "whsec_"  # nosec B105  # noqa: S105  # a public prefix of secrets
_CONNECTING = 4.0  # seconds to connect, for each address
_ENDING = 1.0  # seconds to read the body of the response
_HEAD = 16 * 1024  # the maximum number of bytes in the head of a response
_HEADS = 5  # the maximum number of heads: those of informational responses, and the final one
_BODY = 1024  # the maximum number of bytes of the response's body that are read and discarded


def build_signature(secret: str, delivery_id: str, timestamp: int, body: str) -> str:
    """Return the value of the `webhook-signature` header. `secret` is as its owner sees it."""
    key = b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{delivery_id}.{timestamp}.{body}".encode()
    return f"v1,{b64encode(hmac(key, signed, sha256).digest()).decode()}"


async def send_request(
    to: Destination, headers: Mapping[str, str], body: str, names: LookUp = look_up
) -> int:
    """POST the body and return the status of the response, which can be an error.

    Raise `DeliveryError` if there is no response.
    """
    try:
        async with asyncio.timeout(SECONDS):
            reader, writer = await _connect(to, names)
            try:
                return await _exchange(reader, writer, _build_request(to, headers, body.encode()))
            finally:
                writer.transport.abort()
    except TimeoutError:
        raise DeliveryError("timeout") from None


async def _connect(
    to: Destination, names: LookUp
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    name = to.host if to.is_tls else None
    for address in await resolve_address(to, names):
        try:
            async with asyncio.timeout(_CONNECTING):
                return await asyncio.open_connection(
                    address,
                    to.port,
                    ssl=_get_tls_context() if to.is_tls else None,
                    server_hostname=name,
                    limit=_HEAD,
                )
        except ssl.SSLError:
            raise DeliveryError("tls") from None
        except (OSError, TimeoutError):
            continue
    raise DeliveryError("unreachable")


async def _exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes
) -> int:
    try:
        writer.write(request)
        await writer.drain()
        for _ in range(_HEADS):
            status = _parse_status(await reader.readuntil(b"\r\n\r\n"))
            if status >= 200:
                break
        else:
            raise DeliveryError("no-answer")
        # The status is already known, so errors no longer matter.
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_ENDING):
                await reader.read(_BODY)
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise DeliveryError("no-answer") from None
    return status


def _build_request(to: Destination, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [f"POST {to.target} HTTP/1.1"]
    sent = {
        "Host": to.authority,
        "User-Agent": "Parlour-Webhooks",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **headers,
    }
    lines += [f"{name}: {value}" for name, value in sent.items()]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


def _parse_status(head: bytes) -> int:
    """Parse a first line such as `HTTP/1.1 204 No Content`. Raise `DeliveryError` if invalid."""
    version, _, rest = head.partition(b"\r\n")[0].partition(b" ")
    digits = rest[:3]
    if not version.startswith(b"HTTP/1.") or len(digits) != 3 or not digits.isdigit():
        raise DeliveryError("no-answer")
    return int(digits)


@cache
def _get_tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()
