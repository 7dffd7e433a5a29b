"""The log of account events, and the sessions that some of these events end.

The log contains the ids of players, and keyed hashes of network addresses.
"""

from typing import Any

import structlog
from allauth.account import signals as account
from allauth.mfa import signals as factors
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.dispatch import Signal
from django.http import HttpRequest

from games.runtime.addresses import get_request_network
from games.store.audit import hash_address
from games.store.sessions import SessionStore
from lobby.accounts.limits import remember_login
from lobby.accounts.sessions import end_other_sessions, end_user_sessions
from lobby.models import Player

log = structlog.get_logger(__name__)

_MAX_SESSIONS = 20  # per account; the least recently used ones are ended

# Events that end the account's other sessions.
CHANGES: dict[Signal, str] = {
    account.password_changed: "password changed",
    account.password_set: "password set",
    account.password_reset: "password reset by mail",
    account.email_added: "mail address added",
    account.email_changed: "mail address changed",
    account.email_removed: "mail address removed",
    factors.authenticator_added: "second factor added",
    factors.authenticator_removed: "second factor removed",
    factors.authenticator_reset: "recovery codes made",
}
FAILURES: dict[Signal, str] = {
    factors.authentication_failed: "second factor failed",
    account.login_code_rejected: "login code failed",
}


def log_event(what: str, request: HttpRequest | None, player_id: int | None, **more: Any) -> None:
    """Log one event about an account."""
    log.info(what, player=player_id, address=hash_address(get_request_network(request)), **more)


def log_change(sender: Any, signal: Signal, request: HttpRequest, user: Any, **more: Any) -> None:
    """Log one of `CHANGES`, and end the account's other sessions."""
    kind = getattr(more.get("authenticator"), "type", None)
    log_event(CHANGES[signal], request, user.pk, **({"kind": str(kind)} if kind else {}))
    end_other_sessions(request, user)


def log_failure(sender: Any, signal: Signal, request: HttpRequest, user: Any, **more: Any) -> None:
    log_event(FAILURES[signal], request, user.pk)


def log_confirmed_address(
    sender: Any, request: HttpRequest, email_address: Any, **more: Any
) -> None:
    log_event("mail address confirmed", request, email_address.user_id)


def log_sign_up(sender: Any, request: HttpRequest, account: Any, was_guest: bool, **m: Any) -> None:
    log_event("signed up", request, account.pk, was_guest=was_guest)


def log_guest_login(sender: Any, request: HttpRequest, guest: Any, account: Any, **m: Any) -> None:
    log_event("guest logged in", request, account.pk, guest=guest.pk)


def end_surplus_sessions(sender: Any, request: HttpRequest, user: Any, **more: Any) -> None:
    """End the account's least recently used sessions if it has too many."""
    mine = UserSession.objects.filter(user=user).exclude(session_key=request.session.session_key)
    end_user_sessions(mine.order_by("-last_seen_at")[_MAX_SESSIONS - 1 :][:_MAX_SESSIONS])


def limit_and_log_session(sender: Any, request: HttpRequest, user: Any, **kwargs: Any) -> None:
    """Log the login. For an account, also limit the session's lifetime, and remember the address.

    Later logins from this address are exempt from a limit (see `lobby.accounts.limits`).
    """
    session = request.session
    assert isinstance(session, SessionStore)
    if not user.is_guest:
        session.end_within(
            settings.STAFF_SESSION_SECONDS if user.is_staff else settings.SESSION_MAX_SECONDS
        )
        remember_login(user.get_username(), get_request_network(request))
    address = hash_address(get_request_network(request))
    log.info("logged in", player=user.pk, guest=user.is_guest, staff=user.is_staff, address=address)


def log_logout(sender: Any, request: HttpRequest, user: Any, **kwargs: Any) -> None:
    if user is not None:
        log.info("logged out", player=user.pk, address=hash_address(get_request_network(request)))


def log_failed_login(
    sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: Any
) -> None:
    # The query runs even if the account does not exist, so that both cases take the same time.
    name = str(credentials.get("username", ""))
    _log_failure(Player.objects.filter(username=name).values_list("pk", flat=True).first(), request)


def _log_failure(player_id: int | None, request: HttpRequest | None) -> None:
    # The name is never logged, because people sometimes type their password into the wrong field.
    log.warning(
        "login failed", player=player_id, address=hash_address(get_request_network(request))
    )
