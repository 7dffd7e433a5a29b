"""Which players a person may act as: the one place that knows it.

A person is one row of the user model. Other rows may point to it by `alias_of`: the guest that they
were in this browser before they logged in to their account. The seats of an alias are never
rewritten, as a match's digest hashes its players' ids; the person sits there all the same.

The pointer is never longer than one step, and nobody logs in as an alias. So whoever is logged in
may act as their own row and as those that point to it. The user model also has `shown_as`: what is
read instead of a name, which for an alias is the name of its person.
"""

from collections.abc import Collection
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from games.runtime.prepared_query import PreparedQuery

MAX_ALIASES = 500
"""Aliases that one person may have. So every list of them has a bound."""


def get_aliases_of(player_ids: Collection[int]) -> dict[int, frozenset[int]]:
    """The players that each of these, who are logged in, may act as: themselves among them."""
    found = {player_id: {player_id} for player_id in player_ids}
    for person, alias in _aliases(found):
        found[person].add(alias)
    return {player_id: frozenset(ids) for player_id, ids in found.items()}


def get_aliases(player_id: int | None) -> frozenset[int]:
    """The players that one who is logged in may act as; none for nobody."""
    return frozenset() if player_id is None else get_aliases_of([player_id])[player_id]


def get_persons(player_ids: Collection[int]) -> dict[int, int]:
    """The person that each of these players is."""
    return dict(_persons(player_ids))


def get_person(player_id: int) -> int:
    """The person that the player is."""
    return get_persons([player_id]).get(player_id, player_id)


def get_two_persons(player_id: int, other_id: int) -> tuple[int, int]:
    """The persons that these two players are."""
    found = get_persons([player_id, other_id])
    return found.get(player_id, player_id), found.get(other_id, other_id)


def get_kin(player_ids: Collection[int]) -> dict[int, frozenset[int]]:
    """All players that are the same person as each of these, whichever row that is."""
    people = get_persons(player_ids)
    rows = get_aliases_of(set(people.values()))
    return {player_id: rows[people[player_id]] for player_id in people}


def are_one_person(player_id: int, other_id: int) -> bool:
    """Whether the two players are one person."""
    one, other = get_two_persons(player_id, other_id)
    return one == other


def match_players_filter(player_ids: Collection[int]) -> Q:
    """Matches in which one of these players has a seat."""
    if len(player_ids) == 1:  # the planner then takes the two indexes in their order
        (one,) = player_ids
        return Q(first=one) | Q(second=one)
    return Q(first__in=player_ids) | Q(second__in=player_ids)


def name_at(path: str) -> Coalesce:
    """What people read as the name of the player at that path of a query: `first`, for example."""
    return Coalesce(F(f"{path}__shown_as"), F(f"{path}__{get_user_model().USERNAME_FIELD}"))


def _people() -> QuerySet[Any]:
    return get_user_model()._default_manager.all()


_aliases = PreparedQuery(
    lambda persons: _people().filter(alias_of__in=persons).values_list("alias_of", "pk")
)
_persons = PreparedQuery(
    lambda players: _people().filter(pk__in=players).values_list("pk", Coalesce("alias_of", "pk"))
)
