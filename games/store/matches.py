"""Queries for the states of matches."""

from collections.abc import Iterable

from games.match.state import MatchState
from games.models import Match
from games.runtime.prepared_query import PreparedQuery
from games.store.visibility import PAIR, PlayerPair, build_pair, get_names_for

FIELDS = MatchState.__struct_fields__
"""The columns of `Match` from which a state is built, in the order of its fields."""


def read_states(match_ids: Iterable[str]) -> dict[str, MatchState]:
    """Return the committed states of these matches, by id. Missing matches are left out."""
    return {values[0]: MatchState(*values) for values in _states(list(match_ids))}


def read_with_names(
    match_ids: Iterable[str], viewer_id: int | None
) -> dict[str, tuple[MatchState, tuple[str, str]]]:
    """Return these matches with the players' names as the viewer may see them.

    Matches that cannot be read, or that the viewer may not see, are left out.
    """
    found = read_with_pairs(match_ids)
    names = get_names_for(viewer_id, {pk: pair for pk, (_, pair) in found.items()})
    return {pk: (state, names[pk]) for pk, (state, _) in found.items() if pk in names}


def read_with_pairs(match_ids: Iterable[str]) -> dict[str, tuple[MatchState, PlayerPair]]:
    """Return these matches with their players, without checking visibility.

    Matches that cannot be read are left out.
    """
    found = {}
    for values in _named(list(match_ids)):
        state = MatchState(*values[: -len(PAIR)])
        if state.is_readable:
            found[state.id] = (state, build_pair(values[-len(PAIR) :]))
    return found


_states = PreparedQuery(lambda ids: Match.objects.filter(pk__in=ids).values_list(*FIELDS), of=str)
_named = PreparedQuery(
    lambda ids: Match.objects.filter(pk__in=ids).values_list(*FIELDS, *PAIR), of=str
)
