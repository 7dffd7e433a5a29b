"""Open seeks: those listed in lobbies, and those that a waiting player could join instead.

Seeks with the same setup are paired without asking. If two players chose different clocks or
options, or only one of them chose a rated match, each of them is offered the seek of the other,
within the limits below. Only seeks that the player may join are offered (see
`lobby.seeks.matchmaking.get_joinable_seek`), and only one from each other player for each game and
lobby.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from msgspec import Struct

from games.match.setup import Setup
from games.rules import GAMES
from games.store.aliases import name_at
from games.store.suspensions import get_suspensions
from games.store.visibility import find_hidden_glances
from lobby.models import Block, Seek
from lobby.privacy.protection import find_strangers
from lobby.ratings.standing import CurrentRating, get_standings_in

OFFERS_PER_SEEK = 3
OFFERS_PER_PLAYER = 5
_SEEKS_READ = 2000  # the maximum number of seeks to read, those with the longest wait
# The maximum number of seeks to choose from, for each player, game and lobby.
_SEEKS_CONSIDERED = 300


class OpenSeek(Struct, frozen=True):
    """A listed seek, with the name and status of its player."""

    pk: str
    player_id: int
    game: str
    clock: str
    options: str
    rated: bool
    group: str | None
    lowest: int
    highest: int
    player: str
    is_guest: bool
    is_protected: bool

    @property
    def setup(self) -> Setup:
        return Setup(self.game, self.clock, self.options, self.rated)


class Offer(Struct, frozen=True):
    """Another player's seek, offered to the player who is waiting with the seek `mine`.

    `rating` is the displayed rating of the other player, if the match is rated.
    """

    seek: OpenSeek
    mine: str
    rating: str | None = None


_Place = tuple[str, str | None]  # a game, and the group in whose lobby a seek is listed
_Ratings = Mapping[tuple[int, str], CurrentRating]
_Pair = frozenset[int]

_COLUMNS = ("pk", "player_id", "game", "clock", "options", "rated", "group", "lowest", "highest")
_PLAYER = (name_at("player"), "player__is_guest", "player__is_protected")


def read_offers(player_ids: Collection[int], games: Collection[str]) -> dict[int, list[Offer]]:
    """Return a dictionary that maps players with open seeks to the seeks that are offered to them.

    Only seeks for `games` count. Those that have waited longest come first, so that new seeks do
    not displace them. One query reads the seeks, and a fixed number of further queries the ratings
    and the pairs of players who must not meet.
    """
    if not games:
        return {}
    places: defaultdict[_Place, list[OpenSeek]] = defaultdict(list)
    for seek in _read_seeks(games):
        places[seek.game, seek.group].append(seek)
    together = [seeks for seeks in places.values() if len({each.player_id for each in seeks}) > 1]
    if not together:
        return {}
    ratings, are_apart = _get_ratings(together), _find_apart(together)
    found: dict[int, list[Offer]] = {}
    for seeks in together:
        own: defaultdict[int, list[OpenSeek]] = defaultdict(list)
        for seek in seeks:
            own[seek.player_id].append(seek)
        casual = [seek for seek in seeks if not seek.rated]
        for player_id in own.keys() & set(player_ids):
            mine = own[player_id]
            able = casual if mine[0].is_guest else seeks
            offers = _choose_offers(mine, able[:_SEEKS_CONSIDERED], ratings, are_apart)
            found[player_id] = [*found.get(player_id, ()), *offers][:OFFERS_PER_PLAYER]
    return _remove_forbidden(found)


def _read_seeks(games: Collection[str]) -> Iterable[OpenSeek]:
    able = get_listed_seeks().filter(
        game__in=games,
        player__is_active=True,
        player__is_bot=False,
        player__must_rename=False,
    )
    rows = able.order_by("created_at", "pk").values_list(*_COLUMNS, *_PLAYER)
    return [OpenSeek(*row) for row in rows[:_SEEKS_READ]]


def _get_ratings(together: Sequence[Sequence[OpenSeek]]) -> _Ratings:
    """Return the ratings of players with accounts, in the games for which there is a rated seek.

    The keys are pairs of a player id and a game.
    """
    return get_standings_in(
        {
            (seek.player_id, seek.game)
            for seeks in together
            if any(each.rated for each in seeks)
            for seek in seeks
            if not seek.is_guest
        }
    )


def _find_apart(together: Sequence[Sequence[OpenSeek]]) -> Callable[[int, int], bool]:
    """Return a function that tells whether two of these players must not meet."""
    people = {seek.player_id for seeks in together for seek in seeks}
    blocks = Block.objects.filter(by__in=people, whom__in=people).values_list("by", "whom")
    blocked: set[_Pair] = {frozenset(pair) for pair in blocks}
    protected = {seek.player_id for seeks in together for seek in seeks if seek.is_protected}
    are_strangers = find_strangers(people, protected)
    return lambda one, other: frozenset((one, other)) in blocked or are_strangers(one, other)


def _choose_offers(
    own: Sequence[OpenSeek],
    seeks: Sequence[OpenSeek],
    ratings: _Ratings,
    are_apart: Callable[[int, int], bool],
) -> list[Offer]:
    """Return the offers to a player with the open seeks `own`, chosen from `seeks`."""
    setups = {seek.setup for seek in own}
    found: list[Offer] = []
    offered: set[int] = set()  # players whose seek is offered

    def find_suitable(mine: OpenSeek) -> Iterator[OpenSeek]:
        for seek in seeks:
            if (
                seek.player_id != mine.player_id
                and seek.player_id not in offered
                # Seeks with the same setup are paired, so they are not offered.
                and seek.setup not in setups
                and _are_in_range(mine, seek, ratings)
                and not are_apart(mine.player_id, seek.player_id)
            ):
                offered.add(seek.player_id)
                yield seek

    for mine in own:
        for seek in islice(find_suitable(mine), OFFERS_PER_SEEK):
            rating = ratings[seek.player_id, seek.game].shown if seek.rated else None
            found.append(Offer(seek, mine.pk, rating))
    return found


def _are_in_range(mine: OpenSeek, seek: OpenSeek, ratings: _Ratings) -> bool:
    """Return whether the ratings allow the player of `mine` to join the seek.

    They matter only for a rated seek. The range of `mine` is also considered, because its player
    wants no other opponent in a rated match.
    """
    if not seek.rated:
        return True
    rating = round(ratings[mine.player_id, seek.game].rating)
    theirs = round(ratings[seek.player_id, seek.game].rating)
    is_wanted = not mine.rated or mine.lowest <= theirs <= mine.highest
    return is_wanted and seek.lowest <= rating <= seek.highest


def _remove_forbidden(found: Mapping[int, list[Offer]]) -> dict[int, list[Offer]]:
    """Remove the offers of suspended players, and of players whom the viewer may not see.

    Suspended players get no offers.
    """
    people = {offer.seek.player_id for offers in found.values() for offer in offers}
    barred = get_suspensions(people | {pk for pk, offers in found.items() if offers}).keys()
    hidden = find_hidden_glances(
        {
            (player_id, offer.seek.player_id)
            for player_id, offers in found.items()
            for offer in offers
            if offer.seek.is_protected
        }
    )
    return {
        player_id: [
            offer
            for offer in offers
            if offer.seek.player_id not in barred
            and (player_id, offer.seek.player_id) not in hidden
        ]
        for player_id, offers in found.items()
        if player_id not in barred
    }


def get_expiry_limit() -> datetime:
    """Return the earliest `seen_at` of a listed seek that has not expired."""
    return timezone.now() - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS)


def get_listed_seeks() -> QuerySet[Seek]:
    """Return the listed seeks, those of groups included, that are open and whose games exist."""
    return Seek.objects.filter(
        match=None, by_address=False, seen_at__gte=get_expiry_limit(), game__in=GAMES
    )
