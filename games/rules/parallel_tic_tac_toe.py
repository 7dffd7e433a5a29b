"""The rules of Parallel Tic-Tac-Toe: each action places one mark on each of two grids."""

from itertools import product

from games.rules.grid import (
    BLANK,
    has_any_line,
    has_line,
    is_reachable,
    lines_of,
    marked,
    next_mark,
)
from games.rules.position import Game, IllegalAction, Position, put, remembered

ROLES = ("xplayer", "oplayer")
_MARKS = {"x": "xplayer", "o": "oplayer"}
# "X Y": X is the column from the left, and Y the row from the top.
_XY = tuple(f"{x} {y}" for y in (1, 2, 3) for x in (1, 2, 3))
_CELLS = {f"mark {_XY[a]} {_XY[b]}": (a, b) for a, b in product(range(9), range(9))}
_ACTIONS = {cells: action for action, cells in _CELLS.items()}


class ParallelTicTacToe(Position):
    """A position. Its diagram has two grids of nine cells, row by row."""

    __slots__ = ("first", "second", "turn")
    roles = ROLES
    first: str
    second: str

    def __init__(self, first: str, second: str) -> None:
        put(self, "first", first)
        put(self, "second", second)
        # The game ends as soon as either grid has a line or no blank cell.
        over = any("." not in grid or has_any_line(grid) for grid in (first, second))
        put(self, "turn", None if over else _MARKS[next_mark(first)])

    @property
    def diagram(self) -> str:
        return self.first + self.second

    @property
    def notation(self) -> str:
        return f"{self.first}/{self.second}"

    @property
    def goals(self) -> dict[str, int] | None:
        if self.turn is not None:
            return None
        # The goals are the mean of both grids. Each grid is worth 0, 50 or 100, so the mean is an
        # integer.
        return {
            role: (_worth(self.first, mark) + _worth(self.second, mark)) // 2
            for mark, role in _MARKS.items()
        }

    @property
    def line(self) -> tuple[int, ...]:
        first = lines_of(self.first, "x") + lines_of(self.first, "o")
        second = lines_of(self.second, "x") + lines_of(self.second, "o")
        return first + tuple(cell + len(BLANK) for cell in second)

    def actions(self) -> tuple[str, ...]:
        if self.turn is None:
            return ()
        first, second = (
            [cell for cell in range(9) if grid[cell] == "."] for grid in (self.first, self.second)
        )
        return tuple(_ACTIONS[cells] for cells in product(first, second))

    def may(self, action: str) -> bool:
        cells = _CELLS.get(action)
        if cells is None or self.turn is None:
            return False
        return self.first[cells[0]] == "." and self.second[cells[1]] == "."

    def play(self, action: str) -> "ParallelTicTacToe":
        if not isinstance(action, str) or not self.may(action):
            raise IllegalAction(action)
        (a, b), mark = _CELLS[action], next_mark(self.first)
        return ParallelTicTacToe(marked(self.first, a, mark), marked(self.second, b, mark))


def _worth(grid: str, mark: str) -> int:
    # The role's own line is worth 100, and a full grid without a line 50. Anything else is worth 0.
    if has_line(grid, mark):
        return 100
    return 50 if "." not in grid and not has_any_line(grid) else 0


@remembered
def read(notation: str) -> ParallelTicTacToe:
    """Parse the marks of two grids. Raise `ValueError` if play cannot lead to the position."""
    first, _, second = notation.partition("/")
    # Each action marks both grids. Until the end, the choices on the grids are independent.
    as_many = first.count(".") == second.count(".")
    if not (as_many and is_reachable(first) and is_reachable(second)):
        raise ValueError(f"no position of Parallel Tic-Tac-Toe: {str(notation)[:40]!r}")
    return ParallelTicTacToe(first, second)


GAME = Game(
    "parallel-tic-tac-toe",
    "Parallel Tic-Tac-Toe",
    ROLES,
    ParallelTicTacToe(BLANK, BLANK),
    read,
    short_plies=16,
)
