"""How often one address or player may do what costs the site something."""

import asyncio
import time
from collections.abc import Callable
from functools import cache

from django.conf import settings
from limits import RateLimitItem, RateLimitItemPerDay, RateLimitItemPerMinute
from limits.storage import Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter
from redis.exceptions import RedisError

from games.addresses import household
from games.connections import hashed
from games.metrics import redis_failed

_PATIENCE = 0.5  # seconds for Redis to answer
_KNOWN = RateLimitItemPerDay(1, 30)  # once in 30 days is what is asked for
_LINES = 5  # of the log, in a minute, about one player
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
def _limiter() -> _Limiter:
    return _Limiter()


def may_make_guest(address: str) -> bool:
    """Whether the address may make one more guest now; it counts."""
    return _may(settings.GUESTS_PER_MINUTE, "guest", household(address))


def may_seek(player_id: int, address: str) -> bool:
    """Whether the player, and the address, may seek, join or invite once more now; it counts."""
    return _may(settings.SEEKS_PER_MINUTE, "seek", str(player_id)) and _may(
        settings.SEEKS_PER_ADDRESS, "seek from", household(address)
    )


def may_log_in(name: str, address: str) -> bool:
    """Whether a password may be tried for that account, from that address; it counts."""
    minutes, where, account = settings.LOGIN_MINUTES, household(address), hashed(name)
    if not _may(settings.LOGINS_PER_ADDRESS, "login from", where, minutes):
        return False
    # Else whoever guesses an account's password would keep its owner out.
    if _limiter().was_hit(_KNOWN, "logged in from", f"{account} {where}"):
        return True
    return _may(settings.LOGINS_PER_ACCOUNT, "login", account, minutes)


def logged_in(name: str, address: str) -> None:
    """Remember that the account's owner has logged in from there."""
    _limiter().hit(_KNOWN, "logged in from", f"{hashed(name)} {household(address)}")


def may_log_refusal(player_id: int) -> bool:
    """Whether one more refusal of a right to this player is logged: a few in a minute."""
    return _limiter().hit(RateLimitItemPerMinute(_LINES), "refusal", str(player_id))


async def may_seek_here(player_id: int, address: str) -> bool:
    """The same on an event loop, which must not wait for Redis."""
    if not settings.REDIS_URL:
        return may_seek(player_id, address)
    return await asyncio.to_thread(may_seek, player_id, address)


def _may(times: int, what: str, who: str, minutes: int = 1) -> bool:
    if not settings.RATE_LIMITS:
        return True
    return _limiter().hit(RateLimitItemPerMinute(times, minutes), what, who)
