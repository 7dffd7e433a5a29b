"""The table of a season, in which the best results of each player count."""

from collections.abc import Mapping, Sequence

from msgspec import Struct


class SeasonRow(Struct, frozen=True):
    """The season of the player with the id `player`.

    `results` are in the order of the tournaments, with None for tournaments that the player did not
    enter. `counted` marks the results that add up to `total`.
    """

    rank: int
    player: int
    total: int
    results: tuple[int | None, ...]
    counted: tuple[bool, ...]


def compute_season(
    tournaments: Sequence[Mapping[int, int]], best: int | None = None
) -> tuple[SeasonRow, ...]:
    """Return the table, best first.

    `tournaments` has a mapping of player ids to points for each tournament. The `best` highest
    results of each player count, or all results if `best` is None. Ties are decided by the highest
    result, then the second highest and so on, counted or not. Players who are still tied share a
    rank, and are ordered by id. Raise `ValueError` if `best` is less than 1.
    """
    if best is not None and best < 1:
        raise ValueError("best must be at least 1")
    players = sorted({player for results in tournaments for player in results})
    keyed = sorted((_get_sort_key(tournaments, player, best), player) for player in players)
    lines: list[SeasonRow] = []
    for place, (key, player) in enumerate(keyed, 1):
        same = bool(lines) and keyed[place - 2][0] == key
        results = tuple(each.get(player) for each in tournaments)
        counted = _mark_counted(results, best)
        total = sum(got for got, counts in zip(results, counted, strict=True) if counts and got)
        rank = lines[-1].rank if same else place
        lines.append(SeasonRow(rank, player, total, results, counted))
    return tuple(lines)


def _get_sort_key(
    tournaments: Sequence[Mapping[int, int]], player: int, best: int | None
) -> tuple[int, tuple[int, ...]]:
    got = sorted(-each[player] for each in tournaments if player in each)
    missed = [1] * (len(tournaments) - len(got))  # missed tournaments count less than a result of 0
    return sum(got[:best]), (*got, *missed)


def _mark_counted(results: Sequence[int | None], best: int | None) -> tuple[bool, ...]:
    """Mark the `best` highest results. Of equal results, earlier ones are preferred."""
    there = [place for place, got in enumerate(results) if got is not None]
    there.sort(key=lambda place: (-(results[place] or 0), place))
    chosen = set(there[:best])
    return tuple(place in chosen for place in range(len(results)))
