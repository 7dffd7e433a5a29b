"""Quarto in plain Python, to compare its rule sheet with. It shares no code with the sheet.

A piece is a number of four bits, one for each property. A cell is a number from 0 to 15.
"""

from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

_WORDS = (("black", "white"), ("large", "small"), ("round", "square"), ("hollow", "solid"))
_LINES = (
    *(range(first, 16, 4) for first in range(4)),
    *(range(first, first + 4) for first in range(0, 16, 4)),
    range(0, 16, 5),
    range(3, 13, 3),
)


def name_piece(piece: int) -> str:
    return "-".join(words[piece >> bit & 1] for bit, words in enumerate(_WORDS))


@dataclass(frozen=True)
class QuartoModel:
    """A position: its cells, the pieces that nobody has given yet, and the one to place."""

    cells: tuple[int | None, ...] = (None,) * 16
    pool: frozenset[int] = frozenset(range(16))
    hand: int | None = None
    player: int = 0

    @property
    def roles(self) -> tuple[str, str]:
        return "red", "blue"

    @property
    def turn(self) -> str | None:
        return None if self.goals else self.roles[self.player]

    def legal(self) -> list[str]:
        if self.hand is None:
            return [f"give {name_piece(piece)}" for piece in self.pool]
        return [f"place {i % 4 + 1} {i // 4 + 1}" for i in range(16) if self.cells[i] is None]

    def play(self, action: str) -> "QuartoModel":
        verb, *words = action.split()
        if verb == "give":
            (piece,) = (each for each in self.pool if name_piece(each) == words[0])
            return QuartoModel(self.cells, self.pool - {piece}, piece, 1 - self.player)
        cells = list(self.cells)
        cells[int(words[0]) - 1 + 4 * (int(words[1]) - 1)] = self.hand
        return QuartoModel(tuple(cells), self.pool, None, self.player)

    @property
    def goals(self) -> dict[str, int] | None:
        if self.has_line():
            return {role: 100 * (i == self.player) for i, role in enumerate(self.roles)}
        return None if None in self.cells else dict.fromkeys(self.roles, 50)

    def has_line(self) -> bool:
        for line in _LINES:
            pieces = [piece for i in line if (piece := self.cells[i]) is not None]
            if len(pieces) == 4 and (reduce(and_, pieces) or reduce(or_, pieces) < 15):
                return True
        return False
