"""Round robins, compared with the published tables (FIDE Handbook C.05 annex 1)."""

from collections import Counter
from itertools import pairwise

import pytest

from lobby.tournaments.pairing import berger
from lobby.tournaments.pairing.field import CannotPair

# Each line is a round. The first player of a pair has white.
TABLES = {
    4: """
1-4 2-3
4-3 1-2
2-4 3-1
""",
    6: """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
""",
    8: """
1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1
""",
    10: """
1-10 2-9 3-8 4-7 5-6
10-6 7-5 8-4 9-3 1-2
2-10 3-1 4-9 5-8 6-7
10-7 8-6 9-5 1-4 2-3
3-10 4-2 5-1 6-9 7-8
10-8 9-7 1-6 2-5 3-4
4-10 5-3 6-2 7-1 8-9
10-9 1-8 2-7 3-6 4-5
5-10 6-4 7-3 8-2 9-1
""",
    12: """
1-12 2-11 3-10 4-9 5-8 6-7
12-7 8-6 9-5 10-4 11-3 1-2
2-12 3-1 4-11 5-10 6-9 7-8
12-8 9-7 10-6 11-5 1-4 2-3
3-12 4-2 5-1 6-11 7-10 8-9
12-9 10-8 11-7 1-6 2-5 3-4
4-12 5-3 6-2 7-1 8-11 9-10
12-10 11-9 1-8 2-7 3-6 4-5
5-12 6-4 7-3 8-2 9-1 10-11
12-11 1-10 2-9 3-8 4-7 5-6
6-12 7-5 8-4 9-3 10-2 11-1
""",
    14: """
1-14 2-13 3-12 4-11 5-10 6-9 7-8
14-8 9-7 10-6 11-5 12-4 13-3 1-2
2-14 3-1 4-13 5-12 6-11 7-10 8-9
14-9 10-8 11-7 12-6 13-5 1-4 2-3
3-14 4-2 5-1 6-13 7-12 8-11 9-10
14-10 11-9 12-8 13-7 1-6 2-5 3-4
4-14 5-3 6-2 7-1 8-13 9-12 10-11
14-11 12-10 13-9 1-8 2-7 3-6 4-5
5-14 6-4 7-3 8-2 9-1 10-13 11-12
14-12 13-11 1-10 2-9 3-8 4-7 5-6
6-14 7-5 8-4 9-3 10-2 11-1 12-13
14-13 1-12 2-11 3-10 4-9 5-8 6-7
7-14 8-6 9-5 10-4 11-3 12-2 13-1
""",
    16: """
1-16 2-15 3-14 4-13 5-12 6-11 7-10 8-9
16-9 10-8 11-7 12-6 13-5 14-4 15-3 1-2
2-16 3-1 4-15 5-14 6-13 7-12 8-11 9-10
16-10 11-9 12-8 13-7 14-6 15-5 1-4 2-3
3-16 4-2 5-1 6-15 7-14 8-13 9-12 10-11
16-11 12-10 13-9 14-8 15-7 1-6 2-5 3-4
4-16 5-3 6-2 7-1 8-15 9-14 10-13 11-12
16-12 13-11 14-10 15-9 1-8 2-7 3-6 4-5
5-16 6-4 7-3 8-2 9-1 10-15 11-14 12-13
16-13 14-12 15-11 1-10 2-9 3-8 4-7 5-6
6-16 7-5 8-4 9-3 10-2 11-1 12-15 13-14
16-14 15-13 1-12 2-11 3-10 4-9 5-8 6-7
7-16 8-6 9-5 10-4 11-3 12-2 13-1 14-15
16-15 1-14 2-13 3-12 4-11 5-10 6-9 7-8
8-16 9-7 10-6 11-5 12-4 13-3 14-2 15-1
""",
}


def table(text: str) -> list[list[tuple[int, int]]]:
    return [
        [(int(first), int(second)) for first, _, second in (pair.partition("-") for pair in pairs)]
        for pairs in (line.split() for line in text.split("\n") if line)
    ]


@pytest.mark.parametrize("n", TABLES)
def test_the_rounds_are_those_of_the_published_tables(n: int) -> None:
    assert [list(pairs) for pairs in berger.build_rounds(n)] == table(TABLES[n])


@pytest.mark.parametrize("n", [3, 5, 7, 9, 11, 13, 15])
def test_with_an_odd_number_the_last_number_of_the_table_is_a_round_off(n: int) -> None:
    for pairs, published in zip(berger.build_rounds(n), table(TABLES[n + 1]), strict=True):
        off = [min(pair) for pair in published if n + 1 in pair]
        assert pairs == (*(pair for pair in published if n + 1 not in pair), (off[0], None))


def test_two_meet_once_or_with_each_side() -> None:
    assert berger.build_rounds(2) == (((1, 2),),)
    assert berger.build_rounds(2, double=True) == (((1, 2),), ((2, 1),))


def test_three_have_one_round_off_each() -> None:
    offs = [first for pairs in berger.build_rounds(3) for first, second in pairs if second is None]
    assert sorted(offs) == [1, 2, 3]


@pytest.mark.parametrize("n", range(2, berger.MOST + 1))
@pytest.mark.parametrize("double", [False, True])
def test_all_meet_and_sides_are_balanced(n: int, double: bool) -> None:
    rounds = berger.build_rounds(n, double)
    games = [pair for pairs in rounds for pair in pairs if pair[1] is not None]
    began = Counter(first for first, _ in games)
    met = Counter(frozenset(pair) for pair in games)
    each = 2 if double else 1
    assert set(met.values()) == {each}
    assert len(met) == n * (n - 1) // 2
    assert all(
        abs(2 * began[seed] - each * (n - 1)) <= (not double and n % 2 == 0) for seed in began
    )
    if double:
        assert len(set(games)) == len(games)  # each pair of seats once
    for pairs in rounds:
        seeds = [seed for pair in pairs for seed in pair if seed is not None]
        assert sorted(seeds) == list(range(1, n + 1))


@pytest.mark.parametrize("n", range(4, 17, 2))
def test_nobody_has_one_side_three_times_running(n: int) -> None:
    for seed in range(1, n + 1):
        sides = [
            pair[0] == seed
            for pairs in berger.build_rounds(n, double=True)
            for pair in pairs
            if seed in pair
        ]
        runs = pairwise(pairwise(sides))
        assert not any(len({*one, *other}) == 1 for one, other in runs)


@pytest.mark.parametrize(("n", "code"), [(0, "too-few-players"), (1, "too-few-players"),
                                         (65, "too-many-players")])  # fmt: skip
def test_it_refuses_numbers_without_a_table(n: int, code: str) -> None:
    with pytest.raises(CannotPair) as refused:
        berger.build_rounds(n)
    assert refused.value.code == code
