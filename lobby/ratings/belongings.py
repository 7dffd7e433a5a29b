"""What is stored about a person's strength, in the download of all that is stored."""

from typing import Any

from django.db.models import QuerySet

from lobby.accounts.stored import stored
from lobby.models import Rating


@stored("ratings")
def _ratings(rows: frozenset[int]) -> QuerySet[Any, Any]:
    own = Rating.objects.filter(player__in=rows)
    known = ("rating", "deviation", "volatility", "games", "best", "streak", "longest")
    found: QuerySet[Any, Any] = own.values("pk", "game", *known, "rated_at")
    return found
