"""The table of a season."""

import pytest

from lobby.tournaments.pairing.season import compute_season


def test_the_best_two_of_three_count() -> None:
    lines = compute_season([{1: 300, 2: 500}, {1: 400, 2: 100, 3: 50}, {1: 200, 2: 100}], best=2)
    assert [(line.rank, line.player, line.total) for line in lines] == [
        *((1, 1, 700), (2, 2, 600), (3, 3, 50)),
    ]
    assert lines[0].results == (300, 400, 200)
    assert lines[0].counted == (True, True, False)
    assert lines[1].counted == (True, True, False)  # of equal results, the earlier count
    assert lines[2].results == (None, 50, None)
    assert lines[2].counted == (False, True, False)


def test_all_count_where_nothing_else_is_said() -> None:
    assert [line.total for line in compute_season([{1: 1}, {1: 2}, {1: 3}])] == [6]
    assert compute_season([]) == ()


def test_equal_totals_go_by_the_best_results() -> None:
    lines = compute_season([{1: 5, 2: 6, 3: 6}, {1: 5, 2: 4, 3: 4}], best=2)
    assert [(line.rank, line.player) for line in lines] == [(1, 2), (1, 3), (3, 1)]


def test_a_result_that_does_not_count_parts_at_last() -> None:
    lines = compute_season([{1: 5, 2: 5}, {1: 3}], best=1)
    assert [(line.rank, line.player) for line in lines] == [(1, 1), (2, 2)]


def test_nought_of_them_is_no_table() -> None:
    with pytest.raises(ValueError, match="best"):
        compute_season([{1: 1}], best=0)
