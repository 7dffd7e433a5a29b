"""Which seeks are open to everybody now."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from games.rules import GAMES
from lobby.models import Seek


def freshest() -> datetime:
    """Since when a tab of the player must have been seen, so that a seek has not lapsed."""
    return timezone.now() - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS)


def listed() -> QuerySet[Seek]:
    """The seeks that are open to everybody and alive, of games that the site knows."""
    return Seek.objects.filter(
        match=None, by_address=False, seen_at__gte=freshest(), game__in=GAMES
    )
