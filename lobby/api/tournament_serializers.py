"""Serialization of tournaments for the API."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from msgspec import UNSET, UnsetType

from lobby.api import names
from lobby.api.matches import to_milliseconds
from lobby.api.schemas.tournaments import (
    EventClock,
    EventPerf,
    EventSchema,
    Me,
    ResultSchema,
    Standing,
    Status,
    WholeEvent,
)
from lobby.models import Entry, Player, Tournament
from lobby.seeks.rated import get_bounds
from lobby.tournaments.locking import can_manage
from lobby.tournaments.names import get_organiser_name
from lobby.tournaments.pairing.field import WIN
from lobby.tournaments.queries import TAKES_PART, get_entry
from lobby.tournaments.views import (
    StandingsRow,
    build_standings_table,
    list_headings,
    list_tie_breaks,
)

State = Tournament.State
_ROWS_PER_PAGE = 10
_BEFORE = (State.ANNOUNCED, State.REGISTRATION, State.CHECK_IN)


def serialize_tournament(found: Tournament) -> EventSchema:
    """Serialize a tournament for a list.

    `queries.add_player_counts` must have set `players`, as it has for the lists in `queries`.
    """
    return EventSchema(**_common(found, found.players))  # type: ignore[attr-defined]  # set by `queries`


def serialize_whole_tournament(
    found: Tournament, player: Player | None, page: int = 1
) -> WholeEvent:
    """Serialize a tournament as the player sees it, with a page of its standings."""
    own = get_entry(found, player)
    lowest, highest = get_bounds(found.lowest, found.highest)
    players = Entry.objects.filter(TAKES_PART, tournament=found).count()
    lines = results_of(found, (page - 1) * _ROWS_PER_PAGE, _ROWS_PER_PAGE)
    return WholeEvent(
        **_common(found, players),
        description=found.about,
        registration=found.registration,  # type: ignore[arg-type]  # both types have the same values
        private=found.registration != Tournament.Registration.OPEN,
        guests=found.guests,
        most=found.most,
        min_rating=lowest or UNSET,
        max_rating=highest or UNSET,
        group=found.group_id or UNSET,
        series=found.series_id or UNSET,
        opens_at=_moment(found.opens_at),
        check_in_minutes=found.check_in_minutes,
        pace=found.pace,
        round_minutes=found.round_minutes,
        late_minutes=found.late_minutes,
        round=found.round,
        is_double=found.is_double,
        best_of=found.best_of,
        third_place=found.third_place,
        tie_breaks=list(list_tie_breaks(found)),
        is_started=_status(found) == 20,
        is_finished=_status(found) == 30,
        is_paused=found.is_paused,
        standing=Standing(page, list(lines)),
        me=UNSET if own is None else Me(own.state, not own.is_in, own.rank or UNSET),
        code=(found.code or UNSET) if can_manage(player, found) else UNSET,
    )


def results_of(
    found: Tournament, first: int = 0, most: int | None = None
) -> Iterator[ResultSchema]:
    """Yield the rows of the standings, starting at index `first`: all, or at most `most`."""
    end = None if most is None else first + most
    lines = list(islice(build_standings_table(found).lines, first, end))
    known = _entries(lines)
    heads = list_headings(found)
    for line in lines:
        if line.entry in known:
            yield _result(found, line, heads, known[line.entry])


_Kept = tuple[int, float | None, int, int]
_KEPT = ("points", "rating", "games", "wins")  # fields that are read from the entries
_ENTRIES_PER_QUERY = 500


def _entries(lines: Sequence[StandingsRow]) -> dict[int, _Kept]:
    found: dict[int, _Kept] = {}
    for i in range(0, len(lines), _ENTRIES_PER_QUERY):
        rows = Entry.objects.filter(
            pk__in=[line.entry for line in lines[i : i + _ENTRIES_PER_QUERY]]
        )
        for pk, points, rating, games, wins in rows.values_list("pk", *_KEPT):
            found[pk] = points, rating, games, wins
    return found


def _result(
    found: Tournament, line: StandingsRow, heads: Sequence[str], kept: _Kept
) -> ResultSchema:
    points, rating, games, wins = kept
    shown = dict(zip(heads, line.more, strict=False)) if found.started_at else {}
    performance = shown.pop("performance", "")
    has_ties = bool(shown) and not found.is_arena
    return ResultSchema(
        rank=line.rank,
        username=names.remove_mark(line.name),
        id=names.get_id(line.name),
        title=names.BOT if names.is_marked(line.name) else UNSET,
        games=games,
        wins=wins,
        score=points // WIN if found.is_arena else UNSET,
        points=UNSET if found.is_arena else points / WIN,
        rating=UNSET if rating is None else round(rating),
        performance=int(performance) if performance else UNSET,
        tie_breaks=shown if has_ties else UNSET,
        withdraw=True if line.gone else UNSET,
    )


def _common(found: Tournament, players: int) -> dict[str, Any]:
    """Return the fields that lists and single tournaments have in common."""
    setup, title = found.setup, names.get_title(found.game)
    clock: EventClock | UnsetType = UNSET
    if setup.clock:
        minutes, increment = (int(part) for part in setup.clock.split("+"))
        clock = EventClock(60 * minutes, increment)
    return {
        "id": found.pk,
        "url": found.get_absolute_url(),
        "full_name": found.name,
        "system": found.kind,
        "variant": names.get_variant(found.game),
        "perf": EventPerf(found.game, title),
        "rated": found.rated,
        "bots_allowed": found.admits_bots,
        "state": found.state,
        "status": _status(found),
        "nb_players": players,
        "starts_at": to_milliseconds(found.started_at or found.starts_at),
        "created_by": names.get_id(organiser)
        if (organiser := get_organiser_name(found))
        else UNSET,
        "clock": clock,
        "minutes": found.minutes or UNSET,
        "rounds": found.rounds or UNSET,
        "finishes_at": _moment(found.expected_end),
    }


def _status(found: Tournament) -> Status:
    if found.state == State.RUNNING:
        return 20
    return 10 if found.state in _BEFORE else 30


def _moment(at: datetime | None) -> int | UnsetType:
    return UNSET if at is None else to_milliseconds(at)
