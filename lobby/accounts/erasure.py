"""Erasing and anonymising accounts, at the request of staff or of the organiser of a class.

The accounts are hidden immediately: they look like deleted accounts, and nobody can log in to them.
They can be restored for `ACCOUNT_CLOSING_DAYS`. After that, the referee deletes their data.
Restoring and deleting an account both lock the player's row and then read the `Erasure`, so no
account is partly restored and partly deleted.
"""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

import structlog
from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from games.live.rooms import rooms
from games.messages.refusal import Refused
from games.store.visibility import DELETED_NAME
from lobby.accounts.names import find_stored_name
from lobby.accounts.sessions import end_other_sessions
from lobby.models import (
    Challenge,
    Erasure,
    FormerName,
    Group,
    LogLine,
    Member,
    Player,
    Seek,
    Tally,
)
from lobby.models.account import LONGEST_REASON
from lobby.models.player import release_name
from lobby.privacy.account_deletion import (
    delete_personal_data,
    get_person_rows,
    hide_names_in_logs,
)

log = structlog.get_logger(__name__)

Kind = Erasure.Kind

_PER_ROUND = 20  # accounts whose data is deleted in one call of `erase_due_accounts`

Row = list[Any]
"""The values of `_COLUMNS` in one of a person's `Player` rows before it was hidden."""

_COLUMNS = ("username", "name_key", "shown_as", "name_free_at", "is_active")


def find_erasable(typed: str) -> Player | None:
    """Return the account or guest with this name, the hidden account that had this name, or None.

    For an alias, return its account.
    """
    name = find_stored_name(typed)
    if name is not None:
        found = Player.objects.select_related("alias_of").filter(username=name).first()
        return None if found is None else found.alias_of or found
    hidden = Erasure.objects.filter(done_at=None, before__name=" ".join(typed.split()))
    erasure = hidden.select_related("player").first()
    return None if erasure is None else erasure.player


# -- hiding accounts


def compute_due_time() -> datetime:
    """Return when the data of an account that is hidden now will be deleted."""
    return timezone.now() + timedelta(days=settings.ACCOUNT_CLOSING_DAYS)


def erase_player(player_id: int, kind: str, by: Player | None, reason: str) -> Erasure:
    """Hide an account, and schedule the deletion of its data after `ACCOUNT_CLOSING_DAYS`.

    Raise `Refused` if the account cannot be erased (see `must_be_erasable`).
    """
    with transaction.atomic():
        (made,) = hide_players([player_id], kind, by, reason)
    return made


def hide_players(
    player_ids: Collection[int],
    kind: str,
    by: Player | None,
    reason: str = "",
    group: Group | None = None,
) -> list[Erasure]:
    """Hide these accounts, all or none, in the caller's transaction.

    Raise `Refused` if one of them cannot be erased (see `must_be_erasable`).
    """
    locked = Player.objects.select_for_update().filter(pk__in=player_ids).order_by("pk")
    now, due_at = timezone.now(), compute_due_time()
    people = list(locked)
    for player in people:
        must_be_erasable(player)
    rows = {player.pk: _read_rows(player.pk) for player in people}
    replaced = hide_names_in_logs(
        {pk: {row[0] for row in own.values()} for pk, own in rows.items()}
    )
    made = [
        Erasure.objects.create(
            player=player,
            kind=kind,
            group=group,
            by=by,
            reason=" ".join(reason.split())[:LONGEST_REASON],
            asked_at=now,
            due_at=due_at,
            before={
                "name": player.username,
                "rows": rows[player.pk],
                "log": replaced[player.pk],
                "closing_seconds": _get_seconds_left(player, now),
            },
        )
        for player in people
    ]
    for player in people:
        _hide(player, rows[player.pk], due_at)
    transaction.on_commit(lambda: _follow(people, rows))
    log.info("accounts hidden", players=[each.pk for each in people], kind=kind)
    return made


def must_be_erasable(player: Player) -> None:
    """Raise `Refused` if the player cannot be erased.

    This applies to staff, because their decisions contain their names; to computer players,
    aliases, and friends at another player's screen; and to accounts that are already hidden or
    deleted.
    """
    if player.is_staff or player.is_superuser:
        raise Refused("erase-staff")
    if player.bot_level is not None or player.alias_of_id or player.beside_id:
        raise Refused("not-allowed")
    if player.closed_at is not None:
        raise Refused("erase-already")


def _read_rows(player_id: int) -> dict[str, Row]:
    """Return the values of `_COLUMNS` for each of the person's `Player` rows.

    The keys are the ids as text, as in the stored JSON.
    """
    found = Player.objects.filter(pk__in=get_person_rows(player_id))
    return {
        str(pk): [name, key, shown, free_at and free_at.isoformat(), is_active]
        for pk, name, key, shown, free_at, is_active in found.values_list("pk", *_COLUMNS)
    }


def _get_seconds_left(player: Player, now: datetime) -> float | None:
    """Return how many seconds are left until the deletion that the owner has requested, or None."""
    closing_at = player.closing_at
    return None if closing_at is None else max(0.0, (closing_at - now).total_seconds())


def _hide(player: Player, rows: dict[str, Row], due_at: datetime) -> None:
    for pk, (name, key, *_) in rows.items():
        release_name(int(pk), shown_as=DELETED_NAME, is_active=False)
        if key:  # reserve the name, so that nobody else takes it
            known = Q(player=player) | Q(until__lte=timezone.now())
            FormerName.objects.filter(known, name_key=key).delete()
            FormerName.objects.create(player=player, name=name, name_key=key, until=due_at)
    Player.objects.filter(pk=player.pk).update(closed_at=timezone.now(), closing_at=None)
    own = [int(pk) for pk in rows]
    Seek.objects.filter(player__in=own, match=None).delete()
    challenges = Challenge.objects.filter(Q(challenger__in=own) | Q(challenged__in=own))
    challenges.filter(answer=Challenge.Answer.OPEN).delete()


def _follow(people: list[Player], rows: dict[int, dict[str, Row]]) -> None:
    """Log these people out, and update the names of the players in `rows` on open pages."""
    for player in people:
        end_other_sessions(None, player)
    async_to_sync(_show_names)([int(pk) for own in rows.values() for pk in own])


async def _show_names(player_ids: list[int]) -> None:
    for player_id in player_ids:
        await rooms().renamed(player_id)


# -- restoring accounts


def restore_players(player_ids: Collection[int]) -> None:
    """Restore these hidden accounts, all or none.

    Raise `Refused` if one of them is not hidden, or if it is too late for one of them.
    """
    now = timezone.now()
    with transaction.atomic():
        locked = Player.objects.select_for_update().filter(pk__in=player_ids).order_by("pk")
        people = list(locked)
        found = {
            each.player_id: each
            for each in Erasure.objects.filter(player__in=people, done_at=None, due_at__gt=now)
        }
        if len(found) != len(set(player_ids)):
            raise Refused("erase-done")
        for player in people:
            _restore(player, found[player.pk].before, now)
        Erasure.objects.filter(player__in=people).delete()
        rows = {pk: each.before["rows"] for pk, each in found.items()}
        transaction.on_commit(lambda: _follow([], rows))
        log.info("accounts restored", players=[each.pk for each in people])


def _restore(player: Player, before: dict[str, Any], now: datetime) -> None:
    rows = before["rows"]
    keys = [key for _, key, *_ in rows.values() if key]
    FormerName.objects.filter(player=player, name_key__in=keys).delete()
    for pk, values in rows.items():
        columns = dict(zip(_COLUMNS, values, strict=True))
        try:
            with transaction.atomic():
                Player.objects.filter(pk=int(pk)).update(**columns)
        except IntegrityError:
            # Only a name without a `name_key`, which cannot be reserved, may have been taken.
            kept = {"shown_as": None, "is_active": columns["is_active"]}
            Player.objects.filter(pk=int(pk)).update(**kept, must_rename=True)
    left = before["closing_seconds"]
    closing_at = None if left is None else now + timedelta(seconds=left)
    Player.objects.filter(pk=player.pk).update(closed_at=None, closing_at=closing_at)
    for pk, key, name in before["log"]:
        for line in LogLine.objects.filter(pk=pk):
            LogLine.objects.filter(pk=pk).update(said={**line.said, key: name})


# -- deletion of data


def erase_due_accounts() -> None:
    """Delete the data of one batch of hidden accounts whose deletion is due."""
    due = Erasure.objects.filter(done_at=None, due_at__lte=timezone.now()).order_by("due_at")
    for player_id in list(due.values_list("player", flat=True)[:_PER_ROUND]):
        try:
            finish_erasure(player_id)
        except Exception:  # an error must not keep the other accounts waiting
            log.exception("account not erased", player=player_id)


def finish_erasure(player_id: int) -> bool:
    """Delete the data of a hidden account. Return False if there is no erasure that is due.

    `account_deletion.delete_due_accounts` later deletes the kinds of data that can have many rows.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update().get(pk=player_id)
        found = Erasure.objects.filter(player=player, done_at=None, due_at__lte=timezone.now())
        erasure = found.select_related("group").first()
        if erasure is None:
            return False
        is_numbered = erasure.kind == Kind.ANONYMISE
        number = 100_000 + secrets.randbelow(900_000)
        delete_personal_data(player, f"{DELETED_NAME} {number}" if is_numbered else DELETED_NAME)
        if erasure.kind == Kind.ERASE:
            Tally.objects.filter(player__in=get_person_rows(player_id)).delete()
        elif erasure.group is not None:  # the organiser can still see the games and the tables
            Member.objects.create(
                group=erasure.group, player=player, joined_at=erasure.group.made_at
            )
        found.update(done_at=timezone.now(), before={})
        log.info("account erased", player=player_id, kind=erasure.kind)
    return True
