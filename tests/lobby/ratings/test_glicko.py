"""Glicko-2: the paper's example, values of other implementations, and invariants."""

import doctest
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobby.ratings import glicko
from lobby.ratings.glicko import (
    GameScore,
    Strength,
    compute_expected_score,
    rate_game,
    update_strength,
    widen_deviation,
)

# Rounded like stored ratings, because results are compared with them exactly.
ratings = st.floats(400, 3500).map(lambda rating: round(rating, 6))
deviations = st.floats(glicko.LEAST_DEVIATION, glicko.MOST_DEVIATION)
volatilities = st.floats(0.03, glicko.MOST_VOLATILITY)
strengths = st.builds(Strength, ratings, deviations, volatilities)
scores = st.sampled_from((0.0, 0.5, 1.0))
advantages = st.floats(-200, 200)


def test_the_examples_in_the_text_hold() -> None:
    found = doctest.testmod(glicko)
    assert found.attempted >= 8 and found.failed == 0


def test_two_newcomers_move_as_at_lichess() -> None:
    # The values in scalachess' own test.
    won, lost = rate_game(Strength(), Strength(), 1.0)
    assert won.rating == pytest.approx(1741, abs=1) and lost.rating == pytest.approx(1258, abs=1)
    assert won.deviation == pytest.approx(396, abs=1) == lost.deviation
    assert won.volatility == pytest.approx(0.0899983, abs=1e-7)


@given(strengths, strengths, advantages)
def test_a_win_never_lowers_and_a_loss_never_raises(
    one: Strength, other: Strength, advantage: float
) -> None:
    won, lost = rate_game(one, other, 1.0, advantage)
    assert won.rating >= one.rating and lost.rating <= other.rating
    lost, won = rate_game(one, other, 0.0, advantage)
    assert lost.rating <= one.rating and won.rating >= other.rating


@given(strengths, strengths, advantages)
def test_a_better_result_is_never_worth_less(
    one: Strength, other: Strength, advantage: float
) -> None:
    after = [rate_game(one, other, score, advantage)[0].rating for score in (0.0, 0.5, 1.0)]
    assert after == sorted(after)


@given(strengths, strengths, scores, advantages)
def test_it_is_the_same_from_the_other_side(
    one: Strength, other: Strength, score: float, advantage: float
) -> None:
    there = rate_game(one, other, score, advantage)
    assert rate_game(other, one, 1 - score, -advantage) == there[::-1]


@given(strengths, strengths, scores, advantages)
def test_it_stays_within_its_bounds(
    one: Strength, other: Strength, score: float, advantage: float
) -> None:
    for before, after in zip((one, other), rate_game(one, other, score, advantage), strict=True):
        assert glicko.LEAST_DEVIATION <= after.deviation <= glicko.MOST_DEVIATION
        assert 0 < after.volatility <= glicko.MOST_VOLATILITY
        assert abs(after.rating - before.rating) <= glicko.MOST_CHANGE + 1e-6


@given(
    strengths, st.lists(st.builds(GameScore, strengths, scores), min_size=2, max_size=6), st.data()
)
def test_the_order_within_a_period_does_not_matter(
    player: Strength, results: list[GameScore], data: st.DataObject
) -> None:
    there = update_strength(player, results, periods=1)
    again = update_strength(player, data.draw(st.permutations(results)), periods=1)
    assert again.rating == pytest.approx(there.rating, abs=1e-3)
    assert again.deviation == pytest.approx(there.deviation, abs=1e-3)


@given(strengths, st.floats(0, 10_000), st.floats(0, 10_000))
def test_time_alone_only_widens(player: Strength, days: float, more: float) -> None:
    soon, late = widen_deviation(player, days), widen_deviation(player, days + more)
    assert (soon.rating, soon.volatility) == (player.rating, player.volatility)
    assert player.deviation <= soon.deviation <= late.deviation <= glicko.MOST_DEVIATION


@given(strengths, st.floats(0, 2000))
def test_it_is_known_when_a_deviation_is_reached(player: Strength, days: float) -> None:
    reached = widen_deviation(player, days).deviation
    if reached < glicko.MOST_DEVIATION:
        assert glicko.count_days_until(player, reached) == pytest.approx(days, abs=1e-3)


@given(strengths, strengths, advantages)
def test_what_both_expect_is_one_point(one: Strength, other: Strength, advantage: float) -> None:
    both = glicko.compute_mutual_expected_score(
        one, other, advantage
    ) + glicko.compute_mutual_expected_score(other, one, -advantage)
    assert both == pytest.approx(1)
    assert compute_expected_score(one.rating + 1, other) > compute_expected_score(one.rating, other)


def test_deviation_falls_with_games_and_finds_the_strength() -> None:
    chance = random.Random(7)
    player, pool = Strength(), [Strength(1200 + 40 * i, 60, 0.06) for i in range(20)]
    seen = [player]
    for _ in range(150):
        other = chance.choice(pool)
        score = float(
            chance.random() < compute_expected_score(1700, Strength(other.rating, 0, 0.06))
        )
        player = rate_game(player, other, score)[0]
        seen.append(player)
    assert abs(player.rating - 1700) < 3 * player.deviation
    assert all(after.deviation < before.deviation for before, after in pairwise(seen[:20]))
