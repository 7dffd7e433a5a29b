"""The board of Parallel Tic-Tac-Toe: two grids side by side; one cell of each makes an action."""

from django.utils.translation import gettext_noop as _

from games.boards.board import Board, Caption
from games.boards.grids import CELL, MARGIN, WORDS, badge, cell, centre, rulings
from games.rules import Position
from games.words import words

_GAP = 44.0
_TOP = 40.0
_LEFTS = (MARGIN, MARGIN + 3 * CELL + _GAP)


def _result(position: Position) -> str:
    """By the number of grids with a line. One action completes them all, so one player has them."""
    grids = len({index // 9 for index in position.line})
    return ("full", "line", "lines")[grids]


BOARD = Board(
    slug="parallel-tic-tac-toe",
    summary=_("Two grids at once: every turn marks a cell on each. The first line ends it."),
    width=_LEFTS[1] + 3 * CELL + MARGIN,
    height=_TOP + 3 * CELL + MARGIN,
    elements=tuple(
        cell(
            centre(x, left),
            centre(y, _TOP),
            words("parallel-tic-tac-toe.cell", grid=grid, row=y + 1, column=x + 1),
            grid=grid,
            cell=f"{x + 1} {y + 1}",
        )
        for grid, left in enumerate(_LEFTS, 1)
        for y in range(3)
        for x in range(3)
    ),
    words=WORDS,
    badge=badge,
    verb="mark",
    result=_result,
    sentences={
        "cell": _("grid {grid} row {row} column {column}"),
        "grid": _("Grid {grid}"),
        "line.won": _("You won: three in a row on a grid"),
        "line.lost": _("You lost: {winner} has three in a row on a grid"),
        "line.seen": _("{winner} won: three in a row on a grid"),
        "lines.won": _("You won: three in a row on both grids"),
        "lines.lost": _("You lost: {winner} has three in a row on both grids"),
        "lines.seen": _("{winner} won: three in a row on both grids"),
        "full": _("Draw: the grids are full"),
    },
    below=(
        *rulings(_LEFTS[0], _TOP),
        *rulings(_LEFTS[1], _TOP),
        *(
            Caption(left + 1.5 * CELL, 22, words("parallel-tic-tac-toe.grid", grid=grid))
            for grid, left in enumerate(_LEFTS, 1)
        ),
    ),
)
