"""What happens to an account: each is a line in the log, and some end its other sessions.

Who is a number in the log, and where from a keyed hash of the address.
"""

from typing import Any

import structlog
from allauth.account import signals as account
from allauth.account.signals import user_logged_in
from allauth.mfa import signals as factors
from allauth.usersessions.models import UserSession
from django.dispatch import Signal, receiver
from django.http import HttpRequest

from games.store.audit import hashed
from lobby.accounts.arriving import guest_signed_in, signed_up
from lobby.accounts.ending import end_others, end_own
from lobby.accounts.login import address_of

log = structlog.get_logger(__name__)

_MOST = 20  # sessions of one account: the ones longest unused end

# What ends the account's other sessions.
_CHANGES: dict[Signal, str] = {
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
_FAILURES: dict[Signal, str] = {
    factors.authentication_failed: "second factor failed",
    account.login_code_rejected: "login code failed",
}


def note(what: str, request: HttpRequest | None, player_id: int | None, **more: Any) -> None:
    """Log one event about an account."""
    log.info(what, player=player_id, address=hashed(address_of(request)), **more)


@receiver(list(_CHANGES))
def _changed(sender: Any, signal: Signal, request: HttpRequest, user: Any, **more: Any) -> None:
    kind = getattr(more.get("authenticator"), "type", None)
    note(_CHANGES[signal], request, user.pk, **({"kind": str(kind)} if kind else {}))
    end_others(request, user)


@receiver(list(_FAILURES))
def _failed(sender: Any, signal: Signal, request: HttpRequest, user: Any, **more: Any) -> None:
    note(_FAILURES[signal], request, user.pk)


@receiver(account.email_confirmed)
def _confirmed(sender: Any, request: HttpRequest, email_address: Any, **more: Any) -> None:
    note("mail address confirmed", request, email_address.user_id)


@receiver(signed_up)
def _signed_up(sender: Any, request: HttpRequest, account: Any, was_guest: bool, **m: Any) -> None:
    note("signed up", request, account.pk, was_guest=was_guest)


@receiver(guest_signed_in)
def _guest_signed_in(sender: Any, request: HttpRequest, guest: Any, account: Any, **m: Any) -> None:
    note("guest logged in", request, account.pk, guest=guest.pk)


@receiver(user_logged_in)
def _logged_in(sender: Any, request: HttpRequest, user: Any, **more: Any) -> None:
    mine = UserSession.objects.filter(user=user).exclude(session_key=request.session.session_key)
    end_own(mine.order_by("-last_seen_at")[_MOST - 1 :][:_MOST])
