"""The end of a game in its position: goals, line, and owners of boxes."""

import pytest

from games.rules import GAMES

ALL_LINES = (1 << 60) - 1
ALL_BOXES = (1 << 25) - 1


@pytest.mark.parametrize(
    ("x_boxes", "goals"),
    [(0, (0, 100)), (12, (0, 100)), (13, (100, 0)), (25, (100, 0))],
)
def test_who_has_more_boxes_wins_dots_and_boxes(x_boxes: int, goals: tuple[int, int]) -> None:
    boxes = (1 << x_boxes) - 1
    position = GAMES["dots-and-boxes"].read(f"{ALL_LINES:x}/{boxes:x}/{ALL_BOXES & ~boxes:x}/-")
    assert position.goals == {"xplayer": goals[0], "oplayer": goals[1]}
    assert position.diagram == "x" * x_boxes + "o" * (25 - x_boxes) + "-" * 60
    assert position.line == ()  # no line ends this game


@pytest.mark.parametrize(("before", "owner"), [(0, "o"), (1, "x")])
def test_a_box_is_owned_by_the_one_who_closed_it(before: int, owner: str) -> None:
    position = GAMES["dots-and-boxes"].start
    for action in ["draw 5 5 5 6"][:before]:
        position = position.play(action)
    for action in ("draw 1 1 1 2", "draw 1 1 2 1", "draw 2 1 2 2", "draw 1 2 2 2"):
        position = position.play(action)
    assert position.diagram[:25] == owner + "." * 24
    assert position.goals is None


@pytest.mark.parametrize(
    ("cells", "line", "goals"),
    [
        ("xxxoo....", (0, 1, 2), (100, 0)),
        ("xx.ooox..", (3, 4, 5), (0, 100)),
        ("xoxxoxoxo", (), (50, 50)),
    ],
)
def test_a_line_wins_tic_tac_toe_whoever_has_it(
    cells: str, line: tuple[int, ...], goals: tuple[int, int]
) -> None:
    position = GAMES["tic-tac-toe"].read(cells)
    assert position.line == line
    assert position.goals == {"xplayer": goals[0], "oplayer": goals[1]}


def test_a_game_that_goes_on_has_no_line_and_no_goals() -> None:
    position = GAMES["tic-tac-toe"].read("xx.oo....")
    assert (position.line, position.goals) == ((), None)


@pytest.mark.parametrize(
    ("cells", "line", "goals"),
    [
        ("xxxxoooxo/xxoxooxox", (0, 1, 2, 9, 12, 15), (100, 0)),
        ("xxoxoxoo./ox.oxxoox", (2, 4, 6, 9, 12, 15), (0, 100)),
        ("xooxoxxxo/ooxxxooxx", (0, 3, 6), (75, 25)),
        ("xoo.xxoxo/xxoxxo.oo", (11, 14, 17), (0, 50)),
        ("xxoooxxxo/oxxxoooxx", (), (50, 50)),
    ],
)
def test_the_cells_of_the_second_grid_come_after_those_of_the_first(
    cells: str, line: tuple[int, ...], goals: tuple[int, int]
) -> None:
    position = GAMES["parallel-tic-tac-toe"].read(cells)
    assert position.line == line
    assert position.goals == {"xplayer": goals[0], "oplayer": goals[1]}
