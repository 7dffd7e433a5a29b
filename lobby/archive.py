"""The archive: all rated games of a month for research, one game per line.

Games that are not public are left out. Players who have agreed are named; the others appear as a
number, which is the same in all archives. A game with such a number has no address and no hour,
because these would reveal the name.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b

from django.conf import settings
from django.db.models import Q

from games.formats.verify import Value, canonical
from games.models import Match
from games.store.aliases import get_persons
from games.store.records import MatchRecord, list_records
from lobby.models import Player, Preferences
from lobby.privacy.visibility import build_visible_matches_condition

_EACH = 500  # the maximum number of matches that one query reads


def list_lines(year: int, month: int) -> Iterator[bytes]:
    """Yield a line of canonical JSON for each rated game that ended in the month (UTC).

    The lines are in the order in which the games ended. Voided games are left out. At most `_EACH`
    games are in memory at a time.
    """
    begin = datetime(year, month, 1, tzinfo=UTC)
    end = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    # Filter on no other indexed column, so that the query uses the index on `ended_at`.
    without = (Match.Ended.VOIDED, Match.Ended.ABORTED)
    counted = Match.objects.filter(build_visible_matches_condition(None), rated=True).exclude(
        ended__in=without
    )
    counted = counted.order_by("ended_at", "id")
    after: tuple[datetime, str] | None = None
    while True:
        page = counted.filter(ended_at__gte=after[0] if after else begin, ended_at__lt=end)
        if after:
            page = page.filter(Q(ended_at__gt=after[0]) | Q(id__gt=after[1]))
        found = list(page.values_list("ended_at", "id")[:_EACH])
        if not found:
            return
        yield from _list_lines([match_id for _, match_id in found])
        last_at, last_id = found[-1]
        assert last_at is not None
        after = last_at, last_id


def get_person_number(person_id: int) -> str:
    """Return the number that stands for a person. It cannot be traced back without the key."""
    key = blake2b(settings.SECRET_KEY.encode(), person=b"archive number").digest()
    return blake2b(str(person_id).encode(), digest_size=8, key=key).hexdigest()


def _list_lines(match_ids: Sequence[str]) -> Iterator[bytes]:
    found = list(list_records(match_ids))
    seats = {pk for each in found for pk in (each.state.first_id, each.state.second_id)}
    people = get_persons(seats)
    named = _get_named(set(people.values()))
    for each in found:
        if each.state.game_is_unknown:
            continue
        yield canonical(_serialize_match(each, people, named)) + b"\n"


def _get_named(person_ids: set[int]) -> dict[int, str]:
    """Return the names of the computer and of the players who have agreed to be named, by id."""
    chosen = Preferences.objects.filter(
        player__in=person_ids, archived=Preferences.Archived.NAME
    ).values("player")
    may = Player.objects.filter(Q(pk__in=chosen) | Q(bot_level__isnull=False), pk__in=person_ids)
    return {player.pk: player.name for player in may}


def _serialize_match(
    found: MatchRecord, people: dict[int, int], named: dict[int, str]
) -> dict[str, Value]:
    state = found.state
    assert state.ended_at is not None
    both = [people[pk] for pk in (state.first_id, state.second_id)]
    is_public = all(pk in named for pk in both)
    seats: list[Value] = [
        {"name": named[pk]} if pk in named else {"number": get_person_number(pk)} for pk in both
    ]
    goals = state.goals or {}
    told: dict[str, Value] = {
        "game": state.game,
        "options": state.options,
        "clock": state.clock,
        "seats": dict(zip(state.rules.roles, seats, strict=True)),
        "actions": [move.action for move in found.moves],
        "spent_ms": [move.spent_ms for move in found.moves],
        "ended": state.ended,
        "goals": dict(goals),
        "date": f"{state.ended_at:%Y-%m-%d}",
    }
    if is_public:
        told["match"] = state.id
        told["ended_at"] = int(state.ended_at.timestamp() * 1000)
    return told
