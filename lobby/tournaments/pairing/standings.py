"""The table of a tournament, derived from its games alone."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from lobby.tournaments.pairing import arena
from lobby.tournaments.pairing.field import WIN, Entrant, Game, Kind, Points, ranked
from lobby.tournaments.pairing.knockout import Slot, bracket
from lobby.tournaments.pairing.tie_breaks import (
    PARTS,
    Part,
    Record,
    by_encounter,
    encounters,
    record,
    shown_performance,
    value,
)

TIE_BREAKS = (
    "buchholz-cut-1",
    "buchholz",
    "sonneborn-berger",
    "direct-encounter",
    "wins",  # rounds that gave as much as a win, played or not (C.07 7.1)
    "games-won",  # at the board (C.07 7.2)
    "performance",
)

_WITHOUT_ROUNDS = ("direct-encounter", "wins", "games-won", "performance")

ALLOWED: dict[Kind, tuple[str, ...]] = {
    "round-robin": TIE_BREAKS,
    "swiss": TIE_BREAKS,
    "knockout": (),
    "arena": _WITHOUT_ROUNDS,
}
"""Which tie-breaks each kind has."""

DEFAULTS: dict[Kind, tuple[str, ...]] = {
    "round-robin": ("direct-encounter", "wins", "sonneborn-berger"),
    "swiss": ("buchholz-cut-1", "buchholz", "sonneborn-berger"),
    "knockout": (),
    "arena": ("performance",),
}


class Row(Struct, frozen=True):
    """A line of the table. Equal ranks: nothing parts them. `points` are hundredths; in an arena,
    hundredths of its points, so that 200 is a win there. `tie_breaks` are in the order asked for,
    the higher the better, in whole games; `direct-encounter` is how many of those with equal points
    it puts behind. `performance` is None against fewer than five rated opponents."""

    rank: int
    entry: int
    points: Points
    tie_breaks: tuple[float, ...]
    performance: float | None
    played: int  # games at the board


class Reckoning(Struct, frozen=True):
    """How a tie-break was come by: `total` is the sum of the values of the parts that are not cut;
    for `performance` it is their mean and the difference that goes with the score."""

    tie_break: str
    total: float
    parts: tuple[Part, ...]


def standings(
    entrants: Sequence[Entrant],
    games: Sequence[Game],
    kind: Kind,
    tie_breaks: Sequence[str] = (),
    rounds: int | None = None,
    third_place: bool = False,
    best_of: int = 1,
    gone: Collection[int] = (),
) -> tuple[Row, ...]:
    """The table, best first; those whom nothing parts by seed. `rounds` are over (default: all that
    have a game): who has no game in one of them was away in it. The last three go with knockouts,
    as in `knockout.bracket`; there nothing but the bracket decides, and who went out in one round
    shares a rank. Raises ValueError for a tie-break that the kind does not have."""
    _check(kind, tie_breaks)
    order = ranked(entrants)
    of = _record(order, games, kind, rounds)
    points = _points(of, games, kind)
    if kind == "knockout":
        groups = _by_bracket(order, bracket(order, games, best_of, third_place, gone))
    else:
        groups = _parted([[one.entry for one in order]], points)
    values: dict[int, list[float]] = {one.entry: [] for one in order}
    for tie_break in tie_breaks:
        groups = _broken(of, groups, tie_break, values)
    rows: list[Row] = []
    for group in groups:
        rank = len(rows) + 1
        for entry in group:
            own = of.games[entry]
            strength = shown_performance(entry, own, of.ratings)
            played = sum(game.is_played for game in own)
            given = tuple(values[entry])
            rows.append(Row(rank, entry, points[entry], given, strength, played))
    return tuple(rows)


def reckoned(
    entrants: Sequence[Entrant],
    games: Sequence[Game],
    kind: Kind,
    tie_breaks: Sequence[str],
    entry: int,
    rounds: int | None = None,
) -> tuple[Reckoning, ...]:
    """How each tie-break of one entrant was come by. Raises KeyError for nobody, ValueError as
    `standings` does."""
    _check(kind, tie_breaks)
    order = ranked(entrants)
    of = _record(order, games, kind, rounds)
    points = _points(of, games, kind)
    groups = _parted([[one.entry for one in order]], points)
    values: dict[int, list[float]] = {one.entry: [] for one in order}
    found = []
    for place, tie_break in enumerate(tie_breaks):
        group = next(group for group in groups if entry in group)
        if tie_break == "direct-encounter":
            parts = encounters(of, entry, group)
        else:
            parts = PARTS[tie_break](of, entry)
        groups = _broken(of, groups, tie_break, values)
        found.append(Reckoning(tie_break, values[entry][place], tuple(parts)))
    return tuple(found)


def _check(kind: Kind, tie_breaks: Sequence[str]) -> None:
    unknown = [each for each in tie_breaks if each not in ALLOWED[kind]]
    if unknown:
        raise ValueError(f"no tie-break of a {kind}: {unknown[0]}")


def _record(
    order: Sequence[Entrant], games: Sequence[Game], kind: Kind, rounds: int | None
) -> Record:
    if rounds is None:
        rounds = max((game.round for game in games), default=0)
    return record(order, games, rounds, kind == "round-robin")


def _points(of: Record, games: Sequence[Game], kind: Kind) -> dict[int, Points]:
    if kind != "arena":
        return of.totals
    results = arena.results_of(games)
    return {entry: WIN * arena.points(results.get(entry, ())).total for entry in of.totals}


def _broken(
    of: Record, groups: list[list[int]], tie_break: str, values: dict[int, list[float]]
) -> list[list[int]]:
    """The groups, parted further; adds everyone's value to theirs."""
    if tie_break == "direct-encounter":
        found: list[list[int]] = []
        for group in groups:
            tiers = by_encounter(of, group)
            behind = len(group)
            for tier in tiers:
                behind -= len(tier)
                for entry in tier:
                    values[entry].append(float(behind))
                found.append([entry for entry in group if entry in set(tier)])
        return found
    given = {entry: value(of, tie_break, entry) for group in groups for entry in group}
    for entry, its in given.items():
        values[entry].append(its)
    return _parted(groups, given)


def _parted(groups: list[list[int]], by: Mapping[int, float]) -> list[list[int]]:
    """Each group in groups of equal values, the highest first, in the order they had."""
    return [
        [entry for entry in group if by[entry] == level]
        for group in groups
        for level in sorted({by[entry] for entry in group}, reverse=True)
    ]


def _by_bracket(order: Sequence[Entrant], slots: Sequence[Slot]) -> list[list[int]]:
    """Who got furthest first: the winner, the other finalist, third and fourth, then those who went
    out in the same round."""
    last = max(slot.round for slot in slots)
    reached: dict[int, tuple[int, int]] = {}
    for slot in slots:
        for entry in (slot.first, slot.second):
            if entry is None:
                continue
            out = slot.is_over and slot.winner != entry
            if slot.place == 3:
                reached[entry] = (last - 1, int(slot.winner == entry))
            else:
                reached[entry] = (slot.round if out else slot.round + 1, 0)
    stages = sorted(set(reached.values()), reverse=True)
    return [[one.entry for one in order if reached.get(one.entry) == stage] for stage in stages]
