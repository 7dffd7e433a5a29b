"""Which tokens have a stream of events: the one that was opened last, on whichever server. It is
stored with the token, and noted again each minute while it is open."""

from collections.abc import Collection
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from lobby.models import Token

NOTED_EVERY = 60.0  # seconds
_LATELY = timedelta(seconds=2 * NOTED_EVERY)


def begin(token_id: int, stream_id: str) -> None:
    """This is the token's stream from now on."""
    Token.objects.filter(pk=token_id).update(stream=stream_id, used_at=timezone.now())


def go_on(token_ids: Collection[int]) -> None:
    """The streams of these tokens are still open."""
    Token.objects.filter(pk__in=token_ids).update(used_at=timezone.now())


def newest(token_ids: Collection[int]) -> dict[int, str]:
    """The stream of each of these tokens."""
    return dict(Token.objects.filter(pk__in=token_ids).values_list("pk", "stream"))


def following() -> QuerySet[Token, int]:
    """The players who listen, or did a moment ago."""
    lately = Token.objects.filter(stream__gt="", used_at__gt=timezone.now() - _LATELY)
    return lately.values_list("player", flat=True)
