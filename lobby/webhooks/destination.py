"""The address of a webhook, which is checked at its registration and again at each attempt.

The registration checks the text. An attempt resolves the host name once, checks the IP addresses,
and connects to one of them.
"""

import asyncio
import re
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
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
_LEAST_PORT = 1024  # lower ports belong to other services, except for HTTPS
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
    """Return whether the text shows a private host: a private address, or a local name."""
    try:
        numeric = socket.getaddrinfo(host, port, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        name = host.rstrip(".")
        return "." not in name or name.endswith(".localhost")
    return not all(is_public(str(place[0])) for *_, place in numeric)
