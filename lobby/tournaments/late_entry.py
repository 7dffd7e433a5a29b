"""Late entry: players join a running Swiss or arena.

In a Swiss, the organiser can give half points for some of the missed rounds. If the tournament has
a group, the organiser enters members of the group directly. Otherwise, the organiser invites
players who are new to the tournament, and they enter by accepting the invitation.
"""

from collections.abc import Collection

from django.db.models import Max
from django.utils import timezone

from lobby.models import Entry, Pairing, Player, Tournament
from lobby.ratings.standing import get_current_ratings
from lobby.tournaments.points import update_scores


def list_half_point_rounds(tournament: Tournament, half_points: int) -> list[int]:
    """Return the rounds that give half a point to a late player: the last `half_points` rounds."""
    return list(range(tournament.round - half_points + 1, tournament.round + 1))


def invite_late_player(tournament: Tournament, player: Player, halves: Collection[int]) -> Entry:
    """Invite a player. A second invitation replaces the half points of the first."""
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


def is_invited_late(tournament: Tournament, entry: Entry | None) -> bool:
    """Return whether the player has an open invitation to enter a running tournament late.

    An arena is never entered in this way, because its players can join at any time.
    """
    return (
        entry is not None
        and entry.state == Entry.State.INVITED
        and entry.since_round > 1
        and tournament.state == Tournament.State.RUNNING
        and not tournament.is_arena
    )


def enter_late_player(tournament: Tournament, entry: Entry, halves: Collection[int]) -> Entry:
    """Enter a player from the next round on, and store byes for the missed rounds.

    The byes of the rounds in `halves` give half a point, and the others none. In an arena, there
    are no byes, and the player can be paired immediately.
    """
    now = timezone.now()
    seeds = Entry.objects.filter(tournament=tournament).aggregate(last=Max("seed"))
    entry.state, entry.byes = Entry.State.IN, ""
    entry.entered_at = entry.free_since = now
    entry.seed = (seeds["last"] or 0) + 1
    strength = get_current_ratings([entry.player_id], tournament.game, now)[entry.player_id]
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
    update_scores(tournament, [entry.pk])
    return entry
