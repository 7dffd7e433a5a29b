"""Rating performance (FIDE Handbook C.07 10.2): the opponents' mean rating, and the difference of
ratings that goes with the score (B.02 8.1.1)."""

from collections.abc import Sequence

from lobby.tournaments.pairing.field import WIN, Game

FEWEST = 5  # rated opponents: the performance against fewer says little, and is not shown

# By how much a rating is above the opponents' for 50, 51, … 100 per cent.
_DIFFERENCES = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322),
    *(336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800),
)


def difference(points: int, games: int) -> int:
    """By how much the performance is above the opponents' mean. `points` are hundredths."""
    per_cent = (2 * points + games) // (2 * games)
    return _DIFFERENCES[per_cent - 50] if per_cent >= 50 else -_DIFFERENCES[50 - per_cent]


def mean(ratings: Sequence[float]) -> int:
    """To the nearest point, halves up."""
    return int((2 * sum(ratings) + len(ratings)) // (2 * len(ratings)))


def counted(
    entry: int, games: Sequence[Game], ratings: dict[int, float | None]
) -> list[tuple[Game, float]]:
    """The games that count, those at the board against a rated opponent, and that rating."""
    found = []
    for game in games:
        opponent = game.opponent_of(entry)
        rating = None if opponent is None else ratings.get(opponent)
        if game.is_played and rating is not None:
            found.append((game, rating))
    return found


def shown_performance(
    entry: int, games: Sequence[Game], ratings: dict[int, float | None]
) -> float | None:
    """The performance; None against fewer than FEWEST rated opponents."""
    opponents = {game.opponent_of(entry) for game, _ in counted(entry, games, ratings)}
    return performance(entry, games, ratings) if len(opponents) >= FEWEST else None


def performance(
    entry: int, games: Sequence[Game], ratings: dict[int, float | None]
) -> float | None:
    """None without a game that counts."""
    against = counted(entry, games, ratings)
    if not against:
        return None
    points = sum(min(game.points_of(entry), WIN) for game, _ in against)
    return mean([rating for _, rating in against]) + difference(points, len(against))
