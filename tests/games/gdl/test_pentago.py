"""The sheet of Pentago agrees with a model in plain Python."""

import random

import numpy as np

from games.gdl.sheet_position import SheetPosition
from games.rules import Position
from tests.builders.gdl_sheets import load_sheet
from tests.builders.pentago_model import PentagoModel

CHECKERED = ("wbwbwb", "wbwbwb", "bwbwbw", "bwbwbw", "wbwbwb", "wbwbwb")
"""A full board without five in a line."""


def set_up(model: PentagoModel) -> SheetPosition:
    """Return the position of the sheet with this board and this turn."""
    sheet = load_sheet("pentago")
    stage = "turn" if model.must_turn else "place"
    facts = model.list_facts() | {f"(control {model.mover})", f"(stage {stage})"}
    bits = np.array([each in facts for each in sheet.network.fluents])
    return SheetPosition(sheet, np.packbits(bits).tobytes())


def compare(position: Position, model: PentagoModel) -> None:
    assert isinstance(position, SheetPosition)
    assert position.turn == model.mover
    assert sorted(position.actions()) == sorted(model.list_actions())
    assert position.goals == model.goals
    facts = position.sheet.machine.name_fluents(position.state)
    assert {each for each in facts if each.startswith("(cell ")} == model.list_facts()


def test_random_games_agree_ply_by_ply() -> None:
    ends = set()
    for seed in range(60):
        chance, model = random.Random(seed), PentagoModel()
        position: Position = load_sheet("pentago").game.start
        compare(position, model)
        while not position.is_over:
            action = chance.choice(model.list_actions())
            model, position = model.play(action), position.play(action)
            compare(position, model)
        assert position.goals is not None
        ends.add((position.goals["white"], model.must_turn))
    assert ends >= {(100, False), (0, False), (100, True), (0, True)}


def test_all_turns_of_random_boards_agree() -> None:
    chance = random.Random(1)
    results = set()
    for _ in range(150):
        cells = "".join(chance.choices("wb.", weights=(4, 4, 1), k=36))
        board = tuple(cells[i : i + 6] for i in range(0, 36, 6))
        model = PentagoModel(board, chance.randrange(2), must_turn=True)
        if model.goals is not None:
            continue
        position = set_up(model)
        compare(position, model)
        for action in model.list_actions():
            after = model.play(action)
            compare(position.play(action), after)
            if after.goals:
                results.add(after.goals["white"])
    assert results == {0, 50, 100}


def test_the_last_marble_is_followed_by_a_turn() -> None:
    position = set_up(PentagoModel(CHECKERED, 1, must_turn=True))
    assert (position.turn, len(position.actions())) == ("black", 8)
    assert position.play("turn 1 left").goals == {"white": 50, "black": 50}


def test_five_before_the_turn_win_at_once() -> None:
    before = PentagoModel(("......",) * 5 + ("wwww..",), 0)
    after = set_up(before).play("place 5 1")
    assert after.goals == {"white": 100, "black": 0}


def test_a_turn_to_the_right_is_clockwise() -> None:
    before = PentagoModel(("w.....",) + ("......",) * 5, 0, must_turn=True)
    after = PentagoModel(("..w...",) + ("......",) * 5, 1)
    compare(set_up(before).play("turn 1 right"), after)
