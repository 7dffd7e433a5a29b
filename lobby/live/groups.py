"""The lobbies of groups: their contents, and the tabs of this process that show them.

The lobby of a group is read and encoded once for all its viewers, and only while it has viewers.
All groups together need a bounded number of queries. Players who leave a group get no more updates.
"""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from msgspec import Struct

from games.live.frames import CLOSE_NO_SUCH, Frame, encode_bytes
from games.models import Match
from games.rules import GAMES
from games.runtime.db import in_db_for_reading
from games.store.aliases import get_persons, name_at
from lobby.groups.games import list_live_games
from lobby.groups.membership import get_memberships
from lobby.live.protocol import GroupLobby, ListedMatch, ListedSeek, Named
from lobby.live.tabs import Tab
from lobby.models import Member, Player, Seek
from lobby.privacy.visibility import build_public_condition

_AT_ONCE = 25  # sockets to which frames are written before other tasks may run


class _Reading(Struct):
    """The result of a read: the lobbies, and the viewers who are still members."""

    lobbies: dict[str, GroupLobby]
    members: set[tuple[str, int]]


class GroupTabs:
    """The tabs of this process that show a group's lobby."""

    def __init__(self) -> None:
        self._tabs: defaultdict[str, set[Tab]] = defaultdict(set)
        self._lobbies: dict[str, GroupLobby] = {}  # the lobbies that were last sent
        self._frames: dict[str, bytes] = {}  # the encoded form of `_lobbies`

    async def enter(self, tab: Tab) -> None:
        """Add the tab of a member, and send the lobby of its group to it."""
        group_id = tab.group
        self._tabs[group_id].add(tab)
        if group_id not in self._frames:
            lobbies = await in_db_for_reading(read_group_lobbies, [group_id])
            if tab not in self._tabs.get(group_id, ()):
                return  # the tab has been closed in the meantime
            self._keep(group_id, lobbies[group_id])
        tab.send_frame(Frame(self._frames[group_id]))
        tab.is_shown = True

    def leave(self, tab: Tab) -> None:
        tabs = self._tabs.get(tab.group)
        if tabs is None:
            return
        tabs.discard(tab)
        if not tabs:
            self._tabs.pop(tab.group)
            self._lobbies.pop(tab.group, None)
            self._frames.pop(tab.group, None)

    async def show(self) -> None:
        """Read the lobbies that have viewers in this process, and send those that have changed.

        Close the tabs of viewers who are no longer members.
        """
        if not self._tabs:
            return
        viewers = {
            group_id: {tab.player_id for tab in tabs if tab.player_id is not None}
            for group_id, tabs in self._tabs.items()
        }
        reading = await in_db_for_reading(_read, viewers)
        sent = 0
        for group_id, lobby in reading.lobbies.items():
            is_new = self._lobbies.get(group_id) != lobby
            if is_new and group_id in self._tabs:
                self._keep(group_id, lobby)
            for tab in list(self._tabs.get(group_id, ())):
                if tab.player_id not in viewers[group_id]:
                    continue  # the tab was opened during the read
                if (group_id, tab.player_id) not in reading.members:
                    tab.close(CLOSE_NO_SUCH)
                elif is_new and tab.is_shown:
                    tab.send_frame(Frame(self._frames[group_id]))
                    sent += 1
                    if sent % _AT_ONCE == 0:
                        await asyncio.sleep(0)

    def _keep(self, group_id: str, lobby: GroupLobby) -> None:
        self._lobbies[group_id], self._frames[group_id] = lobby, encode_bytes(lobby)


def read_group_lobbies(group_ids: Collection[str]) -> dict[str, GroupLobby]:
    """Return a dictionary that maps each of these groups to its lobby.

    A lobby has open seeks, oldest first, and live matches, newest first. Their numbers are limited,
    and those with players whom not every member may see are left out.
    """
    fresh = timezone.now() - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS)
    groups = list(group_ids)
    listed = Seek.objects.filter(
        Q(group__for_minors=True) | build_public_condition("player"),
        group__in=groups,
        match=None,
        by_address=False,
        seen_at__gte=fresh,
        game__in=GAMES,
    ).order_by("created_at")
    seeks: defaultdict[str, list[ListedSeek]] = defaultdict(list)
    values = "group_id", "pk", "game", "clock", "created_at"
    most = 2 * settings.LOBBY_SEEKS * len(groups)
    for group_id, pk, game, clock, created_at, name in listed.values_list(
        *values, name_at("player")
    )[:most]:
        if len(seeks[group_id]) < settings.LOBBY_SEEKS:
            since = int(created_at.timestamp())
            seeks[group_id].append(ListedSeek(pk, game, clock or None, name, since))
    matches = _matches(groups)
    return {pk: GroupLobby(tuple(seeks[pk]), tuple(matches[pk])) for pk in groups}


def _matches(group_ids: Collection[str]) -> Mapping[str, list[ListedMatch]]:
    most = settings.LOBBY_MATCHES
    pairs = list_live_games(group_ids, 2 * most * len(group_ids))
    live = Match.objects.filter(status=Match.Status.LIVE, game__in=GAMES)
    rows = live.select_related("first", "second").in_bulk([match_id for _, match_id in pairs])
    known = _named_in(rows.values())
    found: defaultdict[str, list[ListedMatch]] = defaultdict(list)
    for group_id, match_id in pairs:
        match = rows.get(match_id)
        if match is None or not all(_is_named(each, group_id, known) for each in _people(match)):
            continue
        if len(found[group_id]) < most:
            names = Named(match.first.name), Named(match.second.name)
            seats = dict(zip(match.rules.roles, names, strict=True))
            found[group_id].append(ListedMatch(match.pk, match.game, match.clock or None, seats))
    return found


def _people(match: Match) -> tuple[Player, Player]:
    first, second = match.first, match.second
    assert isinstance(first, Player) and isinstance(second, Player)
    return first, second


def _named_in(matches: Iterable[Match]) -> dict[int, set[str]]:
    """Return a dictionary that maps the protected players in these matches to their groups.

    Only groups for minors are included.
    """
    rows = {each.pk for match in matches for each in _people(match) if each.is_protected}
    owners = get_persons(rows) if rows else {}
    found: dict[int, set[str]] = {pk: set() for pk in rows}
    members = Member.objects.filter(player__in=set(owners.values()), group__for_minors=True)
    groups = list(members.values_list("player", "group")) if owners else []
    for row, owner in owners.items():
        found[row] |= {group_id for player_id, group_id in groups if player_id == owner}
    return found


def _is_named(player: Player, group_id: str, known: Mapping[int, Collection[str]]) -> bool:
    """Return whether every member of the group may see the player."""
    return not player.is_protected or group_id in known[player.pk]


def _read(viewers: Mapping[str, Collection[int]]) -> _Reading:
    players = {pk for some in viewers.values() for pk in some}
    return _Reading(read_group_lobbies(viewers), get_memberships(list(viewers), players))
