"""The state of matches, as it is stored."""

from collections.abc import Iterable

from games.match.state import Row
from games.models import Match

FIELDS = Row.__struct_fields__
"""The columns of a match that its state is read from."""


def read(match_ids: Iterable[str]) -> dict[str, Row]:
    """The rows of these matches, by id, as they are committed now."""
    found = Match.objects.filter(pk__in=list(match_ids)).values_list(*FIELDS)
    return {values[0]: Row(*values) for values in found}
