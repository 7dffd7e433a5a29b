"""The HTTP request of one delivery attempt: a POST to the checked address.

The request is signed according to Standard Webhooks 1.0. Redirects are not followed, and only the
start of the response is read.
"""

import asyncio
import ssl
from base64 import b64decode, b64encode
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from hmac import new as hmac

from lobby.webhooks.destination import DeliveryError, Destination, LookUp, look_up, resolve_address

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
