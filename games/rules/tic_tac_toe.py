"""The rules of Tic-Tac-Toe: three of the same mark in a line on a three-by-three grid."""

from games.rules.grid import BLANK, has_line, is_reachable, lines_of, marked, next_mark
from games.rules.position import Game, IllegalAction, Position, put, remembered

ROLES = ("xplayer", "oplayer")
_MARKS = {"x": "xplayer", "o": "oplayer"}
_ACTIONS = tuple(f"mark {row} {column}" for row in (1, 2, 3) for column in (1, 2, 3))
_CELLS = {action: cell for cell, action in enumerate(_ACTIONS)}


class TicTacToe(Position):
    """A position. Its diagram has nine cells, row by row."""

    __slots__ = ("_goals", "cells", "turn")
    roles = ROLES
    cells: str
    _goals: tuple[int, int] | None

    def __init__(self, cells: str) -> None:
        put(self, "cells", cells)
        put(self, "_goals", _goals(cells))
        put(self, "turn", None if self._goals else _MARKS[next_mark(cells)])

    @property
    def diagram(self) -> str:
        return self.cells

    @property
    def notation(self) -> str:
        return self.cells

    @property
    def goals(self) -> dict[str, int] | None:
        return dict(zip(ROLES, self._goals, strict=True)) if self._goals else None

    @property
    def line(self) -> tuple[int, ...]:
        return lines_of(self.cells, "x") or lines_of(self.cells, "o")

    def actions(self) -> tuple[str, ...]:
        if self.turn is None:
            return ()
        return tuple(a for a, mark in zip(_ACTIONS, self.cells, strict=True) if mark == ".")

    def may(self, action: str) -> bool:
        cell = _CELLS.get(action)
        return cell is not None and self.turn is not None and self.cells[cell] == "."

    def play(self, action: str) -> "TicTacToe":
        cell = _CELLS.get(action) if isinstance(action, str) else None
        if cell is None or self.turn is None or self.cells[cell] != ".":
            raise IllegalAction(action)
        return TicTacToe(marked(self.cells, cell, next_mark(self.cells)))


def _goals(cells: str) -> tuple[int, int] | None:
    # A line is worth 100 to its owner and 0 to the opponent. A full board without a line is worth
    # 50 to each.
    if has_line(cells, "x"):
        return 100, 0
    if has_line(cells, "o"):
        return 0, 100
    return None if "." in cells else (50, 50)


@remembered
def read(notation: str) -> TicTacToe:
    """Parse nine marks. Raise `ValueError` if play cannot lead to the position."""
    if not is_reachable(notation):
        raise ValueError(f"no position of Tic-Tac-Toe: {str(notation)[:40]!r}")
    return TicTacToe(notation)


GAME = Game("tic-tac-toe", "Tic-Tac-Toe", ROLES, TicTacToe(BLANK), read, can_be_rated=False)
