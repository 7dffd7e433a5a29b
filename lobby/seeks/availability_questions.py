"""Questions between servers, stored with a seek, about whether the seek's player is present."""

from collections.abc import Collection, Mapping
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from games.runtime.pubsub import SERVER
from lobby.models import Seek
from lobby.seeks.listed import get_listed_seeks


def create_questions(seek_ids: Collection[str]) -> dict[str, int]:
    """Ask the other servers whether the players of these seeks are present.

    Return a dictionary that maps the id of each seek that is still open to the number of its
    question. It is empty if there is no other server.
    """
    if not _has_other_servers():
        return {}
    with transaction.atomic():
        open_ = Seek.objects.filter(pk__in=seek_ids, match=None)
        wanted = list(open_.select_for_update().order_by("pk").values_list("pk", flat=True))
        Seek.objects.filter(pk__in=wanted).update(asks=F("asks") + 1)
        return dict(Seek.objects.filter(pk__in=wanted).values_list("pk", "asks"))


def get_answered_seeks(numbers: Mapping[str, int]) -> set[str]:
    """Return the ids of the seeks for which a server has answered the question or a later one."""
    rows = Seek.objects.filter(pk__in=numbers, answers__gt=0).values_list("pk", "answers")
    return {pk for pk, number in rows if number >= numbers[pk]}


def list_questioned_seeks(player_ids: set[int]) -> list[Seek]:
    """Return the open seeks of these players that have an unanswered question."""
    return list(get_listed_seeks().filter(player_id__in=player_ids, asks__gt=F("answers")))


def answer_questions(seek_ids: Collection[str]) -> None:
    """Answer all open questions about these seeks: their players are present."""
    with transaction.atomic():
        asked_ = Seek.objects.filter(pk__in=seek_ids, answers__lt=F("asks"))
        wanted = list(asked_.select_for_update().order_by("pk").values_list("pk", flat=True))
        Seek.objects.filter(pk__in=wanted).update(answers=F("asks"))


def _has_other_servers() -> bool:
    alive = timezone.now() - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS)
    # Plain SQL, because this runs for each player who may be paired.
    with connection.cursor() as cursor:
        cursor.execute(_OTHERS, [connection.ops.adapt_datetimefield_value(alive), SERVER])
        return cursor.fetchone() is not None


_OTHERS = "SELECT 1 FROM lobby_server WHERE seen_at >= %s AND id <> %s LIMIT 1"
