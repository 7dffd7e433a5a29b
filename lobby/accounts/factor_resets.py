"""Taking the second factor from an account whose owner has lost it: two senior members of staff do
it together, and it is logged."""

from datetime import timedelta

from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.utils import timezone

from games.messages.refusal import Refused
from lobby.accounts.sessions import end_other_sessions
from lobby.models import FactorReset, Player

RESET_VALIDITY = timedelta(hours=24)  # what is not confirmed in that time is void


def is_senior(staff: Player) -> bool:
    """Whether they may ask for it, and confirm what another one asked for."""
    return staff.is_active and staff.is_staff and staff.has_perm("games.reverse")


def request_factor_reset(by: Player, account: Player, reason: str) -> FactorReset:
    """Ask for it. Raises `Refused`."""
    if not is_senior(by) or by == account or not reason.strip():
        raise Refused("not-allowed")
    return FactorReset.objects.create(
        account=account, reason=reason.strip()[:500], asked_by=by, asked_at=timezone.now()
    )


def is_reset_open(asked: FactorReset) -> bool:
    return asked.confirmed_by_id is None and asked.asked_at > timezone.now() - RESET_VALIDITY


def confirm_factor_reset(by: Player, asked: FactorReset) -> None:
    """Confirm what another one asked for, and do it: the account's factors are gone, and its
    sessions end. Raises `Refused`."""
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
    """Remove all second factors of an account, and end its sessions; give how many there were."""
    gone, _ = Authenticator.objects.filter(user=account).delete()
    transaction.on_commit(lambda: _tell(account))
    return gone


def _tell(account: Player) -> None:
    end_other_sessions(None, account)
    get_adapter().send_notification_mail("factor_reset", account)
