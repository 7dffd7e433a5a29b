"""Pentago in plain Python, to compare its rule sheet with.

A board is six texts from the upper row to the lower one, with "w", "b" and "." for empty cells.
"""

from dataclasses import dataclass
from itertools import product

ROLES = ("white", "black")
_BLOCKS = {1: (0, 0), 2: (0, 3), 3: (3, 0), 4: (3, 3)}  # the upper left cell: line and column


@dataclass(frozen=True)
class PentagoModel:
    """A position of Pentago. `turn` is 0 for white and 1 for black, also after the end."""

    board: tuple[str, ...] = ("......",) * 6
    turn: int = 0
    must_turn: bool = False

    @property
    def mover(self) -> str | None:
        return ROLES[self.turn] if self.goals is None else None

    def list_actions(self) -> list[str]:
        if self.goals is not None:
            return []
        if self.must_turn:
            return [f"turn {block} {way}" for block in _BLOCKS for way in ("left", "right")]
        cells = product(range(6), range(6))
        return [f"place {x + 1} {6 - y}" for x, y in cells if self.board[y][x] == "."]

    def list_facts(self) -> set[str]:
        """Return the cells as facts of the sheet."""
        names = {"w": "white", "b": "black", ".": "b"}
        return {
            f"(cell {x + 1} {6 - y} {names[mark]})"
            for y, line in enumerate(self.board)
            for x, mark in enumerate(line)
        }

    def play(self, action: str) -> "PentagoModel":
        verb, first, second = action.split()
        board = [list(line) for line in self.board]
        if verb == "place":
            board[6 - int(second)][int(first) - 1] = "wb"[self.turn]
            return PentagoModel(_join(board), self.turn, must_turn=True)
        top, left = _BLOCKS[int(first)]
        block = [line[left : left + 3] for line in board[top : top + 3]]
        for _ in range(1 if second == "right" else 3):
            block = [list(column) for column in zip(*block[::-1], strict=True)]
        for y in range(3):
            board[top + y][left : left + 3] = block[y]
        return PentagoModel(_join(board), 1 - self.turn, must_turn=False)

    def has_five(self, mark: str) -> bool:
        lines = [*self.board, *("".join(column) for column in zip(*self.board, strict=True))]
        for shift in range(-5, 6):
            falling = "".join(self.board[i][i + shift] for i in range(6) if 0 <= i + shift < 6)
            rising = "".join(self.board[5 - i][i + shift] for i in range(6) if 0 <= i + shift < 6)
            lines += [falling, rising]
        return any(5 * mark in line for line in lines)

    @property
    def goals(self) -> dict[str, int] | None:
        white, black = self.has_five("w"), self.has_five("b")
        is_full = "." not in "".join(self.board) and not self.must_turn
        if not (white or black or is_full):
            return None
        points = 50 if white == black else 100 * white
        return {"white": points, "black": 100 - points}


def _join(board: list[list[str]]) -> tuple[str, ...]:
    return tuple("".join(line) for line in board)
