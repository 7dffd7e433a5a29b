"""Holding a tournament: whoever changes one locks its row first, and says when it is due.

So of two who change it one is second, and sees what the first did. The version that grows with each
change tells whoever computed something of it meanwhile that it is out of date.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from games.messages import build_message
from games.messages.refusal import Refused
from games.store.suspensions import get_suspension
from lobby.accounts.second_factors import has_second_factor
from lobby.models import LogLine, Player, Series, Tournament


def locked(tournament_id: str) -> Tournament:
    """The tournament, locked until the transaction ends. Raises `Refused` if there is none."""
    found = Tournament.objects.select_for_update(of=("self",)).filter(pk=tournament_id).first()
    if found is None:
        raise Refused("no-tournament")
    return found


@contextmanager
def locked_for_update(tournament_id: str) -> Iterator[Tournament]:
    """A transaction that holds the tournament. What was changed of it is stored at the end, as a
    new version that is due at once. Raises `Refused` if there is none."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        yield tournament
        changed(tournament)
        tournament.save()


def changed(tournament: Tournament, due: datetime | None = None) -> None:
    """Note, on a locked tournament that is to be saved, that something of it is new."""
    tournament.version += 1
    if tournament.state not in (Tournament.State.OVER, Tournament.State.CALLED_OFF):
        tournament.due_at = due or timezone.now()
    else:
        tournament.due_at = None
    tell_after_commit(tournament.pk)


def can_manage(player: Player | None, tournament: Tournament) -> bool:
    """Whether the player may do what the organiser does: the organiser, and the staff."""
    return _runs(player, tournament.organiser_id)


def can_manage_series(player: Player | None, series: Series) -> bool:
    """The same of a series."""
    return _runs(player, series.organiser_id)


def _runs(player: Player | None, organiser_id: int | None) -> bool:
    if player is None or not player.is_active:
        return False
    if player.pk == organiser_id:
        return True
    return player.has_perm("lobby.change_tournament") and has_second_factor(player)


def must_be_manager(player: Player | None, tournament: Tournament) -> None:
    """Raises `Refused` for who may not, and for who is suspended."""
    if player is None or not can_manage(player, tournament):
        raise Refused("not-allowed")
    if get_suspension(player.pk) is not None:
        raise Refused("suspended-now")


Listener = Callable[[str, Collection[int]], None]

_listeners: list[Listener] = []


def hears_of_changes(listener: Listener) -> Listener:
    """Decorator: call the function, after the commit and on whichever thread that was, with a
    tournament that has changed and the players whose next game has been opened. It must be quick
    and raise nothing; it passes the news on to its event loop and to the other servers."""
    _listeners.append(listener)
    return listener


def tell_after_commit(tournament_id: str, player_ids: Collection[int] = ()) -> None:
    """Tell all listeners once the transaction is committed."""
    if _listeners:
        transaction.on_commit(lambda: _tell(tournament_id, player_ids))


def _tell(tournament_id: str, player_ids: Collection[int]) -> None:
    for listener in _listeners:
        listener(tournament_id, player_ids)


PAGE = 50  # lines on one page


def note(tournament: Tournament, by: Player | None, code: str, **params: str | int) -> None:
    """Note that somebody did something, or the system (None). `code` is a sentence's."""
    LogLine.objects.create(
        tournament=tournament, at=timezone.now(), by=by, said=build_message(code, **params)
    )


def log_of(tournament_id: str, before: int | None = None) -> tuple[list[LogLine], int | None]:
    """A page of the log, newest first, and where the next one begins."""
    rows = LogLine.objects.filter(tournament=tournament_id).select_related("by").order_by("-id")
    if before is not None:
        rows = rows.filter(id__lt=before)
    found = list(rows[: PAGE + 1])
    return found[:PAGE], found[PAGE - 1].pk if len(found) > PAGE else None
