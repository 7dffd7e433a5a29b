"""Which players are hidden from whom. `games.store.visibility` asks this module.

Everybody sees players who are not protected. A protected player is visible to themselves, to staff
and to the members and organisers of the groups for minors that the player is in. Other rows of the
same person, and the friend who sits beside a protected player at one screen, are protected with
them (`lobby.privacy.protection`).
"""

from collections.abc import Collection

from django.db.models import Q
from django.db.models.functions import Coalesce

from games.runtime.compiled import Compiled
from games.store.visibility import hidden_players
from lobby.models import Member, Player


def is_public(player_id: int) -> bool:
    """Whether everybody may see the player."""
    return not hidden_players(None, [player_id])


def not_public(player_ids: Collection[int]) -> set[int]:
    """Return those of these players who are protected."""
    return {pk for (pk, _) in _protected(player_ids)}


def public(path: str = "pk") -> Q:
    """Return the condition that rows belong to players whom everybody may see. `path` leads from
    the rows to the player: `pk` for players, `player` for a foreign key."""
    return Q(is_protected=False) if path == "pk" else Q(**{f"{path}__is_protected": False})


def hidden_from(viewer_id: int | None, player_ids: Collection[int]) -> set[int]:
    """Return those of these players whom the viewer may not see: the policy of the site."""
    protected = dict(_protected(player_ids))
    if not protected:
        return set()
    if viewer_id is None:
        return set(protected)
    viewer = Player.objects.filter(pk=viewer_id).values("alias_of", "is_staff", "is_active").first()
    if viewer is None:
        return set(protected)
    if viewer["is_staff"] and viewer["is_active"]:
        return set()
    person = viewer["alias_of"] or viewer_id
    visible = {person} | _groupmates(person, set(protected.values()))
    return {pk for pk, owner in protected.items() if owner not in visible}


def _groupmates(viewer_id: int, people: set[int]) -> set[int]:
    """Return those of these people who are in a group for minors together with the viewer."""
    groups = Member.objects.filter(player=viewer_id, group__for_minors=True).values("group")
    return set(
        Member.objects.filter(player__in=people, group__in=groups).values_list("player", flat=True)
    )


# The person of an alias is its account; of a friend at one screen, the host.
_protected = Compiled(
    lambda players: Player.objects.filter(Q(is_protected=True), pk__in=players).values_list(
        "pk", Coalesce("alias_of", "beside__alias_of", "beside", "pk")
    )
)
