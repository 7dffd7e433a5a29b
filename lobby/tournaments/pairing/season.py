"""The table of a season: what each got in several tournaments, the best few of which count."""

from collections.abc import Mapping, Sequence

from msgspec import Struct


class Line(Struct, frozen=True):
    """Somebody's season. `results` are in the order of the tournaments, None where they were not
    in; `counted` says which of them add up to `total`."""

    rank: int
    player: int
    total: int
    results: tuple[int | None, ...]
    counted: tuple[bool, ...]


def season(tournaments: Sequence[Mapping[int, int]], best: int | None = None) -> tuple[Line, ...]:
    """The table, best first. Each tournament maps players to what they got; the `best` highest of
    each player count, all if None. Equal totals: who has the higher best result, then the second
    best and so on, counted or not; nothing left: the same rank, in the order of the numbers.
    Raises ValueError if `best` is less than 1."""
    if best is not None and best < 1:
        raise ValueError("best must be at least 1")
    players = sorted({player for results in tournaments for player in results})
    keyed = sorted((_key(tournaments, player, best), player) for player in players)
    lines: list[Line] = []
    for place, (key, player) in enumerate(keyed, 1):
        same = bool(lines) and keyed[place - 2][0] == key
        results = tuple(each.get(player) for each in tournaments)
        counted = _counted(results, best)
        total = sum(got for got, counts in zip(results, counted, strict=True) if counts and got)
        rank = lines[-1].rank if same else place
        lines.append(Line(rank, player, total, results, counted))
    return tuple(lines)


def _key(
    tournaments: Sequence[Mapping[int, int]], player: int, best: int | None
) -> tuple[int, tuple[int, ...]]:
    got = sorted(-each[player] for each in tournaments if player in each)
    missed = [1] * (len(tournaments) - len(got))  # after a result of nothing
    return sum(got[:best]), (*got, *missed)


def _counted(results: Sequence[int | None], best: int | None) -> tuple[bool, ...]:
    """The highest count, of equal ones the earlier."""
    there = [place for place, got in enumerate(results) if got is not None]
    there.sort(key=lambda place: (-(results[place] or 0), place))
    chosen = set(there[:best])
    return tuple(place in chosen for place in range(len(results)))
