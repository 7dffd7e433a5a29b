"""Parallel Tic-Tac-Toe, solved: each role can force 50 points from the start, and no more.

The points of the two roles need not add up to 100. So for every position there are two answers:
what xplayer can force, and what oplayer can force. A role wants more points, and with the same
points a larger lead: 50 to 0 is better than 50 to 50. (No end of the game gives more points but a
smaller lead than another end, so the role that forces the most points also forces the largest
lead.)

If a grid is turned or mirrored, or the two grids change places, the answers stay the same. So
56,401 pairs of grids stand for all. The module computes them backwards from the last mark, in half
a second; to store them in a file would not be worth it.
"""

from functools import cache
from itertools import combinations_with_replacement, product

from games.bots.exact import ExactBot, Outcome, Skill
from games.rules.grid import BLANK, has_any_line, marked, next_mark
from games.rules.parallel_tic_tac_toe import ParallelTicTacToe

_CENTRE, _CORNERS = "2 2", {"1 1", "3 1", "1 3", "3 3"}


class ParallelTicTacToeBot(ExactBot[ParallelTicTacToe]):
    skills = {
        1: Skill(own=0.5, other=0.1, ahead=0.0, has_taste=False),
        2: Skill(own=0.82, other=0.28, ahead=0.0),
        3: Skill(own=0.95, other=0.62, ahead=0.09),
        4: Skill(own=1.0, other=0.92, ahead=0.35),
    }

    def forced(self, position: ParallelTicTacToe) -> tuple[Outcome, Outcome]:
        return _solution()[_pair(_canonical(position.first), _canonical(position.second))]

    def liking(self, action: str) -> int:
        words = action.split(" ", 1)[1]
        return _liked(words[:3]) * _liked(words[4:])

    def warm(self) -> None:
        _solution()


def _liked(cell: str) -> int:
    return 4 if cell == _CENTRE else 2 if cell in _CORNERS else 1


def _symmetries() -> list[tuple[int, ...]]:
    """The eight ways to turn and mirror a grid, each as the cells in their new order."""
    turned = tuple(6 - 3 * (i % 3) + i // 3 for i in range(9))
    mirrored = tuple(2 - i % 3 + i // 3 * 3 for i in range(9))
    found = [tuple(range(9))]
    for _ in range(3):
        found.append(tuple(found[-1][cell] for cell in turned))
    return found + [tuple(way[cell] for cell in mirrored) for way in found]


_WAYS = _symmetries()
Pair = tuple[str, str]


@cache
def _canonical(grid: str) -> str:
    """The one of the eight turned and mirrored forms of the grid that stands for all of them."""
    return min("".join(grid[cell] for cell in way) for way in _WAYS)


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one <= other else (other, one)


@cache
def _solution() -> dict[Pair, tuple[Outcome, Outcome]]:
    """For every pair of grids, the best outcome that each role can force."""
    layers, after = _grids()
    forced: dict[Pair, tuple[Outcome, Outcome]] = {}
    for layer in reversed(layers):
        for pair in combinations_with_replacement(sorted(layer), 2):
            position = ParallelTicTacToe(*pair)
            if position.goals is not None:
                one, other = position.goals["xplayer"], position.goals["oplayer"]
                forced[pair] = (one, one - other), (other, other - one)
                continue
            found = [forced[_pair(*p)] for p in product(after[pair[0]], after[pair[1]])]
            # The role in control takes its best outcome; the other must expect its worst.
            mine, theirs = (max, min) if position.turn == "xplayer" else (min, max)
            forced[pair] = mine(x for x, _ in found), theirs(o for _, o in found)
    return forced


def _grids() -> tuple[list[set[str]], dict[str, set[str]]]:
    """The grids by their number of marks, and for each grid those that one more mark leads to."""
    layers, after = [{BLANK}], dict[str, set[str]]()
    for _ in BLANK:
        for grid in layers[-1]:
            mark = next_mark(grid)
            cells = [] if has_any_line(grid) else [i for i in range(9) if grid[i] == "."]
            after[grid] = {_canonical(marked(grid, cell, mark)) for cell in cells}
        layers.append(set().union(*(after[grid] for grid in layers[-1])))
    return layers, after


BOT = ParallelTicTacToeBot()
