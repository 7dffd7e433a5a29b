"""The moderators' notices to players. Pages show them until the player has confirmed them.

A notice is stored as a code with parameters, and rendered in its reader's language. The codes under
`notice.` in `games.review.sentences` must therefore never be renamed.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone

from games.messages import Message, render
from games.models import Notice
from games.store.aliases import get_persons
from games.store.suspensions import get_suspension
from games.store.visibility import HIDDEN_NAME, get_names_for, get_pairs


def notify_player(player_id: int, what: Message, match_id: str | None = None) -> None:
    """Store a notice for a player."""
    notify_players([(player_id, match_id)], what)


def notify_players(
    whom: Iterable[tuple[int, str | None]], what: Message, at: datetime | None = None
) -> None:
    """Store the same notice for each player, under their current account.

    `whom` has the players' ids, each with the id of the match that the notice is about (None: no
    match, or several).
    """
    found = list(whom)
    at = at or timezone.now()
    people = get_persons({pk for pk, _ in found})
    Notice.objects.bulk_create(
        (
            Notice(player_id=people.get(pk, pk), said=dict(what), match_id=match_id, at=at)
            for pk, match_id in found
        ),
        batch_size=500,
    )


def list_notices(player_id: int) -> list[dict[str, Any]]:
    """Return a player's ten oldest unread notices, after the suspension if one is in force."""
    held = get_suspension(player_id)
    found: list[dict[str, Any]] = (
        [] if held is None else [{"words": render(held.refusal.words), "id": None}]
    )
    unseen = list(Notice.objects.filter(player_id=player_id, seen_at=None)[:10])
    known = get_pairs({notice.match_id for notice in unseen if notice.match_id is not None})
    hidden = {pk: pair for pk, pair in known.items() if not pair.is_public}
    names = {pk: frozenset[str]() for pk in hidden} | {
        pk: frozenset(seen) for pk, seen in get_names_for(player_id, hidden).items()
    }
    return found + [
        {
            "words": _hide_names(notice, names),
            "id": notice.pk,
            "match": notice.match_id,
        }
        for notice in unseen
    ]


def _hide_names(notice: Notice, names: Mapping[str, Collection[str]]) -> str:
    """Return the notice's sentence without names that must stay hidden.

    `names` has the names that may be shown for each private match. Any other name may be the former
    name of a hidden player.
    """
    said, readable = notice.said, names.get(notice.match_id or "")
    if readable is not None and said and said.get("name") and said["name"] not in readable:
        return render({**said, "name": HIDDEN_NAME})
    return notice.sentence


def mark_read(player_id: int, notice_id: int) -> None:
    """Mark the notice as read by the player."""
    Notice.objects.filter(pk=notice_id, player_id=player_id, seen_at=None).update(
        seen_at=timezone.now()
    )
