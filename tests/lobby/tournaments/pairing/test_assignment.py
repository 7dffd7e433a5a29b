"""The assignment problem, compared with all permutations."""

import random
from itertools import permutations

import pytest

from lobby.tournaments.pairing.assignment import INFINITE, find_first_cheapest


@pytest.mark.parametrize("seed", range(200))
def test_it_is_the_first_of_the_cheapest(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randint(1, 6)
    kinds = chance.choice([[0, 1], [0, 0, 1, 7], [0, 1, INFINITE], [0, INFINITE, INFINITE]])
    costs = [[chance.choice(kinds) for _ in range(size)] for _ in range(size)]

    def total(columns: tuple[int, ...]) -> int:
        return sum(costs[row][column] for row, column in enumerate(columns))

    best = min(permutations(range(size)), key=lambda columns: (total(columns), columns))
    found = find_first_cheapest(costs)
    assert found == (list(best) if total(best) < INFINITE else None)


def test_nothing_is_assigned_to_nobody() -> None:
    assert find_first_cheapest([]) == []
