"""Positions of games that come from sheets follow the contract of all positions."""

import random

import pytest

from games.gdl.errors import SheetError
from games.models import Match
from games.rules import IllegalAction
from games.rules.soundness import faults
from tests.builders.gdl_sheets import NATIVE, PASSING, RACE, SHIPPED, load_sheet, load_text


@pytest.mark.parametrize("slug", ["connect-four", "breakthrough", "hex-7", "reversi"])
def test_the_rules_are_sound(slug: str) -> None:
    assert faults(load_sheet(slug).game) == []


@pytest.mark.parametrize("slug", [*SHIPPED, *NATIVE])
def test_a_position_is_its_notation(slug: str) -> None:
    game = load_sheet(slug).game
    chance = random.Random(slug)
    position = game.start
    for _ in range(30):
        if position.is_over:
            break
        again = game.read(position.notation)
        assert again == position
        assert hash(again) == hash(position)
        assert position.notation.isascii()
        assert "\n" not in position.notation
        assert position.goals is None
        (waiting,) = {*game.roles} - {position.turn}
        assert position.legal(waiting) == ("noop",)
        position = position.play(chance.choice(position.legal()))


def test_illegal_actions_are_refused() -> None:
    start = load_sheet("connect-four").game.start
    for wrong in ("noop", "pass", "drop 8", "drop", "drop  1", "DROP 1", "", "drop 1 ", None, 3):
        assert not isinstance(wrong, str) or not start.may(wrong)
        with pytest.raises(IllegalAction):
            start.play(wrong)  # type: ignore[arg-type]  # a client may send anything


def test_other_text_is_no_position() -> None:
    game = load_sheet("tic-tac-toe").game
    notation = game.start.notation
    for wrong in (
        "",
        "A",
        notation[:-1],
        notation + "A",
        "!" * 6,
        notation + "=",
        "\N{SNOWMAN}",
    ):
        with pytest.raises(ValueError, match="no position of"):
            game.read(wrong)
    padded = notation[:-1] + chr(ord(notation[-1]) + 1)
    with pytest.raises(ValueError, match="no position of"):
        game.read(padded)


def test_a_finished_game_has_goals_and_no_actions() -> None:
    position = load_text(RACE).game.start
    for action in ("take 2", "take 2", "take 1"):
        position = position.play(action)
    assert position.is_over
    assert position.turn is None
    assert position.legal() == ()
    assert position.goals == {"left": 100, "right": 0}
    with pytest.raises(IllegalAction):
        position.play("take 1")


def test_the_role_in_control_passes_if_it_can_only_wait() -> None:
    position = load_text(PASSING).game.start
    for action in ("take 2", "take 2"):
        position = position.play(action)
    assert position.turn == "left"
    assert position.legal() == ("pass",)
    assert position.legal("right") == ("noop",)
    with pytest.raises(IllegalAction):
        position.play("noop")
    position = position.play("pass")
    assert position.turn == "right"
    assert position.legal() == ("take 1",)
    assert position.play("take 1").goals == {"left": 0, "right": 100}


def test_a_step_has_the_actions_of_both_roles_as_the_sheet_writes_them() -> None:
    position = load_text(PASSING).game.start
    steps = []
    for action in ("take 2", "take 2", "pass", "take 1"):
        steps.append(position.get_step(action))
        position = position.play(action)
    assert steps == [("take 2", "noop"), ("noop", "take 2"), ("noop", "noop"), ("noop", "take 1")]
    start = load_text(RACE.replace("noop", "(rest (a 1))")).game.start
    assert start.legal("right") == ("noop",)
    assert start.get_step("take 1") == ("take 1", "rest (a 1)")


def test_states_that_are_too_large_are_refused() -> None:
    pairs = "(<= (init (pair ?x ?y)) (digit ?x) (digit ?y))"
    sheet = load_text(RACE + pairs + " ".join(f"(digit {i})" for i in range(84)))
    length = Match._meta.get_field("notation").max_length
    assert length is not None
    assert len(sheet.game.start.notation) <= length
    with pytest.raises(SheetError, match="more than 7,200 fluents"):
        load_text(RACE + pairs + " ".join(f"(digit {i})" for i in range(85)))
