"""Hints between servers, over the channel layer: "look again at this".

A hint may be lost, doubled or late. Nothing depends on one: each server also looks at the database
every few seconds. Without Redis no other process could hear, so nothing is sent.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

import structlog
from channels.layers import get_channel_layer
from django.conf import settings
from redis.exceptions import RedisError

from games.runtime.db import Unavailable
from games.runtime.ids import new_id
from games.runtime.metrics import redis_failed
from games.runtime.per_loop import PerLoop
from games.runtime.tasks import Repeated

log = structlog.get_logger(__name__)
Hearer = Callable[[dict[str, Any]], None]

SERVER = new_id()
"""This process among the servers, for as long as it runs."""


class Hints:
    """The one channel of this process, and the groups it listens to."""

    def __init__(self) -> None:
        self._hearers: dict[str, Hearer] = {}
        self._channel: str | None = None
        self._listening = Repeated("hints", self._listen, 0.0)
        self._tasks: set[asyncio.Task[None]] = set()

    def hear(self, group: str, hearer: Hearer) -> None:
        """Call `hearer` with each hint for the group that another server sends."""
        if not settings.REDIS_URL:
            return
        self._hearers[group] = hearer
        if not self._listening.start() and self._channel is not None:
            self.soon(self._asked(self._join(group)))

    def unhear(self, group: str) -> None:
        if self._hearers.pop(group, None) is not None and self._channel is not None:
            self.soon(self._asked(get_channel_layer().group_discard(group, self._channel)))

    def tell(self, group: str, **hint: Any) -> None:
        """Send a hint to the other servers that listen to the group, some time soon."""
        if settings.REDIS_URL:
            event = {"type": "hint", "group": group, "server": SERVER, **hint}
            self.soon(self._asked(get_channel_layer().group_send(group, event)))

    async def _join(self, group: str) -> None:
        if self._channel is not None:
            await get_channel_layer().group_add(group, self._channel)

    async def _listen(self) -> float:
        """Listen until Redis fails; the seconds to wait until the next try."""
        layer = get_channel_layer()
        try:
            self._channel = await layer.new_channel()
            for group in list(self._hearers):
                await self._join(group)
            while True:
                self._heard(await layer.receive(self._channel))
        except Exception as error:
            redis_failed(error)
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
        """Run something that may fail without anybody waiting for it."""
        task = asyncio.ensure_future(self._quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _asked(self, work: Coroutine[Any, Any, None]) -> None:
        """What the channel layer is asked. When its connection breaks meanwhile, redis-py raises
        errors of any kind, an AttributeError among them."""
        try:
            await work
        except Exception as error:
            redis_failed(error)

    async def _quietly(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Unavailable:
            pass  # it is counted, and logged, where it was raised
        except (RedisError, OSError) as error:
            redis_failed(error)
        except Exception:
            log.exception("hint failed")


hints = PerLoop(Hints)
"""The hints of the running event loop."""
