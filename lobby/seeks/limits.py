"""Rate limits for guest names, and for seeks and other requests that may open a match."""

import asyncio

from django.conf import settings

from games.runtime.addresses import get_client_network
from games.runtime.limiter import is_within_limit


def may_ask_for_name(address: str) -> bool:
    """Count a request for another guest name, and return whether it is within the limit."""
    return is_within_limit(settings.GUESTS_PER_MINUTE, "name", get_client_network(address))


def may_seek(player_id: int, address: str) -> bool:
    """Count a request that may open a match, and return whether it is within both limits.

    Examples are a seek, an invitation, a challenge, and the acceptance of one of them. One limit is
    for the player, and the other one for the client network.
    """
    return is_within_limit(settings.SEEKS_PER_MINUTE, "seek", str(player_id)) and is_within_limit(
        settings.SEEKS_PER_MINUTE_PER_ADDRESS, "seek from", get_client_network(address)
    )


async def may_seek_here(player_id: int, address: str) -> bool:
    """Call `may_seek` from an event loop, which Redis must not block."""
    if not settings.REDIS_URL:
        return may_seek(player_id, address)
    return await asyncio.to_thread(may_seek, player_id, address)
