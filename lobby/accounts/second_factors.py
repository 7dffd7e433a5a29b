"""Second factors: codes of authenticator apps, and the removal of lost factors.

In the admin, one senior staff member requests the removal and another one confirms it, and both
steps are stored. A command on the server can also remove the factors of an account.
"""

import time
from datetime import timedelta
from secrets import compare_digest
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.messages.refusal import Refused
from lobby.accounts.encryption import decrypt
from lobby.accounts.sessions import end_other_sessions
from lobby.models import FactorReset, Player

KINDS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""The kinds of factors that count. Staff must have one; recovery codes alone are not enough."""

_PERIOD = 30  # seconds for which an app displays a code
RESET_VALIDITY = timedelta(hours=24)  # how long a request can be confirmed


def has_second_factor(user: Any) -> bool:
    """Return whether the account has a passkey or an authenticator app."""
    if not isinstance(user, Player) or user.pk is None:
        return False
    known: bool | None = getattr(user, "_has_second_factor", None)
    if known is None:
        known = Authenticator.objects.filter(user_id=user.pk, type__in=KINDS).exists()
        user._has_second_factor = known  # type: ignore[attr-defined]  # a cache for this request
    return known


def accept_code(authenticator: Authenticator, code: str) -> bool:
    """Return whether a code of an authenticator app is valid at this time, and use it up.

    Because the row is locked, each code is valid only once, on all servers (RFC 6238, 5.2). Codes
    older than the last accepted one are refused.
    """
    given = "".join(code.split())
    now = int(time.time()) // _PERIOD
    spread = settings.MFA_TOTP_TOLERANCE
    with transaction.atomic():
        row = Authenticator.objects.select_for_update().get(pk=authenticator.pk)
        secret = decrypt(row.data["secret"])
        for step in range(now - spread, now + spread + 1):
            shown = auth.format_hotp_value(auth.hotp_value(secret, step))
            if given.isascii() and compare_digest(given, shown) and step > row.data.get("step", 0):
                row.data["step"] = step
                row.save(update_fields=["data"])
                return True
    return False


def is_senior(staff: Player) -> bool:
    """Return whether the staff member may request resets, and confirm those of others."""
    return staff.is_active and staff.is_staff and staff.has_perm("games.reverse")


def request_factor_reset(by: Player, account: Player, reason: str) -> FactorReset:
    """Request the removal of the account's second factors.

    Raise `Refused` if `by` is not senior or owns the account, or if there is no reason.
    """
    if not is_senior(by) or by == account or not reason.strip():
        raise Refused("not-allowed")
    return FactorReset.objects.create(
        account=account, reason=reason.strip()[:500], asked_by=by, asked_at=timezone.now()
    )


def is_reset_open(asked: FactorReset) -> bool:
    return asked.confirmed_by_id is None and asked.asked_at > timezone.now() - RESET_VALIDITY


def confirm_factor_reset(by: Player, asked: FactorReset) -> None:
    """Confirm another staff member's request, and remove the factors as `remove_factors` does.

    Raise `Refused` if `by` is not senior, made the request or owns the account, or if the request
    is no longer open.
    """
    if not is_senior(by) or by.pk in (asked.asked_by_id, asked.account_id):
        raise Refused("not-allowed")
    now = timezone.now()
    waiting = FactorReset.objects.filter(
        pk=asked.pk, confirmed_by=None, asked_at__gt=now - RESET_VALIDITY
    ).exclude(asked_by=by)
    with transaction.atomic():
        if not waiting.update(confirmed_by=by, confirmed_at=now):
            raise Refused("not-allowed")
        remove_factors(asked.account)


def remove_factors(account: Player) -> int:
    """Remove all second factors of an account, and return their number.

    After the commit, the account's sessions end, and its owner is notified by e-mail.
    """
    gone, _ = Authenticator.objects.filter(user=account).delete()
    transaction.on_commit(lambda: _end_sessions_and_notify(account))
    return gone


def _end_sessions_and_notify(account: Player) -> None:
    end_other_sessions(None, account)
    get_adapter().send_notification_mail("factor_reset", account)
