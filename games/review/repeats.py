"""The warning before a moderator repeats a decision that a senior moderator has reversed."""

from django.db.models import Q

from games.models import Decision

Kind = Decision.Kind
_ALIKE = {Kind.CORRECT: (Kind.CORRECT, Kind.END), Kind.END: (Kind.CORRECT, Kind.END)}
"""Kinds of decision with the same effect."""


def get_last_reversal(kind: str, match_id: str | None, player_id: int | None) -> Decision | None:
    """Return the last reversal of this kind of decision on the player, or else on the match.

    Return None if no such decision was reversed.
    """
    if kind not in Kind.values or kind == Kind.REVERSE:
        return None
    if player_id is not None:
        about = Q(player=player_id)
    elif match_id is not None:
        about = Q(match=match_id, player=None)
    else:
        return None
    kinds = _ALIKE.get(Kind(kind), (Kind(kind),))
    undone = Decision.objects.filter(about, reverses__kind__in=kinds)
    return undone.select_related("by", "reverses").order_by("-number").first()
