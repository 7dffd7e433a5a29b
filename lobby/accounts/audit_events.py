"""What happens to an account: each is a line in the log, and some end its other sessions.

Who is a number in the log, and where from a keyed hash of the address.
"""

from typing import Any

import structlog
from allauth.account import signals as account
from allauth.mfa import signals as factors
from allauth.usersessions.models import UserSession
from django.dispatch import Signal
from django.http import HttpRequest

from games.runtime.addresses import get_request_network
from games.store.audit import hash_address
from lobby.accounts.sessions import end_other_sessions, end_user_sessions

log = structlog.get_logger(__name__)

_MOST = 20  # sessions of one account: the ones longest unused end

# What ends the account's other sessions.
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
    """End sessions beyond the allowed number, those unused for longest first."""
    mine = UserSession.objects.filter(user=user).exclude(session_key=request.session.session_key)
    end_user_sessions(mine.order_by("-last_seen_at")[_MOST - 1 :][:_MOST])
