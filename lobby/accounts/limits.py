"""Limits on new guests, sign-ups, logins, codes, requested e-mails and logged refusals.

Most limits apply to a client network. Others apply to a player or to a recipient of e-mails.
"""

from django.conf import settings
from django.http import HttpRequest
from limits import RateLimitItemPerDay, RateLimitItemPerMinute

from games.messages.names import compute_name_key
from games.runtime.addresses import get_client_network, get_request_network
from games.runtime.limiter import is_within_limit, limiter
from games.store.audit import has_suspended, hash_address

# This limit is only used to record that something happened in the last 30 days.
_KNOWN = RateLimitItemPerDay(1, 30)
_HOUR = 60  # minutes
_CLASS_FACTOR = 5  # multiplies the limit of an address from which a class logs in
_REFUSALS_PER_MINUTE = 5  # the maximum number of logged refusals of one player


def may_make_guest(address: str) -> bool:
    """Count a new guest from the address, and return whether it is within the limit.

    The limit is lower if a suspended player has recently played from the address.
    """
    where = get_client_network(address)
    if not is_within_limit(settings.GUESTS_PER_MINUTE, "guest", where):
        return False
    if not settings.RATE_LIMITS or not has_suspended(where, settings.RESTRICTED_NETWORK_DAYS):
        return True
    return is_within_limit(settings.RESTRICTED_GUESTS_PER_HOUR, "guest beside", where, _HOUR)


def may_sign_up(request: HttpRequest) -> bool:
    """Count an attempt to sign up from the address, and return whether it is within the limit."""
    return is_within_limit(settings.SIGNUPS_PER_HOUR, "sign up", _from(request), 60)


def may_try_code(request: HttpRequest) -> bool:
    """Count an attempt with a secret, and return whether it is within the limits.

    The secret can be a code, the key of a link, a passkey, or the current password in the form for
    a new one. There are limits for the address, and for the account that is logging in or logged
    in.
    """
    minutes = settings.LOGIN_WINDOW_MINUTES
    if not is_within_limit(
        settings.LOGIN_ATTEMPTS_PER_ADDRESS, "code from", _from(request), minutes
    ):
        return False
    # The data that allauth stores about an incomplete login.
    pending = request.session.get("account_login") or {}
    who = pending.get("user_pk") or getattr(request.user, "pk", None)
    return who is None or is_within_limit(
        settings.LOGIN_ATTEMPTS_PER_ACCOUNT, "code", str(who), minutes
    )


def may_send_mail(request: HttpRequest, email: str) -> bool:
    """Count an e-mail requested from the address, and return whether it is within the limits.

    There are limits for the address and for the recipient. E-mails to unknown recipients count in
    the same way.
    """
    return is_within_limit(
        settings.MAILS_PER_HOUR_PER_ADDRESS, "mail from", _from(request), 60
    ) and is_within_limit(
        settings.MAILS_PER_HOUR_PER_RECIPIENT,
        "mail to",
        hash_address(email.strip().lower()[:254]),
        60,
    )


def may_log_in(name: str, address: str) -> bool:
    """Count an attempt with an account's password, and return whether it is within the limits.

    Recovery words count like passwords.
    """
    minutes, where, account = (
        settings.LOGIN_WINDOW_MINUTES,
        get_client_network(address),
        _account(name),
    )
    has_class = settings.RATE_LIMITS and limiter().was_hit(_KNOWN, "class at", where)
    times = settings.LOGIN_ATTEMPTS_PER_ADDRESS * (_CLASS_FACTOR if has_class else 1)
    if not is_within_limit(times, "login from", where, minutes):
        return False
    # Owners who have logged in from this address are exempt from the limit per account. Otherwise,
    # an attacker who guesses passwords could lock them out.
    if limiter().was_hit(_KNOWN, "logged in from", f"{account} {where}"):
        return True
    return is_within_limit(settings.LOGIN_ATTEMPTS_PER_ACCOUNT, "login", account, minutes)


def remember_login(name: str, address: str) -> None:
    """Remember that the owner of the account has logged in from the address."""
    limiter().hit(_KNOWN, "logged in from", f"{_account(name)} {get_client_network(address)}")


def expect_class_logins(address: str) -> None:
    """Allow more logins for 30 days from an address that an organiser uses.

    The organiser's class may log in there together.
    """
    if settings.RATE_LIMITS:
        limiter().hit(_KNOWN, "class at", get_client_network(address))


def _account(name: str) -> str:
    """Return the key of an account, regardless of how its name is typed."""
    return hash_address(compute_name_key(name[:200]))


def _from(request: HttpRequest) -> str:
    return get_request_network(request)


def may_log_refusal(player_id: int) -> bool:
    """Count a refusal of this player, and return whether to log it."""
    return limiter().hit(RateLimitItemPerMinute(_REFUSALS_PER_MINUTE), "refusal", str(player_id))
