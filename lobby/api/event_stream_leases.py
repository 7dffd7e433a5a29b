"""The newest event stream of each token, on any server.

The stream's id is stored with the token. While the stream is open, the time when the token was last
used is updated about once a minute. The id is cleared when the stream ends. If the server is
killed, the id stays. The stream then counts as open until two minutes have passed without a
recorded use of the token, and again after any later use that is recorded.
"""

from collections.abc import Collection
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from lobby.models import Token

NOTED_EVERY = 60.0  # seconds between two renewals
_LATELY = timedelta(seconds=2 * NOTED_EVERY)


def begin_stream(token_id: int, stream_id: str) -> None:
    """Store `stream_id` as the token's newest event stream."""
    Token.objects.filter(pk=token_id).update(stream=stream_id, used_at=timezone.now())


def end_stream(token_id: int, stream_id: str) -> None:
    """Record that this stream has ended, unless the token has a newer one."""
    Token.objects.filter(pk=token_id, stream=stream_id).update(stream="")


def renew_stream(token_ids: Collection[int]) -> None:
    """Record a use of these tokens, because their event streams are still open."""
    Token.objects.filter(pk__in=token_ids).update(used_at=timezone.now())


def get_newest_stream(token_ids: Collection[int]) -> dict[int, str]:
    """Return a dictionary that maps these tokens to the ids of their newest event streams.

    The id is "" if a token has no open event stream. Revoked tokens are left out.
    """
    return dict(Token.objects.filter(pk__in=token_ids).values_list("pk", "stream"))


def has_stream(player_id: int) -> bool:
    """Return whether a program has the player's event stream open."""
    return following().filter(player=player_id).exists()


def following() -> QuerySet[Token, int]:
    """Return a queryset of the ids of players whose event stream is open.

    A player with several such tokens is repeated.
    """
    lately = Token.objects.filter(stream__gt="", used_at__gt=timezone.now() - _LATELY)
    return lately.values_list("player", flat=True)
