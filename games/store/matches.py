"""Reads the state of matches."""

from collections.abc import Iterable

from games.match.state import MatchState
from games.models import Match
from games.runtime.compiled import Compiled
from games.store.aliases import name_at

FIELDS = MatchState.__struct_fields__
"""The columns of `Match` that a state is read from, in the order of its fields."""


def read(match_ids: Iterable[str]) -> dict[str, MatchState]:
    """The committed states of these matches, by id. Matches that do not exist are left out."""
    return {values[0]: MatchState(*values) for values in _states(list(match_ids))}


def read_with_names(match_ids: Iterable[str]) -> dict[str, tuple[MatchState, tuple[str, str]]]:
    """The same with the names of the two players. Matches that are not readable are left out."""
    found = {}
    for values in _named(list(match_ids)):
        state = MatchState(*values[:-2])
        if state.is_readable:
            found[state.id] = (state, (values[-2], values[-1]))
    return found


_states = Compiled(lambda ids: Match.objects.filter(pk__in=ids).values_list(*FIELDS), of=str)
_named = Compiled(
    lambda ids: Match.objects.filter(pk__in=ids).values_list(
        *FIELDS, name_at("first"), name_at("second")
    ),
    of=str,
)
