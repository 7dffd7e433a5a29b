"""The staff's notices to players, shown on every page until the player has confirmed them."""

from typing import Any

from django.utils import timezone

from games.models import Notice
from games.store.holders import person
from games.store.suspensions import suspension
from games.words import say


def notify(player_id: int, words: str, match_id: str | None = None) -> None:
    """Leave a notice for a player: for the person that they are by now."""
    Notice.objects.create(player_id=person(player_id), words=words, match_id=match_id)


def notices(player_id: int) -> list[dict[str, Any]]:
    """The notices that a player is shown on each page; a suspension that holds comes first."""
    held = suspension(player_id)
    found: list[dict[str, Any]] = (
        [] if held is None else [{"words": say(held.refusal.words), "id": None}]
    )
    unseen = Notice.objects.filter(player_id=player_id, seen_at=None)
    return found + [
        {"words": notice.words, "id": notice.pk, "match": notice.match_id} for notice in unseen[:10]
    ]


def read(player_id: int, notice_id: int) -> None:
    """Note that the player has read it."""
    Notice.objects.filter(pk=notice_id, player_id=player_id, seen_at=None).update(
        seen_at=timezone.now()
    )
