"""Operations on tournaments: list, show, create, join, withdraw, results, games."""

from collections.abc import Callable, Iterator
from hashlib import blake2s
from typing import Annotated

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import quote_etag

from games.runtime.addresses import get_request_network
from games.runtime.streaming import ChunkedResponse
from lobby.accounts.tokens import Scope
from lobby.api import event_stream_leases, matches
from lobby.api.caller import find_caller, get_caller, get_viewer_id
from lobby.api.operations import LINES, Ok, call, read
from lobby.api.parameters import Most, Page, PlayerName, TournamentCode, TournamentId, up_to
from lobby.api.responses import in_lines, json
from lobby.api.schemas.games import GameSchema
from lobby.api.schemas.tournaments import (
    Entering,
    Events,
    EventSchema,
    NewEvent,
    ResultSchema,
    WholeEvent,
)
from lobby.api.tournament_creation import made_of
from lobby.api.tournament_serializers import (
    results_of,
    serialize_tournament,
    serialize_whole_tournament,
)
from lobby.api.users import person
from lobby.models import Entry, Player, Tournament
from lobby.tournaments import organiser_actions, presence, queries, registration
from lobby.tournaments.names import get_visibility_mark

TAKES_PART: tuple[Scope, ...] = ("tournaments",)
_TAG = "Tournaments"
_MOST = 100  # the maximum number of tournaments of one organiser in a response
_SOME = 25  # games that one query reads
State = Tournament.State


@call("GET", "/tournament", tag=_TAG, gives=Events)
def tournaments(request: HttpRequest) -> Events:
    """List upcoming, running and finished tournaments, 25 of each.

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

    If it is refused, `where` has all invalid fields, and the code is about the first one.
    """
    player = get_caller(request).player
    made = made_of(player, read(request, NewEvent))
    return serialize_whole_tournament(made, player)


@call("GET", "/tournament/{tournament_id}", tag=_TAG, gives=WholeEvent)
def tournament(request: HttpRequest, tournament_id: TournamentId, page: Page = 1) -> HttpResponse:
    """Get one tournament, with ten rows of its standings.

    Only members can see the tournament of a group, with the scope `tournaments`.
    """
    found, player = _seen(request, tournament_id), _viewer(request)
    return _tagged(
        request, found, f"{page}", lambda: json(serialize_whole_tournament(found, player, page))
    )


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
        return Ok()  # the player has not joined
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
    """List the first `nb` rows of the standings."""
    found = _seen(request, tournament_id)
    return _tagged(request, found, f"results {nb}", lambda: in_lines(results_of(found, 0, nb)))


@call("GET", "/tournament/{tournament_id}/games", tag=_TAG, gives=GameSchema, in_lines=True)
def tournament_games(
    request: HttpRequest, tournament_id: TournamentId, moves: bool = True, clocks: bool = False
) -> HttpResponseBase:
    """List all games of a tournament, by round and board."""
    found, viewer = _seen(request, tournament_id), get_viewer_id(request)

    def pieces() -> Iterator[bytes]:
        for ids in queries.iterate_match_ids(found, _SOME):
            games = matches.serialize_games(ids, moves, clocks, viewer)
            yield b"".join(msgspec.json.encode(game) + b"\n" for game in games)

    return ChunkedResponse(pieces(), content_type=LINES)


@call("GET", "/user/{name}/tournament/created", tag=_TAG, gives=EventSchema, in_lines=True)
def tournaments_made_by(
    request: HttpRequest, name: PlayerName, nb: Annotated[int, up_to(_MOST)] = _MOST
) -> HttpResponse:
    """List up to 100 tournaments of an organiser, starting with the latest."""
    rows = queries.list_tournaments_by_organiser(_viewer(request), person(request, name), nb)
    return in_lines(serialize_tournament(each) for each in rows)


def _viewer(request: HttpRequest) -> Player | None:
    """Return the caller, or None without the scope that shows more than everybody can see."""
    caller = find_caller(request)
    return caller.player if caller is not None and "tournaments" in caller.scopes else None


def _seen(request: HttpRequest, tournament_id: TournamentId) -> Tournament:
    """Return the tournament. Raise `Http404` if it does not exist or the viewer cannot see it."""
    found = queries.get_visible_tournament(_viewer(request), tournament_id)
    if found is None:
        raise Http404
    return found


def _tagged(
    request: HttpRequest, found: Tournament, part: str, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return the response, with an ETag if the tournament is finished."""
    if found.state != State.OVER:
        return make()
    player = _viewer(request)
    mark = f"{found.pk} {found.version} {part} {player and player.pk} {get_visibility_mark(found)}"
    tag = quote_etag(blake2s(mark.encode(), digest_size=12).hexdigest())
    is_known = tag in request.headers.get("If-None-Match", "")
    answer = HttpResponse(status=304) if is_known else make()
    answer.headers["ETag"] = tag
    answer.headers["Vary"] = "Authorization"
    return answer
