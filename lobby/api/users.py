"""Operations on players: profiles, ratings, leaderboards, status, bots and crosstables."""

from collections import Counter
from datetime import timedelta
from typing import Annotated

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from msgspec import UNSET
from msgspec.structs import replace

from games.match.setup import RATED_GAMES
from games.messages.refusal import Refused
from games.rules import GAMES
from games.store.suspensions import find_suspended_rows
from lobby.api import names
from lobby.api.caller import get_viewer_id
from lobby.api.event_stream_leases import following
from lobby.api.matches import to_milliseconds
from lobby.api.operations import call, text_of
from lobby.api.parameters import Names, PlayerName, Rank, RatedGame, up_to
from lobby.api.responses import in_lines
from lobby.api.schemas.people import (
    Count,
    Crosstable,
    History,
    Leader,
    Leaders,
    LightUser,
    Perf,
    PerfPage,
    Status,
    User,
)
from lobby.models import Player, Rating, Tally
from lobby.players import games as played
from lobby.players.history import get_head_to_head
from lobby.players.people import find_player, find_players
from lobby.privacy.visibility import build_public_condition
from lobby.ratings import leaderboards
from lobby.ratings import rating_history as course
from lobby.ratings.standing import build_current_rating

MOST = 300  # the maximum number of names in one request
_MOST_STATUS = 100
# Players count as online and playing for this long after the latest action in their live game.
_ACTIVE = timedelta(minutes=5)
_TOP = 10
_MOST_BOTS = 100


@call("GET", "/user/{name}", tag="Players", gives=User)
def user(request: HttpRequest, name: PlayerName) -> User:
    """Get a player, with ratings and numbers of games."""
    found = person(request, name)
    live = played.list_live(found.pk, get_viewer_id(request))
    shown = serialize_users([found])[0]
    return replace(shown, playing=f"/match/{live[0].state.id}/") if live else shown


@call("POST", "/users", tag="Players", gives=list[User], takes=str)
def users(request: HttpRequest) -> list[User]:
    """List up to 300 players by their names, separated by commas in the body.

    Unknown names are left out.
    """
    wanted = [each for each in text_of(request).split(",") if each.strip()]
    if len(wanted) > MOST:
        raise Refused("malformed")
    return serialize_users(find_players(wanted, get_viewer_id(request)))


@call("GET", "/users/status", tag="Players", gives=list[Status])
def status(request: HttpRequest, ids: Names, withGameIds: bool = False) -> list[Status]:  # noqa: N803  # the name that lichess uses
    """List the status of up to 100 players (online, playing) by their names.

    The names are separated by commas. Unknown names are left out.
    """
    wanted = [each for each in ids.split(",") if each.strip()]
    if len(wanted) > _MOST_STATUS:
        raise Refused("malformed")
    viewer = get_viewer_id(request)
    people = find_players(wanted, viewer)
    live = played.get_last_live([each.pk for each in people], viewer)
    since = timezone.now() - _ACTIVE
    found = []
    for each in people:
        match_id, acted_at = live.get(each.pk, (None, None))
        active = acted_at is not None and acted_at > since
        found.append(
            Status(
                names.get_id(each.name),
                names.remove_mark(each.name),
                _title(each),
                True if active else UNSET,
                True if active else UNSET,
                match_id if withGameIds and match_id else UNSET,
            )
        )
    return found


@call("GET", "/bot/online", tag="Bot", gives=User, in_lines=True)
def online_bots(
    request: HttpRequest, nb: Annotated[int, up_to(_MOST_BOTS)] = _MOST_BOTS
) -> HttpResponse:
    """List bots that are online.

    These are the bots whose `/api/stream/event` is open. If the stream's server fails, a bot stays
    in the list until its token has not been used for two minutes.
    """
    people = Player.objects.filter(
        build_public_condition(), is_bot=True, is_active=True, pk__in=following()
    )
    found = list(people.order_by("pk")[:nb])
    held = find_suspended_rows([each.pk for each in found])
    return in_lines(serialize_users([each for each in found if each.pk not in held]))


@call("GET", "/user/{name}/rating-history", tag="Players", gives=list[History])
def rating_history(request: HttpRequest, name: PlayerName) -> list[History]:
    """Get a player's ratings over the last year."""
    found = person(request, name)
    return [
        History(
            names.get_title(pool.game),
            [
                (each.day.year, each.day.month - 1, each.day.day, round(each.rating))
                for each in course.rating_history(found.pk, pool.game)
            ],
        )
        for pool in course.list_game_ratings(found.pk)
    ]


@call("GET", "/user/{name}/perf/{perf}", tag="Players", gives=PerfPage)
def performance(request: HttpRequest, name: PlayerName, perf: RatedGame) -> PerfPage:
    """Get a player's rating and rank in one game."""
    found = person(request, name)
    if perf not in RATED_GAMES:
        raise Http404
    pools = {pool.game: pool for pool in course.list_game_ratings(found.pk)}
    pool, place = pools.get(perf), leaderboards.get_rank(perf, found.pk)
    known = None if pool is None else pool.standing
    return PerfPage(
        light(found),
        {
            "nb": 0 if known is None else known.games,
            "glicko": {}
            if known is None
            else {
                "rating": round(known.rating, 1),
                "deviation": round(known.deviation, 1),
                "provisional": known.is_provisional,
            },
            "streak": 0 if pool is None else pool.streak,
            "longest": 0 if pool is None else pool.longest,
        },
        None if place is None else place.rank,
        None if place is None else place.better_than,
    )


@call("GET", "/player", tag="Players", gives=dict[str, list[Leader]])
def top(request: HttpRequest) -> dict[str, list[Leader]]:
    """List the highest-rated people in each game, at most ten.

    Provisional ratings are left out, and so are players who have not played recently.
    """
    return {game: leaders(game, _TOP) for game in RATED_GAMES}


@call("GET", "/player/top/{count}/{perf}", tag="Players", gives=Leaders)
def leaderboard(request: HttpRequest, count: Rank, perf: RatedGame, bots: bool = False) -> Leaders:
    """List the highest-rated people in one game or, with `bots`, the highest-rated bots."""
    if perf not in RATED_GAMES or not 0 < count <= leaderboards.LISTED:
        raise Http404
    return Leaders(leaders(perf, count, bots))


@call("GET", "/crosstable/{one}/{other}", tag="Players", gives=Crosstable)
def crosstable(request: HttpRequest, one: PlayerName, other: PlayerName) -> Crosstable:
    """Get the score of two players against each other."""
    first, second = person(request, one), person(request, other)
    if first.pk == second.pk:
        raise Http404
    found = get_head_to_head(first.pk, second.pk)
    return Crosstable(
        {
            names.get_id(first.name): found.won + found.drawn / 2,
            names.get_id(second.name): found.lost + found.drawn / 2,
        },
        found.played,
    )


def person(request: HttpRequest, name: str) -> Player:
    """Return the player with this name.

    Raise `Http404` if there is none, or if the player is hidden from the caller.
    """
    found = find_player(name, get_viewer_id(request))
    if found is None:
        raise Http404
    return found


def light(player: Player, game: str | None = None) -> LightUser:
    """Serialize a player for a list, with the rating in `game` if there is one."""
    rating = None
    if game in RATED_GAMES and not player.is_guest:
        row = Rating.objects.filter(player=player, game=game).first()
        rating = None if row is None else build_current_rating(row, timezone.now())
    return LightUser(
        names.get_id(player.name),
        names.remove_mark(player.name),
        _title(player),
        UNSET if rating is None else round(rating.rating),
        UNSET if rating is None else rating.is_provisional,
    )


def serialize_users(people: list[Player]) -> list[User]:
    """Serialize what everybody can see of these players, with two queries."""
    now = timezone.now()
    ids = [each.pk for each in people]
    perfs: dict[int, dict[str, Perf]] = {pk: {} for pk in ids}
    for row in Rating.objects.filter(player__in=ids):
        standing = build_current_rating(row, now)
        perfs[row.player_id][row.game] = Perf(
            standing.games,
            round(standing.rating),
            round(standing.deviation),
            prov=standing.is_provisional or UNSET,
        )
    counts: dict[int, Counter[str]] = {pk: Counter() for pk in ids}
    for tally in Tally.objects.filter(player__in=ids, game__in=GAMES):
        counts[tally.player_id].update(won=tally.won, drawn=tally.drawn, lost=tally.lost)
    return [
        User(
            id=names.get_id(each.name),
            username=names.remove_mark(each.name),
            url=f"/player/{each.username}/",
            created_at=to_milliseconds(each.date_joined),
            perfs=perfs[each.pk],
            count=_count(counts[each.pk]),
            title=_title(each),
            guest=each.is_guest or UNSET,
        )
        for each in people
    ]


def leaders(game: str, most: int, bots: bool = False) -> list[Leader]:
    """Return the rows of a game's leaderboard, highest rating first, for people or for bots.

    Players with a provisional rating are left out.
    """
    return [
        Leader(
            names.get_id(each.name),
            names.remove_mark(each.name),
            {game: {"rating": int(each.shown.rstrip("?"))}},
            names.BOT if bots else UNSET,
        )
        for each in leaderboards.get_leaderboard(game, most=most, bots=bots)
    ]


def _count(found: Counter[str]) -> Count:
    won, lost, drawn = found["won"], found["lost"], found["drawn"]
    return Count(won + lost + drawn, won, lost, drawn)


def _title(player: Player):  # type: ignore[no-untyped-def]  # returns a text or UNSET
    return names.BOT if player.is_bot or player.bot_level is not None else UNSET
