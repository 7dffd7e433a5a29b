"""The beginning: seeds by rating, and how many rounds there are."""

from datetime import datetime, timedelta

from lobby.models import Entry, Tournament
from lobby.ratings.standing import standings
from lobby.tournaments.finishing import call_off
from lobby.tournaments.log import note
from lobby.tournaments.pairing import berger, knockout
from lobby.webhooks.outbox import tell_of_tournament

Kind, State = Tournament.Kind, Tournament.State


def begin(tournament: Tournament, now: datetime) -> None:
    """Begin a tournament that is held; with fewer than two players it is called off."""
    if tournament.state == State.CHECK_IN:
        _leave_out(tournament)
    entries = list(
        Entry.objects.filter(tournament=tournament, state=Entry.State.IN).select_related("player")
    )
    if len(entries) < 2:
        call_off(tournament, now, "event.called-off.few")
        return
    strength = standings({entry.player_id for entry in entries}, tournament.game, now)
    for entry in entries:
        entry.rating = strength[entry.player_id].rating_if_rated
    # Players without a rating are seeded as who begins; equally strong ones as they came.
    entries.sort(key=lambda entry: (-strength[entry.player_id].rating, entry.entered_at, entry.pk))
    for seed, entry in enumerate(entries, 1):
        entry.seed, entry.free_since = seed, now
    Entry.objects.bulk_update(entries, ["seed", "rating", "free_since"], batch_size=500)
    asked, tournament.rounds = tournament.rounds, rounds_for(tournament, len(entries))
    tournament.state, tournament.started_at = State.RUNNING, now
    if tournament.is_arena:
        tournament.ends_at = now + timedelta(minutes=tournament.minutes)
    note(tournament, None, "event.began", count=len(entries))
    tell_of_tournament(tournament, "began", now)
    if tournament.kind == Kind.SWISS and tournament.rounds < asked:
        note(tournament, None, "event.fewer-rounds", count=tournament.rounds)


def rounds_for(tournament: Tournament, players: int) -> int:
    """How many rounds it has with so many players; 0 for an arena. A Swiss has no more than there
    are opponents, whatever was asked for."""
    match tournament.kind:
        case Kind.ROUND_ROBIN:
            return len(berger.rounds(players, tournament.is_double))
        case Kind.KNOCKOUT:
            return knockout.stages(players)
        case Kind.SWISS:
            from lobby.tournaments.pairing import swiss  # takes a while, and few processes need it

            return min(tournament.rounds, swiss.most_rounds(players))
    return 0


def _leave_out(tournament: Tournament) -> None:
    """Who has not checked in is not there."""
    late = Entry.objects.filter(
        tournament=tournament, state=Entry.State.IN, checked_in_at=None
    ).select_related("player")
    for entry in late:
        note(tournament, None, "event.not-checked-in", name=entry.player.name)
    late.update(state=Entry.State.WITHDRAWN)
