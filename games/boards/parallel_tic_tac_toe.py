"""The board of Parallel Tic-Tac-Toe: two grids side by side; one cell of each makes an action."""

from games.boards.board import Board, Caption
from games.boards.grids import CELL, MARGIN, WORDS, badge, cell, centre, rulings

_GAP = 44.0
_TOP = 40.0
_LEFTS = (MARGIN, MARGIN + 3 * CELL + _GAP)
_NAMES = ("grid 1", "grid 2")

BOARD = Board(
    slug="parallel-tic-tac-toe",
    summary="Two grids at once: every turn marks a cell on each. The first line ends it.",
    width=_LEFTS[1] + 3 * CELL + MARGIN,
    height=_TOP + 3 * CELL + MARGIN,
    elements=tuple(
        cell(
            centre(x, left),
            centre(y, _TOP),
            f"{name} row {y + 1} column {x + 1}",
            grid=grid,
            cell=f"{x + 1} {y + 1}",
        )
        for grid, (name, left) in enumerate(zip(_NAMES, _LEFTS, strict=True), 1)
        for y in range(3)
        for x in range(3)
    ),
    words=WORDS,
    badge=badge,
    verb="mark",
    below=(
        *rulings(_LEFTS[0], _TOP),
        *rulings(_LEFTS[1], _TOP),
        *(
            Caption(left + 1.5 * CELL, 22, name.capitalize())
            for name, left in zip(_NAMES, _LEFTS, strict=True)
        ),
    ),
)
