"""Private notes on players, which only moderators can see."""

from typing import Any

from django.db import transaction
from django.db.models import Q

from games.messages.refusal import Refused
from games.models import Match, Note
from games.models.review import WORDS
from games.review.locks import lock_player

_SHOWN = 20


def write_note(player_id: int, by: Any, text: str, match_id: str | None = None) -> Note:
    """Store a note on a player, without the match if the player has no seat in it.

    Raise `Refused` if the user may not handle players, or if the text is empty or too long.
    """
    if not (by.is_active and by.is_staff and by.has_perm("games.handle")):
        raise Refused("no-right")
    text = " ".join(text.split())
    if not text:
        raise Refused("no-note")
    if len(text) > WORDS:
        raise Refused("reason-too-long", most=WORDS)
    with transaction.atomic():
        player = lock_player(player_id)
        own = Q(first=player) | Q(second=player)
        match = Match.objects.filter(own, pk=match_id).first() if match_id else None
        last = Note.objects.filter(player=player).first()
        if last is not None and (last.by_id, last.words) == (by.pk, text):
            return last  # the same form was sent twice
        return Note.objects.create(player=player, match=match, by=by, words=text)


def list_notes(player_id: int) -> list[Note]:
    """Return the newest notes on a player."""
    return list(Note.objects.filter(player=player_id).select_related("by")[:_SHOWN])
