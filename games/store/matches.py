"""Reads the state of matches."""

from collections.abc import Iterable

from games.match.state import Row
from games.models import Match

FIELDS = Row.__struct_fields__
"""The columns of `Match` that a state is read from, in the order of its fields."""


def read(match_ids: Iterable[str]) -> dict[str, Row]:
    """The committed states of these matches, by id. Matches that do not exist are left out."""
    found = Match.objects.filter(pk__in=list(match_ids)).values_list(*FIELDS)
    return {values[0]: Row(*values) for values in found}


def read_with_names(match_ids: Iterable[str]) -> dict[str, tuple[Row, tuple[str, str]]]:
    """The same with the names of the two players. Matches that are not readable are left out."""
    columns = (*FIELDS, "first__username", "second__username")
    found = {}
    wanted = list(match_ids)
    for values in Match.objects.filter(pk__in=wanted).values_list(*columns) if wanted else ():
        row = Row(*values[:-2])
        if row.is_readable:
            found[row.id] = (row, (values[-2], values[-1]))
    return found
