"""Arenas: pairing, and points for winning streaks."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.tournaments.pairing.arena import AGAIN, ArenaResult, Free, compute_points, pair_players
from lobby.tournaments.pairing.field import DRAW, LOSS, WIN, Pair

W, D, L = ArenaResult(WIN), ArenaResult(DRAW), ArenaResult(LOSS)
WB, DB, LB = ArenaResult(WIN, True), ArenaResult(DRAW, True), ArenaResult(LOSS, True)


@pytest.mark.parametrize(
    ("results", "given"),
    [
        ([], []),
        ([W, D, L], [2, 1, 0]),
        ([W, W, W, W], [2, 2, 4, 4]),
        ([W, W, D, W], [2, 2, 2, 2]),  # the draw is doubled and ends the streak
        ([W, W, L, W, W, W], [2, 2, 0, 2, 2, 4]),
        ([W, D, W, W, W], [2, 1, 2, 2, 4]),
        ([WB, WB, WB], [3, 3, 5]),  # the bonus is not doubled
        ([DB, LB], [1, 0]),
    ],
)
def test_the_points_of_a_sheet(results: list[ArenaResult], given: list[int]) -> None:
    sheet = compute_points(results)
    assert list(sheet.points) == given
    assert sheet.total == sum(given)
    assert sheet.wins == sum(result.points == WIN for result in results)


def test_a_sheet_says_what_was_doubled_and_who_is_on_fire() -> None:
    assert compute_points([W, W, D, W, W]).is_doubled == (False, False, True, False, False)
    assert compute_points([W, W]).is_on_fire
    assert not compute_points([W, W, D]).is_on_fire


def people(count: int, chance: random.Random) -> list[Free]:
    return [
        Free(1000 + rank, rank, chance.uniform(800, 2400), chance.randint(-1, 1), False, 1.0)
        for rank in range(1, count + 1)
    ]


@given(st.integers(0, 60), st.randoms(use_true_random=False))
def test_all_are_paired_once_and_nobody_with_the_last_opponent(
    count: int, chance: random.Random
) -> None:
    free = people(count, chance)
    met = [one.entry for one in free]
    chance.shuffle(met)
    recent: dict[int, list[int]] = {}
    for one, other in zip(met[::2], met[1::2], strict=False):
        recent[one], recent[other] = [other], [one]
    pairs = pair_players(free, recent)
    entries = [entry for two in pairs for entry in (two.first, two.second)]
    assert len(entries) == len(set(entries))
    assert None not in entries
    for two in pairs:
        assert two.second not in recent.get(two.first, ())
        assert two.first not in recent.get(two.second, ())
    if count > 3:
        assert len(pairs) == count // 2
    chance.shuffle(free)
    assert pair_players(free, recent) == pairs


def test_the_near_meet() -> None:
    free = [Free(rank, rank, 2000.0 - 10 * rank) for rank in range(1, 9)]
    assert {frozenset((two.first, two.second)) for two in pair_players(free, {})} == {
        *map(frozenset, ((1, 2), (3, 4), (5, 6), (7, 8)))  # type: ignore[arg-type]
    }


def test_two_who_just_met_wait_before_they_meet_again() -> None:
    two = [Free(1, 1), Free(2, 2)]
    assert pair_players(two, {1: [2], 2: [1]}) == ()
    later = [Free(1, 1, waited=AGAIN), Free(2, 2, waited=AGAIN)]
    assert len(pair_players(later, {1: [2], 2: [1]})) == 1
    assert len(pair_players(two, {1: [2, 3], 2: [1, 3]})) == 1  # that was not the last opponent


def test_who_just_met_take_the_partners_of_others() -> None:
    free = [Free(rank, rank) for rank in (1, 2, 3, 4)]
    pairs = pair_players(free, {3: [4], 4: [3]})
    assert len(pairs) == 2
    assert {3, 4} not in ({two.first, two.second} for two in pairs)


def test_of_an_odd_number_the_one_who_came_last_waits() -> None:
    free = [Free(1, 1, waited=0.0), Free(2, 2, waited=9.0), Free(3, 3, waited=5.0)]
    (two,) = pair_players(free, {})
    assert {two.first, two.second} == {2, 3}
    assert pair_players([Free(1, 1)], {}) == pair_players([], {}) == ()


def test_who_began_less_often_begins() -> None:
    assert pair_players([Free(1, 1, sides=1), Free(2, 2, sides=0)], {}) == (Pair(2, 1),)
    assert pair_players([Free(1, 1, began=True), Free(2, 2)], {}) == (Pair(2, 1),)


def test_sides_stay_balanced_over_many_games() -> None:
    chance = random.Random(5)
    sides = dict.fromkeys(range(1, 31), 0)
    began = dict.fromkeys(sides, False)
    recent: dict[int, list[int]] = {}
    for _ in range(40):
        order = list(sides)
        chance.shuffle(order)
        free = [
            Free(entry, rank, 1500.0, sides[entry], began[entry])
            for rank, entry in enumerate(order, 1)
        ]
        for two in pair_players(free, recent):
            assert two.second is not None
            sides[two.first] += 1
            sides[two.second] -= 1
            began[two.first], began[two.second] = True, False
            recent[two.first], recent[two.second] = [two.second], [two.first]
    assert max(map(abs, sides.values())) <= 3


def test_five_hundred_are_paired_in_an_instant() -> None:
    chance = random.Random(3)
    free = people(500, chance)
    recent = {one.entry: [chance.choice(free).entry] for one in free}
    began = time.process_time()
    assert len(pair_players(free, recent)) == 250
    assert time.process_time() - began < 0.2
