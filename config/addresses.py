"""The addresses of the site that `serve` runs on this machine."""

import contextlib
import fcntl
import io
import os
import socket
import struct
import sys

import qrcode
from django.conf import settings

from config.environment import LOOPBACK_NAMES, parse_host
from games.runtime.addresses import is_loopback

ANYWHERE = {"0.0.0.0", "::", ""}  # nosec B104  # noqa: S104  # recognised here, not bound by default
_MAX_FURTHER = 3  # further addresses to show; machines with containers have many
_SIOCGIFADDR = 0x8915  # the request for the IPv4 address of a network interface, on Linux


def allow_origins(host: str, port: int) -> None:
    """Allow the origins at which the server can be reached, if `ALLOWED_ORIGINS` is not set.

    These are the loopback names, and `host` or, if the server listens on all addresses, all names
    and addresses of this machine.
    """
    if _are_origins_given():
        return
    names = [*LOOPBACK_NAMES]
    if host in ANYWHERE:
        names += list_own_names()
    elif host not in names:
        names.insert(0, f"[{host}]" if ":" in host else host)
    origins = [_build_origin(name, port) for name in names]
    # Change the list in place, because the origin checks of sockets and forms refer to it.
    settings.ALLOWED_ORIGINS[:] = origins
    settings.ALLOWED_HOSTS[:] = sorted({parse_host(origin) for origin in origins})


def describe(host: str, port: int) -> str:
    """Return a text with the addresses of the site and, if possible, a QR code.

    There is no QR code if only this machine can reach the site, or if the code cannot be printed.
    """
    lines = [f"Ready: open {settings.ALLOWED_ORIGINS[0]}/"]
    if _are_origins_given():
        others = [settings.ALLOWED_ORIGINS[0]]
    elif host in ANYWHERE:
        others = [_build_origin(address, port) for address in list_network_addresses()]
        if others:
            lines.append(f"Others in your network open {others[0]}/")
            further = [f"{each}/" for each in others[1 : 1 + _MAX_FURTHER]]
            lines += [f"If that does not work: {', '.join(further)}"] if further else []
        else:
            lines.append("This machine is in no network: nobody else can reach the site.")
    else:
        others = [_build_origin(host, port)] if not is_loopback(host) else []
    code = draw_code(f"{others[0]}/") if others and not is_loopback(others[0]) else ""
    return "\n".join([*lines, code] if code else lines)


def list_own_names() -> list[str]:
    """Return the names and addresses at which other machines can probably reach this one."""
    name = socket.gethostname()
    found = [name, f"{name}.local"]
    with contextlib.suppress(OSError):
        found += socket.gethostbyname_ex(name)[2]
    return list(dict.fromkeys(entry for entry in [*found, *list_network_addresses()] if entry))


def list_network_addresses() -> list[str]:
    """Return this machine's IPv4 addresses on its networks.

    The address for outgoing connections comes first, if there is one.
    """
    found = []
    with socket.socket(type=socket.SOCK_DGRAM) as probe:
        with contextlib.suppress(OSError):
            # This sends nothing, but selects the address for outgoing connections.
            probe.connect(("192.0.2.1", 9))
            found.append(probe.getsockname()[0])
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # the interface has no address, or this is not Linux
                asked = struct.pack("256s", name.encode()[:15])
                found.append(
                    socket.inet_ntoa(fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, asked)[20:24])
                )
    return [each for each in dict.fromkeys(found) if not is_loopback(each)]


def draw_code(url: str) -> str:
    """Return the address as a QR code of block characters, or "" if they cannot be printed.

    On a terminal, colours make the code dark on light, as cameras expect.
    """
    code, drawn = qrcode.QRCode(border=2), io.StringIO()
    code.add_data(url)
    code.print_ascii(out=drawn, invert=True)
    text = drawn.getvalue()
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    if not sys.stdout.isatty():
        return text
    return "".join(f"\x1b[40;97m{line}\x1b[0m\n" for line in text.splitlines())


def _are_origins_given() -> bool:
    return bool(os.environ.get("ALLOWED_ORIGINS", "").strip())


def _build_origin(name: str, port: int) -> str:
    return f"http://{name}" + ("" if port == 80 else f":{port}")
