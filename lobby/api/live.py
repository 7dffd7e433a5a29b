"""Operations that stream events, games and seeks, and operations on TV channels."""

from typing import Annotated

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from games.match.setup import Setup, checked
from games.messages.refusal import Refused
from games.rules import DEFAULT_GAME, GAMES
from games.runtime.addresses import get_request_network
from games.store.aliases import get_aliases_of
from games.store.epoch import get_epoch
from lobby.accounts.tokens import Scope
from lobby.api import matches
from lobby.api.caller import find_caller, get_caller, get_viewer_id
from lobby.api.journal_requests import admit
from lobby.api.operations import call, list_of, read
from lobby.api.parameters import ChannelName, GameId, StreamId, up_to
from lobby.api.play import BOARD, BOT, must_be_a_bot
from lobby.api.responses import in_lines, json
from lobby.api.schemas.challenges import NewSeek, PairedSchema
from lobby.api.schemas.games import GameSchema
from lobby.api.schemas.streams import Channel, Event, FeedLine, GameLine, Watched
from lobby.api.streams.events import EventStream
from lobby.api.streams.game import GameStream, WatchStream
from lobby.api.streams.many_games import MOST_FOLLOWED, PlayersStream, SeveralStream
from lobby.api.streams.seeks import SeekStream
from lobby.api.streams.stream import build_response
from lobby.api.streams.tv import (
    BEST,
    FeedStream,
    get_featured_games,
    get_rating,
    list_channel_games,
    serialize_player,
)
from lobby.players.people import find_players
from lobby.seeks import matchmaking
from lobby.seeks.limits import may_seek
from lobby.seeks.rated import ANYBODY, Between, build_rating_range

EVENTS: tuple[Scope, ...] = ("games:play", "challenges", "bot")
_MOST_ON = 30
_MOST_PLAYERS = 50  # the maximum number of players that one stream follows


@call("GET", "/stream/event", tag="Board", gives=Event, in_lines=True, needs=EVENTS)
def stream_events(request: HttpRequest) -> HttpResponseBase:
    """Stream your events: games that start or finish, and challenges.

    Live games and open challenges come first. A token has only one such stream: opening another one
    ends the first.
    """
    return build_response(EventStream(get_caller(request), get_request_network(request)))


@call(
    "GET", "/board/game/stream/{game_id}", tag="Board", gives=GameLine, in_lines=True, needs=BOARD
)
def stream_board_game(request: HttpRequest, game_id: GameId) -> HttpResponseBase:
    """Stream your game: `gameFull`, then a line for each change.

    Each of these lines is `gameState` with the new state, `chatLine` with a phrase, or
    `opponentGone`. The stream ends with the game.
    """
    return _game_stream(request, game_id)


@call("GET", "/bot/game/stream/{game_id}", tag="Bot", gives=GameLine, in_lines=True, needs=BOT)
def stream_bot_game(request: HttpRequest, game_id: GameId) -> HttpResponseBase:
    """Stream your game as a bot, in the same form as the stream for boards."""
    must_be_a_bot(request)
    return _game_stream(request, game_id)


@call("GET", "/stream/game/{game_id}", tag="Games", gives=Watched, in_lines=True)
def stream_game(request: HttpRequest, game_id: GameId) -> HttpResponseBase:
    """Stream a game for watchers: its players, then each position.

    The stream ends with the game.
    """
    admitted = admit(find_caller(request), game_id, get_request_network(request))
    caller = find_caller(request)
    found = matches.read_match(game_id, get_viewer_id(request))
    if found is None:
        raise Http404
    return build_response(WatchStream(caller, get_request_network(request), admitted, found))


@call("POST", "/stream/games/{stream_id}", tag="Games", gives=GameSchema, in_lines=True, takes=str)
def stream_games(request: HttpRequest, stream_id: StreamId) -> HttpResponseBase:
    """Stream up to 50 games by their ids, separated by commas in the body.

    There is a line for the current state of each game, and another one when a live game ends. The
    stream ends with the last game. `stream_id` can be any text.
    """
    epoch, ids = get_epoch(), list_of(request, MOST_FOLLOWED)
    found = matches.read_matches(ids, get_viewer_id(request))
    return build_response(
        SeveralStream(find_caller(request), get_request_network(request), found, epoch)
    )


@call("POST", "/stream/games-by-users", tag="Games", gives=GameSchema, in_lines=True, takes=str)
def stream_games_of_users(
    request: HttpRequest,
    withCurrentGames: bool = False,  # noqa: N803  # the name that lichess uses
) -> HttpResponseBase:
    """Stream the games between up to 50 players by their names, separated by commas in the body.

    There is a line when a game starts, and another one when it ends. Both players of a game must be
    in the list. With `withCurrentGames`, live games come first. The stream follows at most 50 games
    at a time, and continues until you close it.
    """
    people = find_players(list_of(request, _MOST_PLAYERS), get_viewer_id(request))
    rows = frozenset[int]().union(*get_aliases_of([each.pk for each in people]).values())
    caller, address = find_caller(request), get_request_network(request)
    return build_response(PlayersStream(caller, address, rows, withCurrentGames))


@call(
    "POST",
    "/board/seek",
    tag="Board",
    gives=PairedSchema,
    in_lines=True,
    takes=NewSeek,
    needs=("games:play",),
)
def seek(request: HttpRequest) -> HttpResponseBase:
    """Seek an opponent in the lobby, for as long as the response is open.

    When an opponent is found, one line names the game, and the response ends. It also ends when the
    seek is cancelled.
    """
    caller, asked = get_caller(request), read(request, NewSeek)
    setup, wanted = _setup(asked), _range(asked.rating_range)
    if not may_seek(caller.player_id, get_request_network(request)):
        raise Refused("many-at-once")
    stream = SeekStream(caller, get_request_network(request))
    found = build_response(stream)  # if the stream is refused, no seek is listed
    stream.seek = matchmaking.create_seek(caller.player_id, setup, wanted=wanted)
    return found


# -- TV channels


@call("GET", "/tv/channels", tag="TV", gives=dict[str, Channel])
def channels(request: HttpRequest) -> HttpResponseBase:
    """Get the most watched game of each channel. A channel is a game's slug, or `best`.

    Channels without a game are left out.
    """
    return json(
        {
            name: Channel(serialize_player(found, 0), get_rating(found, 0), found.state.id, "white")
            for name, found in get_featured_games([BEST, *GAMES]).items()
        }
    )


@call("GET", "/tv/feed", tag="TV", gives=FeedLine, in_lines=True)
def feed(request: HttpRequest) -> HttpResponseBase:
    """Stream the most watched game. When another one takes its place, the stream changes to it."""
    return build_response(FeedStream(get_request_network(request), BEST))


@call("GET", "/tv/{channel}/feed", tag="TV", gives=FeedLine, in_lines=True)
def channel_feed(request: HttpRequest, channel: ChannelName) -> HttpResponseBase:
    """Stream the most watched game of a channel, as `/tv/feed` does for all games."""
    if channel != BEST and channel not in GAMES:
        raise Http404
    return build_response(FeedStream(get_request_network(request), channel))


@call("GET", "/tv/{channel}", tag="TV", gives=GameSchema, in_lines=True)
def channel_games(
    request: HttpRequest,
    channel: ChannelName,
    nb: Annotated[int, up_to(_MOST_ON)] = 10,
    moves: bool = True,
    clocks: bool = False,
) -> HttpResponseBase:
    """List up to `nb` games of a channel.

    Games between people come first, and the most watched ones before others. Games against the
    computer follow.
    """
    if channel != BEST and channel not in GAMES:
        raise Http404
    ids = [found.state.id for found in list_channel_games(channel, nb)]
    return in_lines(matches.serialize_games(ids, moves, clocks, viewer_id=None))


def _game_stream(request: HttpRequest, game_id: GameId) -> HttpResponseBase:
    caller = get_caller(request)
    admitted = admit(caller, game_id, get_request_network(request))
    if not admitted.seats:
        raise Refused("not-a-player")
    found = matches.read_match(game_id, caller.player_id)
    if found is None:
        raise Http404
    _, moves = matches.list_moves(game_id)
    return build_response(GameStream(caller, get_request_network(request), admitted, found, moves))


def _setup(asked: NewSeek) -> Setup:
    try:
        clock = f"{asked.time or 0}+{asked.increment or 0}" if asked.time or asked.increment else ""
        return checked(asked.variant or DEFAULT_GAME.slug, clock, "", asked.rated)
    except ValueError:
        raise Refused("malformed") from None


def _range(text: str) -> Between:
    if not text:
        return ANYBODY
    low, _, high = text.partition("-")
    if not (low.isascii() and low.isdigit() and high.isascii() and high.isdigit()):
        raise Refused("malformed")
    try:
        return build_rating_range(int(low), int(high))
    except ValueError:
        raise Refused("malformed") from None
