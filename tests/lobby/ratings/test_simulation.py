"""Ratings order simulated players by true strength, and predict their results."""

import pytest

from tests.bench.ratings.simulation import rank_correlation, simulate


def test_the_order_is_found_and_expectations_hold() -> None:
    found = simulate(players=600, each=60)
    assert found.correlation > 0.95
    assert found.error < 80
    # Ratings are slightly overconfident, because true strengths vary less than 500 points at the
    # start.
    assert found.miscalibration < 0.045
    for each in found.bins:
        if each.games > 300:
            assert each.scored / each.games == pytest.approx(each.expected / each.games, abs=0.09)


def test_a_rank_correlation_is_one_for_the_same_order_only() -> None:
    values = [3.0, 1.0, 2.0, 7.0]
    assert rank_correlation(values, [v * 10 for v in values]) == 1
    assert rank_correlation(values, [-v for v in values]) == -1
