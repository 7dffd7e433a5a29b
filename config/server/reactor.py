"""Twisted's reactor on asyncio's event loop, with less overhead for each event.

The package `config.server` calls `install`, and must be imported before `daphne.server`, because
that module would install another reactor. This one does not use uvloop. After an error on a
descriptor (a client resets its connection), uvloop stops watching the descriptor, and refuses to
watch that number again while Twisted still holds the connection.
"""

import asyncio
import sys
from typing import Any

import structlog
from twisted.internet import asyncioreactor, main

log = structlog.get_logger(__name__)


class Reactor(asyncioreactor.AsyncioSelectorReactor):
    """A reactor without Twisted's logging context for each event, because no code here reads it."""

    def addReader(self, reader: Any) -> None:  # noqa: N802  # the library's name
        if reader not in self._readers:
            fd = reader.fileno()
            self._asyncioEventloop.add_reader(fd, self._ready, reader, True)
            self._readers[reader] = fd

    def addWriter(self, writer: Any) -> None:  # noqa: N802  # the library's name
        if writer not in self._writers:
            fd = writer.fileno()
            self._asyncioEventloop.add_writer(fd, self._ready, writer, False)
            self._writers[writer] = fd

    def _ready(self, connection: Any, is_reader: bool) -> None:
        try:
            why = connection.doRead() if is_reader else connection.doWrite()
        except Exception:
            log.exception("connection failed")
            why = main.CONNECTION_LOST
        if why:
            try:
                self._disconnectSelectable(connection, why, is_reader)  # type: ignore[no-untyped-call]  # Twisted has few types
            except Exception:
                log.exception("closing a connection failed")


def install() -> None:
    """Install the reactor, unless this process already has one."""
    if "twisted.internet.reactor" not in sys.modules:
        reactor = Reactor(asyncio.new_event_loop())
        main.installReactor(reactor)  # type: ignore[no-untyped-call]  # Twisted has few types
