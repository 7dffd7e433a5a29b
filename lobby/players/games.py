"""The matches of a player: finished ones in pages, newest first, and live ones.

Each single filter has an index. Combined filters scan the rows that one of them finds.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from msgspec import Struct

from games.match.outcome import Outcome, get_outcome
from games.match.state import MatchState
from games.models import Match
from games.rules import GAMES
from games.store.aliases import get_aliases_of
from games.store.records import FIELDS, list_records, read_with_names, serialize_record
from games.store.visibility import HIDDEN_NAME, find_hidden_players, get_names_for, get_pairs
from lobby.models import Played, Player
from lobby.players.history import LENGTHS
from lobby.players.people import find_player, get_person_rows
from lobby.privacy.visibility import (
    build_visible_matches_condition,
    build_visible_opponents_condition,
)

PAGE = 50  # matches on a page, unless the caller asks for another number
MOST_LIVE = 50  # the maximum number of live matches that are listed
_BATCH = 50  # matches of a download that one query reads
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST_CURSOR = 40  # characters


class Filters(Struct, frozen=True):
    """The filters of a history. None means no filter. `length` is an index into `LENGTHS`."""

    game: str | None = None
    result: str | None = None
    opponent: Player | None = None
    length: int | None = None
    rated: bool | None = None


class PlayerMatch(Struct, frozen=True):
    """A match of the player in `seat`. An opponent who is hidden from the viewer is `HIDDEN`.

    `row` is the match's row in the player's history, or None for a live match.
    """

    state: MatchState
    seat: int
    opponent: Player
    result: str = ""
    row: Played | None = None


class Page(Struct, frozen=True):
    """A page of matches, newest first, and the cursor of the next page ("" for the last page)."""

    entries: list[PlayerMatch]
    next: str = ""


HIDDEN = Player(username=HIDDEN_NAME, is_active=False, closed_at=_EPOCH)
"""The displayed opponent if the viewer may not see the real one. Like a closed account, it has no
page."""


def parse_filters(asked: Mapping[str, str], viewer_id: int | None) -> Filters:
    """Parse the filters in a query string.

    Raise `NobodyError` if the opponent does not exist or is hidden from the viewer, and
    `ValueError` if another filter is invalid.
    """
    game, result = asked.get("game", ""), asked.get("result", "")
    length, rated, name = (asked.get(key, "") for key in ("length", "rated", "opponent"))
    if game and game not in GAMES:
        raise ValueError("no such game")
    if result and result not in Played.Result.values:
        raise ValueError("no such result")
    if length and length not in LENGTHS:
        raise ValueError("no such length")
    if rated not in {"", "yes", "no"}:
        raise ValueError("rated is yes or no")
    opponent = find_player(name, viewer_id) if name.strip() else None
    if name.strip() and opponent is None:
        raise NobodyError
    return Filters(
        game or None,
        result or None,
        opponent,
        LENGTHS.index(length) if length else None,
        None if not rated else rated == "yes",
    )


class NobodyError(ValueError):
    """The opponent in a filter does not exist or is hidden from the viewer, so nothing is found."""


def list_history(
    player_id: int,
    filters: Filters,
    before: str = "",
    most: int | None = None,
    *,
    viewer_id: int | None,
) -> Page:
    """Return a page of finished matches that the viewer may see, after the cursor `before`.

    The caller must check that the viewer may see the player. Raise `ValueError` for an invalid
    cursor.
    """
    rows = _get_rows(player_id, filters, before).select_related("opponent")
    if viewer_id != player_id:
        rows = rows.filter(build_visible_opponents_condition(viewer_id))
    size = most or PAGE
    found = list(rows[: size + 1])
    here = found[:size]
    states = _get_states([row.match_id for row in here])
    shown = _hide_players({row.opponent_id: row.opponent for row in here}, viewer_id)
    entries = [
        PlayerMatch(states[row.match_id], row.seat, shown[row.opponent_id], row.result, row)
        for row in here
        if row.match_id in states
    ]
    return Page(entries, _encode_cursor(here[-1]) if len(found) > size else "")


def list_live(player_id: int, viewer_id: int | None) -> list[PlayerMatch]:
    """Return up to `MOST_LIVE` live matches that the viewer may see, latest action first."""
    mine = get_person_rows(player_id)
    playing = _get_live_matches(viewer_id)
    columns = "pk", "first_id", "second_id", "acted_at"
    # Use a union of two queries, because each can use an index, while a condition on either seat
    # cannot.
    found = (
        playing.filter(first__in=mine)
        .values_list(*columns)
        .union(playing.filter(second__in=mine).values_list(*columns))
        .order_by("-acted_at", "-pk")
    )
    seats = {}  # the player's seat in each match, and the opponent
    for pk, first, second, _ in found[:MOST_LIVE]:
        seats[pk] = (0, second) if first in mine else (1, first)
    states = read_with_names(seats, viewer_id)
    sitting = Player.objects.select_related("alias_of")
    others = sitting.in_bulk({other for _, other in seats.values()})
    shown = _hide_players({pk: each.alias_of or each for pk, each in others.items()}, viewer_id)
    return [
        PlayerMatch(states[pk][0], seat, shown[other])
        for pk, (seat, other) in seats.items()
        if pk in states
    ]


def get_last_live(
    player_ids: Collection[int], viewer_id: int | None
) -> dict[int, tuple[str, datetime]]:
    """Return each player's most recently active live match, and the time of its last action.

    The result maps the ids of players to pairs of a match id and a time. Only matches that the
    viewer may see count, and players without one are left out.
    """
    rows = {row: pk for pk, own in get_aliases_of(player_ids).items() for row in own}
    playing = _get_live_matches(viewer_id)
    columns = "acted_at", "pk", "first_id", "second_id"
    found = playing.filter(first__in=rows).values_list(*columns)
    found = found.union(playing.filter(second__in=rows).values_list(*columns))
    last: dict[int, tuple[str, datetime]] = {}
    for acted_at, match_id, *seats in sorted(found):
        last |= {rows[seat]: (match_id, acted_at) for seat in seats if seat in rows}
    return last


def _get_live_matches(viewer_id: int | None) -> QuerySet[Match]:
    live = Match.objects.filter(status=Match.Status.LIVE, game__in=GAMES)
    return live.filter(build_visible_matches_condition(viewer_id)).order_by()


def _hide_players(people: Mapping[int, Player], viewer_id: int | None) -> dict[int, Player]:
    """Replace the players whom the viewer may not see with `HIDDEN`."""
    protected = [pk for pk, each in people.items() if each.is_protected]
    hidden = find_hidden_players(viewer_id, protected) if protected else set()
    return {pk: HIDDEN if pk in hidden else each for pk, each in people.items()}


def has_rated(player_id: int) -> bool:
    """Return whether the player has finished a rated match."""
    return Played.objects.filter(player=player_id, rated__in=[True]).exists()


def get_last_between(player_id: int, viewer_id: int | None) -> Played | None:
    """Return the player's last finished match against the viewer or else against anybody.

    Return None if the player has finished no match.
    """
    own = Played.objects.filter(player=player_id).order_by("-ended_at", "-id")
    return own.filter(opponent=viewer_id).first() or own.first()


def list_all_records(player_id: int) -> Iterator[Sequence[dict[str, Any]]]:
    """Yield the records of a player's matches in batches.

    The first batch has up to `MOST_LIVE` live matches. The others have all finished ones.
    """
    yield _get_records([entry.state.id for entry in list_live(player_id, player_id)], player_id)
    before = ""
    while True:
        rows = list(_get_rows(player_id, Filters(), before)[:_BATCH])
        if not rows:
            return
        yield _get_records([row.match_id for row in rows], player_id)
        before = _encode_cursor(rows[-1])


def serialize_match(entry: PlayerMatch) -> dict[str, Any]:
    """Return a match in the format of `games.json`, with times in seconds since 1970."""
    state = entry.state
    return {
        "match": state.id,
        "url": f"/match/{state.id}/",
        "game": state.game,
        "clock": state.clock or None,
        "options": state.options,
        "rated": state.rated,
        "status": state.status,
        "ended": state.ended or None,
        "role": _get_role(state, entry.seat),
        "opponent": entry.opponent.name,
        "computer": entry.opponent.bot_level is not None,
        "result": entry.result or None,
        "goals": None if state.game_is_unknown else state.goals,
        "plies": state.ply,
        "created_at": state.created_at.timestamp(),
        "ended_at": state.ended_at.timestamp() if state.ended_at else None,
    }


def describe_result(entry: PlayerMatch, name: str) -> tuple[Outcome | None, dict[str, str]]:
    """Return the match's outcome, and a dictionary that maps its roles to the names of the players.

    Return (None, {}) if the game is unknown. `name` is the name of the player in `entry.seat`.
    """
    state = entry.state
    if state.game_is_unknown:
        return None, {}
    roles = state.rules.roles if entry.seat == 0 else state.rules.roles[::-1]
    return get_outcome(state), dict(zip(roles, (name, entry.opponent.name), strict=True))


def _get_role(state: MatchState, seat: int) -> str:
    return ("first", "second")[seat] if state.game_is_unknown else state.rules.roles[seat]


def _get_records(match_ids: list[str], viewer_id: int) -> list[dict[str, Any]]:
    names = get_names_for(viewer_id, get_pairs(match_ids))
    there = [pk for pk in match_ids if pk in names]
    return [serialize_record(record, names[record.state.id]) for record in list_records(there)]


def _get_states(match_ids: Sequence[str]) -> dict[str, MatchState]:
    wanted = Match.objects.filter(pk__in=match_ids).order_by()
    found = wanted.values_list(*FIELDS) if match_ids else ()
    return {values[0]: MatchState(*values) for values in found}


def _get_rows(player_id: int, filters: Filters, before: str) -> QuerySet[Played]:
    rows = Played.objects.filter(player=player_id).order_by("-ended_at", "-id")
    if filters.game is not None:
        rows = rows.filter(game=filters.game)
    if filters.result is not None:
        rows = rows.filter(result=filters.result)
    if filters.opponent is not None:
        rows = rows.filter(opponent=filters.opponent)
    if filters.length is not None:
        rows = rows.filter(length=filters.length)
    if filters.rated is not None:
        # SQLite does not use an index for `NOT rated`.
        rows = rows.filter(rated__in=[filters.rated])
    if before:
        at, pk = _decode_cursor(before)
        # The condition on `ended_at` alone lets the database use the index.
        rows = rows.filter(Q(ended_at__lt=at) | Q(id__lt=pk), ended_at__lte=at)
    return rows


def _encode_cursor(row: Played) -> str:
    return f"{(row.ended_at - _EPOCH) // timedelta(microseconds=1)}-{row.pk}"


def _decode_cursor(cursor: str) -> tuple[datetime, int]:
    moment, _, pk = cursor.partition("-")
    sound = (
        cursor.isascii() and moment.isdigit() and pk.isdigit() and len(cursor) <= _LONGEST_CURSOR
    )
    if not sound or int(pk) >= 2**63:
        raise ValueError("no such page")
    try:
        return _EPOCH + timedelta(microseconds=int(moment)), int(pk)
    except OverflowError:
        raise ValueError("no such page") from None
