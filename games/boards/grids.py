"""The parts of a three-by-three grid, shared by the games that are played on such grids."""

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from games.boards.board import COLUMNS, BoardLine, Caption, Element
from games.messages import Sentence, pgettext
from games.rules import Position

CELL = 100.0
MARGIN = 26.0
MARKS = {"xplayer": "x", "oplayer": "o"}
WORDS: Mapping[str, Sentence] = {".": pgettext("board", "empty"), "x": _("X"), "o": _("O")}


def centre(index: int, left: float = MARGIN) -> float:
    """Return the middle of the cell in this row or column, counted from 0."""
    return left + (index + 0.5) * CELL


def rulings(left: float, top: float) -> tuple[BoardLine, ...]:
    """Return the two vertical and two horizontal lines of a grid."""
    side = 3 * CELL
    upright = [BoardLine(left + i * CELL, top + 6, left + i * CELL, top + side - 6) for i in (1, 2)]
    level = [BoardLine(left + 6, top + i * CELL, left + side - 6, top + i * CELL) for i in (1, 2)]
    return (*upright, *level)


def coordinates(left: float, top: float, first: int = 1) -> tuple[Caption, ...]:
    """Return the column letters above a grid, from `first` on, and the row numbers to its left."""
    above = [Caption(centre(i, left), top - 13, COLUMNS[first - 1 + i]) for i in range(3)]
    aside = [Caption(left - 13, centre(i, top), str(i + 1)) for i in range(3)]
    return (*above, *aside)


def cell(x: float, y: float, place: str, **how: object) -> Element:
    return Element("cell", x, y, CELL, place, **how)  # type: ignore[arg-type]  # `how` has an action, or a grid and a cell


def badge(position: Position, role: str) -> str:
    """Return the mark of a role: x for xplayer, o for oplayer."""
    return MARKS[role]
