"""Standings, computed from the games, and the explanation of their tie-breaks."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from lobby.tournaments.pairing import arena
from lobby.tournaments.pairing.field import WIN, Entrant, Kind, Points, RoundGame, rank_entrants
from lobby.tournaments.pairing.knockout import Slot, build_bracket
from lobby.tournaments.pairing.tie_breaks import (
    PARTS,
    Record,
    TieBreakPart,
    build_record,
    compute_value,
    get_displayed_performance,
    list_encounters,
    split_by_encounter,
)

TIE_BREAKS = (
    "buchholz-cut-1",
    "buchholz",
    "sonneborn-berger",
    "direct-encounter",
    "wins",  # rounds that gave as much as a win, played or not (C.07 7.1)
    "games-won",  # games that were played and won (C.07 7.2)
    "performance",
)

_WITHOUT_ROUNDS = ("direct-encounter", "wins", "games-won", "performance")

ALLOWED: dict[Kind, tuple[str, ...]] = {
    "round-robin": TIE_BREAKS,
    "swiss": TIE_BREAKS,
    "knockout": (),
    "arena": _WITHOUT_ROUNDS,
}
"""The tie-breaks of each kind of tournament."""

DEFAULTS: dict[Kind, tuple[str, ...]] = {
    "round-robin": ("direct-encounter", "wins", "sonneborn-berger"),
    "swiss": ("buchholz-cut-1", "buchholz", "sonneborn-berger"),
    "knockout": (),
    "arena": ("performance",),
}


class Row(Struct, frozen=True):
    """A row of the standings. Tied players have equal ranks.

    `points` are hundredths of a game or, in an arena, of an arena point, so that a win is 200.
    `tie_breaks` are in the requested order, and higher is better. Points in them are in whole
    games, `direct-encounter` is the number of tied players ranked behind, and `performance` is a
    rating, or 0 without a game that counts. The field `performance` is None against fewer than
    `tie_breaks.FEWEST` rated opponents.
    """

    rank: int
    entry: int
    points: Points
    tie_breaks: tuple[float, ...]
    performance: float | None
    played: int  # games that were played, without forfeits and byes


class Reckoning(Struct, frozen=True):
    """The computation of a tie-break.

    `total` is the sum of the parts that are not cut. For `performance`, it is the mean of the
    ratings plus the difference for the score. For `direct-encounter`, it is the number of tied
    players ranked behind.
    """

    tie_break: str
    total: float
    parts: tuple[TieBreakPart, ...]


def compute_standings(
    entrants: Sequence[Entrant],
    games: Sequence[RoundGame],
    kind: Kind,
    tie_breaks: Sequence[str] = (),
    rounds: int | None = None,
    third_place: bool = False,
    best_of: int = 1,
    gone: Collection[int] = (),
) -> tuple[Row, ...]:
    """Return the standings, best first. Tied players are ordered by seed.

    `rounds` is the number of complete rounds (default: all rounds with a game). A player without a
    game in one of them was absent. The last three parameters are for knockouts, as in
    `knockout.build_bracket`. In a knockout, only the bracket decides, and players eliminated in the
    same round share a rank, unless there is a match for third place between them. Raise
    `ValueError` for a tie-break that the kind does not have. In a knockout, also raise `CannotPair`
    as `build_bracket` does.
    """
    _check_tie_breaks(kind, tie_breaks)
    order = rank_entrants(entrants)
    of = _build_record(order, games, kind, rounds)
    points = _get_points(of, games, kind)
    if kind == "knockout":
        groups = _rank_by_bracket(order, build_bracket(order, games, best_of, third_place, gone))
    else:
        groups = _split_groups([[one.entry for one in order]], points)
    values: dict[int, list[float]] = {one.entry: [] for one in order}
    for tie_break in tie_breaks:
        groups = _apply_tie_break(of, groups, tie_break, values)
    rows: list[Row] = []
    for group in groups:
        rank = len(rows) + 1
        for entry in group:
            own = of.games[entry]
            strength = get_displayed_performance(entry, own, of.ratings)
            played = sum(game.is_played for game in own)
            given = tuple(values[entry])
            rows.append(Row(rank, entry, points[entry], given, strength, played))
    return tuple(rows)


def explain_tie_breaks(
    entrants: Sequence[Entrant],
    games: Sequence[RoundGame],
    kind: Kind,
    tie_breaks: Sequence[str],
    entry: int,
    rounds: int | None = None,
) -> tuple[Reckoning, ...]:
    """Return the computation of each tie-break for one entrant.

    `entry` must be one of the entrants, and the kind must not be a knockout, which has no
    tie-breaks. Raise `ValueError` as `compute_standings` does.
    """
    _check_tie_breaks(kind, tie_breaks)
    order = rank_entrants(entrants)
    of = _build_record(order, games, kind, rounds)
    points = _get_points(of, games, kind)
    groups = _split_groups([[one.entry for one in order]], points)
    values: dict[int, list[float]] = {one.entry: [] for one in order}
    found = []
    for place, tie_break in enumerate(tie_breaks):
        group = next(group for group in groups if entry in group)
        if tie_break == "direct-encounter":
            parts = list_encounters(of, entry, group)
        else:
            parts = PARTS[tie_break](of, entry)
        groups = _apply_tie_break(of, groups, tie_break, values)
        found.append(Reckoning(tie_break, values[entry][place], tuple(parts)))
    return tuple(found)


def _check_tie_breaks(kind: Kind, tie_breaks: Sequence[str]) -> None:
    unknown = [each for each in tie_breaks if each not in ALLOWED[kind]]
    if unknown:
        raise ValueError(f"no tie-break of a {kind}: {unknown[0]}")


def _build_record(
    order: Sequence[Entrant], games: Sequence[RoundGame], kind: Kind, rounds: int | None
) -> Record:
    if rounds is None:
        rounds = max((game.round for game in games), default=0)
    return build_record(order, games, rounds, kind == "round-robin")


def _get_points(of: Record, games: Sequence[RoundGame], kind: Kind) -> dict[int, Points]:
    if kind != "arena":
        return of.totals
    results = arena.get_results(games)
    return {entry: WIN * arena.compute_points(results.get(entry, ())).total for entry in of.totals}


def _apply_tie_break(
    of: Record, groups: list[list[int]], tie_break: str, values: dict[int, list[float]]
) -> list[list[int]]:
    """Split the groups by one more tie-break, and append its value to each entrant's values."""
    if tie_break == "direct-encounter":
        found: list[list[int]] = []
        for group in groups:
            tiers = split_by_encounter(of, group)
            behind = len(group)
            for tier in tiers:
                behind -= len(tier)
                for entry in tier:
                    values[entry].append(float(behind))
                found.append([entry for entry in group if entry in set(tier)])
        return found
    given = {entry: compute_value(of, tie_break, entry) for group in groups for entry in group}
    for entry, its in given.items():
        values[entry].append(its)
    return _split_groups(groups, given)


def _split_groups(groups: list[list[int]], by: Mapping[int, float]) -> list[list[int]]:
    """Split each group by value, highest first, and keep the order of entries with equal values."""
    return [
        [entry for entry in group if by[entry] == level]
        for group in groups
        for level in sorted({by[entry] for entry in group}, reverse=True)
    ]


def _rank_by_bracket(order: Sequence[Entrant], slots: Sequence[Slot]) -> list[list[int]]:
    """Group the players by progress, the winner first.

    Players whom the match for third place separates are in different groups. Others who were
    eliminated in the same round are in the same group.
    """
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
