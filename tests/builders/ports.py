"""Ports for the servers that tests start."""

import contextlib
import itertools
import os
import socket

# Outgoing connections use ports at 32,768 and above.
_FIRST, _LAST = 20_000, 32_000
_start = _FIRST + os.getpid() * 31 % (_LAST - _FIRST)
_ports = itertools.chain(range(_start, _LAST), range(_FIRST, _start))
_claims: list[socket.socket] = []


def free_port() -> int:
    """Return a port that this process reserves, even while nothing listens on it."""
    for port in _ports:
        claim = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(OSError), socket.socket() as trial:
            claim.bind(f"\0port-of-a-test-{port}")  # until this process ends
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do
            trial.bind(("127.0.0.1", port))
            _claims.append(claim)
            return port
        claim.close()
    raise AssertionError("no port is free")


def listens(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0
