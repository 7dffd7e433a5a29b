"""The sheet of Quarto agrees with its rules in plain Python."""

import random

from tests.builders.gdl_sheets import load_sheet
from tests.builders.quarto_model import QuartoModel


def test_whole_games_agree_with_the_model() -> None:
    chance, results = random.Random(1), set()
    for _ in range(150):
        model, position = QuartoModel(), load_sheet("quarto").game.start
        while not position.is_over:
            assert model.goals is None
            assert model.turn == position.turn
            assert sorted(model.legal()) == sorted(position.legal())
            action = chance.choice(position.legal())
            model, position = model.play(action), position.play(action)
        assert model.goals == position.goals
        results.add(tuple(model.goals.items()))
    assert len(results) == 3, "some games must be won by each player, and some drawn"


def test_the_player_who_places_the_last_piece_of_a_line_wins() -> None:
    position = load_sheet("quarto").game.start
    pieces = "black-large-round", "white-small-square", "black-small-square", "white-large-square"
    for column, piece in enumerate(pieces, 1):
        giver = position.turn
        position = position.play(f"give {piece}-hollow")
        placer = position.turn
        assert placer != giver
        assert not any(action.startswith("give") for action in position.legal())
        position = position.play(f"place {column} 2")
    assert position.goals == {placer: 100, giver: 0}
