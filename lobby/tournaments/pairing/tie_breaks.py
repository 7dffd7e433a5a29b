"""Tie-breaks, and how each value was computed.

They follow the Tie-Break Regulations of FIDE (Handbook C.07, as of 1 March 2026). For a Swiss:

- In a player's own tie-breaks, an unplayed round counts as a game against a dummy with the player's
own points. These are limited to the points of the scheduled opponent (16.4.1) or, without one, to
half a point per round (16.4.2).

- In the opponents' tie-breaks, requested byes and absences count as draws if only voluntarily
unplayed rounds follow (16.2.5, 16.3.2). Everything else counts as it was awarded, including a
forfeit at the end (16.2.4, 16.3.1).

- The lowest value of a voluntarily unplayed round is cut before any other (16.5).

In a round robin, a forfeit counts as a game, and a bye as nothing (15).

The rating performance is the opponents' mean rating plus the difference for the score (C.07 10.2,
B.02 8.1.1).
"""

from collections.abc import Callable, Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from lobby.tournaments.pairing.field import DRAW, WIN, Entrant, Points, RoundGame, group_games


class TieBreakPart(Struct, frozen=True):
    """A term of a sum, usually the contribution of a round.

    `opponent` is None if there was none. `of` is the score that is counted, in whole games, or a
    rating. `times` is its factor: the player's result in Sonneborn-Berger, or the share of a game
    in a direct encounter. `why` is the source of the score.

    `score`: the opponent's points. `adjusted`: the same, with absences at the end as draws. `own`:
    the player's own points, because there was no game. `half`: the same, limited to half a point
    per round. `their`: the same, limited to the points of the absent opponent. `result`: the
    player's points against that opponent. `win`: a win. `rating`: the opponent's rating.
    `difference`: the value that is added to the mean rating.
    """

    round: int
    opponent: int | None
    value: float
    of: float = 0.0
    times: float = 1.0
    why: str = "score"
    is_cut: bool = False


class Record(Struct, frozen=True):
    """The results of a tournament, in the form that tie-breaks need.

    `rounds` is the number of complete rounds. `games` has each entrant's games in order, and
    `totals` and `adjusted` have their points: the actual ones, and those for opponents' tie-breaks.
    """

    rounds: int
    is_round_robin: bool
    games: dict[int, list[RoundGame]]
    by_round: dict[int, dict[int, RoundGame]]
    totals: dict[int, Points]
    adjusted: dict[int, Points]
    ratings: dict[int, float | None]


def build_record(
    entrants: Sequence[Entrant], games: Sequence[RoundGame], rounds: int, is_round_robin: bool
) -> Record:
    found = group_games(games)
    own = {one.entry: found.get(one.entry, []) for one in entrants}
    by_round = {entry: {game.round: game for game in some} for entry, some in own.items()}
    totals = {entry: sum(game.points_of(entry) for game in some) for entry, some in own.items()}
    adjusted = (
        totals
        if is_round_robin
        else {entry: _adjust_points(entry, some, rounds) for entry, some in by_round.items()}
    )
    ratings = {one.entry: one.rating for one in entrants}
    return Record(rounds, is_round_robin, own, by_round, totals, adjusted, ratings)


def _adjust_points(entry: int, games: dict[int, RoundGame], rounds: int) -> Points:
    """Return an entrant's points as they count in the opponents' tie-breaks (16.3)."""
    total = sum(game.points_of(entry) for game in games.values())
    for number in range(rounds, 0, -1):
        game = games.get(number)
        if game is not None and not _is_of_own_will(game, entry):
            break
        if game is None:
            total += DRAW
        elif game.second is None:
            total += DRAW - game.points_of(entry)
    return total


def _is_of_own_will(game: RoundGame | None, entry: int) -> bool:
    """Return whether the round was voluntarily unplayed (16.2)."""
    if game is None:
        return True
    if game.kind == "forfeit":
        return game.points_of(entry) < WIN
    return game.kind in {"half-bye", "zero-bye"}


def _list_scores(of: Record, entry: int) -> list[tuple[TieBreakPart, bool]]:
    """Return the value of each round for Buchholz, and whether it was voluntarily unplayed."""
    found: list[tuple[TieBreakPart, bool]] = []
    games = of.by_round[entry]
    for number in range(1, of.rounds + 1):
        game = games.get(number)
        opponent = None if game is None else game.opponent_of(entry)
        if game is not None and opponent is not None and (game.is_played or of.is_round_robin):
            score = of.adjusted[opponent]
            why = "score" if score == of.totals[opponent] else "adjusted"
            found.append((_build_part(number, opponent, score, why), False))
        elif not of.is_round_robin:
            most, why = (
                (DRAW * of.rounds, "half") if opponent is None else (of.adjusted[opponent], "their")
            )
            own = of.totals[entry]
            part = _build_part(number, opponent, min(own, most), "own" if own <= most else why)
            found.append((part, _is_of_own_will(game, entry)))
    return found


def _build_part(number: int, opponent: int | None, score: Points, why: str) -> TieBreakPart:
    return TieBreakPart(number, opponent, score / WIN, of=score / WIN, why=why)


def list_buchholz(of: Record, entry: int) -> list[TieBreakPart]:
    """List the opponents' points, which are summed (8.1)."""
    return [part for part, _ in _list_scores(of, entry)]


def list_buchholz_cut_1(of: Record, entry: int) -> list[TieBreakPart]:
    """List the opponents' points, with one value marked as cut (14.1, 16.5.1).

    It is the lowest value of the voluntarily unplayed rounds or, without any, of all rounds.
    """
    scores = _list_scores(of, entry)
    if not scores:
        return []
    willing = [place for place, (_, own_will) in enumerate(scores) if own_will]
    lowest = min(willing or range(len(scores)), key=lambda place: scores[place][0].value)
    return [
        replace(part, is_cut=True) if place == lowest else part
        for place, (part, _) in enumerate(scores)
    ]


def list_sonneborn_berger(of: Record, entry: int) -> list[TieBreakPart]:
    """List the opponents' points, each multiplied by the result against them (9.1)."""
    games = of.by_round[entry]
    found = []
    for part, _ in _list_scores(of, entry):
        points = games[part.round].points_of(entry) if part.round in games else 0
        times = points / WIN
        found.append(replace(part, value=part.of * times, times=times))
    return found


def count_wins(of: Record, entry: int) -> list[TieBreakPart]:
    """List the rounds that gave as much as a win, played or not (7.1)."""
    return _list_won([game for game in of.games[entry] if game.points_of(entry) >= WIN], entry)


def count_games_won(of: Record, entry: int) -> list[TieBreakPart]:
    """List the games that were played and won (7.2)."""
    won = [game for game in of.games[entry] if game.points_of(entry) >= WIN and game.is_played]
    return _list_won(won, entry)


def _list_won(games: Sequence[RoundGame], entry: int) -> list[TieBreakPart]:
    return [
        TieBreakPart(game.round, game.opponent_of(entry), 1.0, of=1.0, why="win") for game in games
    ]


def list_rating_performance(of: Record, entry: int) -> list[TieBreakPart]:
    """Return the opponents' ratings, and the difference that is added to their mean.

    The list is empty without a game that counts.
    """
    against = list_counted_games(entry, of.games[entry], of.ratings)
    if not against:
        return []
    parts = [
        TieBreakPart(game.round, game.opponent_of(entry), rating, of=rating, why="rating")
        for game, rating in against
    ]
    points = sum(min(game.points_of(entry), WIN) for game, _ in against)
    added = get_rating_difference(points, len(against))
    return [*parts, TieBreakPart(0, None, added, of=added, why="difference")]


def list_encounters(of: Record, entry: int, group: Collection[int]) -> list[TieBreakPart]:
    """Return the points against tied opponents.

    Several games against one opponent count by their mean (6.1.2); `times` is the share of each.
    """
    met: dict[int, list[RoundGame]] = {}
    for game in of.games[entry]:
        opponent = game.opponent_of(entry)
        if opponent in group and (game.is_played or of.is_round_robin) and opponent is not None:
            met.setdefault(opponent, []).append(game)
    return [
        TieBreakPart(
            game.round, opponent, points / WIN / len(games), points / WIN, 1 / len(games), "result"
        )
        for opponent, games in met.items()
        for game in games
        for points in (game.points_of(entry),)
    ]


def split_by_encounter(of: Record, group: Sequence[int]) -> list[list[int]]:
    """Split tied players by the games among them, best first (6).

    Players in the same list are still tied. If not all of them have met in a Swiss, only those
    leaders are separated who would be ahead of the rest with any result of the missing games (6.3).
    """
    if len(group) < 2:
        return [list(group)]
    tied = frozenset(group)
    parts = {entry: list_encounters(of, entry, tied) for entry in group}
    got = {entry: sum(part.value for part in some) for entry, some in parts.items()}
    met = {entry: len({part.opponent for part in some}) for entry, some in parts.items()}
    order = sorted(group, key=lambda entry: (-got[entry], entry))
    if of.is_round_robin or all(count == len(group) - 1 for count in met.values()):
        tiers = _split_tiers(order, got)
    else:
        most = {entry: got[entry] + len(group) - 1 - met[entry] for entry in group}
        tiers = []
        while len(order) > 1 and got[order[0]] > max(most[entry] for entry in order[1:]):
            tiers.append([order.pop(0)])
        tiers.append(order)
    if len(tiers) == 1:
        return tiers
    return [further for tier in tiers for further in split_by_encounter(of, tier)]


def _split_tiers(order: Sequence[int], got: dict[int, float]) -> list[list[int]]:
    tiers: list[list[int]] = []
    for entry in order:
        if tiers and got[tiers[-1][0]] == got[entry]:
            tiers[-1].append(entry)
        else:
            tiers.append([entry])
    return tiers


PARTS: dict[str, Callable[[Record, int], list[TieBreakPart]]] = {
    "buchholz-cut-1": list_buchholz_cut_1,
    "buchholz": list_buchholz,
    "sonneborn-berger": list_sonneborn_berger,
    "wins": count_wins,
    "games-won": count_games_won,
    "performance": list_rating_performance,
}
"""The tie-breaks that depend on one player. `direct-encounter` splits a group instead."""


def compute_value(of: Record, tie_break: str, entry: int) -> float:
    """Return an entrant's value of a tie-break in `PARTS`, 0 without a game that counts."""
    if tie_break == "performance":
        return compute_performance(entry, of.games[entry], of.ratings) or 0.0
    return sum(part.value for part in PARTS[tie_break](of, entry) if not part.is_cut)


FEWEST = 5  # with fewer rated opponents, a performance is too unreliable to show

# The rating difference for scores of 50, 51, … 100 per cent.
_DIFFERENCES = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322),
    *(336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800),
)


def get_rating_difference(points: int, games: int) -> int:
    """Return the difference between the performance and the opponents' mean.

    `points` are hundredths.
    """
    per_cent = (2 * points + games) // (2 * games)
    return _DIFFERENCES[per_cent - 50] if per_cent >= 50 else -_DIFFERENCES[50 - per_cent]


def compute_mean(ratings: Sequence[float]) -> int:
    """Return the mean, rounded to the nearest integer, with halves rounded up."""
    return int((2 * sum(ratings) + len(ratings)) // (2 * len(ratings)))


def list_counted_games(
    entry: int, games: Sequence[RoundGame], ratings: dict[int, float | None]
) -> list[tuple[RoundGame, float]]:
    """Return the games played against rated opponents, with these ratings."""
    found = []
    for game in games:
        opponent = game.opponent_of(entry)
        rating = None if opponent is None else ratings.get(opponent)
        if game.is_played and rating is not None:
            found.append((game, rating))
    return found


def get_displayed_performance(
    entry: int, games: Sequence[RoundGame], ratings: dict[int, float | None]
) -> float | None:
    """Return the rating performance, or None against fewer than `FEWEST` rated opponents."""
    opponents = {game.opponent_of(entry) for game, _ in list_counted_games(entry, games, ratings)}
    return compute_performance(entry, games, ratings) if len(opponents) >= FEWEST else None


def compute_performance(
    entry: int, games: Sequence[RoundGame], ratings: dict[int, float | None]
) -> float | None:
    """Return the rating performance, or None without a game that counts."""
    against = list_counted_games(entry, games, ratings)
    if not against:
        return None
    points = sum(min(game.points_of(entry), WIN) for game, _ in against)
    return compute_mean([rating for _, rating in against]) + get_rating_difference(
        points, len(against)
    )
