"""How often one address or player may do what costs the site something."""

from functools import cache

from django.conf import settings
from limits import RateLimitItemPerMinute
from limits.storage import Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter


@cache
def _limiter() -> MovingWindowRateLimiter:
    # Shared by all servers where there is a Redis; else each process counts for itself.
    storage = storage_from_string(settings.REDIS_URL or "memory://")
    assert isinstance(storage, Storage)
    return MovingWindowRateLimiter(storage)


def may_make_guest(address: str) -> bool:
    """Whether the address may make one more guest now; it counts."""
    return _may(settings.GUESTS_PER_MINUTE, "guest", address)


def may_seek(player_id: int) -> bool:
    """Whether the player may seek, join or cancel once more now; it counts."""
    return _may(settings.SEEKS_PER_MINUTE, "seek", str(player_id))


def _may(per_minute: int, what: str, who: str) -> bool:
    if not settings.RATE_LIMITS:
        return True
    return _limiter().hit(RateLimitItemPerMinute(per_minute), what, who)
