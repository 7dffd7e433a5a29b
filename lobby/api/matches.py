"""Queries for matches, and their serialization for the API.

Functions that query the database must be called on a database thread.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from django.utils import timezone
from msgspec import UNSET, Struct

from games.match.state import MatchState
from games.models import Match
from games.store.ratings import NOT_RATED, Ratings, SeatRating, get_seat_ratings
from games.store.records import FIELDS, MatchRecord, list_records
from games.store.visibility import (
    PAIR,
    PUBLIC,
    PlayerPair,
    Privacy,
    build_pair,
    get_names_for,
    get_privacy,
)
from lobby.api import names
from lobby.api.schemas.games import (
    COLOURS,
    UNLIMITED,
    Clock,
    ClockSeconds,
    Compat,
    GamePlayer,
    GameSchema,
    GameUser,
    MoveSchema,
    Opponent,
    OwnGameSchema,
    Players,
    StatusName,
)
from lobby.api.schemas.streams import GameFull, GameState, PerfName, Sitting

JOIN = ", "
"""The separator of actions in `moves`. No action contains a comma."""


class Read(Struct, frozen=True):
    """A match as a viewer may see it: its players' names and ratings, and which of them are bots.

    `in_room` has the unmasked names and the privacy of the match for its room, which masks the
    names for each of its own viewers.
    """

    state: MatchState
    names: tuple[str, str]
    bots: tuple[bool, bool] = (False, False)
    ratings: Ratings = NOT_RATED
    in_room: tuple[tuple[str, str], Privacy] = (("", ""), PUBLIC)

    @property
    def is_public(self) -> bool:
        """Return whether everybody may see the match."""
        return self.in_room[1].is_public

    def title(self, seat: int) -> str | None:
        return names.BOT if self.bots[seat] or self.state.levels[seat] is not None else None


def read_matches(match_ids: Collection[str], viewer_id: int | None) -> dict[str, Read]:
    """Return a dictionary that maps each id to its match.

    Matches that are damaged, unknown or hidden from the viewer are left out.
    """
    rows = Match.objects.filter(pk__in=list(match_ids)).values_list(
        *FIELDS, "first__is_bot", "second__is_bot", *PAIR
    )
    states: dict[str, tuple[MatchState, tuple[bool, bool]]] = {}
    people: dict[str, PlayerPair] = {}
    for values in rows:
        state = MatchState(*values[: len(FIELDS)])
        if state.is_readable:
            bots = values[len(FIELDS)], values[len(FIELDS) + 1]
            states[state.id], people[state.id] = (state, bots), build_pair(values[-len(PAIR) :])
    seen = get_names_for(viewer_id, people)
    privacy = get_privacy({pk: people[pk] for pk in seen})
    rated = get_seat_ratings([states[pk][0] for pk in seen])
    return {
        pk: Read(
            state,
            (names.remove_mark(seen[pk][0]), names.remove_mark(seen[pk][1])),
            bots,
            rated.get(pk, NOT_RATED),
            (people[pk].names, privacy[pk]),
        )
        for pk, (state, bots) in states.items()
        if pk in seen
    }


def read_match(match_id: str, viewer_id: int | None) -> Read | None:
    return read_matches([match_id], viewer_id).get(match_id)


def serialize_games(
    match_ids: Sequence[str], with_moves: bool, with_times: bool, viewer_id: int | None
) -> Iterator[GameSchema]:
    """Yield the games that the viewer may see, in the order of the ids."""
    known = read_matches(match_ids, viewer_id)
    there = [pk for pk in match_ids if pk in known]
    if with_moves or with_times:
        for record in list_records(there):
            yield serialize_game(known[record.state.id], record, with_moves, with_times)
    else:
        for pk in there:
            yield serialize_game(known[pk])


def serialize_game(
    found: Read,
    record: MatchRecord | None = None,
    with_moves: bool = True,
    with_times: bool = False,
) -> GameSchema:
    """Serialize a game. Without a record, or if `with_moves` is false, `moves` is left out."""
    state = found.state if record is None else record.state
    played = () if record is None else record.moves
    won, control = names.get_winner(state), state.control
    return GameSchema(
        id=state.id,
        rated=state.rated,
        variant=state.game,
        speed=names.get_speed(state.clock),
        perf=state.game,
        created_at=to_milliseconds(state.created_at),
        last_move_at=to_milliseconds(state.acted_at),
        status=names.get_status(state),
        players=Players(*(_player(found, seat) for seat in (0, 1))),
        notation=state.notation,
        plies=state.ply,
        ended=state.ended or None,
        goals=state.goals,
        winner=won or UNSET,
        moves=JOIN.join(m.action for m in played) if record is not None and with_moves else UNSET,
        times=[
            MoveSchema(each.ply, each.role, each.action, to_milliseconds(each.at), each.spent_ms)
            for each in played
        ]
        if with_times
        else UNSET,
        clock=ClockSeconds(
            control.initial_ms // 1000,
            control.increment,
            control.initial_ms // 1000 + 40 * control.increment,
        )
        if control
        else UNSET,
        digest=state.digest or UNSET,
    )


def serialize_own_game(found: Read, seat: int) -> OwnGameSchema:
    """Serialize a game for a list of the games of the player in `seat`."""
    state, other = found.state, 1 - seat
    level, rating = state.levels[other], found.ratings[other]
    turn = names.get_colour(state, state.turn)
    return OwnGameSchema(
        game_id=state.id,
        full_id=state.id,
        id=state.id,
        color=COLOURS[seat],
        role=state.rules.roles[seat],
        notation=state.notation,
        has_moved=bool(state.acted & 1 << seat),
        is_my_turn=turn == COLOURS[seat],
        last_move=state.last,
        opponent=Opponent(
            names.get_id(found.names[other]),
            found.names[other],
            _rating(rating),
            UNSET if level is None else level,
        ),
        perf=state.game,
        rated=state.rated,
        source="ai" if state.has_computer else "lobby",
        speed=names.get_speed(state.clock),
        status=StatusName(names.get_status(state)),
        variant=names.get_variant(state.game),
        compat=Compat(bot=True, board=True),
        seconds_left=get_time_left(state)[seat] // 1000 if state.clock else UNSET,
        winner=names.get_winner(state) or UNSET,
    )


def serialize_game_full(found: Read, moves: str) -> GameFull:
    """Return the first line of the stream of a game."""
    state, control = found.state, found.state.control
    return GameFull(
        id=state.id,
        variant=names.get_variant(state.game),
        speed=names.get_speed(state.clock),
        perf=PerfName(names.get_title(state.game)),
        rated=state.rated,
        created_at=to_milliseconds(state.created_at),
        white=_sitting(found, 0),
        black=_sitting(found, 1),
        initial_fen=state.rules.get_start(state.options).notation,
        clock=Clock(control.initial_ms, control.increment_ms) if control else None,
        state=serialize_game_state(state, moves),
    )


def serialize_game_state(state: MatchState, moves: str) -> GameState:
    """Return the current state of a game."""
    white, black = get_time_left(state)
    increment = state.control.increment_ms if state.control else 0
    return GameState(
        moves=moves,
        wtime=white,
        btime=black,
        winc=increment,
        binc=increment,
        wdraw=state.draw_by == 0,
        bdraw=state.draw_by == 1,
        status=names.get_status(state),
        ply=state.ply,
        turn=state.turn,
        notation=state.notation,
        goals=state.goals,
        ended=state.ended or None,
        winner=names.get_winner(state) or UNSET,
    )


def get_time_left(state: MatchState) -> tuple[int, int]:
    """Return the time that each seat has left now, in milliseconds.

    In an untimed match, it is `UNLIMITED`.
    """
    known = state.left_ms
    if known is None:
        return UNLIMITED, UNLIMITED
    spent = [0, 0]
    if state.turn is not None and state.acted:
        passed = (timezone.now() - state.acted_at).total_seconds()
        spent[state.rules.roles.index(state.turn)] = max(0, round(1000 * passed))
    return max(0, known[0] - spent[0]), max(0, known[1] - spent[1])


def list_moves(match_id: str) -> tuple[MatchState | None, list[str]]:
    """Return the state of a match and all its actions, or None and no actions if it is unknown."""
    found = next(list_records([match_id]), None)
    if found is None:
        return None, []
    return found.state, [move.action for move in found.moves[: found.state.ply]]


def render_kif(action: str) -> str:
    """Render an action in KIF, the syntax of GDL: "(drop 4)" for "drop 4"."""
    return f"({action})" if " " in action else action


def to_milliseconds(moment: datetime) -> int:
    """Convert a time to milliseconds since 1970."""
    return round(moment.timestamp() * 1000)


def _player(found: Read, seat: int) -> GamePlayer:
    state, rating = found.state, found.ratings[seat]
    role, level = state.rules.roles[seat], state.levels[seat]
    if level is not None:
        return GamePlayer(role, ai_level=level)
    name, title = found.names[seat], found.title(seat)
    user = GameUser(names.get_id(name), name, title or UNSET)
    if rating is None:
        return GamePlayer(role, user)
    before, provisional = names.parse_number(rating.before)
    after = None if rating.after is None else names.parse_number(rating.after)[0]
    return GamePlayer(
        role,
        user,
        rating=before,
        rating_diff=UNSET if after is None else after - before,
        provisional=provisional or UNSET,
    )


def _sitting(found: Read, seat: int) -> Sitting:
    state, name, rating = found.state, found.names[seat], found.ratings[seat]
    level = state.levels[seat]
    return Sitting(
        id=names.get_id(name),
        name=name,
        role=state.rules.roles[seat],
        title=found.title(seat),
        rating=_rating(rating),
        provisional=UNSET if rating is None else names.parse_number(rating.before)[1],
        ai_level=UNSET if level is None else level,
    )


def _rating(rating: SeatRating | None):  # type: ignore[no-untyped-def]  # returns a number or UNSET
    return UNSET if rating is None else names.parse_number(rating.before)[0]
