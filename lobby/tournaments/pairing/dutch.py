"""The Dutch system, computed by caissify-pairings, and a fallback for players whom it cannot pair.

The library is exact but slow: its run time grows with the fourth power of the number of players,
because it computes a matching of all players in pure Python for each pair of a bracket. A later
round takes 0.3 s with 40 players and 10 s with 100; the first round takes less than 0.1 s.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import TypeAlias

import rustworkx
from caissify_pairings.engines.dutch import DutchEngine  # type: ignore[import-untyped]  # it has no types

from lobby.tournaments.pairing.field import WIN, CannotPair
from lobby.tournaments.pairing.history import Past, may_meet

Two: TypeAlias = tuple[Past, Past | None]
"""A pair without seats, or a bye."""

BYE = 0  # the node of the bye; players are nodes from 1, numbered by pairing number


def is_possible(present: Sequence[Past], round_number: int, rounds: int) -> bool:
    """Return whether everybody can be paired without breaking an absolute rule.

    Call `pair_exactly` only if such a pairing exists: otherwise, the library searches forever, or
    breaks rules without an error.
    """
    edges = [
        (one.number, other.number, None)
        for one, other in combinations(present, 2)
        if may_meet(one, other, round_number, rounds)
    ]
    if len(present) % 2:
        edges += [(BYE, one.number, None) for one in present if one.may_have_bye]
    graph: rustworkx.PyGraph[None, None] = rustworkx.PyGraph()
    graph.extend_from_weighted_edge_list(edges)
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True)
    return 2 * len(matching) == len(present) + len(present) % 2


def pair_exactly(present: Sequence[Past], round_number: int, rounds: int) -> list[Two]:
    """Return the pairs of the present players. A valid pairing must exist (see `is_possible`).

    The sides that the library assigns are ignored, because it ranks two players by number and not
    by their points.
    """
    met = {
        (min(player.entry, other), max(player.entry, other))
        for player in present
        for other in player.opponents
    }
    engine = DutchEngine(
        players=[_convert_entrant(player) for player in present],
        previous_pairings=met,
        round_number=round_number,
        total_rounds=rounds,
        initial_color="white",
    )
    everyone = {player.entry: player for player in present}
    return [
        (everyone[each["white_id"]], everyone.get(each["black_id"]))
        for each in engine.generate_pairings()
    ]


def _convert_entrant(player: Past) -> dict[str, object]:
    """Convert an entrant to the library's type.

    Without `color_hist` and `float_history`, the library would silently break rules.
    """
    return {
        "id": player.entry,
        "name": "",
        "rating": 0,
        "starting_number": player.number,
        "pairing_number": player.number,
        "score": player.points / WIN,
        "color_hist": ["white" if side == "f" else "black" for side in player.sides],
        "float_history": list(player.floats),
        "bye_count": int(player.had_bye),
        "forfeit_win_count": int(player.won_unplayed),
    }


_HEAVY = 10**9


def pair_without_rules(present: Sequence[Past], round_number: int) -> list[Two]:
    """Pair the players even if the rules leave no valid pairing.

    The pairing has as few rematches as possible, then as few pairs in which both players must have
    the same side, then small differences in points. A player who won by forfeit can get a bye, but
    not a player who had a bye. Raise `CannotPair` if an odd number of players have all had a bye.
    """
    everyone = {player.number: player for player in present}
    edges = [
        (one.number, other.number, -_compute_cost(one, other))
        for one, other in combinations(present, 2)
    ]
    if len(present) % 2:
        for one in present:
            if not one.had_bye:
                price = _HEAVY * one.won_unplayed + one.points * len(present) - one.number
                edges.append((BYE, one.number, -price))
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph()
    graph.extend_from_weighted_edge_list(edges)
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matching) < len(present) + len(present) % 2:
        raise CannotPair("no-pairing-left", round=round_number)
    return [(everyone[max(two)], everyone.get(min(two))) for two in matching]


def _compute_cost(one: Past, other: Past) -> int:
    again = other.entry in one.opponents
    third = one.is_absolute and other.is_absolute and one.wish == other.wish
    apart = (one.points - other.points) ** 2
    return _HEAVY**2 * again + _HEAVY * third + apart
