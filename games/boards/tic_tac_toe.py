"""The board of Tic-Tac-Toe: one grid."""

from games.boards.board import Board
from games.boards.grids import CELL, MARGIN, WORDS, badge, cell, centre, rulings

_SIDE = 3 * CELL + 2 * MARGIN

BOARD = Board(
    slug="tic-tac-toe",
    summary="Three in a line wins. Quick, and never as simple as it looks.",
    width=_SIDE,
    height=_SIDE,
    elements=tuple(
        cell(
            centre(column),
            centre(row),
            f"row {row + 1} column {column + 1}",
            action=f"mark {row + 1} {column + 1}",
        )
        for row in range(3)
        for column in range(3)
    ),
    words=WORDS,
    badge=badge,
    below=rulings(MARGIN, MARGIN),
)
