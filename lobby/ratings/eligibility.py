"""The rules that decide which matches count for ratings."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime

from django.conf import settings
from django.db.models import QuerySet
from msgspec import Struct

from games.match.setup import RATED_GAMES
from games.match.state import BOTH
from games.models import Connection, Match
from games.store.aliases import get_persons
from games.store.client_networks import find_matches_of_one_network
from games.store.seats import find_pairs_of_one_person
from lobby.models import Player, RatedGame
from lobby.ratings.ledger import get_current_revisions

MOST_OF_A_PAIR = 20  # the maximum number of games between two players that count on one day

FIELDS = (
    *("id", "game", "clock", "rated", "status", "ended", "first_id", "second_id", "first_level"),
    *("second_level", "first_goal", "second_goal", "acted", "ended_at"),
)


class RatedResult(Struct, frozen=True):
    """The columns of a match that decide whether it counts, with their current values."""

    id: str
    game: str
    clock: str
    rated: bool
    status: str
    ended: str
    first_id: int
    second_id: int
    first_level: int | None
    second_level: int | None
    first_goal: int | None
    second_goal: int | None
    acted: int
    ended_at: datetime | None

    @property
    def is_worth_it(self) -> bool:
        """Return whether both players have moved in a game that can be rated, with a clock.

        The result is False for a match against the computer.
        """
        has_computer = self.first_level is not None or self.second_level is not None
        is_game = self.game in RATED_GAMES and bool(self.clock)
        return is_game and self.acted == BOTH and not has_computer

    @property
    def score(self) -> float | None:
        """The score of the first seat: 1, 0.5 or 0; None if the match has no result that counts."""
        if self.status != Match.Status.OVER or self.ended == Match.Ended.VOIDED:
            return None
        if self.ended_at is None or self.first_goal is None or self.second_goal is None:
            return None
        if self.first_goal == self.second_goal:
            return 0.5
        return 1.0 if self.first_goal > self.second_goal else 0.0


def get_ratable_matches() -> QuerySet[Match]:
    """Return a queryset of the rated matches that have a `score` and meet `is_worth_it`."""
    rows = Match.objects.filter(rated=True, game__in=RATED_GAMES, acted=BOTH).exclude(clock="")
    rows = rows.filter(first_level=None, second_level=None, status=Match.Status.OVER)
    rows = rows.filter(ended_at__isnull=False, first_goal__isnull=False, second_goal__isnull=False)
    return rows.exclude(ended=Match.Ended.VOIDED).order_by()


def read_results(match_ids: list[str]) -> list[RatedResult]:
    """Return the rated matches among `match_ids`, in the order in which they ended."""
    found = Match.objects.filter(pk__in=match_ids, rated=True).values_list(*FIELDS)
    return sorted(
        (RatedResult(*values) for values in found),
        key=lambda each: (each.ended_at is None, each.ended_at, each.id),
    )


def get_counted_players(matches: Sequence[RatedResult]) -> dict[str, tuple[int, int]]:
    """Return the players of those finished matches that count for ratings.

    The result maps the id of each such match to the ids of the first and the second account.
    Whether a match counts is decided only once, when it first ends. Later, only its result can
    change.
    """
    seats = {each.id: (each.first_id, each.second_id) for each in matches if each.is_worth_it}
    at_one_screen = find_pairs_of_one_person(seats.values()) if seats else set()
    seats = {key: pair for key, pair in seats.items() if pair not in at_one_screen}
    rows = {pk for pair in seats.values() for pk in pair}
    people = get_persons(rows)
    guests = Player.objects.filter(pk__in=set(people.values()), is_guest=True)
    without = set(guests.values_list("pk", flat=True)) if seats else set()
    if not settings.RATED_ON_SAME_NETWORK:
        for key in _get_matches_of_one_network(seats):
            del seats[key]
    found = {key: (people[one], people[other]) for key, (one, other) in seats.items()}
    found = {key: pair for key, pair in found.items() if without.isdisjoint(pair)}
    found = _exclude_bots_against_people(found)
    return _exclude_frequent_pairs(matches, found)


def _exclude_bots_against_people(people: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Leave out games of bots against people, because bots are rated separately."""
    players = {player for pair in people.values() for player in pair}
    rows = Player.objects.filter(pk__in=players, is_bot=True) if players else ()
    bots = {row.pk for row in rows}
    return {key: pair for key, pair in people.items() if len({pk in bots for pk in pair}) == 1}


def _get_matches_of_one_network(match_ids: Collection[str]) -> set[str]:
    """Return the ids of the matches that both players played from the same network.

    The network of each seat is stored with its first action. The connection log, which is written
    later, adds the networks of players who only had the match open.
    """
    seen = Connection.objects.filter(match__in=match_ids).exclude(address="")
    rows = seen.order_by().values_list("match", "address", "seat").distinct() if match_ids else ()
    counts = Counter((match_id, address) for match_id, address, _ in rows)
    connected = {match_id for (match_id, _), seats in counts.items() if seats > 1}
    return connected | find_matches_of_one_network(match_ids)


def _exclude_frequent_pairs(
    matches: Sequence[RatedResult], people: dict[str, tuple[int, int]]
) -> dict[str, tuple[int, int]]:
    """Leave out the games of a pair after its first `MOST_OF_A_PAIR` games on one day (UTC)."""
    ends = {each.id: each.ended_at for each in matches if each.ended_at is not None}
    if not people:
        return people
    players = {player for pair in people.values() for player in pair}
    since = min(ends[key] for key in people).astimezone(UTC)
    since = since.replace(hour=0, minute=0, second=0, microsecond=0)
    rows = get_current_revisions().filter(
        first__in=players, second__in=players, game__in=RATED_GAMES
    )
    rows = rows.filter(at__gte=since).exclude(kind=RatedGame.Kind.REVERSED)
    met: Counter[tuple[frozenset[int], date]] = Counter()
    for first, second, at in rows.values_list("first", "second", "at"):
        if second is not None:
            met[frozenset((first, second)), at.astimezone(UTC).date()] += 1
    found = {}
    for key, pair in people.items():
        day = frozenset(pair), ends[key].astimezone(UTC).date()
        met[day] += 1
        if met[day] <= MOST_OF_A_PAIR:
            found[key] = pair
    return found
