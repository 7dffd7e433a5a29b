"""Codes for groups and tournaments, short enough to be read aloud but too long to be guessed."""

import secrets

from django.conf import settings
from limits import RateLimitItemPerMinute

from games.runtime.addresses import get_client_network
from games.runtime.limiter import is_within_limit, limiter

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without letters and digits that look alike
_LENGTH = 10  # characters, which give 49 bits
_LONGEST = 40  # characters; the rest of a longer text is ignored


def create_code(length: int = _LENGTH) -> str:
    """Return a new random code."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def normalize_code(typed: str) -> str:
    """Return the code as stored: in capitals, and without anything but letters and digits."""
    return "".join(c for c in typed[:_LONGEST].upper() if c.isalnum())


def format_code(code: str, size: int = 5) -> str:
    """Return the code as displayed, in parts of this size."""
    return "-".join(code[start : start + size] for start in range(0, len(code), size))


def may_try_code(player_id: int, address: str) -> bool:
    """Count an attempt with a code, and return whether it is within the limits.

    The limit per player counts all attempts. The limit per address counts only wrong codes (see
    `count_wrong_code`), because a whole class may share an address.
    """
    if not is_within_limit(
        settings.LOGIN_ATTEMPTS_PER_ACCOUNT,
        "group code",
        str(player_id),
        settings.LOGIN_WINDOW_MINUTES,
    ):
        return False
    where = get_client_network(address)
    return not settings.RATE_LIMITS or not limiter().was_hit(
        _get_limit(), "wrong group code", where
    )


def count_wrong_code(address: str) -> None:
    """Count a wrong code from the address."""
    if settings.RATE_LIMITS:
        limiter().hit(_get_limit(), "wrong group code", get_client_network(address))


def _get_limit() -> RateLimitItemPerMinute:
    return RateLimitItemPerMinute(
        settings.LOGIN_ATTEMPTS_PER_ADDRESS, settings.LOGIN_WINDOW_MINUTES
    )
