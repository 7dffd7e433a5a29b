"""Players who come into a Swiss or an arena that runs, with half points for rounds they missed.

In a tournament of a group its organiser has members come late. Elsewhere nobody is put into a
tournament by somebody else: they are asked, and come once they have accepted.
"""

from collections.abc import Collection

from django.db.models import Max
from django.utils import timezone

from lobby.models import Entry, Pairing, Player, Tournament
from lobby.ratings.standing import standings
from lobby.tournaments.points import recount


def halves_of(tournament: Tournament, half_points: int) -> list[int]:
    """The rounds that give half a point to who missed all so far: the last ones of them."""
    return list(range(tournament.round - half_points + 1, tournament.round + 1))


def ask(tournament: Tournament, player: Player, halves: Collection[int]) -> Entry:
    """Ask a player to come; to ask again changes the half points."""
    entry, _ = Entry.objects.update_or_create(
        tournament=tournament,
        player=player,
        defaults={
            "state": Entry.State.INVITED,
            "entered_at": timezone.now(),
            "since_round": tournament.round + 1,
            "byes": ",".join(str(each) for each in halves),
        },
    )
    return entry


def is_asked(tournament: Tournament, entry: Entry | None) -> bool:
    """Whether somebody was asked to come into a tournament that runs in rounds, and still may."""
    return (
        entry is not None
        and entry.state == Entry.State.INVITED
        and entry.since_round > 1
        and tournament.state == Tournament.State.RUNNING
        and not tournament.is_arena
    )


def take_in(tournament: Tournament, entry: Entry, halves: Collection[int]) -> Entry:
    """Have somebody play from the next round on, and store the rounds that they missed."""
    now = timezone.now()
    seeds = Entry.objects.filter(tournament=tournament).aggregate(last=Max("seed"))
    entry.state, entry.byes = Entry.State.IN, ""
    entry.entered_at = entry.free_since = now
    entry.seed = (seeds["last"] or 0) + 1
    strength = standings([entry.player_id], tournament.game, now)[entry.player_id]
    entry.rating = strength.rating_if_rated
    entry.since_round = tournament.round + 1
    entry.save()
    boards = dict(
        Pairing.objects.filter(tournament=tournament)
        .values("round")
        .annotate(last=Max("board"))
        .values_list("round", "last")
    )
    Pairing.objects.bulk_create(
        Pairing(
            tournament=tournament,
            round=number,
            board=boards.get(number, 0) + 1,
            first=entry,
            kind=Pairing.Kind.HALF_BYE if number in halves else Pairing.Kind.ZERO_BYE,
            first_points=50 if number in halves else 0,
            second_points=0,
            made_at=now,
            ended_at=now,
        )
        for number in (range(1, tournament.round + 1) if not tournament.is_arena else ())
    )
    recount(tournament, [entry.pk])
    return entry
