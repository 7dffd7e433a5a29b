"""Rate limits, counted for all servers together in Redis.

Redis checks and counts in one step, so two servers cannot both allow the last request. If Redis is
not used or fails, each process counts in its own memory.
"""

import asyncio
import time
from collections.abc import Callable
from functools import cache

from django.conf import settings
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter

from games.runtime.metrics import count_redis_error, redis_errors

_PATIENCE = 0.5  # seconds that a request to Redis may take
_AWAY = 5.0  # seconds after a failure of Redis before it is tried again


class _Limiter:
    """A counter in Redis for all servers together, or in memory if Redis is missing or fails."""

    def __init__(self) -> None:
        self._alone = _over("memory://")
        self._together = None
        self._away_until = 0.0
        if settings.REDIS_URL:
            self._together = _over(
                settings.REDIS_URL, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE
            )

    def hit(self, item: RateLimitItem, what: str, who: str) -> bool:
        """Count one request. Return False if it exceeds the limit."""
        return self._ask(lambda limiter: limiter.hit(item, what, who))

    def was_hit(self, item: RateLimitItem, what: str, who: str) -> bool:
        """Return whether the limit is reached, without counting a request."""
        return not self._ask(lambda limiter: limiter.test(item, what, who))

    def _ask(self, question: Callable[[MovingWindowRateLimiter], bool]) -> bool:
        if self._together is not None and time.monotonic() >= self._away_until:
            try:
                return question(self._together)
            except redis_errors() as error:
                count_redis_error(error)
                self._away_until = time.monotonic() + _AWAY
        return question(self._alone)


def _over(url: str, **options: float | str | bool) -> MovingWindowRateLimiter:
    storage = storage_from_string(url, **options)
    assert isinstance(storage, Storage)
    return MovingWindowRateLimiter(storage)


@cache
def limiter() -> _Limiter:
    """Return this process's limiter."""
    return _Limiter()


def is_within_limit(times: int, what: str, who: str, minutes: int = 1) -> bool:
    """Count one more `what` by `who`. Return False if that exceeds `times` in `minutes`.

    If rate limits are off, count nothing and return True.
    """
    if not settings.RATE_LIMITS:
        return True
    return limiter().hit(RateLimitItemPerMinute(times, minutes), what, who)


async def is_within_limit_async(per_minute: int, what: str, who: str) -> bool:
    """Call `is_within_limit` from an event loop, which Redis must not block."""
    if not settings.REDIS_URL:
        return is_within_limit(per_minute, what, who)
    return await asyncio.to_thread(is_within_limit, per_minute, what, who)
