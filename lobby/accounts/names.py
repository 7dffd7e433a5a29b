"""Names of players: changing and releasing names, and finding a player by name.

A former name leads to its account for `FORMER_NAME_DAYS`. A middleware redirects players who must
change their name.
"""

import unicodedata
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from urllib.parse import urlencode

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from games.live.rooms import rooms
from games.messages.names import check_name, compute_name_key
from games.messages.refusal import Refused
from lobby.models import FormerName, Member, Player
from lobby.models.player import release_name

_BATCH = 500  # names that one call releases


def change_name(player_id: int, asked: str) -> str:
    """Rename an account. Return the name as stored.

    Raise `Refused` if the player is not an active account, if it is too early for another name, or
    if the account cannot have this name.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update().filter(pk=player_id).first()
        if player is None or player.is_guest or not player.is_active:
            raise Refused("not-allowed")
        must_wait = get_next_rename(player)
        if must_wait is not None:
            raise Refused("name-soon", on=f"{must_wait:%Y-%m-%d}")
        return assign_name(player, asked)


def assign_name(player: Player, asked: str) -> str:
    """Rename an account, and return the name as stored.

    The caller's transaction must have locked the account's row. Raise `Refused` if the name is
    invalid, taken, or the current name.
    """
    name = check_name(asked, player.is_staff, player.is_class_account)
    former = player.username
    if name == former:
        raise Refused("name-same")
    _keep(player, former)
    FormerName.objects.filter(player=player, name_key=compute_name_key(name)).delete()
    player.username, player.named_at, player.must_rename = name, timezone.now(), False
    try:
        with transaction.atomic():
            player.save(update_fields=["username", "named_at", "must_rename"])
    except IntegrityError:
        raise Refused("name-taken", name=name) from None
    transaction.on_commit(lambda: async_to_sync(_show_name)(player.pk))
    return name


def get_next_rename(player: Player) -> datetime | None:
    """Return when the account can change its name, or None if it can do so now.

    The organiser of a class can delay the change (see `lobby.groups.care`).
    """
    if player.must_rename:
        return None
    kept = Member.objects.filter(player=player, name_kept_until__isnull=False)
    ends = list(kept.values_list("name_kept_until", flat=True))
    if player.named_at is not None:
        ends.append(player.named_at + timedelta(days=settings.RENAME_INTERVAL_DAYS))
    now = timezone.now()
    return max((until for until in ends if until is not None and until > now), default=None)


def _keep(player: Player, former: str) -> None:
    """Reserve the former name for the player, unless moderators rejected it."""
    key = compute_name_key(former)
    if player.must_rename or not key:
        return
    until = timezone.now() + timedelta(days=settings.FORMER_NAME_DAYS)
    FormerName.objects.filter(name_key=key).filter(
        Q(player=player) | Q(until__lte=timezone.now())
    ).delete()
    FormerName.objects.create(player=player, name=former, name_key=key, until=until)


def find_person(name: str) -> Player | None:
    """Return the person with this current, former or guest name, or None.

    If the returned player has another name now, pages redirect to it.
    """
    return find_people([name]).get(name)


def find_people(names: Collection[str]) -> dict[str, Player]:
    """Return a dictionary that maps these names to people, with at most two queries.

    Unknown names and closed accounts are left out.
    """
    keys = {name: _key(name) for name in names}
    alike = {key for key in keys.values() if key}
    rows = Player.objects.filter(Q(username__in=keys) | Q(name_key__in=alike))
    found = list(rows.select_related("alias_of"))
    by_name = {each.username: each for each in found}
    by_key = {each.name_key: each for each in found if each.name_key}
    unknown = {key for name, key in keys.items() if key and name not in by_name}
    if missing := unknown - by_key.keys():
        kept = FormerName.objects.filter(name_key__in=missing, until__gt=timezone.now())
        formers = kept.select_related("player__alias_of")
        by_key |= {each.name_key: each.player for each in formers}
    people = {name: by_name.get(name) or by_key.get(key or "") for name, key in keys.items()}
    persons = {name: each.alias_of or each for name, each in people.items() if each is not None}
    return {name: each for name, each in persons.items() if each.closed_at is None}


def release_alias_names() -> None:
    """Release the names of one batch of old aliases."""
    due = Player.objects.filter(name_free_at__lte=timezone.now())
    for pk in due.values_list("pk", flat=True)[:_BATCH]:
        release_name(pk)


def _key(name: str) -> str | None:
    return compute_name_key(name[:200]) or None


async def _show_name(player_id: int) -> None:
    await rooms().renamed(player_id)


_LONGEST = 200  # characters; the rest of a longer name is ignored


def find_stored_name(typed: str) -> str | None:
    """Return the stored spelling of a name, or None.

    Case, width and additional spaces are ignored.
    """
    wanted = _folded(typed[:_LONGEST])
    alike = Q(username=typed[:_LONGEST]) | Q(name_key=compute_name_key(wanted) or None)
    for name in Player.objects.filter(alike).values_list("username", flat=True)[:3]:
        if _folded(name) == wanted:
            return name
    return None


def find_account(typed: str) -> Player | None:
    """Return the account with this name, or None. Guests are not accounts."""
    name = find_stored_name(typed)
    return Player.objects.filter(username=name, is_guest=False).first() if name else None


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


_OPEN = (
    "/match/",
    "/game/export/",
    "/embed/",
    "/accounts/",
    "/notice/",
    "/static/",
    "/rules/",
    "/forget/",
    "/language/",
    "/offline/",
    # The responses to these paths do not depend on the session, so it is not read.
    "/api/",
    "/words/",
    "/log/",
    "/.well-known/",
    "/manifest.webmanifest",
    "/service-worker.js",
    "/tournaments/feed.atom",
    "/tournaments/calendar.ics",
)
"""Prefixes of paths that players who must change their name can still open."""


class ChooseNameMiddleware:
    """Middleware that redirects players who must change their name.

    It must come after authentication.
    """

    def __init__(self, further: Callable[[HttpRequest], HttpResponse]) -> None:
        self._further = further

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(_OPEN) and _must_rename(request):
            back = {"next": request.get_full_path()} if request.method == "GET" else {}
            return redirect(f"{reverse('account-name')}?{urlencode(back)}".rstrip("?"))
        return self._further(request)


def _must_rename(request: HttpRequest) -> bool:
    if not request.session.session_key:
        return False  # a visitor without a session; no query is needed
    return isinstance(request.user, Player) and request.user.must_rename
