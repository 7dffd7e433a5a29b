"""The sheet of Quarto agrees with its rules in plain Python."""

import random

from games.gdl.checks import read_sheet
from games.gdl.layout import infer_layout
from games.gdl.overlay import parse_overlay
from tests.builders.gdl_sheets import SHIPPED, get_network, load_sheet
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


def test_the_line_of_pieces_with_one_thing_in_common_is_found() -> None:
    sheet = SHIPPED["quarto"]
    overlay = parse_overlay(sheet.with_suffix(".json").read_text())
    layout = infer_layout(read_sheet(sheet.read_text()), get_network("quarto"), overlay)

    def find_line(*pieces: str) -> tuple[int, ...]:
        return layout.find_line("".join(layout.named[each].mark for each in pieces) + 29 * ".")

    hollow = "black-large-round-hollow", "white-small-square-hollow", "black-small-square-hollow"
    assert find_line(*hollow, "white-large-round-hollow") == (0, 1, 2, 3)
    assert find_line(*hollow, "white-large-round-solid") == ()
