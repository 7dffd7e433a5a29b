"""The bot for Parallel Tic-Tac-Toe, a solved game in which each role can force only 50 points.

The points of the two roles need not add up to 100, so every position has two results: the outcome
that xplayer can force, and the outcome that oplayer can force. A role prefers more points, then a
larger lead: 50 to 0 is better than 50 to 50. (No end of the game gives more points but a smaller
lead than another end, so the role that forces the most points also forces the largest lead.)

The results do not change if a grid is rotated or mirrored, or if the two grids are swapped, so
56,401 pairs of grids represent all positions. The module computes them backwards from the last
mark. This takes half a second, so they are not stored in a file.
"""

from functools import cache
from itertools import combinations_with_replacement, product

from games.bots.exact import ExactBot, NoticeChances, Outcome
from games.rules.grid import BLANK, has_any_line, marked, next_mark
from games.rules.parallel_tic_tac_toe import ParallelTicTacToe

_CENTRE, _CORNERS = "2 2", {"1 1", "3 1", "1 3", "3 3"}


class ParallelTicTacToeBot(ExactBot[ParallelTicTacToe]):
    skills = {
        1: NoticeChances(own=0.5, other=0.1, ahead=0.0, has_taste=False),
        2: NoticeChances(own=0.82, other=0.28, ahead=0.0),
        3: NoticeChances(own=0.95, other=0.62, ahead=0.09),
        4: NoticeChances(own=1.0, other=0.92, ahead=0.35),
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
    """Return the eight symmetries of a grid, each as the cells in their new order."""
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
    """Return the form of the grid that represents all eight of its symmetric forms."""
    return min("".join(grid[cell] for cell in way) for way in _WAYS)


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one <= other else (other, one)


@cache
def _solution() -> dict[Pair, tuple[Outcome, Outcome]]:
    """Compute the best outcome that each role can force, for every pair of grids."""
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
            # The role in control takes its best outcome, and its opponent gets its worst.
            mine, theirs = (max, min) if position.turn == "xplayer" else (min, max)
            forced[pair] = mine(x for x, _ in found), theirs(o for _, o in found)
    return forced


def _grids() -> tuple[list[set[str]], dict[str, set[str]]]:
    """Return the grids by number of marks, and for each grid the grids with one more mark."""
    layers, after = [{BLANK}], dict[str, set[str]]()
    for _ in BLANK:
        for grid in layers[-1]:
            mark = next_mark(grid)
            cells = [] if has_any_line(grid) else [i for i in range(9) if grid[i] == "."]
            after[grid] = {_canonical(marked(grid, cell, mark)) for cell in cells}
        layers.append(set().union(*(after[grid] for grid in layers[-1])))
    return layers, after


BOT = ParallelTicTacToeBot()
