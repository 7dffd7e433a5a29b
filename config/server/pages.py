"""Django's pages under ASGI, each made on one thread from its first step to its last.

Django's own handler changes threads: it renders error pages on the event loop's default executor,
and nothing gives back the database connections that their templates open there. Here a request
begins, is answered and ends on one of PAGE_THREADS threads, and at its end it gives its connection
back. So pages never hold more connections than that, however many pages are asked for.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.http import HttpResponse, HttpResponseBase
from django.urls import set_script_prefix

from config.server.turns import Crowded, Turns
from games.runtime.addresses import household
from games.runtime.metrics import refused

_BUSY = b"Too many pages at once from here. Please try again in a moment.\n"


class Pages(ASGIHandler):
    """The ASGI application that makes pages."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(settings.PAGE_THREADS, thread_name_prefix="page")
        self._turns = Turns(settings.PAGE_THREADS, settings.PAGES_WAITING)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "http", scope["type"]
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        where = household(str(scope["client"][0])) if scope.get("client") else ""
        try:
            if await self._may_go(where, receive):
                await self._answer(where, scope, body, send)
        except Crowded:
            refused("too-many-pages")
            await self.send_response(
                HttpResponse(_BUSY, status=503, content_type="text/plain"), send
            )
        finally:
            body.close()

    async def _may_go(self, where: str, receive: Any) -> bool:
        """Wait for a turn; False if the client went away while it waited."""
        turn = self._turns.take(where)
        if turn.done():
            return True
        gone = asyncio.ensure_future(receive())  # after the body, only a disconnect can come
        try:
            await asyncio.wait({turn, gone}, return_when=asyncio.FIRST_COMPLETED)
        except BaseException:
            self._turns.leave(where, turn)
            raise
        finally:
            gone.cancel()
        if gone.done() and not gone.cancelled():
            self._turns.leave(where, turn)
            return False
        return True

    async def _answer(self, where: str, scope: Any, body: Any, send: Any) -> None:
        make = sync_to_async(self._make, thread_sensitive=False, executor=self._threads)
        try:
            response = await make(scope, body)
        finally:
            self._turns.give_back(where)
        await self.send_response(response, send)

    def _make(self, scope: Any, body: Any) -> HttpResponseBase:
        """Make the whole answer, with all that Django does at a request's beginning and end."""
        set_script_prefix("")
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, response = self.create_request(scope, body)
        if request is not None:
            response = self.get_response(request)
        assert response is not None
        try:
            if not response.streaming:
                return response
            # A static file; with nginx these never come here.
            whole = HttpResponse(b"".join(response), status=response.status_code)
            whole.headers, whole.cookies = response.headers, response.cookies
            return whole
        finally:
            response.close()  # sends Django's signal that the request is finished
