"""How often something is done in one name: for all servers together, in Redis.

One request of Redis looks and counts in one step, so two servers that ask at once cannot both be
given the last one.
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

from games.runtime.metrics import redis_failed

_PATIENCE = 0.5  # seconds for Redis to answer
_AWAY = 5.0  # seconds for which a Redis that failed is not asked again


class _Limiter:
    """Counts for all servers together in Redis; alone where there is none, or it is away."""

    def __init__(self) -> None:
        self._alone = _over("memory://")
        self._together = None
        self._away_until = 0.0
        if settings.REDIS_URL:
            self._together = _over(
                settings.REDIS_URL, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE
            )

    def hit(self, item: RateLimitItem, what: str, who: str) -> bool:
        """Count it; False if that is once too often."""
        return self._ask(lambda limiter: limiter.hit(item, what, who))

    def was_hit(self, item: RateLimitItem, what: str, who: str) -> bool:
        """Whether it was counted as often as it may be; asking does not count."""
        return not self._ask(lambda limiter: limiter.test(item, what, who))

    def _ask(self, question: Callable[[MovingWindowRateLimiter], bool]) -> bool:
        if self._together is not None and time.monotonic() >= self._away_until:
            try:
                return question(self._together)
            except (RedisError, OSError) as error:
                redis_failed(error)
                self._away_until = time.monotonic() + _AWAY
        return question(self._alone)


def _over(url: str, **options: float | str | bool) -> MovingWindowRateLimiter:
    storage = storage_from_string(url, **options)
    assert isinstance(storage, Storage)
    return MovingWindowRateLimiter(storage)


@cache
def limiter() -> _Limiter:
    """The one that counts in this process."""
    return _Limiter()


def may(times: int, what: str, who: str, minutes: int = 1) -> bool:
    """Whether `what` may be done once more in the name of `who` now; it counts.

    So many times in so many minutes.
    """
    if not settings.RATE_LIMITS:
        return True
    return limiter().hit(RateLimitItemPerMinute(times, minutes), what, who)


async def may_here(per_minute: int, what: str, who: str) -> bool:
    """The same on an event loop, which must not wait for Redis."""
    if not settings.REDIS_URL:
        return may(per_minute, what, who)
    return await asyncio.to_thread(may, per_minute, what, who)
