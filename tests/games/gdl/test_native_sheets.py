"""The games that are written in Python agree with rule sheets of themselves."""

import random

import pytest

from games.rules import GAMES
from tests.builders.gdl_sheets import NATIVE, load_sheet


def test_there_is_a_sheet_of_each_game() -> None:
    assert set(NATIVE) == {slug for slug, game in GAMES.items() if not game.sheet}


@pytest.mark.parametrize("slug", NATIVE)
def test_the_sheet_and_the_rules_agree(slug: str) -> None:
    native, sheet = GAMES[slug], load_sheet(slug).game
    assert sheet.roles == native.roles
    chance = random.Random(slug)
    for _ in range(4 if slug == "six-in-a-row" else 30):
        position, other = native.start, sheet.start
        while not position.is_over:
            assert other.turn == position.turn
            assert other.goals is None
            assert sorted(other.legal()) == sorted(position.legal())
            action = chance.choice(position.legal())
            position, other = position.play(action), other.play(action)
        assert other.is_over
        assert other.goals == position.goals
