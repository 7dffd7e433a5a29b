"""Daphne with limits, this project's HTTP connections and websockets, and a graceful shutdown.

An error in one connection ends only that connection.
"""

import asyncio
import gc
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import structlog
from asgiref.sync import AsyncToSync
from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server as DaphneServer
from daphne.server import reactor
from django.conf import settings
from twisted.internet.defer import Deferred

from config.server.connections import Connections, connection_limits
from config.server.http_connection import HttpConnection
from config.server.page_handler import PageHandler
from config.server.streaming import LineWriter, PacedWriter
from config.server.websocket import CLOSING_SECONDS, Inbox, SocketProtocol
from games.journal.batch import journal
from games.runtime.db import close_db_threads
from games.runtime.streaming import streams
from games.runtime.tasks import EXIT_SECONDS, end_loops, exit_within

log = structlog.get_logger(__name__)

# The number of sockets, and of streams, that are closed together, and the seconds until the next
# ones are closed.
_WAVE, _BETWEEN_WAVES = 100, 0.05
_BACKLOG = 1024  # the maximum number of connections that the kernel queues
_ACCEPTED = 10  # the maximum number of connections accepted in one round of the event loop
_CHECKED = 20  # the maximum number of connections checked in one round of checks
_CHECKS_APART = 0.01  # seconds between two rounds of checks
_HANDSHAKE_SECONDS = 5  # seconds for an application to accept a websocket
_SHUTDOWN_SECONDS = 15.0  # seconds for all clients to disconnect and all responses to be sent
# Seconds for cancelled requests to end, and then again for clients to read their responses.
_LAST_PAGES_SECONDS = 3.0


class SiteServer(DaphneServer):  # type: ignore[misc]  # Daphne is untyped
    """The server process. `pages` handles HTTP; `started` is called when the server listens."""

    is_ending = False
    _is_stopping = False

    def __init__(
        self,
        application: Any,
        pages: PageHandler,
        host: str,
        port: int,
        started: Callable[[], None],
    ) -> None:
        self.tcp = Connections(*connection_limits())
        self._pages = pages

        def ready() -> None:
            self.http_factory.protocol = HttpConnection
            self.ws_factory.protocol = SocketProtocol
            self.ws_factory.closeHandshakeTimeout = CLOSING_SECONDS
            # Set the options on the class. Otherwise, each connection would have a copy of 4 kB.
            for name in SocketProtocol.CONFIG_ATTRS:
                value = getattr(self.ws_factory, name)
                setattr(SocketProtocol, name, staticmethod(value) if callable(value) else value)
            # The objects that exist now are permanent, so the garbage collector can ignore them.
            gc.collect()
            gc.freeze()
            # A collection stops the process for a millisecond per thousand objects. Collect few
            # objects at a time, and all of them rarely.
            gc.set_threshold(2_000, 3, 10_000)
            started()

        super().__init__(
            application=application,
            endpoints=[
                f"{place}:backlog={_BACKLOG}"
                for place in build_endpoint_description_strings(host=host, port=port)
            ],
            ready_callable=ready,
            server_name="",
            # `check_timeouts` ends slow handshakes, so that no handshake needs a timer of its own.
            websocket_connect_timeout=_HANDSHAKE_SECONDS,
            websocket_handshake_timeout=0,
            ping_interval=settings.PING_INTERVAL_SECONDS,
            ping_timeout=settings.PING_INTERVAL_SECONDS,
            websocket_max_message_size=settings.MAX_FRAME_BYTES,
            websocket_max_frame_size=settings.MAX_FRAME_BYTES,
            proxy_forwarded_address_header="X-Forwarded-For" if settings.BEHIND_PROXY else None,
            verbosity=0,
            signal_handlers=False,
        )

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT.

        The event loop handles these signals. Twisted installs its own handlers only while the
        reactor starts, and ignores an exception such as KeyboardInterrupt during that time.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            reactor._asyncioEventloop.add_signal_handler(number, self.stop)
        super().run()

    def stop(self) -> None:
        """Start the graceful shutdown, unless it has already started."""
        if not self._is_stopping:
            self._is_stopping = True
            super().stop()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if scope["type"] != "websocket":
            scope["extensions"] = {
                "http.flow": partial(PacedWriter, protocol),
                "http.lines": partial(LineWriter, protocol),
            }
            return super().create_application(protocol, scope)
        # The library's method does the same, but without `Inbox`.
        assert "application_instance" not in self.connections[protocol]
        loop = asyncio.get_running_loop()
        inbox = Inbox(loop)
        scope["asgi"] = {"version": "3.0"}
        scope["extensions"] = {
            "websocket.frame": protocol.write_frame,
            "websocket.inbox": inbox,
            "websocket.heard": protocol.last_heard,
        }
        running = self.application(scope, inbox.get, partial(self.handle_reply, protocol))
        self.connections[protocol]["application_instance"] = loop.create_task(running)
        return inbox

    def timeout_checker(self) -> None:
        """Ping idle sockets, and close those that do not answer."""
        self._check(iter(list(self.connections)))

    def _check(self, connections: Iterator[Any]) -> None:
        """Check some connections now, and the others in later rounds to keep each round short."""
        some = list(islice(connections, _CHECKED))
        for protocol in some:
            if protocol not in self.connections:  # it was closed after the list was made
                continue
            try:
                protocol.check_timeouts()
            except Exception:
                self._give_up(protocol)
        if some:
            reactor.callLater(_CHECKS_APART, self._check, connections)
        else:
            reactor.callLater(2, self.timeout_checker)

    def application_checker(self) -> None:
        """Remove applications that have ended, and close connections whose timeout has passed."""
        for protocol in list(self.connections):
            try:
                self._reap(protocol)
            except Exception:
                self._give_up(protocol)
        self.tcp.sweep()
        reactor.callLater(1, self.application_checker)

    def _reap(self, protocol: Any) -> None:
        details = self.connections[protocol]
        gone_at, application = details.get("disconnected"), details.get("application_instance")
        if application is not None:
            if not application.done():
                if gone_at and time.time() - gone_at > self.application_close_timeout:
                    application.cancel()
                return
            del details["application_instance"]
            error = None if application.cancelled() else application.exception()
            if error is not None:
                log.error("application failed", exc_info=error)
                if not gone_at:
                    protocol.handle_exception(error)
        if gone_at:
            del self.connections[protocol]

    def _give_up(self, protocol: Any) -> None:
        """Close a connection in which an exception occurred."""
        log.exception("connection failed")
        if protocol in self.connections:
            self.protocol_disconnected(protocol)
        if protocol.transport is not None:
            protocol.transport.abortConnection()

    def listen_success(self, port: Any) -> Any:
        """Accept few connections per round of the event loop, so that others need not wait.

        Return the port, which `_shut_down` closes.
        """

        def accept() -> None:
            port.numberAccepts = _ACCEPTED
            type(port).doRead(port)

        port.doRead = accept
        super().listen_success(port)
        return port

    def kill_all_applications(self) -> Any:
        """Start the shutdown, and return a `Deferred` that fires when it has ended.

        The reactor calls this method when it stops, and waits for the result.
        """
        return Deferred.fromFuture(asyncio.ensure_future(self._shut_down()))

    async def _shut_down(self) -> None:
        """Accept no more connections, finish all requests, and make clients reconnect elsewhere."""
        exit_within(EXIT_SECONDS)
        self.is_ending = True
        until = time.monotonic() + _SHUTDOWN_SECONDS
        try:
            for listener in self.listeners:
                listener.addCallback(lambda port: port.stopListening())
            await self._send_all_away(until)
            await self._end_pages(until)
            await journal().finished()
            await end_loops()
            await asyncio.get_running_loop().run_in_executor(None, close_db_threads)
        except Exception:
            log.exception("shutdown failed")

    async def _send_all_away(self, until: float) -> None:
        """Close sockets and streams in waves, so that not all clients reconnect together.

        Wait until all applications have ended, including those of HTTP requests. At the time
        `until`, cancel those that are still running.
        """
        # A proxy keeps its connections open, so new sockets may still arrive.
        while (applications := self._applications()) or len(streams()):
            if time.monotonic() > until:
                break
            sockets = [
                p for p in self.connections if isinstance(p, SocketProtocol) and p.is_established()
            ]
            streams().end(_WAVE)
            for socket in sockets[:_WAVE]:
                try:
                    socket.send_away()
                except Exception:
                    log.exception("closing a socket failed")
                    socket.fail()
            await asyncio.sleep(_BETWEEN_WAVES)
        for application in applications:
            application.cancel()

    async def _end_pages(self, until: float) -> None:
        """Refuse further requests, and wait for the threads that are handling a request.

        These threads may call this event loop, so the loop must not stop first. After `until`, such
        calls fail. Then give the clients some time to read their responses.
        """
        self._pages.close()
        while self._pages.are_being_made:
            if time.monotonic() > until:
                if time.monotonic() > until + _LAST_PAGES_SECONDS:
                    log.error("requests not finished")
                    return
                for task in asyncio.all_tasks():
                    if _is_awaited_by_thread(task):
                        task.cancel()
            await asyncio.sleep(_BETWEEN_WAVES)
        for _ in range(int(_LAST_PAGES_SECONDS / _BETWEEN_WAVES)):
            if not self.tcp.total_unread():
                return
            await asyncio.sleep(_BETWEEN_WAVES)

    def _applications(self) -> list[asyncio.Task[None]]:
        found = (details.get("application_instance") for details in self.connections.values())
        return [application for application in found if application and not application.done()]


def _is_awaited_by_thread(task: "asyncio.Task[Any]") -> bool:
    """Return whether a thread is waiting for the task in `async_to_sync`."""
    return getattr(task.get_coro(), "__qualname__", "") == AsyncToSync.main_wrap.__qualname__
