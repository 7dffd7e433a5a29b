"""The code by which a group is joined: short enough to be read out, too long to be guessed."""

import secrets

from django.conf import settings
from limits import RateLimitItemPerMinute

from games.runtime.addresses import get_client_network
from games.runtime.limiter import is_within_limit, limiter

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that looks like another one
_LENGTH = 10  # characters: 49 bits
_LONGEST = 40  # characters that are looked at


def new_code() -> str:
    """A code that nobody has."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def as_stored(typed: str) -> str:
    """The code as it is stored; case, spaces and hyphens do not count."""
    return "".join(c for c in typed[:_LONGEST].upper() if c.isalnum())


def as_shown(code: str) -> str:
    """The code as people read it, in two halves."""
    return f"{code[: _LENGTH // 2]}-{code[_LENGTH // 2 :]}"


def may_try(player_id: int, address: str) -> bool:
    """Count one more code that the player tries; whether that is within the limits.

    Of an address only wrong codes count (`was_wrong`): a class comes from one.
    """
    if not is_within_limit(
        settings.LOGIN_ATTEMPTS_PER_ACCOUNT,
        "group code",
        str(player_id),
        settings.LOGIN_WINDOW_MINUTES,
    ):
        return False
    where = get_client_network(address)
    return not settings.RATE_LIMITS or not limiter().was_hit(_wrong(), "wrong group code", where)


def was_wrong(address: str) -> None:
    """Note that a code from there was not one."""
    if settings.RATE_LIMITS:
        limiter().hit(_wrong(), "wrong group code", get_client_network(address))


def _wrong() -> RateLimitItemPerMinute:
    return RateLimitItemPerMinute(
        settings.LOGIN_ATTEMPTS_PER_ADDRESS, settings.LOGIN_WINDOW_MINUTES
    )
