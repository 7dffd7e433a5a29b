"""The final ranks, kept with the entries once a tournament is over."""

from lobby.models import Entry, Tournament
from lobby.tournaments.queries import table


def rank(tournament: Tournament) -> None:
    """Keep everybody's rank, as it follows from the games. The caller holds the tournament."""
    ranks = {row.entry: row.rank for row in table(tournament)}
    late = []
    for entry in Entry.objects.filter(tournament=tournament).only("pk", "rank"):
        if entry.rank != ranks.get(entry.pk):
            entry.rank = ranks.get(entry.pk)
            late.append(entry)
    Entry.objects.bulk_update(late, ["rank"], batch_size=500)
