"""Daphne with our limits and `config.websocket`, and an end that clients hardly notice."""

import asyncio
import gc
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import structlog
from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server as DaphneServer
from django.conf import settings
from twisted.internet.defer import Deferred

from config.websocket import Inbox, Protocol
from games.desk import close_desks
from games.journal import journal

log = structlog.get_logger(__name__)

_WAVE, _BETWEEN_WAVES = 100, 0.05  # sockets closed together, and the seconds until the next ones
_PATIENCE = 15.0  # seconds for all to be gone, and pages that are being made to be sent


class Server(DaphneServer):  # type: ignore[misc]  # untyped
    """Daphne with our limits and `Protocol`. `started` is called once it listens."""

    def __init__(self, host: str, port: int, started: Callable[[], None]) -> None:
        from config.asgi import application  # once ALLOWED_ORIGINS is settled

        def ready() -> None:
            self.ws_factory.protocol = Protocol
            # Else each connection would get a copy of its own of each, which costs 4 kB.
            for name in Protocol.CONFIG_ATTRS:
                value = getattr(self.ws_factory, name)
                setattr(Protocol, name, staticmethod(value) if callable(value) else value)
            # What is loaded by now stays: the collector need not walk it again and again.
            gc.collect()
            gc.freeze()
            gc.set_threshold(50_000, 20, 100)
            started()

        super().__init__(
            application=application,
            endpoints=build_endpoint_description_strings(host=host, port=port),
            ready_callable=ready,
            server_name="",
            ping_interval=settings.PING_SECONDS,
            ping_timeout=settings.PING_SECONDS,
            websocket_max_message_size=settings.FRAME_BYTES,
            websocket_max_frame_size=settings.FRAME_BYTES,
            proxy_forwarded_address_header="X-Forwarded-For" if settings.BEHIND_PROXY else None,
            verbosity=0,
        )

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if scope["type"] != "websocket":
            return super().create_application(protocol, scope)
        # As the library does it, with our inbox.
        assert "application_instance" not in self.connections[protocol]
        loop = asyncio.get_running_loop()
        inbox = Inbox(loop)
        scope["asgi"] = {"version": "3.0"}
        scope["extensions"] = {
            "websocket.frame": protocol.write_frame,
            "websocket.heard": protocol.last_heard,
        }
        running = self.application(scope, inbox.get, partial(self.handle_reply, protocol))
        self.connections[protocol]["application_instance"] = loop.create_task(running)
        return inbox

    def kill_all_applications(self) -> Any:
        """The reactor asks for this on SIGTERM or SIGINT, and waits until it is done."""
        return Deferred.fromFuture(asyncio.ensure_future(self._wind_down()))

    async def _wind_down(self) -> None:
        """Take nobody in, finish what was begun, and send everybody elsewhere."""
        try:
            for listener in self.listeners:
                listener.addCallback(lambda port: port.stopListening())
            await self._send_all_away()
            await journal().finished()
            await asyncio.get_running_loop().run_in_executor(None, close_desks)
        except Exception:
            log.exception("ending failed")

    async def _send_all_away(self) -> None:
        """In waves, so that they do not all come to another server at once."""
        until = time.monotonic() + _PATIENCE
        # A proxy keeps connections open, so some may still come.
        while (applications := self._applications()) and time.monotonic() < until:
            sockets = [p for p in self.connections if isinstance(p, Protocol) and p.may_go()]
            for socket in sockets[:_WAVE]:
                socket.send_away()
            await asyncio.sleep(_BETWEEN_WAVES)
        for application in applications:
            application.cancel()

    def _applications(self) -> list[asyncio.Task[None]]:
        found = (details.get("application_instance") for details in self.connections.values())
        return [application for application in found if application and not application.done()]
