"""The board of Dots and Boxes: 60 lines between 36 points, around 25 boxes."""

# ruff: noqa: RUF001  # lines and scores are written with an en dash

from django.utils.translation import gettext_noop as _

from games.boards.board import COLUMNS, Board, Caption, Element, Point, name_place
from games.messages import Message, build_message, pgettext
from games.rules import Position
from games.rules.dots_and_boxes import LINES, SIDE, SIDES, DotsAndBoxes

_STEP = 100.0
_MARGIN = 40.0
_MARKS = {"xplayer": "x", "oplayer": "o"}


def _at(coordinate: float) -> float:
    return _MARGIN + (coordinate - 1) * _STEP


def _between(x1: int, y1: int, x2: int, y2: int) -> str:
    """Name a line by its two end points, or a box by two opposite corners."""
    return f"{name_place(x1, y1)}–{name_place(x2, y2)}"


def _box(x: int, y: int) -> Element:
    place = _between(x, y, x + 1, y + 1)
    return Element("box", _at(x + 0.5), _at(y + 0.5), _STEP, place, called="dots-and-boxes.box")


def _line(x1: int, y1: int, x2: int, y2: int) -> Element:
    return Element(
        "across" if y1 == y2 else "down",
        _at((x1 + x2) / 2),
        _at((y1 + y2) / 2),
        _STEP,
        _between(x1, y1, x2, y2),
        action=f"draw {x1} {y1} {x2} {y2}",
    )


def _boxes_beside(x1: int, y1: int, x2: int, y2: int) -> tuple[int, ...]:
    """Return the indices of the one or two boxes beside the line."""
    before = (x1, y1 - 1) if y1 == y2 else (x1 - 1, y1)
    side = SIDE - 1
    corners = [(x, y) for x, y in (before, (x1, y1)) if 1 <= x <= side and 1 <= y <= side]
    return tuple((y - 1) * side + x - 1 for x, y in corners)


def _score(position: Position, role: str) -> int:
    assert isinstance(position, DotsAndBoxes)
    return (position.x_boxes if role == "xplayer" else position.o_boxes).bit_count()


def _closing(position: Position) -> tuple[tuple[int, int], ...]:
    """Return pairs of indices: a line that would close a box, and that box."""
    assert isinstance(position, DotsAndBoxes)
    found = []
    for box, sides in enumerate(SIDES):
        missing = sides & ~position.lines
        if missing and not missing & (missing - 1):
            found.append((len(SIDES) + missing.bit_length() - 1, box))
    return tuple(found)


def _prompt(position: Position, last: str) -> Message | None:
    """Return the prompt for another turn, if the last line closed a box."""
    assert isinstance(position, DotsAndBoxes)
    owned = position.x_boxes | position.o_boxes
    closed = sum(owned >> box & 1 for box in _BESIDE.get(last, ()))
    if position.turn is None or not closed:
        return None
    return build_message(
        "dots-and-boxes.box-closed" if closed == 1 else "dots-and-boxes.boxes-closed"
    )


_BESIDE = {"draw {} {} {} {}".format(*line): _boxes_beside(*line) for line in LINES}


def _result(position: Position) -> str:
    """Return the code "tie" if both roles have the same number of boxes, otherwise "".

    25 boxes cannot be split equally, but other numbers can, if `SIDE` is changed.
    """
    assert isinstance(position, DotsAndBoxes)
    return "tie" if position.x_boxes.bit_count() == position.o_boxes.bit_count() else ""


def _badge(position: Position, role: str) -> str:
    return _MARKS[role]


BOARD = Board(
    slug="dots-and-boxes",
    summary=_("Draw lines between the dots. Close a box: it is yours, and you go again."),
    width=(SIDE - 1) * _STEP + 2 * _MARGIN,
    height=(SIDE - 1) * _STEP + 2 * _MARGIN,
    elements=(
        *(_box(x, y) for y in range(1, SIDE) for x in range(1, SIDE)),
        *(_line(*line) for line in LINES),
    ),
    words={
        ".": pgettext("board", "empty"),
        "x": _("taken by X"),
        "o": _("taken by O"),
        "-": pgettext("line", "drawn"),
    },
    badge=_badge,
    above=tuple(Point(_at(x), _at(y)) for y in range(1, SIDE + 1) for x in range(1, SIDE + 1)),
    below=(
        *(Caption(_at(i), 14, letter) for i, letter in enumerate(COLUMNS[:SIDE], 1)),
        *(Caption(14, _at(i), str(i)) for i in range(1, SIDE + 1)),
    ),
    closing=_closing,
    prompt=_prompt,
    score=_score,
    result=_result,
    sentences={
        "name": _("Dots and Boxes"),
        # Earlier releases stored this code.
        "line": _("line from ({x1}, {y1}) to ({x2}, {y2})"),
        "box-closed.mine": _("Box! Go again"),
        "box-closed.theirs": _("They closed a box and go again"),
        "box-closed.seen": _("{name} closed a box and goes again"),
        "boxes-closed.mine": _("Two boxes! Go again"),
        "boxes-closed.theirs": _("They closed two boxes and go again"),
        "boxes-closed.seen": _("{name} closed two boxes and goes again"),
        # Translators: {place} is a place on the board, such as “B2”.
        "box": _("box {place}"),
        "tie.won": _("{result} {won}–{lost}: a tie goes to O, who went second"),
        "tie.lost": _("{result} {lost}–{won}: a tie goes to O, who went second"),
        "tie.seen": _("{result} {won}–{lost}: a tie goes to O, who went second"),
    },
    beside=_BESIDE,
)
