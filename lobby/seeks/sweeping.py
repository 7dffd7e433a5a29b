"""What the referee deletes in the lobby."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from lobby.accounts.devices import forget_old as forget_devices
from lobby.accounts.old_sessions import sweep_sessions
from lobby.accounts.renaming import free_names
from lobby.accounts.tokens import forget_expired as forget_tokens
from lobby.hooks.deliveries import forget_old as forget_deliveries
from lobby.models import Player, Server
from lobby.privacy.account_deletion import delete_due_accounts
from lobby.seeks import challenges, matchmaking

_MOST = 500  # guests deleted in one round
_FORGOTTEN = timedelta(hours=1)  # a server without a heartbeat for so long is gone


def sweep_lobby() -> int:
    """Delete lapsed seeks, old challenges, servers that are gone, old sessions, old
    deliveries, and guests who never played."""
    now = timezone.now()
    sweep_sessions()
    free_names()
    delete_due_accounts()
    forget_devices()
    forget_tokens()
    forget_deliveries()
    matchmaking.keep(set())
    challenges.forget_old()
    Server.objects.filter(seen_at__lt=now - _FORGOTTEN).delete()
    old = now - timedelta(days=settings.GUEST_DAYS)
    unused = Player.objects.filter(
        Q(last_login__lt=old) | Q(last_login__isnull=True),
        is_guest=True,
        is_staff=False,
        date_joined__lt=old,
        matches_as_first__isnull=True,
        matches_as_second__isnull=True,
        # What was reported stays, and what the staff decided.
        reports_made__isnull=True,
        cases__isnull=True,
        decisions__isnull=True,
        aliases__isnull=True,
    )
    found = list(unused.values_list("pk", flat=True)[:_MOST])
    Player.objects.filter(pk__in=found).delete()
    return len(found)
