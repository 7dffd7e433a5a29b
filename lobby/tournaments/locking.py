"""Holding a tournament: whoever changes one locks its row first, and says when it is due.

So of two who change it one is second, and sees what the first did. The version that grows with each
change tells whoever computed something of it meanwhile that it is out of date.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from games.messages.refusal import Refused
from games.store.suspensions import get_suspension
from lobby.accounts.second_factors import has_second_factor
from lobby.models import Player, Series, Tournament
from lobby.tournaments import hints


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
    hints.tell_after_commit(tournament.pk)


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
