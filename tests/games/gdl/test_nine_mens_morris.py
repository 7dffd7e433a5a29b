"""The sheet of Nine Men's Morris agrees with its rules in plain Python."""

import random
from collections import Counter

from games.rules import Position
from tests.builders.gdl_sheets import load_sheet
from tests.builders.morris_model import MILLS, POINTS, MorrisModel


def choose(model: MorrisModel, is_tight: bool, chance: random.Random) -> str:
    """Choose an action at random, or one that leaves the opponent the fewest."""
    actions = sorted(model.legal())
    chance.shuffle(actions)
    if not is_tight or chance.random() < 0.1:
        return actions[0]
    return min(actions, key=lambda action: len(model.play(action).legal()))


def describe_action(model: MorrisModel, action: str) -> str:
    if not model.is_taking:
        return "fly" if model.is_flying else "place or move"
    rival = model.men[1 - model.player]
    man = POINTS[action.removeprefix("take ")]
    if any(man in mill and mill <= rival for mill in MILLS):
        return "take out of a mill"
    return "take one of some" if len(model.legal()) < len(rival) else "take one of all"


def describe_end(model: MorrisModel) -> str:
    assert model.goals is not None
    if 50 in model.goals.values():
        return "draw"
    return "blocked" if min(map(len, model.men)) > 2 else "few men"


def test_whole_games_agree_with_the_model() -> None:
    chance, seen = random.Random(1), Counter[str]()
    for number in range(40):
        model = MorrisModel()
        position: Position = load_sheet("nine-mens-morris").game.start
        while not position.is_over:
            assert model.goals is None
            assert model.turn == position.turn
            assert sorted(model.legal()) == sorted(position.legal())
            action = choose(model, number % 2 == 1 and model.player == 0, chance)
            seen[describe_action(model, action)] += 1
            model, position = model.play(action), position.play(action)
        assert model.goals == position.goals
        seen[describe_end(model)] += 1
    assert set(seen) == {
        "place or move", "fly", "take one of some", "take one of all", "take out of a mill",
        "draw", "blocked", "few men",
    }  # fmt: skip


def play(*actions: str) -> Position:
    position: Position = load_sheet("nine-mens-morris").game.start
    for action in actions:
        position = position.play(action)
    return position


MILL = ("place a 1", "place b 2", "place a 4", "place d 2", "place a 7")


def test_a_mill_takes_one_man() -> None:
    position = play(*MILL)
    assert position.turn == "white"
    assert sorted(position.legal()) == ["take b 2", "take d 2"]
    assert play(*MILL, "take b 2").turn == "black"


def test_men_in_a_mill_are_safe_while_there_are_others() -> None:
    position = play(*MILL, "take b 2", "place b 2", "place g 7", "place f 2")
    assert position.turn == "black"
    assert position.legal() == ("take g 7",)
