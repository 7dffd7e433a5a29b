"""How often one address or player may do what costs the site something."""

import asyncio

from django.conf import settings
from limits import RateLimitItemPerDay, RateLimitItemPerMinute

from games.runtime.addresses import household
from games.runtime.limiter import limiter, may
from games.store.audit import hashed

_KNOWN = RateLimitItemPerDay(1, 30)  # once in 30 days is what is asked for
_LINES = 5  # of the log, in a minute, about one player


def may_make_guest(address: str) -> bool:
    """Whether the address may make one more guest now; it counts."""
    return may(settings.GUESTS_PER_MINUTE, "guest", household(address))


def may_ask_for_name(address: str) -> bool:
    """Whether the address may ask once more for another name of a guest now; it counts."""
    return may(settings.GUESTS_PER_MINUTE, "name", household(address))


def may_seek(player_id: int, address: str) -> bool:
    """Whether the player, and the address, may seek, join or invite once more now; it counts."""
    return may(settings.SEEKS_PER_MINUTE, "seek", str(player_id)) and may(
        settings.SEEKS_PER_ADDRESS, "seek from", household(address)
    )


def may_log_in(name: str, address: str) -> bool:
    """Whether a password may be tried for that account, from that address; it counts."""
    minutes, where, account = settings.LOGIN_MINUTES, household(address), hashed(name)
    if not may(settings.LOGINS_PER_ADDRESS, "login from", where, minutes):
        return False
    # Else whoever guesses an account's password would keep its owner out.
    if limiter().was_hit(_KNOWN, "logged in from", f"{account} {where}"):
        return True
    return may(settings.LOGINS_PER_ACCOUNT, "login", account, minutes)


def logged_in(name: str, address: str) -> None:
    """Remember that the account's owner has logged in from there."""
    limiter().hit(_KNOWN, "logged in from", f"{hashed(name)} {household(address)}")


def may_log_refusal(player_id: int) -> bool:
    """Whether one more refusal of a right to this player is logged: a few in a minute."""
    return limiter().hit(RateLimitItemPerMinute(_LINES), "refusal", str(player_id))


async def may_seek_here(player_id: int, address: str) -> bool:
    """The same on an event loop, which must not wait for Redis."""
    if not settings.REDIS_URL:
        return may_seek(player_id, address)
    return await asyncio.to_thread(may_seek, player_id, address)
