"""Operations on tournaments: list, create, show, join, withdraw, end, results and games.

A tournament is created in the same way as from the site's form.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Annotated

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from msgspec.structs import fields

from games.match.setup import Setup
from games.messages import build_message, render_english
from games.messages.refusal import Refused
from games.rules import DEFAULT_GAME
from games.runtime.addresses import get_request_network
from games.runtime.streaming import ChunkedResponse
from lobby.accounts.tokens import Scope
from lobby.api import event_stream_leases, matches
from lobby.api.caller import find_caller, get_caller, get_viewer_id
from lobby.api.operations import LINES, Ok, call, read
from lobby.api.parameters import Most, Page, PlayerName, TournamentCode, TournamentId, up_to
from lobby.api.responses import in_lines, json, tag_response
from lobby.api.schemas.games import GameSchema
from lobby.api.schemas.tournaments import (
    Entering,
    Events,
    EventSchema,
    NewEvent,
    ResultSchema,
    WholeEvent,
)
from lobby.api.tournament_serializers import (
    results_of,
    serialize_tournament,
    serialize_whole_tournament,
)
from lobby.api.users import person
from lobby.models import Entry, Player, Tournament
from lobby.models.tournament import LONGEST_TITLE
from lobby.tournaments import organiser_actions, presence, queries, registration, series
from lobby.tournaments.draft import BadDraftError, Draft, create_tournament

TAKES_PART: tuple[Scope, ...] = ("tournaments",)
_TAG = "Tournaments"
_MOST_BY_ORGANISER = 100
_GAMES_PER_QUERY = 25
State = Tournament.State


@call("GET", "/tournament", tag=_TAG, gives=Events)
def tournaments(request: HttpRequest) -> Events:
    """List upcoming, running and finished tournaments, at most 25 of each.

    With the scope `tournaments`, the tournaments of your groups are included.
    """
    player = _viewer(request)
    lists = (
        queries.list_upcoming_tournaments(player),
        queries.list_running_tournaments(player),
        queries.list_finished_tournaments(player),
    )
    return Events(
        *([serialize_tournament(each) for each in rows[: queries.PAGE]] for rows in lists)
    )


@call("POST", "/tournament", tag=_TAG, gives=WholeEvent, takes=NewEvent, needs=TAKES_PART)
def make_tournament(request: HttpRequest) -> WholeEvent:
    """Create a tournament.

    If fields are invalid, the `where` of the error names all of them, and its code is about the
    first.
    """
    player = get_caller(request).player
    made = made_of(player, read(request, NewEvent))
    return serialize_whole_tournament(made, player)


@call("GET", "/tournament/{tournament_id}", tag=_TAG, gives=WholeEvent)
def tournament(request: HttpRequest, tournament_id: TournamentId, page: Page = 1) -> HttpResponse:
    """Get one tournament, with up to ten rows of its standings.

    A group's tournament is visible only to members of the group and to players who can manage it.
    Their token needs the scope `tournaments`.
    """
    found, player = _seen(request, tournament_id), _viewer(request)
    return _tagged(request, found, json(serialize_whole_tournament(found, player, page)))


@call("POST", "/tournament/{tournament_id}/join", tag=_TAG, takes=Entering, needs=TAKES_PART)
def join_tournament(
    request: HttpRequest,
    tournament_id: TournamentId,
    password: TournamentCode | None = None,
    pairMeAsap: bool = False,  # noqa: N803  # the name that lichess uses
) -> Ok:
    """Join a tournament, or rejoin it after a withdrawal. Repeating the request changes nothing.

    An arena pairs players who have its page open, who have their event stream open, or who sent
    `pairMeAsap` in the last 20 seconds. Bots can join only arenas with `botsAllowed`.
    """
    player, found = get_caller(request).player, _seen(request, tournament_id)
    given = read(request, Entering)
    code = (given.password or password or "")[:40]
    registration.register_player(player, found, code, get_request_network(request))
    if given.pair_me_asap or pairMeAsap or event_stream_leases.has_stream(player.pk):
        presence.record_present(found.pk, [player.pk])
    return Ok()


@call("POST", "/tournament/{tournament_id}/withdraw", tag=_TAG, needs=TAKES_PART)
def withdraw_from_tournament(request: HttpRequest, tournament_id: TournamentId) -> Ok:
    """Withdraw from a tournament. Repeating the request changes nothing."""
    player, found = get_caller(request).player, _seen(request, tournament_id)
    own = queries.get_entry(found, player)
    if own is None or own.state in (Entry.State.WITHDRAWN, Entry.State.INVITED):
        return Ok()  # the player does not take part
    registration.unregister_player(player, found)
    return Ok()


@call("POST", "/tournament/{tournament_id}/terminate", tag=_TAG, needs=TAKES_PART)
def end_tournament(request: HttpRequest, tournament_id: TournamentId) -> Ok:
    """End your tournament early, or cancel it before it starts."""
    player, found = get_caller(request).player, _seen(request, tournament_id)
    if found.state == State.RUNNING:
        organiser_actions.end_tournament_early(player, found.pk)
    else:
        organiser_actions.cancel_before_start(player, found.pk)
    return Ok()


@call("GET", "/tournament/{tournament_id}/results", tag=_TAG, gives=ResultSchema, in_lines=True)
def tournament_results(
    request: HttpRequest, tournament_id: TournamentId, nb: Most | None = None
) -> HttpResponse:
    """List the standings, or only their first `nb` rows."""
    found = _seen(request, tournament_id)
    return _tagged(request, found, in_lines(results_of(found, 0, nb)))


@call("GET", "/tournament/{tournament_id}/games", tag=_TAG, gives=GameSchema, in_lines=True)
def tournament_games(
    request: HttpRequest, tournament_id: TournamentId, moves: bool = True, clocks: bool = False
) -> HttpResponseBase:
    """List the games of a tournament, by round and board."""
    found, viewer = _seen(request, tournament_id), get_viewer_id(request)

    def pieces() -> Iterator[bytes]:
        for ids in queries.iterate_match_ids(found, _GAMES_PER_QUERY):
            games = matches.serialize_games(ids, moves, clocks, viewer)
            yield b"".join(msgspec.json.encode(game) + b"\n" for game in games)

    return ChunkedResponse(pieces(), content_type=LINES)


@call("GET", "/user/{name}/tournament/created", tag=_TAG, gives=EventSchema, in_lines=True)
def tournaments_made_by(
    request: HttpRequest,
    name: PlayerName,
    nb: Annotated[int, up_to(_MOST_BY_ORGANISER)] = _MOST_BY_ORGANISER,
) -> HttpResponse:
    """List up to 100 tournaments of an organiser, latest start first."""
    rows = queries.list_tournaments_by_organiser(_viewer(request), person(request, name), nb)
    return in_lines(serialize_tournament(each) for each in rows)


def _viewer(request: HttpRequest) -> Player | None:
    """Return the caller, or None if there is no token with the scope `tournaments`.

    Without that scope, a program sees only what everybody can see.
    """
    caller = find_caller(request)
    return caller.player if caller is not None and "tournaments" in caller.scopes else None


def _seen(request: HttpRequest, tournament_id: TournamentId) -> Tournament:
    """Return the tournament. Raise `Http404` if it does not exist or the viewer cannot see it."""
    found = queries.get_visible_tournament(_viewer(request), tournament_id)
    if found is None:
        raise Http404
    return found


def _tagged(request: HttpRequest, found: Tournament, answer: HttpResponse) -> HttpResponse:
    """Return the response, with an ETag if the tournament is finished."""
    if found.state != State.OVER:
        return answer
    answer = tag_response(request, answer)
    answer.headers["Vary"] = "Authorization"
    return answer


Registration = Tournament.Registration

_DEFAULT_WAIT = 5  # minutes until the start
_WEEK = 7  # days
_ASKED = {"about": "description", "kind": "system", "setup": "variant", "starts_at": "start_date"}
"""The fields of a draft whose names in `NewEvent` are different, with those names."""
_SHOWN = {each.name: each.encode_name for each in fields(NewEvent)}


def made_of(player: Player, asked: NewEvent) -> Tournament:
    """Create a tournament, with its series if it is weekly.

    Raise `Refused` if the tournament is not allowed. If that is because of fields, `where` in the
    refusal has their names.
    """
    try:
        made = create_tournament(player, _draft(player, asked))
    except BadDraftError as error:
        why = next(iter(error.faults.values()))
        where = " ".join(_SHOWN[_ASKED.get(name, name)] for name in error.faults)
        raise Refused(why.code, **{**why.params, "where": where}) from None
    if asked.weekly:
        series.create_series(player, made.pk, made.name, _WEEK, min(asked.best, series.MOST))
        made.refresh_from_db()
    return made


def _draft(player: Player, asked: NewEvent) -> Draft:
    name = (
        asked.name
        or render_english(build_message("tournament.of", name=player.name))[:LONGEST_TITLE]
    )
    group = asked.group or None
    ties = [each.strip() for each in (asked.tie_breaks or "").split(",") if each.strip()]
    return Draft(
        name=name,
        kind=asked.system,
        setup=Setup(
            asked.variant or DEFAULT_GAME.slug, _clock(asked), asked.options, bool(asked.rated)
        ),
        starts_at=_start(asked),
        about=asked.description or "",
        rounds=asked.rounds or 0,
        is_double=asked.is_double,
        minutes=asked.minutes or 0,
        best_of=asked.best_of,
        third_place=asked.third_place,
        tie_breaks=tuple(ties) or None,
        registration=asked.registration or (Registration.GROUP if group else Registration.OPEN),
        group_id=group,
        guests=asked.guests,
        bots=asked.bots,
        lowest=asked.lowest,
        highest=asked.highest,
        most=asked.most,
        opens_at=None if asked.opens_at is None else _moment(asked.opens_at),
        check_in_minutes=asked.check_in_minutes,
        pace=asked.pace,
        round_minutes=asked.round_minutes,
        late_minutes=asked.late_minutes,
    )


def _clock(asked: NewEvent) -> str:
    if not asked.clock_time and not asked.clock_increment:
        return ""
    return f"{asked.clock_time or 0}+{asked.clock_increment or 0}"


def _start(asked: NewEvent) -> datetime:
    if asked.start_date is not None:
        return _moment(asked.start_date)
    wait = _DEFAULT_WAIT if asked.wait_minutes is None else asked.wait_minutes
    return timezone.now() + timedelta(minutes=wait)


def _moment(millis: int) -> datetime:
    return datetime.fromtimestamp(millis / 1000, UTC)
