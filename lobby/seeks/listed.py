"""The seeks that are listed in the lobbies of the site and of groups."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from games.rules import GAMES
from lobby.models import Seek


def get_expiry_limit() -> datetime:
    """Return the earliest `seen_at` of a listed seek that has not expired."""
    return timezone.now() - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS)


def get_listed_seeks() -> QuerySet[Seek]:
    """Return the listed seeks, those of groups included, that are open and whose games exist."""
    return Seek.objects.filter(
        match=None, by_address=False, seen_at__gte=get_expiry_limit(), game__in=GAMES
    )
