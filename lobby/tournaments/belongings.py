"""What is stored about a person and tournaments: it goes along when a guest turns out to be an
account, and when the account is closed, and is in the download of all that is stored."""

from typing import Any

from django.db.models import F, QuerySet
from django.utils import timezone

from lobby.accounts.closing import forgets
from lobby.accounts.merging import joins
from lobby.accounts.stored import stored
from lobby.models import Entry, LogLine, Player, Series, Tournament
from lobby.players.people import rows_of

State = Tournament.State
_BEFORE = (State.ANNOUNCED, State.REGISTRATION, State.CHECK_IN)


@joins
def _join(guest: Player, account: Player) -> None:
    """The guest's entries are the account's. Where both are in one tournament, the account plays
    on: the guest's entry is taken out, or is gone where nothing has begun."""
    doubled = Entry.objects.filter(player=account).values("tournament")
    both = Entry.objects.filter(player=guest, tournament__in=doubled)
    both.filter(seed=None).delete()
    removed = both.filter(state=Entry.State.IN)
    tournaments = list(removed.values_list("tournament", flat=True))
    removed.update(state=Entry.State.REMOVED)
    _note_removed(tournaments)
    Entry.objects.filter(player=guest).exclude(tournament__in=doubled).update(player=account)
    LogLine.objects.filter(by=guest).update(by=account)


@forgets
def _forget(player: Player) -> None:
    """Who is in a tournament that has not begun leaves it; of one that runs they are out, and their
    live game is lost. What was played stays. Tournaments that they ran go on by themselves."""
    rows = rows_of(player.pk)
    mine = Entry.objects.filter(player__in=rows)
    mine.filter(tournament__state__in=_BEFORE).delete()
    running = list(mine.filter(tournament__state=State.RUNNING).values_list("tournament", "pk"))
    Entry.objects.filter(pk__in=[pk for _, pk in running]).update(state=Entry.State.REMOVED)
    _note_removed([pk for pk, _ in running])
    Tournament.objects.filter(organiser__in=rows).update(organiser=None)
    Series.objects.filter(organiser__in=rows).update(organiser=None, every_days=0)
    LogLine.objects.filter(by__in=rows).update(by=None)


def _note_removed(tournament_ids: list[str]) -> None:
    """Have the live games of who was removed settled. By the new version a step that is being made
    at this moment is made anew: else it could store that there is nothing to do."""
    running = Tournament.objects.filter(pk__in=tournament_ids, state=State.RUNNING)
    running.update(due_at=timezone.now(), version=F("version") + 1)


@stored("tournaments")
def _entries(rows: frozenset[int]) -> QuerySet[Any, Any]:
    own = Entry.objects.filter(player__in=rows)
    found: QuerySet[Any, Any] = own.values(
        *("pk", "tournament", "tournament__name", "state", "entered_at", "rating", "byes"),
        *("points", "rank"),
    )
    return found


@stored("tournaments_that_i_run")
def _run(rows: frozenset[int]) -> QuerySet[Any, Any]:
    own = Tournament.objects.filter(organiser__in=rows)
    return own.values("pk", "name", "about", "kind", "game", "starts_at", "state", "code")
