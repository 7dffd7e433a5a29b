"""Deleting accounts `ACCOUNT_CLOSING_DAYS` after their owners request it, unless they log in again.

A `Player` row without a name stays, so that the account's matches can still be verified. The
referee deletes an account in several transactions; the last one clears `closing_at`. Staff and
organisers delete the accounts of others with `lobby.accounts.erasure`.
"""

from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from games.messages import build_message, render
from games.models import ClientNetwork, Connection, Decision, Match
from games.store.aliases import get_aliases, match_players_filter
from games.store.visibility import DELETED_NAME
from lobby.models import Accuracy, Entry, Erasure, LogLine, Member, Played, Player
from lobby.models.player import release_name

log = structlog.get_logger(__name__)

handlers: list[Callable[[Player], None]] = []
"""Functions that delete an account's data, except its matches, in the transaction that removes the
account's name. `config.wiring` sets them."""

_ACCOUNTS_PER_ROUND = 20
_ROWS_PER_ROUND = 1000


def schedule_deletion(player_id: int) -> bool:
    """Schedule the deletion of the account after `ACCOUNT_CLOSING_DAYS`.

    Return False if the account cannot be deleted, or if its deletion is already scheduled.
    """
    due = timezone.now() + timedelta(days=settings.ACCOUNT_CLOSING_DAYS)
    return bool(_deletable().filter(pk=player_id, closing_at=None).update(closing_at=due))


def close_account(player_id: int) -> bool:
    """Schedule the deletion of the account at its owner's request.

    Return False if the owner may not close the account, or if its deletion cannot be scheduled.
    """
    if not may_close(Player.objects.get(pk=player_id)):
        return False
    return schedule_deletion(player_id)


def may_close(player: Player) -> bool:
    """Return whether the player may close the account.

    Protected players may not if a class created the account.
    """
    if not player.is_protected:
        return True
    # During an update, servers of the old release create class accounts without `is_class_account`.
    made = Member.objects.filter(player=player, making__isnull=False)
    return not (player.is_class_account or made.exists())


def cancel_deletion(player_id: int) -> bool:
    """Cancel a scheduled deletion that has not begun, and return whether there was one."""
    due = Player.objects.filter(pk=player_id, closing_at__isnull=False, closed_at=None)
    return bool(due.update(closing_at=None))


def delete_due_accounts() -> None:
    """Delete one batch of accounts whose deletion is due, or has begun in an earlier call."""
    due = Player.objects.filter(closing_at__lte=timezone.now()).order_by("closing_at")
    for player_id in list(due.values_list("pk", flat=True)[:_ACCOUNTS_PER_ROUND]):
        if _anonymize(player_id) and not _delete_many(player_id):
            Player.objects.filter(pk=player_id).update(closing_at=None)


def _deletable() -> QuerySet[Player]:
    """Return the accounts whose deletion can be scheduled.

    Staff must give up their permissions first, because their decisions contain their names.
    """
    return Player.objects.filter(
        is_guest=False, is_staff=False, is_active=True, alias_of=None, bot_level=None
    )


def _anonymize(player_id: int) -> bool:
    """Delete the data that identifies the person. Return False if the deletion is no longer due.

    That is the case if it was cancelled because the owner has logged in.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update().filter(pk=player_id).first()
        if player is None or player.closing_at is None or player.closing_at > timezone.now():
            return False
        if player.closed_at is not None:
            return True
        delete_personal_data(player)
        log.info("account closed", player=player_id)
    return True


def delete_personal_data(player: Player, shown_as: str = DELETED_NAME) -> None:
    """Delete the data that identifies the person, except connections and client networks.

    The player's row must be locked. A person can have many connections, so `delete_due_accounts`
    deletes them later.
    """
    rows = get_person_rows(player.pk)
    names = Player.objects.filter(pk__in=rows).values_list("username", flat=True)
    formers = player.former_names.values_list("name", flat=True)
    hide_names_in_logs({player.pk: {*names, *formers}})
    for handler in handlers:
        handler(player)
    for row in rows:
        release_name(
            row,
            shown_as=shown_as,
            is_active=False,
            email="",
            password=make_password(None),
            last_login=None,
        )
    # Decisions are kept, but a decision about a name contains the name, so it is replaced.
    renamed = Decision.objects.filter(player__in=rows, kind=Decision.Kind.RENAME)
    renamed.update(name=DELETED_NAME, before={"name": f"~{player.pk}"})
    now = timezone.now()
    Player.objects.filter(pk=player.pk).update(closing_at=now, closed_at=now, must_rename=False)
    player.groups.clear()


def get_person_rows(player_id: int) -> set[int]:
    """Return the ids of the player, the player's aliases, and the friend at the same screen.

    The friend's name contains that of the player.
    """
    rows = get_aliases(player_id)
    return {*rows, *Player.objects.filter(beside__in=rows).values_list("pk", flat=True)}


_NAMED = ("first", "second", "name")  # the parameters of log lines that contain names of players

HiddenNames = dict[int, list[tuple[int, str, str]]]
"""A dictionary that maps the id of each player to the names that were replaced in logs.

For each name, there is a tuple of the log line, the parameter and the former value.
"""


def hide_names_in_logs(names: dict[int, Collection[str]]) -> HiddenNames:
    """Replace the names of players in the logs of the tournaments that they entered.

    `names` maps the id of each player to the player's names. Return the names that were replaced.
    """
    owners = {name: player_id for player_id, own in names.items() for name in own}
    entered = Entry.objects.filter(player__in=names).values("tournament")
    found: HiddenNames = {player_id: [] for player_id in names}
    lines = LogLine.objects.filter(tournament__in=entered).values_list("pk", "said")
    for pk, said in list(lines):
        named = {key: said[key] for key in _NAMED if str(said.get(key)) in owners}
        # In a line with this code, `name` is the name of a series.
        if named and said.get("code") != "event.series":
            for key, name in named.items():
                found[owners[name]].append((pk, key, name))
            hidden = {**said, **dict.fromkeys(named, DELETED_NAME)}
            LogLine.objects.filter(pk=pk).update(said=hidden)
    return found


def _delete_many(player_id: int) -> bool:
    """Delete a batch of the kinds of data that can have many rows.

    These are connections and networks and, for erased accounts, statistics. Return False if there
    was nothing left to delete.
    """
    rows = get_aliases(player_id)
    matches = Match.objects.filter(match_players_filter(rows))
    own = Q(seat=0, match__first__in=rows) | Q(seat=1, match__second__in=rows)
    removed = 0
    for model in (Connection, ClientNetwork):
        found = model.objects.filter(own, match__in=matches).values_list("pk", flat=True)
        removed += model.objects.filter(pk__in=list(found[:_ROWS_PER_ROUND])).delete()[0]
    if Erasure.objects.filter(player=player_id, kind=Erasure.Kind.ERASE).exists():
        for statistics in (Played, Accuracy):
            kept = statistics.objects.filter(player__in=rows).values_list("pk", flat=True)
            some = list(kept[:_ROWS_PER_ROUND])
            removed += statistics.objects.filter(pk__in=some).delete()[0]
    return bool(removed)


def cancel_after_login(sender: Any, request: HttpRequest, user: Player, **more: Any) -> None:
    """Cancel the deletion of the account of a user who logs in, and notify the user."""
    if user.closing_at is not None and cancel_deletion(user.pk):
        user.closing_at = None
        messages.success(request, render(build_message("closing.undone")))
