"""The sheet of Kalaha agrees with a model in plain Python."""

import random

import numpy as np
import pytest

from games.gdl.sheet_position import SheetPosition
from games.rules import Position
from tests.builders.gdl_sheets import load_sheet
from tests.builders.kalaha_model import NAMES, KalahaModel


def set_up(model: KalahaModel) -> SheetPosition:
    """Return the position of the sheet with these seeds and this turn."""
    sheet = load_sheet("kalaha")
    facts = model.list_facts() | {f"(control {model.mover})"}
    bits = np.array([each in facts for each in sheet.network.fluents])
    return SheetPosition(sheet, np.packbits(bits).tobytes())


def compare(position: Position, model: KalahaModel) -> None:
    assert isinstance(position, SheetPosition)
    assert position.turn == model.mover
    assert sorted(position.actions()) == sorted(model.list_actions())
    assert position.goals == model.goals
    facts = position.sheet.machine.name_fluents(position.state)
    assert {each for each in facts if each.startswith("(pit ")} == model.list_facts()


def test_random_games_agree_ply_by_ply() -> None:
    results = set()
    for seed in range(60):
        chance, model = random.Random(seed), KalahaModel()
        position: Position = load_sheet("kalaha").game.start
        compare(position, model)
        while not position.is_over:
            action = chance.choice(model.list_actions())
            model, position = model.play(action), position.play(action)
            compare(position, model)
        assert position.goals is not None
        results.add(position.goals["red"])
    assert results == {0, 50, 100}


def test_houses_with_any_number_of_seeds_agree() -> None:
    chance = random.Random(1)
    fullest = 0
    for _ in range(400):
        seeds = [0] * 14
        for _ in range(48):  # most seeds go to few places
            seeds[min(13, int(chance.expovariate(0.5)))] += 1
        chance.shuffle(seeds)
        model = KalahaModel(tuple(seeds), chance.randrange(2))
        if not (any(seeds[:6]) and any(seeds[7:13])):
            continue
        position = set_up(model)
        compare(position, model)
        for action in model.list_actions():
            compare(position.play(action), model.play(action))
            fullest = max(fullest, seeds[NAMES.index(action.split()[1])])
    assert fullest > 26


@pytest.mark.parametrize("full", [1, 12, 13, 14, 26, 27, 39, 40, 47])
def test_full_houses_go_round(full: int) -> None:
    for house in range(6):
        seeds = [0] * 14
        seeds[house], seeds[7], seeds[13] = full, 1, 47 - full
        model = KalahaModel(tuple(seeds), 0)
        action = f"sow {NAMES[house]}"
        compare(set_up(model).play(action), model.play(action))


def play(*places: str) -> Position:
    position: Position = load_sheet("kalaha").game.start
    for place in places:
        position = position.play(f"sow {place}")
    return position


def count_seeds(position: Position, place: str) -> int:
    assert isinstance(position, SheetPosition)
    facts = position.sheet.machine.name_fluents(position.state)
    return next(n for n in range(49) if f"(pit {place} {n})" in facts)


def test_the_last_seed_in_the_store_gives_another_turn() -> None:
    assert play("c1").turn == "red"
    assert play("c1", "a1").turn == "blue"


def test_the_last_seed_in_an_empty_house_captures_the_opposite_house() -> None:
    before = play("e1", "f2")
    assert (count_seeds(before, "e1"), count_seeds(before, "e2")) == (0, 6)
    after = before.play("sow a1")
    assert [count_seeds(after, place) for place in ("e1", "e2", "k1")] == [0, 0, 8]


def test_nothing_is_captured_if_the_opposite_house_is_empty() -> None:
    seeds = (1, 0, 0, 0, 0, 1, 20, 1, 0, 0, 0, 0, 0, 25)
    after = set_up(KalahaModel(seeds, 0)).play("sow a1")
    assert [count_seeds(after, place) for place in ("b1", "k1")] == [1, 20]
    assert after.turn == "blue"


def test_the_other_player_keeps_the_seeds_of_a_side() -> None:
    seeds = (0, 0, 0, 0, 0, 1, 24, 2, 0, 0, 0, 0, 1, 20)
    after = set_up(KalahaModel(seeds, 0)).play("sow f1")
    assert [count_seeds(after, place) for place in ("k1", "k2", "f2", "a2")] == [25, 23, 0, 0]
    assert after.goals == {"red": 100, "blue": 0}
