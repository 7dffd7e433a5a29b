"""Which sheets can be played by turns."""

import pytest

from games.gdl.errors import SheetError
from tests.builders.gdl_sheets import RACE, compile_here, get_network


def refuse(text: str) -> str:
    with pytest.raises(SheetError) as refused:
        compile_here(text)
    return refused.value.reason


def test_each_role_waits_by_the_same_action() -> None:
    assert compile_here(RACE).noops == (0, 0)
    network = get_network("six-in-a-row")
    assert [network.actions[role][index] for role, index in enumerate(network.noops)] == [
        "noop"
    ] * 2


def test_simultaneous_moves_are_refused() -> None:
    text = RACE.replace("(true (control ?p)) (true (heap ?h))", "(role ?p) (true (heap ?h))")
    assert refuse(text) == "both roles have a choice in one position: the moves are simultaneous"


def test_a_role_without_a_legal_action_is_refused() -> None:
    text = RACE.replace(
        "(role ?p) (not (true (control ?p)))", "(true (control right)) (role ?p)", 1
    )
    assert refuse(text) == "right has no legal action in some position"


def test_a_game_without_an_end_is_refused() -> None:
    text = RACE.replace("(less 1 1 0)", "(less 1 1 5)").replace("(less 2 2 0)", "(less 2 2 5)")
    text += "(init (heap 0)) (<= (next (heap 0)) (true (heap 9)))"
    text = text.replace("(<= terminal (true (heap 0)))", "(<= terminal (true (heap 9)))")
    text += "(<= (next (heap 9)) (true (heap 8))) (<= (next (heap 8)) (true (heap 9)))"
    assert refuse(text) == "a random game did not end within 1,000 plies"


def test_a_game_that_is_over_before_it_begins_is_refused() -> None:
    assert refuse(RACE + "(<= terminal (true (heap 5)))") == "the game is over before it begins"


def test_a_missing_goal_is_refused() -> None:
    text = RACE.replace(
        "(<= (goal ?p 0) (true (control ?p)))", "(<= (goal ?p 0) (true (heap 5)) (role ?p))"
    )
    assert refuse(text) in [
        f"a game ended in which {role} has no goal" for role in ("left", "right")
    ]


def test_two_goals_at_once_are_refused() -> None:
    text = RACE + "(<= (goal ?p 50) (role ?p))"
    assert refuse(text) == "a game ended in which left has more than one goal"
