"""The board of Tic-Tac-Toe: one grid."""

from django.utils.translation import gettext_noop as _

from games.boards.board import Board, name_place
from games.boards.grids import CELL, MARGIN, WORDS, badge, cell, centre, coordinates, rulings
from games.rules import Position

_SIDE = 3 * CELL + 2 * MARGIN


def _result(position: Position) -> str:
    return "line" if position.line else "full"


BOARD = Board(
    slug="tic-tac-toe",
    summary=_("Three in a line wins. Quick, and never as simple as it looks."),
    width=_SIDE,
    height=_SIDE,
    elements=tuple(
        cell(
            centre(column),
            centre(row),
            name_place(column + 1, row + 1),
            action=f"mark {row + 1} {column + 1}",
        )
        for row in range(3)
        for column in range(3)
    ),
    words=WORDS,
    badge=badge,
    below=(*rulings(MARGIN, MARGIN), *coordinates(MARGIN, MARGIN)),
    result=_result,
    sentences={
        "name": _("Tic-Tac-Toe"),
        "cell": _("row {row} column {column}"),  # earlier releases stored this code
        "line.won": _("{result}: three in a row"),
        "line.lost": _("{result}: {winner} has three in a row"),
        "line.seen": _("{result}: three in a row"),
        "full": _("{result}: the board is full"),
    },
)
