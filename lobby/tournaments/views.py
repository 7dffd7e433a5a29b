"""Data for the pages and the socket of a tournament: standings, results and the next event."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from games.store.aliases import name_at
from lobby.models import Entry, Pairing, Round, Tournament
from lobby.ratings.standing import get_current_ratings
from lobby.tournaments.labels import render_points
from lobby.tournaments.names import get_numbered_name, shows_all_names
from lobby.tournaments.pairing.standings import Row
from lobby.tournaments.queries import compute_table

State, Kind = Tournament.State, Tournament.Kind

# In tournaments with rounds, this tie-break has the last column, even if it does not decide.
_RATED = "performance"
_KEPT = 64  # the maximum number of tournaments whose last table is cached


class StandingsRow(Struct, frozen=True, omit_defaults=True):
    """A row of the standings for display.

    `more` has the values of the further columns (see `list_headings`). `plays` is True if the
    player has a live game. `gone` is True if the player has withdrawn, was removed or has forfeited
    too often. `here` is True before the start if the player has checked in. If `number` is not 0,
    the player is hidden, and scripts render the name (see `get_numbered_name`) from the number in
    the language of the page.
    """

    rank: int
    entry: int
    name: str
    points: str
    more: tuple[str, ...] = ()
    streak: int = 0
    plays: bool = False
    gone: bool = False
    here: bool = False
    number: int = 0


class Table(Struct, frozen=True):
    """The standings with all rows, best first."""

    lines: tuple[StandingsRow, ...]
    entries: dict[int, int]  # the entry's id by the player's id
    playing: tuple[int, ...]  # the ids of live pairings, those of the best players first


class _Seat(Struct, frozen=True):
    """The columns of an entry that the standings need."""

    pk: int
    player_id: int
    state: str
    seed: int | None
    rating: float | None
    points: int
    games: int
    wins: int
    streak: int
    rank: int | None
    playing_id: int | None
    checked_in_at: datetime | None
    player__is_protected: bool
    name: str
    number: int = 0  # stands for the name of a hidden player


_VALUES = _Seat.__struct_fields__[:-2]


def build_standings_table(tournament: Tournament) -> Table:
    """Return the current standings.

    One query reads the entries. Before the start, another one reads the ratings. In a tournament
    with rounds, more are necessary if the cached standings are out of date.
    """
    rows = Entry.objects.filter(tournament=tournament).exclude(state=Entry.State.INVITED)
    seats = [_Seat(*values) for values in rows.values_list(*_VALUES, name_at("player"))]
    if not shows_all_names(tournament):
        seats = [
            replace(
                seat,
                name=get_numbered_name(seat.seed or seat.pk),
                number=seat.seed or seat.pk,
            )
            if seat.player__is_protected
            else seat
            for seat in seats
        ]
    listed = [seat for seat in seats if _is_listed(seat, tournament)]
    if tournament.started_at is None:
        lines = _list_before_start(listed, tournament.game)
    elif tournament.is_arena:
        lines = tuple(_build_arena_row(rank, seat) for rank, seat in _rank_seats(listed))
    else:
        by_entry = {seat.pk: seat for seat in listed}
        found = _compute_standings(tournament, listed)
        lines = tuple(
            _build_rounds_row(row, by_entry[row.entry], tournament)
            for row in found
            if row.entry in by_entry
        )
    live = {seat.pk: seat.playing_id for seat in listed if seat.playing_id is not None}
    playing = dict.fromkeys(live[line.entry] for line in lines if line.entry in live)
    return Table(lines, {seat.player_id: seat.pk for seat in seats}, tuple(playing))


def get_nearby_rows(
    lines: Sequence[StandingsRow], place: int | None, reach: int = 4
) -> tuple[StandingsRow, ...]:
    """Return the rows around the index `place`, or no rows if `place` is None."""
    return () if place is None else tuple(lines[max(0, place - reach) : place + reach + 1])


RESULTS = {(100, 0): "w", (50, 50): "d", (0, 100): "l", (0, 0): "b"}
"""The letter for each result. "-" stands for any other result, and for a board without one."""


def get_result_letters(tournament: Tournament) -> str:
    """Return a letter for each board of the current round, from board 1.

    A bye is "-". Return "" before the first round, for an arena, which has no rounds, and for a
    knockout, in which the games of a match share a board.
    """
    if tournament.kind not in (Kind.SWISS, Kind.ROUND_ROBIN) or not tournament.round:
        return ""
    rows = Pairing.objects.filter(tournament=tournament, round=tournament.round)
    values = "board", "first_points", "second_points", "ended_at", "second"
    found = {
        board: RESULTS.get((first or 0, second or 0), "-") if is_over and opponent else "-"
        for board, first, second, is_over, opponent in rows.values_list(*values)
    }
    return "".join(found.get(board, "-") for board in range(1, max(found, default=0) + 1))


def get_stage(tournament: Tournament) -> str:
    """Return a text that changes whenever open pages must be reloaded.

    Changes to ranks, results and boards alone do not require a reload, except in a knockout.
    """
    parts = [
        tournament.state,
        tournament.round,
        int(tournament.is_paused),
        _compute_settings_mark(tournament),
    ]
    if not tournament.is_arena:
        parts.append(tournament.pairings)
    if tournament.kind == Kind.KNOCKOUT and tournament.state == State.RUNNING:
        parts.append(tournament.version)  # the bracket is not sent over the socket
    return "-".join(str(part) for part in parts)


def _compute_settings_mark(tournament: Tournament) -> str:
    """Return a checksum of the settings whose changes make open pages reload."""
    what = (
        tournament.name,
        tournament.about,
        tournament.setup,
        tournament.starts_at,
        tournament.most,
    )
    return f"{crc32(repr(what).encode()):08x}"


NEXT = ("opens", "check-in", "begins", "ends", "round-ends")
"""The codes of scheduled events."""


def get_next_event(tournament: Tournament) -> tuple[str, datetime] | None:
    """Return the next scheduled event, one of `NEXT`, and its time, or None if there is none."""
    if tournament.is_paused or tournament.state in (State.OVER, State.CALLED_OFF):
        return None
    if tournament.state == State.RUNNING:
        code, at = _get_end_event(tournament)
        return None if at is None else (code, at)
    if tournament.state == State.ANNOUNCED and tournament.opens_at is not None:
        return "opens", tournament.opens_at
    if tournament.state == State.REGISTRATION and tournament.check_in_minutes:
        early = timedelta(minutes=tournament.check_in_minutes)
        return "check-in", tournament.starts_at - early
    return "begins", tournament.starts_at


def _get_end_event(tournament: Tournament) -> tuple[str, datetime | None]:
    if tournament.is_arena:
        return "ends", tournament.ends_at
    rounds = Round.objects.filter(tournament=tournament, number=tournament.round)
    return "round-ends", rounds.values_list("ends_at", flat=True).first()


def list_tie_breaks(tournament: Tournament) -> tuple[str, ...]:
    """Return the codes of the tie-breaks in order of priority."""
    return tuple(each for each in tournament.tie_breaks.split(",") if each)


HEADS = ("points", "rating", "games", "wins", "performance")
"""The codes of headings with a label of their own. The others are codes of tie-breaks."""


def list_headings(tournament: Tournament) -> tuple[str, ...]:
    """Return the codes of the headings for the columns in `StandingsRow.more`."""
    if tournament.started_at is None:
        return ("rating",)
    if tournament.is_arena:
        return ("games", "wins")
    return (*(each for each in list_tie_breaks(tournament) if each != _RATED), _RATED)


# -- rows


def _is_listed(seat: _Seat, tournament: Tournament) -> bool:
    if tournament.started_at is None:
        return seat.state == Entry.State.IN
    return seat.seed is not None or seat.state == Entry.State.IN


def _is_gone(seat: _Seat, tournament: Tournament) -> bool:
    gone = [Entry.State.WITHDRAWN, Entry.State.REMOVED]
    if tournament.kind != Kind.KNOCKOUT:
        gone.append(Entry.State.OUT)  # in a knockout, every loser is eliminated
    return seat.state in gone


def _list_before_start(listed: list[_Seat], game: str) -> tuple[StandingsRow, ...]:
    """Return the players with their current ratings, strongest first, with one query."""
    now = get_current_ratings([seat.player_id for seat in listed], game)
    listed.sort(key=lambda seat: (-now[seat.player_id].rating, seat.name.casefold(), seat.pk))
    return tuple(
        StandingsRow(
            rank=place,
            entry=seat.pk,
            name=seat.name,
            points="",
            more=(now[seat.player_id].shown if now[seat.player_id].games else "",),
            here=seat.checked_in_at is not None,
            number=seat.number,
        )
        for place, seat in enumerate(listed, 1)
    )


def _rank_seats(listed: list[_Seat]) -> list[tuple[int, _Seat]]:
    """Return the players of an arena in order, with their ranks.

    Before the final ranks are stored, players with equal points share a rank and are ordered by
    seed.
    """
    if all(seat.rank is not None for seat in listed):
        return sorted(((seat.rank or 0, seat) for seat in listed), key=lambda each: each[0])
    listed.sort(key=lambda seat: (-seat.points, seat.seed or 10**6, seat.pk))
    found: list[tuple[int, _Seat]] = []
    for place, seat in enumerate(listed, 1):
        same = bool(found) and found[-1][1].points == seat.points
        found.append((found[-1][0] if same else place, seat))
    return found


def _build_arena_row(rank: int, seat: _Seat) -> StandingsRow:
    return StandingsRow(
        rank=rank,
        entry=seat.pk,
        name=seat.name,
        points=render_points(seat.points, is_arena=True),
        more=(str(seat.games), str(seat.wins)),
        streak=seat.streak if seat.streak > 1 else 0,
        plays=seat.playing_id is not None,
        gone=seat.state in (Entry.State.WITHDRAWN, Entry.State.REMOVED, Entry.State.OUT),
        number=seat.number,
    )


def _build_rounds_row(row: Row, seat: _Seat, tournament: Tournament) -> StandingsRow:
    performance = "" if row.performance is None else str(round(row.performance))
    codes = zip(list_tie_breaks(tournament), row.tie_breaks, strict=False)
    ties = [render_value(value) for code, value in codes if code != _RATED]
    return StandingsRow(
        rank=row.rank,
        entry=seat.pk,
        name=seat.name,
        points=render_points(row.points),
        more=(*ties, performance),
        plays=seat.playing_id is not None,
        gone=_is_gone(seat, tournament),
        number=seat.number,
    )


def render_value(value: float) -> str:
    """Render the value of a tie-break like points, with fractions."""
    return render_points(round(value * 100))


# -- standings, which are cached until a value that they depend on changes


_tables: OrderedDict[str, tuple[int, tuple[Row, ...]]] = OrderedDict()
_lock = threading.Lock()


def _compute_standings(tournament: Tournament, seats: Sequence[_Seat]) -> tuple[Row, ...]:
    known = (
        tournament.tie_breaks,
        tournament.round,
        *((seat.pk, seat.state, seat.seed, seat.points, seat.games) for seat in seats),
    )
    mark = hash(known)
    with _lock:
        found = _tables.get(tournament.pk)
        if found is not None and found[0] == mark:
            _tables.move_to_end(tournament.pk)
            return found[1]
    rows = compute_table(tournament)
    with _lock:
        _tables[tournament.pk] = mark, rows
        _tables.move_to_end(tournament.pk)
        while len(_tables) > _KEPT:
            _tables.popitem(last=False)
    return rows
