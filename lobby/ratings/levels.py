"""The rating of each level of the computer, estimated from games against people with a rating.

Games against the computer change nobody's rating. When one ends, it is stored with the rating that
the person has at that time, if that rating is reliable. Once a day, each level with enough games
gets the rating that best explains its newest ones.
"""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from games.bots import LEVELS, has_bot
from games.match.setup import RATED_GAMES
from games.match.state import BOTH
from games.models import Event, Match
from games.runtime.prepared_query import PreparedQuery
from games.store.aliases import get_persons
from lobby.models import ComputerGame, LevelRating
from lobby.ratings import eligibility
from lobby.ratings.advantage import get_advantage
from lobby.ratings.glicko import Strength, compute_mutual_expected_score
from lobby.ratings.standing import get_current_ratings

LEAST_GAMES, LEAST_PEOPLE = 30, 5  # the minimum numbers for computing the rating of a level
MOST_GAMES = 1000  # the number of the latest games of a level that are considered
MOST_EACH = 50  # the maximum number of games of one person among these
STEP = 50  # displayed ratings are rounded to this number of points

_EVERY = timedelta(hours=24)
_WEAKEST, _STRONGEST = 400.0, 3200.0
_HALVINGS = 12  # bisections, which give a precision of one point
_BATCH = 1000  # the maximum number of a level's old games that one call deletes


def note_games(events: Sequence[Event]) -> None:
    """Store the games against the computer that ended or whose result changed.

    Delete those that no longer count.
    """
    ids = [event.match_id for event in events if event.kind != Event.Kind.BEGAN]
    found = [eligibility.RatedResult(*values) for values in _with_computer(ids)]
    matches = [each for each in found if each.game in RATED_GAMES]
    if not matches:
        return
    people = get_persons({pk for each in matches for pk in (each.first_id, each.second_id)})
    for match in matches:
        noted = _build_computer_game(match, people)
        if noted is None:
            ComputerGame.objects.filter(match=match.id).delete()
        elif not ComputerGame.objects.filter(match=match.id, score=noted.score).exists():
            noted.save()


_with_computer = PreparedQuery(
    lambda ids: Match.objects.filter(
        Q(first_level__isnull=False) | Q(second_level__isnull=False), pk__in=ids
    ).values_list(*eligibility.FIELDS),
    of=str,
)


def get_level_ratings(games: Sequence[str]) -> dict[str, dict[int, int]]:
    """Return the known ratings of the computer's levels in these games, rounded to `STEP`.

    The result maps each game to a dictionary that maps levels to ratings.
    """
    found: dict[str, dict[int, int]] = {}
    for row in LevelRating.objects.filter(game__in=games):
        found.setdefault(row.game, {})[row.level] = round(row.rating / STEP) * STEP
    return found


def rate_levels() -> None:
    """Compute the rating of each level once a day, and delete games that are too old to count."""
    now = timezone.now()
    for game in filter(has_bot, RATED_GAMES):
        if LevelRating.objects.filter(game=game, at__gt=now - _EVERY).exists():
            continue
        for level in LEVELS:
            games = _list_newest_games(game, level)
            if len(games) < LEAST_GAMES or len({each.person_id for each in games}) < LEAST_PEOPLE:
                continue
            rating = fit_level_rating(games, get_advantage(game, now))
            LevelRating.objects.update_or_create(
                game=game, level=level, defaults={"rating": rating, "games": len(games), "at": now}
            )


def fit_level_rating(games: Sequence[ComputerGame], advantage: float = 0.0) -> float:
    """Return the rating with which the expected scores of these games add up to the actual scores.

    A draw against an average opponent is added, so that the rating is not extreme if all games were
    won or lost. `advantage` is the value of the first role in points.
    """
    middle = sum(each.rating for each in games) / len(games)
    others = [
        (Strength(each.rating, each.deviation), -advantage if each.seat else advantage)
        for each in games
    ]
    others.append((Strength(middle, 0.0), 0.0))
    scored = sum(each.score for each in games) + 0.5
    low, high = _WEAKEST, _STRONGEST
    for _ in range(_HALVINGS):
        rating = (low + high) / 2
        level = Strength(rating, 0.0)
        if (
            sum(compute_mutual_expected_score(level, other, worth) for other, worth in others)
            < scored
        ):
            low = rating
        else:
            high = rating
    return (low + high) / 2


def _build_computer_game(
    match: eligibility.RatedResult, people: dict[int, int]
) -> ComputerGame | None:
    """Return the row to store, or None if the match does not count.

    A match needs a result, a move of each player, and a reliable rating of the person.
    """
    seat = 0 if match.first_level is not None else 1
    level = match.second_level if seat else match.first_level
    if match.score is None or level is None or match.acted != BOTH or match.ended_at is None:
        return None
    player = match.first_id if seat else match.second_id
    player = people.get(player, player)
    standing = get_current_ratings([player], match.game)[player]
    if standing.is_provisional:
        return None
    return ComputerGame(
        match_id=match.id,
        game=match.game,
        level=level,
        person_id=player,
        seat=seat,
        score=1 - match.score if seat else match.score,
        rating=standing.rating,
        deviation=standing.deviation,
        at=match.ended_at,
    )


def _list_newest_games(game: str, level: int) -> list[ComputerGame]:
    """Return the latest games of a level, at most `MOST_EACH` per person.

    Delete up to `_BATCH` games that are older than the latest `MOST_GAMES`.
    """
    rows = ComputerGame.objects.filter(game=game, level=level).order_by("-at")
    newest, counts = [], dict[int, int]()
    for each in rows[:MOST_GAMES]:
        counts[each.person_id] = counts.get(each.person_id, 0) + 1
        if counts[each.person_id] <= MOST_EACH:
            newest.append(each)
    old = list(rows.values_list("pk", flat=True)[MOST_GAMES : MOST_GAMES + _BATCH])
    ComputerGame.objects.filter(pk__in=old).delete()
    return newest
