"""Hints between servers over the channel layer.

A hint means "read this again". It may be lost, duplicated or late. Nothing depends on hints,
because each server also polls the database. Without Redis, no other process could receive hints, so
none are sent.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine
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

SERVER = new_id()
"""The id of this process among the servers. It is new at each start."""


class PubSub:
    """The channel of this process, and the groups that it has subscribed to."""

    def __init__(self) -> None:
        self._hearers: dict[str, Hearer] = {}
        self._channel: str | None = None
        self._listening = Repeated("hints", self._listen, 0.0)
        self._tasks: set[asyncio.Task[None]] = set()

    def subscribe(self, group: str, hearer: Hearer) -> None:
        """Call `hearer` with each hint to the group from another server.

        A later call for the same group replaces its `hearer`. Without Redis, do nothing.
        """
        if not settings.REDIS_URL:
            return
        self._hearers[group] = hearer
        if not self._listening.start() and self._channel is not None:
            self.soon(self._asked(self._join(group)))

    def unsubscribe(self, group: str) -> None:
        if self._hearers.pop(group, None) is not None and self._channel is not None:
            self.soon(self._asked(get_channel_layer().group_discard(group, self._channel)))

    def publish(self, group: str, **hint: Any) -> None:
        """Send a hint to the other servers that have subscribed to the group, in the background."""
        if settings.REDIS_URL:
            event = {"type": "hint", "group": group, "server": SERVER, **hint}
            self.soon(self._asked(get_channel_layer().group_send(group, event)))

    async def _join(self, group: str) -> None:
        if self._channel is not None:
            await get_channel_layer().group_add(group, self._channel)

    async def _listen(self) -> float:
        """Receive hints until Redis fails. Return the seconds until the next attempt."""
        layer = get_channel_layer()
        try:
            self._channel = await layer.new_channel()
            for group in list(self._hearers):
                await self._join(group)
            while True:
                self._heard(await layer.receive(self._channel))
        except Exception as error:
            count_redis_error(error)
            return random.uniform(0.5, 2)  # nosec B311  # noqa: S311  # jitter, no secret
        finally:
            self._channel = None

    def _heard(self, event: dict[str, Any]) -> None:
        hearer = self._hearers.get(event["group"])
        if hearer is None or event["server"] == SERVER:
            return
        try:
            hearer(event)
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
