"""The tabs that show a tournament.

They receive changes to its standings, results and boards at most once a second. Changes are read
once for all viewers of a tournament, and encoded once for all tabs with the same last state. A
tournament without viewers is not read. Participants also get the places around their own.
Participants who view the page are stored as present, because an arena pairs only players who are
present (`lobby.tournaments.presence`).
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Collection, Mapping

from django.conf import settings
from django.utils import timezone
from msgspec import UNSET, Struct

from games.live.frames import CLOSE_NO_SUCH, Frame, encode_bytes, encode_text
from games.models import Match
from games.runtime.db import in_db_for_people, in_db_for_reading
from games.runtime.pubsub import pubsub
from games.store.records import read_with_pairs
from lobby.groups.membership import get_memberships
from lobby.live.protocol import PlaceFrame, TournamentFrame
from lobby.live.tabs import Tab
from lobby.live.tv import WallEntry, build_entry
from lobby.live.tv import build_changes as build_wall_changes
from lobby.models import Pairing, Player, Tournament
from lobby.tournaments import presence
from lobby.tournaments.arena import ArenaPresence, read_arena_presence
from lobby.tournaments.locking import can_manage
from lobby.tournaments.names import shows_all_names
from lobby.tournaments.queries import get_visible_tournament
from lobby.tournaments.views import (
    StandingsRow,
    build_standings_table,
    get_nearby_rows,
    get_next_event,
    get_result_letters,
    get_stage,
)

TOP = 40
"""The number of places in the table that everybody gets."""

BOARDS = 6
"""The number of boards that are drawn: those of the highest-placed players."""

_AT_ONCE = 25  # sockets to which frames are written before other tasks may run
_REREAD_AFTER = 2.0  # seconds, in case the hint about a change was lost


class TournamentSnapshot(Struct, frozen=True, eq=False):
    """A snapshot of a tournament. It is equal only to itself."""

    stage: str
    players: int  # listed players, including withdrawn ones once the tournament has begun
    next_at: float | None
    top: tuple[StandingsRow, ...]
    results: str
    boards: dict[str, WallEntry]
    lines: tuple[StandingsRow, ...]
    entries: dict[int, int]  # the entry of each player
    places: dict[int, int]  # the place of each entry in the standings, counted from 0
    members: frozenset[int] | None  # viewers with access, or None if the tournament is public
    arena: ArenaPresence | None = None  # set while an arena is not over


def read_tournament(tournament: Tournament, viewers: Collection[int] = ()) -> TournamentSnapshot:
    """Read the tournament, and which of these viewers have access to it."""
    table = build_standings_table(tournament)
    found = get_next_event(tournament)
    live = Pairing.objects.filter(pk__in=table.playing[:BOARDS], match__isnull=False)
    matches = dict(live.values_list("pk", "match"))
    order = [matches[pk] for pk in table.playing[:BOARDS] if pk in matches]
    return TournamentSnapshot(
        stage=get_stage(tournament),
        players=len(table.lines),
        next_at=None if found is None else found[1].timestamp(),
        top=table.lines[:TOP],
        results=get_result_letters(tournament),
        boards=_get_boards(order, shows_all_names(tournament)),
        lines=table.lines,
        entries=table.entries,
        places={line.entry: place for place, line in enumerate(table.lines)},
        arena=_read_arena(tournament, table.lines),
        members=None if tournament.group_id is None else _get_allowed_viewers(tournament, viewers),
    )


def _read_arena(tournament: Tournament, lines: Collection[StandingsRow]) -> ArenaPresence | None:
    if not tournament.is_arena or tournament.ended_at is not None:
        return None
    entered = sum(not line.gone for line in lines)
    return read_arena_presence(tournament, entered, timezone.now())


def build_whole_frame(shown: TournamentSnapshot) -> TournamentFrame:
    """Return the frame with the whole tournament."""
    return build_changes(None, shown)


def build_changes(before: TournamentSnapshot | None, after: TournamentSnapshot) -> TournamentFrame:
    """Return the frame that turns `before` into `after`.

    If `before` is None, the frame contains the whole tournament.
    """
    boards = build_wall_changes(before.boards if before else None, after.boards)
    return TournamentFrame(
        stage=after.stage,
        now=time.time(),
        players=after.players,
        next_at=after.next_at,
        top=UNSET if before and before.top == after.top else after.top,
        arena=after.arena,
        results=UNSET if before and before.results == after.results else after.results,
        matches=boards.matches,
        boards=boards.boards,
    )


class _SentState(Struct):
    """The snapshot that was last sent to a tab, and when a frame was last sent (monotonic)."""

    shown: TournamentSnapshot
    at: float
    place: tuple[StandingsRow, ...] = ()


Notes = dict[str, dict[int, bool]]  # whether each player is present, by tournament and player


class PresenceQueue:
    """Arrivals at and departures from tournament pages that have not been stored yet.

    One write runs at a time. A thousand tabs open and close as games begin and end. A separate
    write for each of them would delay the moves of players.
    """

    def __init__(self) -> None:
        self._due: Notes = defaultdict(dict)
        self._is_noting = False

    def note(self, tournament_id: str, player_id: int, is_there: bool) -> None:
        """Schedule a write of the player's presence or absence."""
        self._due[tournament_id][player_id] = is_there
        if not self._is_noting:
            self._is_noting = True
            pubsub().soon(self._store())

    async def _store(self) -> None:
        try:
            while self._due:
                due, self._due = self._due, defaultdict(dict)
                await in_db_for_people(_store_presence, due)
        finally:
            self._is_noting = False


def _store_presence(notes: Notes) -> None:
    for tournament_id, people in notes.items():
        presence.record_present(tournament_id, [pk for pk, is_there in people.items() if is_there])
        presence.record_absent(
            tournament_id, [pk for pk, is_there in people.items() if not is_there]
        )


class TournamentTabs:
    """The tabs of this process that show a tournament."""

    def __init__(self) -> None:
        self._tabs: defaultdict[str, set[Tab]] = defaultdict(set)
        self._shown: dict[str, TournamentSnapshot] = {}  # the snapshots that were last read
        self._told: dict[Tab, _SentState] = {}
        self._stale: set[str] = set()
        # Tournaments with a tab that has not received the latest changes.
        self._behind: set[str] = set()
        self._attendance = PresenceQueue()
        self._tended_at = self._read_at = self._noted_at = 0.0

    async def enter(self, tab: Tab) -> bool:
        """Add a tab, and send its tournament to it.

        Return False if the tournament does not exist or is not visible to the viewer, or if the tab
        has closed.
        """
        shown = self._shown.get(tab.tournament)
        if shown is None or shown.members is not None:  # otherwise, the known tournament is public
            read = await in_db_for_reading(_read_visible_tournament, tab.player_id, tab.tournament)
            if read is None or not tab.is_open:
                return False
            # Several tabs may open at the same time.
            shown = self._shown.setdefault(tab.tournament, read)
        self._tabs[tab.tournament].add(tab)
        self._told[tab] = told = _SentState(shown, time.monotonic())
        tab.send_frame(Frame(encode_bytes(build_whole_frame(shown))))
        tab.is_shown = True
        await self._tell_place(tab, told)
        if tab.player_id is not None:
            # The player may have registered after the tournament was read.
            self._stale.add(tab.tournament)
            self._attendance.note(tab.tournament, tab.player_id, True)
        return True

    def leave(self, tab: Tab) -> None:
        self._told.pop(tab, None)
        tabs = self._tabs.get(tab.tournament)
        if tabs is None or tab not in tabs:
            return
        tabs.discard(tab)
        mine = {each.player_id for each in tabs}
        shown = self._shown.get(tab.tournament)
        if shown and tab.player_id in shown.entries and tab.player_id not in mine:
            self._attendance.note(tab.tournament, tab.player_id, False)
        if not tabs:
            self._tabs.pop(tab.tournament)
            self._shown.pop(tab.tournament, None)
            self._stale.discard(tab.tournament)
            self._behind.discard(tab.tournament)

    def changed(self, tournament_id: str) -> None:
        """Mark a tournament as changed."""
        if tournament_id in self._tabs:
            self._stale.add(tournament_id)

    def committed(self, match_ids: Collection[str]) -> None:
        """Mark the tournaments that show the boards of these matches as changed."""
        for tournament_id, shown in self._shown.items():
            if not shown.boards.keys().isdisjoint(match_ids):
                self._stale.add(tournament_id)

    async def tend(self) -> None:
        """Read the changed tournaments and send the changes, if enough time has passed.

        At longer intervals, read all tournaments with viewers, and store who is present.
        """
        now = time.monotonic()
        if not self._tabs or now - self._tended_at < settings.LOBBY_INTERVAL_SECONDS:
            return
        if now - self._noted_at >= presence.EVERY:
            self._noted_at = now
            self._note_present()
        if now - self._read_at >= _REREAD_AFTER:
            self._read_at = now
            self._stale |= self._tabs.keys()
        try:
            await self._tell_news()
        finally:
            # This is set at the end, so that tabs get a full pause regardless of how long sending
            # took.
            self._tended_at = time.monotonic()

    async def _tell_news(self) -> None:
        due, self._stale = self._stale & self._tabs.keys(), set()
        behind, self._behind = self._behind - due, set()
        viewers = {
            pk: {tab.player_id for tab in self._tabs[pk] if tab.player_id is not None} for pk in due
        }
        read = await in_db_for_reading(_read_tournaments, viewers) if viewers else {}
        for tournament_id, shown in read.items():
            if tournament_id in self._tabs:
                self._shown[tournament_id] = shown
                await self._send(tournament_id, shown, viewers[tournament_id])
        for tournament_id in behind & self._shown.keys():
            await self._send(tournament_id, self._shown[tournament_id])

    async def _send(
        self, tournament_id: str, shown: TournamentSnapshot, asked: Collection[int] = ()
    ) -> None:
        """Send the changes to each tab, encoded once for all tabs with the same last snapshot.

        Tabs to which a frame was sent just before are skipped until a later round. Those of viewers
        who no longer have access are closed.
        """
        frames: dict[TournamentSnapshot, Frame | None] = {}
        for sent, tab in enumerate(list(self._tabs.get(tournament_id, ())), 1):
            told = self._told.get(tab)
            if told is None:
                continue  # the tab has been closed in the meantime
            if shown.members is not None and tab.player_id not in shown.members:
                if tab.player_id in asked:  # otherwise, the tab was opened during the read
                    tab.close(CLOSE_NO_SUCH)
                continue
            if time.monotonic() - told.at < settings.LOBBY_INTERVAL_SECONDS:
                self._behind.add(tournament_id)
                continue
            if told.shown not in frames:
                frames[told.shown] = _build_changes_frame(told.shown, shown)
            frame, told.shown = frames[told.shown], shown
            if frame is not None:
                told.at = time.monotonic()
                tab.send_frame(frame)
            await self._tell_place(tab, told)
            if sent % _AT_ONCE == 0:
                await asyncio.sleep(0)

    async def _tell_place(self, tab: Tab, told: _SentState) -> None:
        """Send the places around that of the viewer, if they have changed for this tab."""
        if not tab.is_open:
            return  # the tab has been closed in the meantime
        shown = told.shown
        entry = None if tab.player_id is None else shown.entries.get(tab.player_id)
        rows = get_nearby_rows(shown.lines, shown.places.get(entry)) if entry is not None else ()
        if told.place != rows:
            told.place = rows
            tab.send_text(encode_text(PlaceFrame(entry, rows)))

    def _note_present(self) -> None:
        for tournament_id, shown in self._shown.items():
            for tab in self._tabs.get(tournament_id, ()):
                if tab.player_id is not None and tab.player_id in shown.entries:
                    self._attendance.note(tournament_id, tab.player_id, True)


def _build_changes_frame(before: TournamentSnapshot, after: TournamentSnapshot) -> Frame | None:
    """Return the frame with the changes, or None if nothing has changed."""
    return (
        None
        if _get_comparable_part(before) == _get_comparable_part(after)
        else Frame(encode_bytes(build_changes(before, after)))
    )


def _read_visible_tournament(
    player_id: int | None, tournament_id: str
) -> TournamentSnapshot | None:
    """Return the tournament, or None if it does not exist or the player has no access."""
    found = _find_tournament(player_id, tournament_id)
    return None if found is None else read_tournament(found)


def _find_tournament(player_id: int | None, tournament_id: str) -> Tournament | None:
    player = None if player_id is None else Player.objects.filter(pk=player_id).first()
    return get_visible_tournament(player, tournament_id)


def _read_tournaments(viewers: Mapping[str, Collection[int]]) -> dict[str, TournamentSnapshot]:
    rows = Tournament.objects.select_related("group").in_bulk(list(viewers))
    return {pk: read_tournament(row, viewers[pk]) for pk, row in rows.items()}


def _get_boards(match_ids: list[str], names_all: bool) -> dict[str, WallEntry]:
    """Return a dictionary that maps the ids of live matches to their boards.

    Matches that not every viewer of the tournament may see are left out.
    """
    found = read_with_pairs(match_ids) if match_ids else {}
    return {
        pk: build_entry(state, pair.names)
        for pk in match_ids
        if pk in found
        for state, pair in (found[pk],)
        if state.status == Match.Status.LIVE and (names_all or pair.is_public)
    }


def _get_allowed_viewers(tournament: Tournament, viewers: Collection[int]) -> frozenset[int]:
    """Return the ids of the viewers, among these, with access to a group's tournament.

    The rule is that of `queries.get_visible_tournament`.
    """
    known = {pk for _, pk in get_memberships([str(tournament.group_id)], viewers)}
    others = Player.objects.filter(pk__in=set(viewers) - known)
    return frozenset(known | {each.pk for each in others if can_manage(each, tournament)})


def _get_comparable_part(shown: TournamentSnapshot) -> tuple[object, ...]:
    return (
        *(shown.stage, shown.players, shown.next_at, shown.top, shown.results, shown.boards),
        shown.arena,
    )
