"""Rule sheets agree with plain Python programs of the same games, which share no code with them."""

import random
from collections.abc import Callable
from typing import Protocol

import pytest

from tests.builders.atari_go_model import AtariGo
from tests.builders.gdl_sheets import load_sheet
from tests.builders.lines_of_action_model import LinesOfAction


class Model(Protocol):
    """A game that changes with each action. Roles are 0 and 1."""

    turn: int
    goals: tuple[int, int] | None

    def legal(self) -> list[str]: ...

    def play(self, action: str) -> None: ...


MODELS: dict[str, tuple[Callable[[], Model], int]] = {
    "atari-go-7": (AtariGo, 40),
    "lines-of-action": (LinesOfAction, 5),
}
"""The model of each game, and how many random games are compared."""


@pytest.mark.parametrize("slug", MODELS)
def test_the_sheet_and_the_model_agree(slug: str) -> None:
    make, games = MODELS[slug]
    chance, game = random.Random(slug), load_sheet(slug).game
    for _ in range(games):
        position, model = game.start, make()
        while model.goals is None:
            assert position.turn == game.roles[model.turn]
            legal = sorted(model.legal())
            assert sorted(position.legal()) == legal
            action = chance.choice(legal)
            position = position.play(action)
            model.play(action)
        assert position.goals == dict(zip(game.roles, model.goals, strict=True))
