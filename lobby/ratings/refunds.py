"""Points that the opponents of a cheater get back: what they lost to them lately.

A refund is an entry of the ledger beside the games, at the moment of the decision, and replayed
like them. Who gets points back is told. What was given back once is not given back again.
"""

from collections import defaultdict
from datetime import datetime, timedelta

from django.db.models import Q

from games.models import Decision
from games.review.notices import notify
from games.review.refunds import gives_back
from games.store.aliases import person
from games.words import name_of, words
from lobby.models import RatedGame
from lobby.ratings import ledger
from lobby.ratings.glicko import VERSION
from lobby.ratings.ledger import Entry, Kind
from lobby.ratings.rating import NOTHING, append

DAYS = 5  # before the decision
MOST_POINTS = 150.0  # to one opponent, in one game

_LEAST_POINTS = 0.5  # less is none


@gives_back
def refund(decision: Decision) -> int:
    """Give the opponents of the player whom the decision is about their points back; how many
    people got some. Part of the caller's transaction."""
    if decision.player_id is None:
        return 0
    cheater = person(decision.player_id)
    ledger.lock()
    given: list[Entry] = []
    for (opponent, game), losses in sorted(_losses(cheater, decision.at).items()):
        since = _last_refund(cheater, opponent, game)
        points = sum(lost for at, lost in losses if since is None or at > since)
        points = round(min(points, MOST_POINTS), 6)
        if points < _LEAST_POINTS:
            continue
        given.append(_entry(decision, cheater, opponent, game, points))
        notify(opponent, words("notice.refund", points=round(points), game=name_of(game)))
    append(sorted(given, key=lambda entry: entry.position))
    return len({entry.first_id for entry in given})


def _losses(cheater: int, until: datetime) -> dict[tuple[int, str], list[tuple[datetime, float]]]:
    """When each opponent lost how many points to the player, by opponent and game."""
    own = Q(first=cheater) | Q(second=cheater)
    rows = ledger.current().filter(own, at__gt=until - timedelta(days=DAYS), at__lte=until)
    games = rows.exclude(kind=Kind.REVERSED).filter(second__isnull=False)
    found: defaultdict[tuple[int, str], list[tuple[datetime, float]]] = defaultdict(list)
    for entry in ledger.entries(games):
        opponent = next(player for player in entry.players if player != cheater)
        side = entry.side_of(opponent)
        lost = side.before.rating - side.after.rating
        if lost > 0:
            found[opponent, entry.game].append((entry.at, lost))
    return found


def _last_refund(cheater: int, opponent: int, game: str) -> datetime | None:
    """Until when the opponent has had points back."""
    own = RatedGame.objects.filter(first=opponent, game=game, kind=Kind.REFUNDED)
    earlier = own.filter(key__startswith=_key(cheater, opponent)).order_by("-at")
    return earlier.values_list("at", flat=True).first()


def _entry(decision: Decision, cheater: int, opponent: int, game: str, points: float) -> Entry:
    key = f"{_key(cheater, opponent)}{decision.pk}-{game}"
    return Entry(
        key=key,
        revision=0,
        kind=Kind.REFUNDED,
        game=game,
        first_id=opponent,
        second_id=None,
        score=None,
        advantage=0.0,
        version=VERSION,
        at=decision.at,
        lot=ledger.lot_of(key),
        points=points,
        first=NOTHING,
        second=None,
    )


def _key(cheater: int, opponent: int) -> str:
    return f"refund-{cheater}-{opponent}-"
