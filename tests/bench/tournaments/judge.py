"""Decide which of two pairings of a Swiss round breaks fewer rules.

It follows FIDE Handbook C.04.3 C, as of February 2026, and uses none of the code that computes
pairings.
"""

from collections.abc import Collection, Sequence
from typing import TypeAlias

import networkx

from lobby.tournaments.pairing.field import Pair
from lobby.tournaments.pairing.history import Past, is_top_scorer, may_meet

Two: TypeAlias = tuple[Past, Past]


def better(
    present: Sequence[Past],
    ours: Collection[Pair],
    theirs: Collection[Pair],
    number: int,
    rounds: int,
) -> str:
    """Return `ours`, `theirs` or, for equal pairs, `neither`.

    The first bracket in which they differ decides: by the rules they break, then by order (B.8, D).
    """
    by_entry = {player.entry: player for player in present}
    brackets = sorted({player.points for player in present}, reverse=True)
    floaters: list[Past] = []
    for place, points in enumerate(brackets):
        residents = [player for player in present if player.points == points]
        lower = [player for player in present if player.points < points]
        members = [*floaters, *residents]
        following = brackets[place + 1] if place + 1 < len(brackets) else None
        inside = [_inside(pairs, members, by_entry) for pairs in (ours, theirs)]
        if _unordered(inside[0]) != _unordered(inside[1]):
            first, second = (
                _broken(members, points, two, lower, following, pairs, by_entry, number, rounds)
                for two, pairs in zip(inside, (ours, theirs), strict=True)
            )
            if first == second:
                first, second = (_order(floaters, residents, two) for two in inside)
            return "neither" if first == second else "ours" if first < second else "theirs"
        paired = {player.entry for two in inside[0] for player in two}
        floaters = [player for player in members if player.entry not in paired]
    return "neither"


def _order(
    floaters: Sequence[Past], residents: Sequence[Past], inside: Sequence[Two]
) -> tuple[object, ...]:
    """Return the sort key of a bracket's pairing.

    It has the opponents of the floaters, then, among the other residents, the players exchanged
    between the halves, their distance, and the opponents of the upper half.
    """
    ranked = sorted(floaters, key=lambda player: (-player.points, player.number))
    partner = {one.entry: other for two in inside for one, other in (two, two[::-1])}
    nobody = len(residents) + len(floaters) + 10**6
    met = [
        partner[floater.entry].number if floater.entry in partner else nobody for floater in ranked
    ]
    above = {player.entry for player in floaters}
    left = [two for two in inside if not above & {player.entry for player in two}]
    taken = {player.entry for two in inside if two not in left for player in two}
    numbers = sorted(player.number for player in residents if player.entry not in taken)
    place = {number: place for place, number in enumerate(numbers)}
    twos = sorted(sorted(place[player.number] for player in two) for two in left)
    half = len(twos)
    into = [one for one, _ in twos if one >= half]
    out = sorted(set(range(half)) - {one for one, _ in twos}, reverse=True)
    exchanged = (len(out), sum(into) - sum(out), [-one for one in out], into)
    return met, exchanged, [two[1] for two in twos]


def _inside(
    pairs: Collection[Pair], members: Sequence[Past], by_entry: dict[int, Past]
) -> list[Two]:
    entries = {player.entry for player in members}
    return [
        (by_entry[pair.first], by_entry[pair.second])
        for pair in pairs
        if pair.second is not None and {pair.first, pair.second} <= entries
    ]


def _unordered(twos: Sequence[Two]) -> set[frozenset[int]]:
    return {frozenset(player.entry for player in two) for two in twos}


def _broken(
    members: Sequence[Past],
    points: int,
    inside: Sequence[Two],
    lower: Sequence[Past],
    following: int | None,
    pairs: Collection[Pair],
    by_entry: dict[int, Past],
    number: int,
    rounds: int,
) -> tuple[object, ...]:
    """Return how often a bracket breaks each criterion, from C.6 on."""
    paired = {player.entry for two in inside for player in two}
    down = [player for player in members if player.entry not in paired]
    byes = [by_entry[pair.first] for pair in pairs if pair.second is None]
    upper = [(one, other) if one.points > other.points else (other, one) for one, other in inside]
    met_floaters = [(one, other) for one, other in upper if one.points > other.points]
    sides = [(first, "f", second) for first, second in inside]
    sides += [(second, "s", first) for first, second in inside]
    tops = [
        (player, side)
        for player, side, other in sides
        if is_top_scorer(player, number, rounds) or is_top_scorer(other, number, rounds)
    ]
    unmet = [player for player, side, _ in sides if player.wish and player.wish != side]
    residents = [player for player in down if player.points == points]
    criteria: list[object] = [
        len(down),  # C.6
        sorted((player.points for player in down), reverse=True),  # C.7
        -_below(down, lower, following, byes, number, rounds),  # C.8
        [number - len(player.opponents) for player in byes if player in down],  # C.9
        sum(abs(player.difference + (1 if side == "f" else -1)) > 2 for player, side in tops),
        sum(player.sides[-2:] == 2 * side for player, side in tops),
        len(unmet),  # C.12
        sum(player.strength >= 2 for player in unmet),  # C.13
    ]
    for back in (1, 2):  # C.14 to C.17
        criteria.append(sum(_float(player, back) == "down" for player in residents))
        criteria.append(sum(_float(other, back) == "up" for _, other in met_floaters))
    for back in (1, 2):  # C.18 to C.21
        for kind, which in (("down", 0), ("up", 1)):
            apart = [
                two[0].points - two[1].points
                for two in met_floaters
                if _float(two[which], back) == kind
            ]
            criteria.append(sorted(apart, reverse=True))
    return tuple(criteria)


def _float(player: Past, back: int) -> str:
    return player.floats[-back] if len(player.floats) >= back else "none"


def _below(
    down: Sequence[Past],
    lower: Sequence[Past],
    following: int | None,
    byes: Sequence[Past],
    number: int,
    rounds: int,
) -> int:
    """Return how well the floaters let the next bracket be paired, with all others still paired.

    More pairs come first, then higher points.
    """
    if following is None:
        return 0
    rest = [*down, *lower]
    inside = {player.entry for player in rest if player.points >= following}
    levels = sorted({player.points for player in rest})
    base = len(rest) + 1
    graph = networkx.Graph()
    graph.add_nodes_from(player.entry for player in rest)
    for place, one in enumerate(rest):
        for other in rest[place + 1 :]:
            if may_meet(one, other, number, rounds):
                weight = 0
                if {one.entry, other.entry} <= inside:
                    weight = base ** (len(levels) + 1)
                    weight += sum(base ** levels.index(each.points) for each in (one, other))
                graph.add_edge(one.entry, other.entry, weight=weight)
    for bye in byes:
        for one in rest:
            if one.may_have_bye and one.points == bye.points:
                graph.add_edge("bye", one.entry, weight=0)
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matching) != len(rest) + len(byes):
        return -1
    return sum(graph.edges[two]["weight"] for two in matching)
