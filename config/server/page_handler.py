"""Django's ASGI handler, changed so that each request runs on one thread from start to end.

Django's own handler switches threads: it renders error pages on the event loop's default executor,
where nothing returns the database connection that the template opened. Here, a request starts, is
answered and ends (which returns the connection) on one of `PAGE_THREADS` threads. Their number
limits the connections that pages can use. A `ChunkedResponse` waits for a thread before each chunk.
An `NdjsonResponse` needs no thread after its headers (`games.runtime.streaming`).

A `FairSemaphore` gives the threads to the client networks in turn.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.db import close_old_connections
from django.http import HttpResponse, HttpResponseBase
from django.urls import set_script_prefix

from games.runtime.addresses import get_client_network
from games.runtime.db import Unavailable, background_priority
from games.runtime.fair_queue import FairQueue, Requester
from games.runtime.metrics import count_refusal
from games.runtime.streaming import ChunkedResponse, NdjsonResponse, NdjsonStream
from lobby.api.responses import API, failure

_CROWDED_SECONDS = 1.0  # seconds before a long response tries to get a turn again
_BUSY = "Too many requests from your network. Please try again in a moment.\n"
_CLOSED = "This server is restarting. Please try again in a moment.\n"


class PageHandler(ASGIHandler):
    """The ASGI application for HTTP."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(settings.PAGE_THREADS, thread_name_prefix="page")
        self._semaphore = FairSemaphore(settings.PAGE_THREADS, settings.QUEUED_PAGES_PER_ADDRESS)
        self._is_closed = False
        self._lock = threading.Lock()
        self._made_now = 0  # threads that are handling a request or building a chunk

    @property
    def are_being_made(self) -> bool:
        """Return whether a thread is handling a request or building a chunk of a response.

        This includes threads whose client has disconnected.
        """
        return self._made_now > 0

    def close(self) -> None:
        """Refuse further requests and chunks, because the server is shutting down."""
        with self._lock:
            self._is_closed = True

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "http", scope["type"]
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        if self._is_closed:
            await self.send_response(_refusal(scope["path"], _CLOSED), send)
            return
        where = get_client_network(str(scope["client"][0])) if scope.get("client") else ""
        try:
            if await self._may_go(where, receive):
                await self._answer(where, scope, body, receive, send)
        except QueueFull:
            count_refusal("too-many-pages")
            await self.send_response(_refusal(scope["path"], _BUSY), send)
        finally:
            body.close()

    async def _may_go(self, where: str, receive: Any) -> bool:
        """Wait for a turn. Return False if the client disconnects meanwhile.

        Raise `QueueFull` if too many requests of the client network are waiting.
        """
        turn = self._semaphore.acquire(where)
        if turn.done():
            return True
        # After the body, the only possible message is a disconnect.
        gone = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({turn, gone}, return_when=asyncio.FIRST_COMPLETED)
        except BaseException:
            self._semaphore.cancel(where, turn)
            raise
        finally:
            gone.cancel()
        if gone.done() and not gone.cancelled():
            self._semaphore.cancel(where, turn)
            return False
        return True

    async def _answer(self, where: str, scope: Any, body: Any, receive: Any, send: Any) -> None:
        make = sync_to_async(self._make, thread_sensitive=False, executor=self._threads)
        try:
            response = await make(scope, body)
        finally:
            self._semaphore.release(where)
        if isinstance(response, ChunkedResponse):
            await self._send_pieces(where, scope, response, receive, send)
        elif isinstance(response, NdjsonResponse):
            await self._send_lines(scope, response, send)
        else:
            await self.send_response(response, send)

    async def _send_pieces(
        self, where: str, scope: Any, response: ChunkedResponse, receive: Any, send: Any
    ) -> None:
        """Send a long response as fast as the client reads it."""
        flow = scope["extensions"]["http.flow"]()
        make = sync_to_async(self._piece, thread_sensitive=False, executor=self._threads)
        pieces = iter(response)
        await self._begin(response, send)
        while await flow.wait() and await self._has_turn(where, receive):
            try:
                piece = await make(pieces)
            finally:
                self._semaphore.release(where)
            if piece is None:
                flow.end()
                await send({"type": "http.response.body"})
                return
            await send({"type": "http.response.body", "body": piece, "more_body": True})

    async def _send_lines(self, scope: Any, response: NdjsonResponse, send: Any) -> None:
        """Send the headers of an NDJSON stream, and connect a writer that needs no task."""
        del response.headers["Content-Length"]
        await self._begin(response, send)
        flow = scope["extensions"]["http.lines"]()
        line = NdjsonStream(flow, response.follower)
        flow.when_gone(line.end)
        await line.begin()

    async def _begin(self, response: HttpResponseBase, send: Any) -> None:
        """Send the headers of a response whose body follows."""

        async def sent(message: Any) -> None:
            await send({**message, "more_body": True} if "body" in message else message)

        begun = HttpResponse(status=response.status_code)
        begun.headers, begun.cookies = response.headers, response.cookies
        await self.send_response(begun, sent)

    async def _has_turn(self, where: str, receive: Any) -> bool:
        """Wait for a turn like `_may_go`. If too many requests are waiting, try again later."""
        while True:
            try:
                return await self._may_go(where, receive)
            except QueueFull:
                await asyncio.sleep(_CROWDED_SECONDS)

    def _make(self, scope: Any, body: Any) -> HttpResponseBase:
        """Handle a request, with the signals that Django sends at its start and end."""
        with self._making(), background_priority():
            return self._made(scope, body)

    def _piece(self, pieces: Iterator[bytes]) -> bytes | None:
        """Return the next chunk, or None after the last. Release the database connection."""
        try:
            with self._making(), background_priority():
                return next(pieces, None)
        finally:
            close_old_connections()

    @contextmanager
    def _making(self) -> Iterator[None]:
        """Count this thread as busy. Raise `Unavailable` after `close`."""
        with self._lock:
            if self._is_closed:
                raise Unavailable
            self._made_now += 1
        try:
            yield
        finally:
            with self._lock:
                self._made_now -= 1

    def _made(self, scope: Any, body: Any) -> HttpResponseBase:
        set_script_prefix("")
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, response = self.create_request(scope, body)
        if request is not None:
            response = self.get_response(request)
        assert response is not None
        try:
            if not response.streaming or isinstance(response, ChunkedResponse):
                return response
            # This is the export of an account, or a static file, which nginx serves in production.
            whole = HttpResponse(b"".join(response), status=response.status_code)
            whole.headers, whole.cookies = response.headers, response.cookies
            return whole
        finally:
            if not isinstance(response, ChunkedResponse):
                response.close()  # this sends the signal `request_finished`
            else:
                signals.request_finished.send(sender=self.__class__)


def _refusal(path: str, reason: str) -> HttpResponse:
    if not path.startswith(API):
        return HttpResponse(reason, status=503, content_type="text/plain")
    body = failure("unavailable", reason.strip())
    headers = {"Retry-After": "2", "Access-Control-Allow-Origin": "*"}
    return HttpResponse(body, status=503, content_type="application/json", headers=headers)


class QueueFull(Exception):  # noqa: N818  # a refusal, not a fault
    """Too many requests of one client network are waiting."""


class FairSemaphore:
    """A semaphore with `most` places, which client networks enter in turn.

    One network gets at most half of the places (but at least one), so that it cannot use all
    threads, and at most `waiting` of its requests may wait.
    """

    def __init__(self, most: int, waiting: int) -> None:
        self._free = most
        self._share = max(1, most // 2)
        self._may_wait = waiting
        self._held: Counter[str] = Counter()
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue()

    def acquire(self, client_network: str) -> "asyncio.Future[None]":
        """Return a future that is done when the request may enter.

        Raise `QueueFull` if too many requests of the client network are waiting.
        """
        if self._waiting.count(client_network) >= self._may_wait:
            raise QueueFull
        entered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put(Requester(client_network), entered)
        self._admit()
        return entered

    def release(self, client_network: str) -> None:
        """Free the place of a request that has entered."""
        self._free += 1
        self._held[client_network] -= 1
        if not self._held[client_network]:
            del self._held[client_network]
        self._admit()

    def cancel(self, client_network: str, entered: "asyncio.Future[None]") -> None:
        """Withdraw a request that is waiting, or free its place if it has entered."""
        if entered.done():
            self.release(client_network)
        else:
            self._waiting.remove(Requester(client_network), entered)

    def _admit(self) -> None:
        while self._free:
            found = self._waiting.take_one(lambda network: self._held[network] < self._share)
            if found is None:
                return
            network, entered = found
            self._free -= 1
            self._held[network] += 1
            entered.set_result(None)
