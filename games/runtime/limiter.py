"""Limits on how often somebody may do something, counted for all servers together in Redis.

Redis checks and counts in one step, so two servers that ask at the same time cannot both get the
last one.
"""

import asyncio
import time
from collections.abc import Callable
from functools import cache

from django.conf import settings
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter
from redis.exceptions import RedisError

from games.runtime.metrics import count_redis_error

_PATIENCE = 0.5  # seconds for Redis to answer
_AWAY = 5.0  # seconds for which a Redis that failed is not asked again


class _Limiter:
    """Counts in Redis for all servers together; in memory if there is no Redis, or it is away."""

    def __init__(self) -> None:
        self._alone = _over("memory://")
        self._together = None
        self._away_until = 0.0
        if settings.REDIS_URL:
            self._together = _over(
                settings.REDIS_URL, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE
            )

    def hit(self, item: RateLimitItem, what: str, who: str) -> bool:
        """Count one more; False if that exceeds the limit."""
        return self._ask(lambda limiter: limiter.hit(item, what, who))

    def was_hit(self, item: RateLimitItem, what: str, who: str) -> bool:
        """Whether the limit is reached. Does not count."""
        return not self._ask(lambda limiter: limiter.test(item, what, who))

    def _ask(self, question: Callable[[MovingWindowRateLimiter], bool]) -> bool:
        if self._together is not None and time.monotonic() >= self._away_until:
            try:
                return question(self._together)
            except (RedisError, OSError) as error:
                count_redis_error(error)
                self._away_until = time.monotonic() + _AWAY
        return question(self._alone)


def _over(url: str, **options: float | str | bool) -> MovingWindowRateLimiter:
    storage = storage_from_string(url, **options)
    assert isinstance(storage, Storage)
    return MovingWindowRateLimiter(storage)


@cache
def limiter() -> _Limiter:
    """This process's limiter."""
    return _Limiter()


def is_within_limit(times: int, what: str, who: str, minutes: int = 1) -> bool:
    """Whether `who` may do `what` once more now: at most `times` in `minutes`. If so, count it."""
    if not settings.RATE_LIMITS:
        return True
    return limiter().hit(RateLimitItemPerMinute(times, minutes), what, who)


async def is_within_limit_async(per_minute: int, what: str, who: str) -> bool:
    """The same from an event loop, which must not block on Redis."""
    if not settings.REDIS_URL:
        return is_within_limit(per_minute, what, who)
    return await asyncio.to_thread(is_within_limit, per_minute, what, who)
