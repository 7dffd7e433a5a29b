"""Stored matches: their states, and records with their moves.

Functions with a viewer leave out what the viewer may not see. The others do not check visibility.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from msgspec import Struct

from games.formats import Sheet
from games.match.state import MatchState, NewMove
from games.models import Match, Move
from games.runtime.prepared_query import PreparedQuery
from games.store.proof import MatchFault, find_faults
from games.store.visibility import PAIR, PlayerPair, build_pair, get_names_for, get_pairs


class MatchRecord(Struct, frozen=True):
    """A match and its moves in order."""

    state: MatchState
    moves: tuple[NewMove, ...]


class VisibleRecord(Struct, frozen=True):
    """A record with the names that the viewer may see.

    `is_public` means that everybody may see it, so that caches may keep it.
    """

    record: MatchRecord
    names: tuple[str, str]
    is_public: bool


def get_record_for(viewer: Callable[[], int | None], match_id: str) -> VisibleRecord | None:
    """Return the record of a match with the names that the viewer may see.

    Return None if the match does not exist or the viewer may not see it. `viewer` is not called for
    a public match, so the response is the same for everybody, and caches may keep it.
    """
    pair = get_pairs([match_id]).get(match_id)
    is_public = pair is not None and pair.is_public
    viewer_id = None if is_public else viewer()
    names = None if pair is None else get_names_for(viewer_id, {match_id: pair}).get(match_id)
    found = None if names is None else get_record(match_id)
    return None if found is None or names is None else VisibleRecord(found, names, is_public)


def get_record(match_id: str) -> MatchRecord | None:
    """Return the record of a match, or None if it does not exist, without checking visibility."""
    return next(list_records([match_id]), None)


def list_records(match_ids: Sequence[str]) -> Iterator[MatchRecord]:
    """Yield the records of these matches in this order. Missing matches are left out."""
    states = read_states(match_ids)
    moves = {
        match_id: tuple(NewMove(*values) for values in group)
        for match_id, group in groupby(_moves(states), key=itemgetter(0))
    }
    for match_id in match_ids:
        if match_id in states:
            state = states[match_id]
            # The state was read first, so moves that were played since then do not belong to it.
            played = moves.get(match_id, ())
            yield MatchRecord(state, played[: state.ply] if state.is_live else played)


def serialize_record(found: MatchRecord, names: tuple[str, str]) -> dict[str, Any]:
    """Return the record in the format of `record.json`. Times are seconds since 1970."""
    state = found.state
    roles = ("first", "second") if state.game_is_unknown else state.rules.roles
    return {
        "match": state.id,
        "game": state.game,
        **({} if state.game_is_unknown else state.rules.version),
        "clock": state.clock or None,
        "options": state.options,
        "rated": state.rated,
        "seats": dict(zip(roles, ({"name": name} for name in names), strict=True)),
        "moves": [
            {
                "ply": move.ply,
                "role": move.role,
                "action": move.action,
                "at": move.at.timestamp(),
                "spent_ms": move.spent_ms,
            }
            for move in found.moves
        ],
        "status": state.status,
        "ended": state.ended or None,
        "goals": None if state.game_is_unknown else state.goals,
        "notation": state.notation,
        "created_at": state.created_at.timestamp(),
        "ended_at": state.ended_at.timestamp() if state.ended_at else None,
        "digest": state.digest or None,
    }


def build_sheet(found: MatchRecord, names: tuple[str, str]) -> Sheet:
    """Return the record as a sheet, from which `games.formats` writes formats other than JSON."""
    state = found.state
    goals = (state.first_goal, state.second_goal)
    return Sheet(
        game=state.game,
        actions=tuple(move.action for move in found.moves),
        names=names,
        clock=state.clock,
        ended=state.ended,
        goals=None if goals[0] is None or goals[1] is None else (goals[0], goals[1]),
        at=state.created_at,
        match=state.id,
        options=state.options,
    )


def find_unsound_matches(match_ids: Sequence[str]) -> dict[str, list[MatchFault]]:
    """Return a dictionary that maps the ids of these matches to their faults.

    Matches without faults are left out.
    """
    found = {}
    for each in list_records(match_ids):
        wrong = find_faults(each.state, each.moves)
        if wrong:
            found[each.state.id] = wrong
    return found


FIELDS = MatchState.__struct_fields__
"""The columns of `Match` from which a state is built, in the order of its fields."""


def read_states(match_ids: Iterable[str]) -> dict[str, MatchState]:
    """Return a dictionary that maps the ids of these matches to their stored states.

    Missing matches are left out.
    """
    return {values[0]: MatchState(*values) for values in _states(list(match_ids))}


def read_with_names(
    match_ids: Iterable[str], viewer_id: int | None
) -> dict[str, tuple[MatchState, tuple[str, str]]]:
    """Return these matches with the players' names as the viewer may see them.

    The result maps the ids of the matches to states and names. Matches that cannot be read, or that
    the viewer may not see, are left out.
    """
    found = read_with_pairs(match_ids)
    names = get_names_for(viewer_id, {pk: pair for pk, (_, pair) in found.items()})
    return {pk: (state, names[pk]) for pk, (state, _) in found.items() if pk in names}


def read_with_pairs(match_ids: Iterable[str]) -> dict[str, tuple[MatchState, PlayerPair]]:
    """Return these matches with their players, without checking visibility.

    The result maps the ids of the matches to states and players. Matches that cannot be read are
    left out.
    """
    found = {}
    for values in _named(list(match_ids)):
        state = MatchState(*values[: -len(PAIR)])
        if state.is_readable:
            found[state.id] = (state, build_pair(values[-len(PAIR) :]))
    return found


_moves = PreparedQuery(
    lambda ids: (
        Move.objects.filter(match_id__in=ids)
        .order_by("match_id", "ply")
        .values_list(*NewMove.__struct_fields__)
    ),
    of=str,
)
_states = PreparedQuery(lambda ids: Match.objects.filter(pk__in=ids).values_list(*FIELDS), of=str)
_named = PreparedQuery(
    lambda ids: Match.objects.filter(pk__in=ids).values_list(*FIELDS, *PAIR), of=str
)
