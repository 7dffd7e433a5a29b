"""How often one address or player may do what costs the site something."""

import asyncio

from django.conf import settings

from games.addresses import household
from games.limiter import may


def may_make_guest(address: str) -> bool:
    """Whether the address may make one more guest now; it counts."""
    return may(settings.GUESTS_PER_MINUTE, "guest", household(address))


def may_seek(player_id: int, address: str) -> bool:
    """Whether the player, and the address, may seek, join or invite once more now; it counts."""
    return may(settings.SEEKS_PER_MINUTE, "seek", str(player_id)) and may(
        settings.SEEKS_PER_ADDRESS, "seek from", household(address)
    )


async def may_seek_here(player_id: int, address: str) -> bool:
    """The same on an event loop, which must not wait for Redis."""
    if not settings.REDIS_URL:
        return may_seek(player_id, address)
    return await asyncio.to_thread(may_seek, player_id, address)
