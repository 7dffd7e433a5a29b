"""The rules of visibility, which `games.store.visibility` applies.

Everybody sees players who are not protected. A protected player is visible to themselves, to active
staff, and to the members, including the organisers, of the groups for minors that the player is in.
The aliases of a protected player, and a friend who sits at the player's screen, are protected too
(see `lobby.privacy.protection`).

The rules are written twice: as a function (`find_hidden_glances`) and as conditions of queries
(`_visible`). Change both. Callers such as `lobby.players.people` ask only about players with
`is_protected`.
"""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce

from games.runtime.prepared_query import PreparedQuery
from games.store.visibility import HIDDEN_NAME, Glance, can_see_player, find_hidden_players
from lobby.models import Member, Player


def is_public(player_id: int) -> bool:
    """Return whether everybody may see the player."""
    return not find_hidden_players(None, [player_id])


def get_protected(player_ids: Collection[int]) -> set[int]:
    """Return the ids of the protected players among these."""
    return {pk for (pk, _) in _protected(player_ids)}


def build_public_condition(path: str = "pk") -> Q:
    """Return the condition that rows belong to players whom everybody may see.

    `path` leads from the rows to the player: `pk` if the rows are players, otherwise the name of a
    foreign key such as `player`.
    """
    return Q(**{_at(path, "is_protected"): False})


def find_hidden_glances(glances: Collection[Glance]) -> set[Glance]:
    """Return the glances in which the viewer may not see the player.

    This is the policy of the site. A glance is a viewer and a player. There are at most three
    queries.
    """
    owners = dict(_protected({pk for _, pk in glances}))
    asked = {(viewer_id, pk) for viewer_id, pk in glances if pk in owners}
    viewers = {viewer_id for viewer_id, _ in asked if viewer_id is not None}
    if not viewers:
        return asked
    known = {
        pk: (person, bool(is_staff and is_active))
        for pk, person, is_staff, is_active in _viewers(viewers)
    }
    groups: dict[int, set[str]] = {}
    people = {person for person, _ in known.values()} | set(owners.values())
    for player_id, group_id in _memberships(people):
        groups.setdefault(player_id, set()).add(group_id)
    return {
        (viewer_id, pk)
        for viewer_id, pk in asked
        if not _may_see(known.get(viewer_id or 0), owners[pk], groups)
    }


def _may_see(viewer: tuple[int, bool] | None, owner_id: int, groups: dict[int, set[str]]) -> bool:
    if viewer is None:
        return False
    person, is_staff = viewer
    mine, theirs = groups.get(person, set()), groups.get(owner_id, set())
    return is_staff or person == owner_id or not mine.isdisjoint(theirs)


# The person of an alias is its account; the person of a friend at one screen is the host.
_OWNER = Coalesce("alias_of", "beside__alias_of", "beside", "pk")
_protected = PreparedQuery(
    lambda players: Player.objects.filter(Q(is_protected=True), pk__in=players).values_list(
        "pk", _OWNER
    )
)
_viewers = PreparedQuery(
    lambda players: Player.objects.filter(pk__in=players).values_list(
        "pk", Coalesce("alias_of", "pk"), "is_staff", "is_active"
    )
)
_memberships = PreparedQuery(
    lambda players: Member.objects.filter(
        Q(group__for_minors=True), player__in=players
    ).values_list("player", "group")
)


def get_name_for(viewer_id: int | None, player: Player) -> str:
    """Return the player's name as shown to the viewer. There is no query for public players."""
    if player.is_protected and not can_see_player(viewer_id, player.pk):
        return HIDDEN_NAME
    return player.name


# -- the same rules as conditions, for lists with pages


def build_visible_condition(viewer_id: int | None, path: str = "pk") -> Q:
    """Return the condition that rows belong to players whom the viewer may see.

    `path` leads from the rows to the player. There is at most one query.
    """
    return _visible(viewer_id, path)[0]


def build_visible_opponents_condition(viewer_id: int | None, path: str = "opponent") -> Q:
    """Return the condition that the viewer may see the opponent at `path`.

    Use it for the matches of a player whom the viewer may see.
    """
    return _or_own(viewer_id, _visible(viewer_id, path)[0], path)


def build_visible_matches_condition(viewer_id: int | None) -> Q:
    """Return the condition that the viewer may see a match."""
    first, second = _visible(viewer_id, "first", "second")
    return _or_own(viewer_id, first & second, "first", "second")


def _visible(viewer_id: int | None, *paths: str) -> list[Q]:
    viewer = None if viewer_id is None else next(_viewers_with_groups([viewer_id]), None)
    if viewer is None:
        return [build_public_condition(path) for path in paths]
    person, is_staff, is_active, is_protected, has_groups = viewer
    if is_staff and is_active:
        return [Q() for _ in paths]
    if not has_groups and not is_protected:
        return [build_public_condition(path) for path in paths]
    groups = Member.objects.filter(player=person, group__for_minors=True).values("group")
    people = Member.objects.filter(group__in=groups).values("player")
    owners = Player.objects.filter(Q(pk=person) | Q(pk__in=people)).values("pk")
    found = []
    for path in paths:
        seen = build_public_condition(path)
        for step in ("", "alias_of", "beside", "beside__alias_of"):
            seen |= Q(**{f"{_at(path, step) if step else path}__in": owners})
        found.append(seen)
    return found


def _or_own(viewer_id: int | None, seen: Q, *paths: str) -> Q:
    """Extend the condition to rows that have the viewer at one of these paths.

    An empty condition, which every row meets, stays empty.
    """
    if not seen or viewer_id is None:
        return seen
    own = Player.objects.filter(Q(pk=viewer_id) | Q(alias_of=viewer_id)).values("pk")
    for path in paths:
        seen |= Q(**{f"{path}__in": own})
    return seen


_viewers_with_groups = PreparedQuery(
    lambda players: Player.objects.filter(pk__in=players).values_list(
        Coalesce("alias_of", "pk"),
        "is_staff",
        "is_active",
        "is_protected",
        Exists(
            Member.objects.filter(
                player=Coalesce(OuterRef("alias_of"), OuterRef("pk")), group__for_minors=True
            )
        ),
    )
)


def _at(path: str, name: str) -> str:
    return name if path == "pk" else f"{path}__{name}"
