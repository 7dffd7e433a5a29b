"""The benchmark of the rules: its figures, and its table with and without OpenSpiel."""

import sys

import pytest

from games.rules import GAMES, Game
from tests.bench.rules import main, playout, time_play, time_read

ENOUGH_US = 30  # what an action may cost on the largest board


def table(capsys: pytest.CaptureFixture[str]) -> str:
    main(["--matches", "2"])
    return capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_a_playout_is_a_whole_match_and_the_same_for_the_same_seed(game: Game) -> None:
    steps = playout(game, 7)
    assert steps == playout(game, 7) != playout(game, 8)
    assert steps[0][0] == game.start
    last, action = steps[-1]
    assert last.play(action).is_over


def test_an_action_on_the_largest_board_is_quick() -> None:
    game = list(GAMES.values())[-1]
    playouts = [playout(game, seed) for seed in range(20)]
    assert 0 < time_play(playouts) < ENOUGH_US
    assert time_read(game, playouts) > 0


def test_the_table_has_a_row_for_each_game_and_openspiels_beside_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    head, *rows = table(capsys).splitlines()
    assert head.split()[-2:] == ["OpenSpiel", "ratio"]
    figures = {slug: [float(figure) for figure in rest] for slug, *rest in map(str.split, rows)}
    assert list(figures) == list(GAMES)
    assert {slug: len(row) for slug, row in figures.items()} == {
        "tic-tac-toe": 4, "parallel-tic-tac-toe": 2, "dots-and-boxes": 4, "six-in-a-row": 2,
    }  # fmt: skip
    assert all(figure > 0 for row in figures.values() for figure in row)


def test_without_openspiel_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    first, _, *rows = table(capsys).splitlines()
    assert "OpenSpiel is not installed" in first
    assert [len(row.split()) for row in rows] == [3, 3, 3, 3]
