"""How often one address or player may seek, and the clocks that are offered."""

import asyncio

from django.conf import settings

from games.runtime.addresses import get_client_network
from games.runtime.limiter import is_within_limit

CONTROLS = ("1+0", "3+2", "5+3", "10+5", "30+20")
"""The time controls that are offered at one click. People may also type any other."""

RATED_CONTROL = "3+2"
"""The one that is proposed to who prefers rated games."""


def may_ask_for_name(address: str) -> bool:
    """Whether the address may ask once more for another name of a guest now; it counts."""
    return is_within_limit(settings.GUESTS_PER_MINUTE, "name", get_client_network(address))


def may_seek(player_id: int, address: str) -> bool:
    """Count one more seek, join or invitation; whether that is within both limits."""
    return is_within_limit(settings.SEEKS_PER_MINUTE, "seek", str(player_id)) and is_within_limit(
        settings.SEEKS_PER_MINUTE_PER_ADDRESS, "seek from", get_client_network(address)
    )


async def may_seek_here(player_id: int, address: str) -> bool:
    """The same for an event loop, which must not wait for Redis."""
    if not settings.REDIS_URL:
        return may_seek(player_id, address)
    return await asyncio.to_thread(may_seek, player_id, address)
