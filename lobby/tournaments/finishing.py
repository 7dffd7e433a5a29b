"""The end: the ranks are final, or it does not take place."""

from datetime import datetime

from lobby.models import Entry, Player, Round, Tournament
from lobby.tournaments import series
from lobby.tournaments.log import note
from lobby.tournaments.ranks import rank
from lobby.webhooks.outbox import tell_of_tournament


def finish(tournament: Tournament, now: datetime) -> None:
    """End a tournament that is held, and of which no game is live."""
    tournament.state, tournament.ended_at = Tournament.State.OVER, now
    Round.objects.filter(tournament=tournament).update(is_over=True)
    Entry.objects.filter(tournament=tournament, playing__isnull=False).update(playing=None)
    rank(tournament)
    note(tournament, None, "event.over")
    tell_of_tournament(tournament, "over", now)
    series.make_next(tournament, now)


def call_off(tournament: Tournament, now: datetime, why: str, by: Player | None = None) -> None:
    """Call a tournament off that is held and has not begun; `why` is a sentence's code."""
    tournament.state, tournament.ended_at = Tournament.State.CALLED_OFF, now
    note(tournament, by, why)
    tell_of_tournament(tournament, "called-off", now)
    series.make_next(tournament, now)
