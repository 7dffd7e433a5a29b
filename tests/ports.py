"""Ports for what the tests start."""

import contextlib
import itertools
import os
import random
import socket

_PORTS = 3000  # for each process of a run
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 4
_first = 20_000 + _worker * _PORTS
_start = random.randrange(_PORTS)  # another run on this machine probably starts elsewhere
_ports = itertools.cycle(_first + (_start + n) % _PORTS for n in range(_PORTS))


def free_port() -> int:
    """A port that no other process of this run is given, and no connection is opened from: those
    begin at 32,768."""
    for port in _ports:
        with socket.socket() as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do
            with contextlib.suppress(OSError):
                trial.bind(("127.0.0.1", port))
                return port
    raise AssertionError("no port is free")


def listens(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0
