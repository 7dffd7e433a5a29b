"""The moderators' notices to players, shown on every page until the player has confirmed them.

A notice is stored as words, a code with parameters; the sentence is made for its reader. So the
codes under `notice.` in `games.review.sentences` are never renamed.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.utils import timezone

from games.messages import Message, render
from games.models import Notice
from games.store.aliases import get_persons
from games.store.suspensions import get_suspension
from games.store.visibility import HIDDEN_NAME, get_names_for, get_pairs


def notify(player_id: int, what: Message, match_id: str | None = None) -> None:
    """Leave a notice for a player."""
    notify_all([(player_id, match_id)], what)


def notify_all(whom: Iterable[tuple[int, str | None]], what: Message) -> None:
    """Leave the same notice for each player, for the person that they are by now, with the match
    that it is about (None: several)."""
    found = list(whom)
    people = get_persons({pk for pk, _ in found})
    Notice.objects.bulk_create(
        (
            Notice(player_id=people.get(pk, pk), said=dict(what), match_id=match_id)
            for pk, match_id in found
        ),
        batch_size=500,
    )


def notices(player_id: int) -> list[dict[str, Any]]:
    """The notices that a player is shown on each page; a suspension that holds comes first."""
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
            "words": _without_names(notice, names),
            "id": notice.pk,
            "match": notice.match_id,
        }
        for notice in unseen
    ]


def _without_names(notice: Notice, names: Mapping[str, Collection[str]]) -> str:
    """Return the notice's sentence. `names` has the names that may be read in each match that is
    not public: any other one may be a former name of a hidden player."""
    said, readable = notice.said, names.get(notice.match_id or "")
    if readable is not None and said and said.get("name") and said["name"] not in readable:
        return render({**said, "name": HIDDEN_NAME})
    return notice.sentence


def read(player_id: int, notice_id: int) -> None:
    """Note that the player has read it."""
    Notice.objects.filter(pk=notice_id, player_id=player_id, seen_at=None).update(
        seen_at=timezone.now()
    )
