"""Compares Tic-Tac-Toe and Dots and Boxes with OpenSpiel, state by state."""

import random

import pyspiel
import pytest

from games.rules import GAMES
from games.rules.dots_and_boxes import SIDE

PLAYOUTS = 150


def test_tic_tac_toe_is_openspiels() -> None:
    """In every position, each reached in one of the ways that lead to it."""
    game, theirs = GAMES["tic-tac-toe"], pyspiel.load_game("tic_tac_toe")
    left, seen = [(game.start, theirs.new_initial_state())], {game.start}
    while left:
        position, state = left.pop()
        assert position.is_over == state.is_terminal()
        assert position.diagram == str(state).replace("\n", "")
        if position.is_over:
            assert position.goals is not None
            assert [position.goals[role] for role in game.roles] == [
                50 + 50 * points for points in state.returns()
            ]
            continue
        assert game.roles.index(str(position.turn)) == state.current_player()
        # Their action is the cell, row by row.
        actions = {f"mark {a // 3 + 1} {a % 3 + 1}": a for a in state.legal_actions()}
        assert set(position.legal()) == set(actions)
        for action, number in actions.items():
            after = position.play(action)
            if after not in seen:
                seen.add(after)
                left.append((after, state.child(number)))
    assert len(seen) == 5478


def lines_of_openspiel() -> dict[int, str]:
    """Our action for each of theirs. They number first the level lines, then the upright ones."""
    level = [f"draw {x} {y} {x + 1} {y}" for y in range(1, SIDE + 1) for x in range(1, SIDE)]
    upright = [f"draw {x} {y} {x} {y + 1}" for y in range(1, SIDE) for x in range(1, SIDE + 1)]
    return dict(enumerate(level + upright))


def test_the_numbering_of_openspiels_lines_is_as_we_take_it() -> None:
    state = pyspiel.load_game("dots_and_boxes(num_rows=5,num_cols=5)").new_initial_state()
    for theirs, ours in lines_of_openspiel().items():
        _, x1, y1, _, y2 = ours.split()
        kind = "h" if y1 == y2 else "v"
        said = state.action_to_string(0, theirs)
        assert said.startswith(f"P1({kind},{int(y1) - 1},{int(x1) - 1})"), (said, ours)


@pytest.mark.parametrize("greedy", [False, True], ids=["random", "box-taking"])
def test_dots_and_boxes_is_openspiels(greedy: bool) -> None:
    """Also with playouts that take every box: then one player has many turns in a row."""
    game = GAMES["dots-and-boxes"]
    theirs = pyspiel.load_game("dots_and_boxes(num_rows=5,num_cols=5)")
    lines = lines_of_openspiel()
    numbers = {line: number for number, line in lines.items()}
    longest_run = 0
    for seed in range(PLAYOUTS):
        chance = random.Random(seed)
        position, state = game.start, theirs.new_initial_state()
        run = 0
        while not position.is_over:
            assert not state.is_terminal()
            assert game.roles.index(str(position.turn)) == state.current_player()
            legal = position.legal()
            assert set(legal) == {lines[a] for a in state.legal_actions()}
            before = position
            action = chance.choice(legal)
            if greedy:
                action = next((a for a in legal if before.play(a).turn == before.turn), action)
            position = position.play(action)
            state.apply_action(numbers[action])
            run = run + 1 if position.turn == before.turn else 0
            longest_run = max(longest_run, run)
            assert position.diagram == diagram_of_openspiel(state)
        assert state.is_terminal()
        assert position.goals is not None
        # Nobody can share 25 boxes evenly, so their draw never happens.
        assert [position.goals[role] for role in game.roles] == [
            50 + 50 * points for points in state.returns()
        ]
    assert longest_run >= (5 if greedy else 2)


def diagram_of_openspiel(state: pyspiel.State) -> str:
    """Their drawing as our diagram: a box is four characters wide and two high."""
    rows = [row.ljust(4 * SIDE) for row in str(state).split("\n")]
    boxes = "".join(
        {"1": "x", "2": "o", " ": "."}[rows[2 * y + 1][4 * x + 2]]
        for y in range(SIDE - 1)
        for x in range(SIDE - 1)
    )
    lines = ""
    for y in range(SIDE):
        for x in range(SIDE):
            if x < SIDE - 1:
                lines += "-" if rows[2 * y][4 * x + 2] == "─" else "."
            if y < SIDE - 1:
                lines += "-" if rows[2 * y + 1][4 * x] == "│" else "."
    return boxes + lines
