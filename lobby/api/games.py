"""Operations that export games: one, several, or those of a player."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import resolve
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET

from games.models import StoredSheet
from games.runtime.streaming import ChunkedResponse
from games.store.proof import replay_moves
from games.store.records import get_record
from lobby.api import matches
from lobby.api.caller import get_viewer_id
from lobby.api.operations import LINES, TEXT, call, list_of
from lobby.api.parameters import GameId, GameSlug, Millis, Most, PlayerName
from lobby.api.responses import json, tag_response
from lobby.api.schemas.games import COLOURS, Colour, GameSchema
from lobby.api.users import person
from lobby.players import games as played
from lobby.players.games import Filters, PlayerMatch

MOST = 300  # the maximum number of ids in one request
_GAMES_PER_QUERY = 25
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@call("POST", "/games/export/_ids", tag="Games", gives=GameSchema, in_lines=True, takes=str)
def export_games(
    request: HttpRequest, moves: bool = True, clocks: bool = False
) -> HttpResponseBase:
    """Export up to 300 games by their ids, separated by commas in the body.

    Unknown ids are left out.
    """
    ids, viewer = list_of(request, MOST), get_viewer_id(request)

    def pieces() -> Iterator[bytes]:
        for i in range(0, len(ids), _GAMES_PER_QUERY):
            yield _lines(
                list(matches.serialize_games(ids[i : i + _GAMES_PER_QUERY], moves, clocks, viewer))
            )

    return ChunkedResponse(pieces(), content_type=LINES)


@call("GET", "/games/export/{game_id}", tag="Games", gives=GameSchema)
def export_game(
    request: HttpRequest, game_id: GameId, moves: bool = True, clocks: bool = False
) -> HttpResponse:
    """Export one game. The address `/game/export/{game_id}` is an alias.

    With `clocks`, `times` has the time and the duration of each action.
    """
    found, stored = matches.read_match(game_id, get_viewer_id(request)), None
    if found is not None:
        stored = get_record(game_id)
    if found is None or stored is None:
        raise Http404
    answer = json(matches.serialize_game(found, stored, moves, clocks))
    if not found.is_public:
        answer.headers["Cache-Control"] = "private, no-store"
    if stored.state.is_live or not found.is_public:
        return answer
    answer = tag_response(request, answer)
    answer.headers["Cache-Control"] = "public, max-age=60"
    return answer


@call("GET", "/games/export/{game_id}/moves.kif", tag="Games", gives=str)
def export_moves(request: HttpRequest, game_id: GameId) -> HttpResponse:
    """Export the actions of one game in GDL, the Game Description Language.

    Each line has the actions of both roles, in the order of the roles: "((drop 4) noop)".
    """
    found, stored = matches.read_match(game_id, get_viewer_id(request)), None
    if found is not None:
        stored = get_record(game_id)
    if found is None or stored is None:
        raise Http404
    positions = replay_moves(stored.state, stored.moves).positions
    steps = [
        " ".join(map(matches.render_kif, before.get_step(move.action)))
        for before, move in zip(positions[:-1], stored.moves, strict=False)
    ]
    text = "".join(f"({step})\n" for step in steps)
    answer = HttpResponse(text, content_type=f"{TEXT}; charset=utf-8")
    answer.headers["Cache-Control"] = "no-cache" if found.is_public else "private, no-store"
    return answer


@call("GET", "/games/{slug}/sheet.kif", tag="Games", gives=str)
def game_sheet(request: HttpRequest, slug: GameSlug) -> HttpResponse:
    """Get the rule sheet of a game in GDL, the Game Description Language.

    Games from rule sheets have one; games that are written in Python do not. A sheet never changes.
    """
    text = StoredSheet.objects.filter(pk=slug).values_list("sheet", flat=True).first()
    if text is None:
        raise Http404
    answer = HttpResponse(text, content_type=f"{TEXT}; charset=utf-8")
    answer.headers["Cache-Control"] = "public, max-age=3600"
    return answer


@csrf_exempt  # the view ignores cookies
@require_GET
def export_alias(request: HttpRequest, game_id: GameId) -> HttpResponseBase:
    """Export one game at the address that lichess's clients use."""
    found = resolve(f"/api/games/export/{game_id}")
    answer: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
    return answer


@call("GET", "/games/user/{name}", tag="Games", gives=GameSchema, in_lines=True)
def games_of_user(
    request: HttpRequest,
    name: PlayerName,
    since: Millis | None = None,
    until: Millis | None = None,
    max: Most | None = None,  # noqa: A002  # the name that lichess uses
    vs: PlayerName | None = None,
    rated: bool | None = None,
    perfType: GameSlug | None = None,  # noqa: N803  # the name that lichess uses
    color: Colour | None = None,
    moves: bool = True,
    clocks: bool = False,
    ongoing: bool = False,
    finished: bool = True,
) -> HttpResponseBase:
    """Export a player's games, newest first.

    The finished games are those that ended between `since` and `until`, in milliseconds since 1970.
    With `ongoing`, up to 50 live games come first. `vs` is the name of an opponent. `perfType` is a
    game's slug.
    """
    found, viewer = person(request, name), get_viewer_id(request)
    opponent = None if vs is None else person(request, vs)
    wanted = Filters(game=perfType, opponent=opponent, rated=rated)
    live = []
    if ongoing:
        live = [each for each in played.list_live(found.pk, viewer) if _fits(each, wanted)]

    def pieces() -> Iterator[bytes]:
        left = 2**62 if max is None else max
        for some in _found(found.pk, wanted, live, since, until, finished, viewer):
            ids = [each.state.id for each in some if color in {None, COLOURS[each.seat]}][:left]
            left -= len(ids)
            yield _lines(list(matches.serialize_games(ids, moves, clocks, viewer)))
            if left <= 0:
                return

    return ChunkedResponse(pieces(), content_type=LINES)


@call("GET", "/user/{name}/current-game", tag="Games", gives=GameSchema)
def current_game(
    request: HttpRequest, name: PlayerName, moves: bool = True, clocks: bool = False
) -> HttpResponse:
    """Export the current or the last game of a player."""
    found, viewer = person(request, name), get_viewer_id(request)
    entries = played.list_live(found.pk, viewer)[:1]
    entries = entries or played.list_history(found.pk, Filters(), most=1, viewer_id=viewer).entries
    if not entries:
        raise Http404
    return json(next(matches.serialize_games([entries[0].state.id], moves, clocks, viewer)))


def _found(
    player_id: int,
    wanted: Filters,
    live: list[PlayerMatch],
    since: int | None,
    until: int | None,
    finished: bool,
    viewer: int | None,
) -> Iterator[list[PlayerMatch]]:
    """Yield the games in groups: those in `live`, then the finished games, newest first.

    If `finished` is false, yield only those in `live`. `since` and `until` do not apply to those.
    """
    if live:
        yield live
    before = "" if until is None else f"{until * 1000 + 999}-{2**63 - 1}"
    while finished:
        page = played.list_history(player_id, wanted, before, _GAMES_PER_QUERY, viewer_id=viewer)
        yield [each for each in page.entries if since is None or _ended(each) >= since]
        before = page.next
        if not before or (page.entries and since is not None and _ended(page.entries[-1]) < since):
            return


def _ended(entry: PlayerMatch) -> int:
    assert entry.row is not None
    return int((entry.row.ended_at - _EPOCH) / timedelta(milliseconds=1))


def _fits(entry: PlayerMatch, wanted: Filters) -> bool:
    return (
        wanted.game in {None, entry.state.game}
        and (wanted.rated is None or wanted.rated == entry.state.rated)
        and (wanted.opponent is None or wanted.opponent.pk == entry.opponent.pk)
    )


def _lines(games: list[GameSchema]) -> bytes:
    return b"".join(msgspec.json.encode(game) + b"\n" for game in games)
