"""A pairing where the rules leave none."""

from collections.abc import Sequence
from itertools import combinations

import rustworkx

from lobby.tournaments.pairing.dutch import BYE, Two
from lobby.tournaments.pairing.field import CannotPair
from lobby.tournaments.pairing.history import Past

_HEAVY = 10**9


def forced(present: Sequence[Past], round_number: int) -> list[Two]:
    """As few second meetings as can be, then as few a third time on the same side, then small
    differences of points. A bye may go to who has won by forfeit, but never to who had one.
    Raises CannotPair."""
    everyone = {player.number: player for player in present}
    edges = [
        (one.number, other.number, -_price(one, other)) for one, other in combinations(present, 2)
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


def _price(one: Past, other: Past) -> int:
    again = other.entry in one.opponents
    third = one.is_absolute and other.is_absolute and one.wish == other.wish
    apart = (one.points - other.points) ** 2
    return _HEAVY**2 * again + _HEAVY * third + apart
