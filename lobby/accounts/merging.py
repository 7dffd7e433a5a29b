"""Merging a guest into an account, which makes the guest an alias of the account.

No seat of a match is rewritten (see `games.store.aliases`). The merge is one transaction and can be
repeated.
"""

from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Any

import structlog
from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from games.journal.voiding import void_between
from games.live.rooms import rooms
from games.live.sessions import reconnect_everywhere
from games.messages import Message, build_message, render
from games.models import Notice
from games.review.notices import notify_player
from games.runtime.prepared_query import PreparedQuery
from games.store.aliases import MAX_ALIASES, get_aliases
from lobby.models import Player, Seek
from lobby.privacy.protection import lock_for_protection, protect_players

log = structlog.get_logger(__name__)

transfers: list[Callable[[Player, Player], object]] = []
"""Functions that transfer a guest's data to the account, in the transaction that merges them.
`config.wiring` sets them."""


def get_accounts(player_ids: Collection[int]) -> dict[int, int]:
    """Return a dictionary that maps aliases to their accounts.

    Both are ids. Players who are not aliases are left out.
    """
    return dict(_accounts(player_ids))


_accounts = PreparedQuery(
    lambda players: Player.objects.filter(pk__in=players, alias_of__isnull=False).values_list(
        "pk", "alias_of"
    )
)


def merge_guest(guest_id: int, account_id: int) -> Message | None:
    """Make the guest an alias of the account, and return a message for the player.

    Matches between the two are voided.
    If the account would have too many aliases, only return a message that says so. Return None
    without a merge if the guest has signed up or is already an alias, or if the account is not a
    person's active account.
    """
    with transaction.atomic():
        lock_for_protection([guest_id, account_id])
        # Rows are locked in the order of the ids, as for pairings. With FOR NO KEY UPDATE, rows
        # that refer to the players can still be inserted.
        locked = Player.objects.select_for_update(no_key=True).filter(pk__in=(guest_id, account_id))
        rows = {player.pk: player for player in locked.order_by("pk")}
        guest, account = rows.get(guest_id), rows.get(account_id)
        if guest is None or account is None or not _is_guest(guest) or not _is_account(account):
            return None
        aliases, others = get_aliases(guest.pk), get_aliases(account.pk)
        if len(aliases) + len(others) > MAX_ALIASES:
            return build_message("merged.too-many", name=guest.name)
        _make_alias(guest, account)
        _move_seeks(guest, account)
        for transfer in transfers:
            transfer(guest, account)
        voided = void_between(aliases, others)
        if account.is_protected:
            protect_players([account.pk])
        log.info("merged", guest=guest.pk, account=account.pk, voided=len(voided))
        if voided:
            said = build_message("merged.voided", name=guest.name, count=len(voided))
            notify_player(account.pk, said, voided[0] if len(voided) == 1 else None)
        transaction.on_commit(lambda: async_to_sync(_notify_sockets)([guest.pk, account.pk]))
        return build_message("merged.done", name=guest.name)


def _is_guest(player: Player) -> bool:
    return player.is_guest and player.is_active and not player.is_staff


def _is_account(player: Player) -> bool:
    """Return whether the player is an active account, not a guest, alias or computer player.

    Guests are excluded so that no alias refers to another alias.
    """
    is_person = player.bot_level is None and not player.is_guest
    return is_person and player.is_active and player.alias_of_id is None


def _make_alias(guest: Player, account: Player) -> None:
    Player.objects.filter(alias_of=guest).update(alias_of=account)
    Player.objects.filter(pk=guest.pk).update(
        alias_of=account,
        is_active=False,
        shown_as=account.username,
        password=make_password(None),
        name_free_at=timezone.now() + timedelta(days=settings.ALIAS_NAME_DAYS),
    )


def _move_seeks(guest: Player, account: Player) -> None:
    """End the guest's seeks, which open tabs create again.

    Transfer the guest's invitations and unread notices to the account.
    """
    mine = Seek.objects.filter(player=guest, match=None)
    mine.filter(by_address=False).delete()
    mine.update(player=account)
    Notice.objects.filter(player=guest, seen_at=None).update(player=account)


async def _notify_sockets(player_ids: list[int]) -> None:
    await reconnect_everywhere(player_ids)
    await rooms().renamed(player_ids[0])


def merge_after_login(
    sender: Any, request: HttpRequest, guest: Player, account: Player, **more: Any
) -> None:
    told = merge_guest(guest.pk, account.pk)
    if told is not None:
        messages.info(request, render(told))
