"""Hints between servers over the channel layer.

A hint means "read this again". It may be lost, duplicated or late. Nothing depends on hints,
because each server also polls the database. Without Redis, no other process could receive hints, so
none are sent.

All processes subscribe to one channel. Hints that are published while a message is being sent share
the next one. With a channel for each match and a message for each hint, the messages took two
fifths of the time of a server with 100 busy matches; now they take a twentieth.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any

import structlog
from channels.layers import get_channel_layer
from django.conf import settings

from games.runtime.db import Unavailable
from games.runtime.ids import new_id
from games.runtime.metrics import count_redis_error, redis_errors
from games.runtime.per_loop import PerLoop
from games.runtime.tasks import Repeated

log = structlog.get_logger(__name__)
Hearer = Callable[[dict[str, Any]], None]

_CHANNEL = "hints"


@cache
def get_server_id() -> str:
    """Return the id of this process among the servers. It is new at each start."""
    return new_id()


class PubSub:
    """The groups that this process has subscribed to, and the hints that it has yet to send."""

    def __init__(self) -> None:
        self._hearers: dict[str, Hearer] = {}
        self._unsent: list[dict[str, Any]] = []
        self._is_sending = False
        self._listening = Repeated("hints", self._listen, 0.0)
        self._tasks: set[asyncio.Task[None]] = set()

    def subscribe(self, group: str, hearer: Hearer) -> None:
        """Call `hearer` with each hint to the group from another server.

        A later call for the same group replaces its `hearer`. Without Redis, do nothing.
        """
        if settings.REDIS_URL:
            self._hearers[group] = hearer
            self._listening.start()

    def unsubscribe(self, group: str) -> None:
        self._hearers.pop(group, None)

    def publish(self, group: str, **hint: Any) -> None:
        """Send a hint to the other servers that have subscribed to the group, in the background."""
        if not settings.REDIS_URL:
            return
        self._unsent.append({"group": group, **hint})
        if not self._is_sending:
            self._is_sending = True
            self.soon(self._send())

    async def _send(self) -> None:
        """Send the hints that are waiting, and those that are published meanwhile."""
        try:
            while self._unsent:
                hints, self._unsent = self._unsent, []
                message = {"type": "hints", "server": get_server_id(), "hints": hints}
                await self._asked(get_channel_layer().group_send(_CHANNEL, message))
        finally:
            self._is_sending = False

    async def _listen(self) -> float:
        """Receive hints until Redis fails. Return the seconds until the next attempt."""
        layer = get_channel_layer()
        try:
            own = await layer.new_channel()
            await layer.group_add(_CHANNEL, own)
            while True:
                message = await layer.receive(own)
                if message["server"] != get_server_id():
                    for hint in message["hints"]:
                        self._heard(hint)
        except Exception as error:
            count_redis_error(error)
            return random.uniform(0.5, 2)  # nosec B311  # noqa: S311  # jitter, no secret

    def _heard(self, hint: dict[str, Any]) -> None:
        hearer = self._hearers.get(hint["group"])
        if hearer is None:
            return
        try:
            hearer(hint)
        except Exception:
            log.exception("hint failed")

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work in the background. Its failures are counted or logged."""
        task = asyncio.ensure_future(self._quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _asked(self, work: Coroutine[Any, Any, None]) -> None:
        """Send a request to the channel layer and wait for it. Count a failure, whatever it is.

        When a connection breaks, redis-py may raise any kind of error, even an `AttributeError`.
        """
        try:
            await work
        except Exception as error:
            count_redis_error(error)

    async def _quietly(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Unavailable:
            pass  # the failure was counted and logged where it was raised
        except redis_errors() as error:
            count_redis_error(error)
        except Exception:
            log.exception("hint failed")


pubsub = PerLoop(PubSub)
"""The pubsub of the running event loop."""
