"""Ports for what the tests start."""

import contextlib
import itertools
import os
import socket

_PORTS = 3000  # for each process of a run
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 4
_ports = itertools.cycle(range(20_000 + _worker * _PORTS, 20_000 + (_worker + 1) * _PORTS))


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
