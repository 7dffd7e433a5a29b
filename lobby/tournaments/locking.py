"""Changes to a tournament: permissions, the lock of its row, its version, its log, notifications.

Because of the lock, concurrent changes run one after the other. A step that was computed from an
older version is discarded, except for the wave of an arena (see `lifecycle`).
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


def lock_tournament(tournament_id: str) -> Tournament:
    """Lock the tournament until the transaction ends. Raise `Refused` if it does not exist."""
    found = Tournament.objects.select_for_update(of=("self",)).filter(pk=tournament_id).first()
    if found is None:
        raise Refused("no-tournament")
    return found


@contextmanager
def locked_for_update(tournament_id: str) -> Iterator[Tournament]:
    """Lock a tournament in a transaction. Raise `Refused` if it does not exist.

    If the block succeeds, increase the tournament's version, make it due unless it has ended or was
    cancelled, save it, and notify listeners after the commit.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        yield tournament
        mark_changed(tournament)
        tournament.save()


def mark_changed(tournament: Tournament, due: datetime | None = None) -> None:
    """Increase the version of a locked tournament, and notify listeners after the commit.

    Also set the time when the tournament is due, by default now. A tournament that has ended is no
    longer due. The caller must save the tournament.
    """
    tournament.version += 1
    if tournament.state not in (Tournament.State.OVER, Tournament.State.CALLED_OFF):
        tournament.due_at = due or timezone.now()
    else:
        tournament.due_at = None
    notify_after_commit(tournament.pk)


def can_manage(player: Player | None, tournament: Tournament) -> bool:
    """Return whether the player is the organiser, or may manage all tournaments.

    The latter requires the permission `lobby.change_tournament` and a second factor.
    """
    return _can_manage_as(player, tournament.organiser_id)


def can_manage_series(player: Player | None, series: Series) -> bool:
    """Return whether the player organises the series, or may manage all tournaments."""
    return _can_manage_as(player, series.organiser_id)


def _can_manage_as(player: Player | None, organiser_id: int | None) -> bool:
    if player is None or not player.is_active:
        return False
    if player.pk == organiser_id:
        return True
    return player.has_perm("lobby.change_tournament") and has_second_factor(player)


def must_be_manager(player: Player | None, tournament: Tournament) -> None:
    """Raise `Refused` if the player cannot manage the tournament or is suspended."""
    if player is None or not can_manage(player, tournament):
        raise Refused("not-allowed")
    if get_suspension(player.pk) is not None:
        raise Refused("suspended-now")


Listener = Callable[[str, Collection[int]], None]

_listeners: list[Listener] = []


def subscribe_to_changes(listener: Listener) -> Listener:
    """Subscribe a function to changes. This can be used as a decorator.

    After the commit, the function is called on any thread with the tournament's id and the ids of
    the players whose next game has started. It must be fast and must not raise. Notifications can
    be lost, so subscribers must also read their tournaments again every few seconds.
    """
    _listeners.append(listener)
    return listener


def notify_after_commit(tournament_id: str, player_ids: Collection[int] = ()) -> None:
    """Notify all listeners after the transaction has been committed."""
    if _listeners:
        transaction.on_commit(lambda: _notify_listeners(tournament_id, player_ids))


def _notify_listeners(tournament_id: str, player_ids: Collection[int]) -> None:
    for listener in _listeners:
        listener(tournament_id, player_ids)


PAGE = 50  # lines of the log on a page


def log_action(tournament: Tournament, by: Player | None, code: str, **params: str | int) -> None:
    """Add a line to the public log. `by` is None for the system; `code` identifies the message."""
    LogLine.objects.create(
        tournament=tournament, at=timezone.now(), by=by, said=build_message(code, **params)
    )


def get_log(tournament_id: str, before: int | None = None) -> tuple[list[LogLine], int | None]:
    """Return a page of the log, newest first, and the `before` of the next page or None."""
    rows = LogLine.objects.filter(tournament=tournament_id).select_related("by").order_by("-id")
    if before is not None:
        rows = rows.filter(id__lt=before)
    found = list(rows[: PAGE + 1])
    return found[:PAGE], found[PAGE - 1].pk if len(found) > PAGE else None
