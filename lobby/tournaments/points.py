"""The scores and ranks of entries, stored so that lists need not compute them.

Both can be recomputed from the pairings.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db import connection
from django.db.models import Q
from msgspec import Struct
from msgspec.structs import astuple

from lobby.models import Entry, Pairing, Tournament
from lobby.tournaments.field import PAIRED, get_round_game
from lobby.tournaments.pairing import arena
from lobby.tournaments.pairing.field import WIN
from lobby.tournaments.queries import compute_table


class EntryScore(Struct, frozen=True):
    """The score of an entry.

    `points` are hundredths: a win is 100 or, in an arena, at least 200. `streak` is 0 except in an
    arena.
    """

    points: int = 0
    games: int = 0
    wins: int = 0
    forfeits: int = 0
    streak: int = 0


KEPT = EntryScore.__struct_fields__
"""The columns of `Entry` that store a score."""

# Plain SQL, because `bulk_update` takes several times as long, and moves wait for it.
_KEEP = (
    f"UPDATE lobby_entry SET {', '.join(f'{name} = %s' for name in KEPT)}"  # nosec B608  # noqa: S608  # column names from the code
    " WHERE id = %s"
)


def compute_score(pairings: Iterable[Pairing], entry_id: int, is_arena: bool) -> EntryScore:
    """Compute the score of an entry from its pairings, which must be in order."""
    mine = [
        each for each in pairings if each.ended_at and entry_id in (each.first_id, each.second_id)
    ]
    games = [get_round_game(each) for each in mine]
    played = [game for game in games if game.is_played]
    forfeits = sum(1 for each in mine if each.absent & _get_seat_bit(each, entry_id))
    wins = sum(1 for game in played if game.points_of(entry_id) == WIN)
    if not is_arena:
        points = sum(game.points_of(entry_id) for game in games)
        return EntryScore(points, len(played), wins, forfeits, 0)
    results = arena.get_results(games).get(entry_id, [])
    points = arena.compute_points(results).total * 100
    return EntryScore(points, len(played), wins, forfeits, _get_streak(results))


def update_scores(tournament: Tournament, entry_ids: Collection[int]) -> None:
    """Recompute and store the scores of these entries. The caller must lock the tournament."""
    ids = set(entry_ids)
    pairings: defaultdict[int, list[Pairing]] = defaultdict(list)
    rows = Pairing.objects.filter(Q(first__in=ids) | Q(second__in=ids), ended_at__isnull=False)
    for pairing in rows.order_by(*_get_order(tournament)):
        for entry_id in {pairing.first_id, pairing.second_id} & ids:
            assert entry_id is not None
            pairings[entry_id].append(pairing)
    late = []
    for pk, *kept in Entry.objects.filter(pk__in=ids).order_by("pk").values_list("pk", *KEPT):
        now = astuple(compute_score(pairings[pk], pk, tournament.is_arena))
        if tuple(kept) != now:
            late.append((*now, pk))
    if late:
        with connection.cursor() as cursor:
            cursor.executemany(_KEEP, late)


def _get_order(tournament: Tournament) -> tuple[str, ...]:
    return ("ended_at", "pk") if tournament.is_arena else PAIRED


def _get_streak(results: Iterable[arena.ArenaResult]) -> int:
    streak = 0
    for result in results:
        streak = streak + 1 if result.points >= WIN else 0
    return streak


def _get_seat_bit(pairing: Pairing, entry_id: int) -> int:
    return 1 if pairing.first_id == entry_id else 2


def update_ranks(tournament: Tournament) -> None:
    """Recompute and store all ranks. The caller must lock the tournament."""
    ranks = {row.entry: row.rank for row in compute_table(tournament)}
    late = []
    for entry in Entry.objects.filter(tournament=tournament).only("pk", "rank"):
        if entry.rank != ranks.get(entry.pk):
            entry.rank = ranks.get(entry.pk)
            late.append(entry)
    Entry.objects.bulk_update(late, ["rank"], batch_size=500)
