"""Leaderboards, and the place of a player among the ratings of a game."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from urllib.parse import quote

from django.db.models import Count, F, IntegerField, QuerySet
from django.db.models.functions import Cast
from django.utils import timezone
from msgspec import Struct

from games.match.setup import RATED_GAMES
from games.store.suspensions import find_suspended_rows
from lobby.models import Player, Rating, RatingSpread
from lobby.privacy.visibility import build_public_condition
from lobby.ratings.glicko import PROVISIONAL
from lobby.ratings.standing import CurrentRating, build_current_rating

LISTED = 200  # the maximum number of players on a leaderboard
STEP = 25  # the width of a step of the distribution, in rating points
_COUNTED = 1000  # ranks beyond this number are not counted
_SPREAD_EVERY = timedelta(minutes=15)
_BATCH = 1000  # the maximum number of rows that one call updates


class LeaderboardRow(Struct, frozen=True):
    """A row of a leaderboard. `shown` is the rating as text, and `is_me` marks the viewer's row."""

    rank: int
    name: str
    address: str  # the address of the player's page
    shown: str
    games: int
    is_me: bool


class PlayerRank(Struct, frozen=True):
    """The place of a player among the ratings of a game.

    `rank` is None for players beyond the first thousand, and for players who are not listed.
    `better_than` is the percentage of other players with a lower rating. It is None for bots, for a
    provisional rating, and if no other ratings are known.
    """

    standing: CurrentRating
    rank: int | None
    better_than: int | None


def get_leaderboard(
    game: str,
    viewer_id: int | None = None,
    most: int = LISTED,
    now: datetime | None = None,
    bots: bool = False,
) -> list[LeaderboardRow]:
    """Return the highest-rated players with a reliable rating who have played recently.

    Protected and suspended players and closed accounts are left out, so there can be fewer than
    `most`. With `bots`, return the leaderboard of bots, otherwise that of people.
    """
    rows = list(
        _filter_listed(game, now or timezone.now(), bots).order_by("-rating", "player")[:most]
    )
    ids = [row.player_id for row in rows]
    active = Player.objects.filter(is_active=True).only("username", "shown_as")
    people, held = active.in_bulk(ids), find_suspended_rows(ids)
    shown = [row for row in rows if row.player_id in people and row.player_id not in held]
    return [
        LeaderboardRow(
            rank,
            people[row.player_id].name,
            f"/player/{quote(people[row.player_id].username)}/",  # not `reverse`, which is slow
            f"{row.rating:.0f}",
            row.games,
            row.player_id == viewer_id,
        )
        for rank, row in enumerate(shown, 1)
    ]


def get_rank(game: str, player_id: int, now: datetime | None = None) -> PlayerRank | None:
    """Return the player's place among the ratings of a game, or None without a rated game."""
    now = now or timezone.now()
    row = Rating.objects.filter(player=player_id, game=game).select_related("player").first()
    if row is None:
        return None
    bots = row.player.is_bot
    standing, rank = build_current_rating(row, now), None
    if row.listed_until is not None and row.listed_until > now:
        ahead = (
            _filter_listed(game, now, bots)
            .filter(rating__gt=row.rating)
            .order_by("-rating", "player")
        )
        count = len(ahead.values_list("player")[:_COUNTED])
        rank = None if count == _COUNTED else count + 1
    is_counted = not (standing.is_provisional or bots)
    return PlayerRank(standing, rank, get_percentile(game, row.rating) if is_counted else None)


def get_distribution(game: str) -> dict[int, int]:
    """Return a dictionary that maps the lower end of each step to the number of players in it.

    A step is `STEP` points wide. The steps are in ascending order, without empty ones. Protected
    players, bots and provisional ratings do not count.
    """
    row = RatingSpread.objects.filter(game=game).first()
    counts: Mapping[str, int] = {} if row is None else row.counts
    return {int(low): count for low, count in sorted(counts.items(), key=lambda each: int(each[0]))}


def get_percentile(game: str, rating: float) -> int | None:
    """Estimate the percentage of other players with a lower rating; None without other players.

    Within a step of the distribution, ratings are taken to be evenly spread.
    """
    counts = get_distribution(game)
    others = sum(counts.values()) - 1
    if others < 1:
        return None
    below = sum(count for low, count in counts.items() if low + STEP <= rating)
    step = int(rating // STEP) * STEP
    within = max(0, counts.get(step, 0) - 1) * (rating - step) / STEP
    return min(100, int(100 * (below + within) / others))


def update_distributions() -> None:
    """Store the distribution of each game's ratings again if it is at least `_SPREAD_EVERY` old."""
    now = timezone.now()
    for game in RATED_GAMES:
        if RatingSpread.objects.filter(game=game, at__gt=now - _SPREAD_EVERY).exists():
            continue
        known = Rating.objects.filter(
            build_public_condition("player"),
            game=game,
            deviation__lt=PROVISIONAL,
            player__is_bot=False,
        )
        steps = known.annotate(step=Cast(F("rating") / STEP, IntegerField()) * STEP)
        counts = steps.order_by().values_list("step").annotate(Count("pk"))
        found = {str(step): count for step, count in counts}
        RatingSpread.objects.update_or_create(game=game, defaults={"counts": found, "at": now})


def unlist_inactive_players() -> None:
    """Remove up to `_BATCH` players who have not played recently from the leaderboards.

    Leaderboards leave these players out anyway. This keeps the index small.
    """
    late = Rating.objects.filter(listed_until__lt=timezone.now()).order_by("listed_until")
    Rating.objects.filter(pk__in=list(late.values_list("pk", flat=True)[:_BATCH])).update(
        listed_until=None
    )


def _filter_listed(game: str, now: datetime, bots: bool) -> QuerySet[Rating]:
    rows = Rating.objects.filter(build_public_condition("player"), game=game, listed_until__gt=now)
    return rows.filter(player__is_bot=bots)
