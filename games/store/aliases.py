"""The user rows that belong to one person, and the person that a row belongs to.

A person is one row of the user model. Other rows can refer to it with `alias_of`: the guests as
which the person played before logging in to the account. The seats of an alias are never rewritten,
because a match's digest hashes the ids of its players; the person still plays in them.

An alias never refers to another alias, and nobody logs in as an alias. A logged-in player may
therefore act as their own row and as the rows that refer to it. The user model also has `shown_as`,
the name to display instead of the row's own; for an alias it is the name of the person.
"""

from collections.abc import Collection
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from games.runtime.prepared_query import PreparedQuery

MAX_ALIASES = 500
"""The maximum number of aliases of one person, which bounds every list of them."""


def get_aliases_of(player_ids: Collection[int]) -> dict[int, frozenset[int]]:
    """Return a dictionary that maps each player id to the ids that the player may act as.

    These are the player's own id and those of the player's aliases.
    """
    found = {player_id: {player_id} for player_id in player_ids}
    for person, alias in _aliases(found):
        found[person].add(alias)
    return {player_id: frozenset(ids) for player_id, ids in found.items()}


def get_aliases(player_id: int | None) -> frozenset[int]:
    """Return the ids that a logged-in player may act as; empty for a visitor."""
    return frozenset() if player_id is None else get_aliases_of([player_id])[player_id]


def get_persons(player_ids: Collection[int]) -> dict[int, int]:
    """Return a dictionary that maps each of these ids to the id of the person behind it.

    Ids that do not exist are left out.
    """
    return dict(_persons(player_ids))


def get_person(player_id: int) -> int:
    return get_persons([player_id]).get(player_id, player_id)


def get_two_persons(player_id: int, other_id: int) -> tuple[int, int]:
    found = get_persons([player_id, other_id])
    return found.get(player_id, player_id), found.get(other_id, other_id)


def get_kin(player_ids: Collection[int]) -> dict[int, frozenset[int]]:
    """Return a dictionary that maps each of these ids to all ids of the same person.

    Ids that do not exist are left out.
    """
    people = get_persons(player_ids)
    rows = get_aliases_of(set(people.values()))
    return {player_id: rows[people[player_id]] for player_id in people}


def are_one_person(player_id: int, other_id: int) -> bool:
    one, other = get_two_persons(player_id, other_id)
    return one == other


def match_players_filter(player_ids: Collection[int]) -> Q:
    """Return a filter for matches in which one of these players has a seat."""
    # With an equality instead of a list, the planner can read both indexes in order and merge them.
    if len(player_ids) == 1:
        (one,) = player_ids
        return Q(first=one) | Q(second=one)
    return Q(first__in=player_ids) | Q(second__in=player_ids)


def name_at(path: str) -> Coalesce:
    """Return an expression for the displayed name of the player at a path such as `first`."""
    return Coalesce(F(f"{path}__shown_as"), F(f"{path}__{get_user_model().USERNAME_FIELD}"))


def _people() -> QuerySet[Any]:
    return get_user_model()._default_manager.all()


_aliases = PreparedQuery(
    lambda persons: _people().filter(alias_of__in=persons).values_list("alias_of", "pk")
)
_persons = PreparedQuery(
    lambda players: _people().filter(pk__in=players).values_list("pk", Coalesce("alias_of", "pk"))
)
