"""The board of Six in a Row: stones on the crossings of 15 by 15 lines."""

from django.utils.translation import gettext_noop as _

from games.boards.board import Board, Button, Caption, Element, Line, Point
from games.rules import Position
from games.rules.six_in_a_row import ROLES, SIDE, SixInARow
from games.words import Words, words

_STEP = 40.0
_LEFT = 24.0  # the coordinates are written here, and above the board
_EDGE = 4.0
_STARS = (4, 8, 12)
_STONES = {"b": "black", "w": "white"}


def _at(coordinate: float) -> float:
    return _LEFT + (coordinate - 0.5) * _STEP


def _place(x: int, y: int) -> Words:
    return words("six-in-a-row.place", column=x, row=y)


def _badge(position: Position, role: str) -> str:
    """The colour of a role's stones, once the colours are decided."""
    assert isinstance(position, SixInARow)
    if position.black_seat is None:
        return "."
    return "b" if ROLES[position.black_seat] == role else "w"


def _prompt(position: Position) -> Words | None:
    assert isinstance(position, SixInARow)
    if position.turn is None or position.black_seat is not None:
        return None
    stone = _STONES.get(position.stone or "")
    if stone is None:
        return words("six-in-a-row.pick")
    if position.may("pick black"):
        return words(f"six-in-a-row.pick-or-{stone}")
    return words(f"six-in-a-row.open-{stone}")


def _result(position: Position) -> str:
    return "line" if position.line else "full"


BOARD = Board(
    slug="six-in-a-row",
    summary=_("Line up exactly six, with no rival stone touching either end."),
    width=_LEFT + SIDE * _STEP + _EDGE,
    height=_LEFT + SIDE * _STEP + _EDGE,
    elements=tuple(
        Element(
            "stone",
            _at(x),
            _at(y),
            _STEP,
            words("six-in-a-row.place", column=x, row=y),
            action=f"place {x} {y}",
        )
        for y in range(1, SIDE + 1)
        for x in range(1, SIDE + 1)
    ),
    words={".": _("empty"), "b": _("black"), "w": _("white")},
    badge=_badge,
    below=(
        *(Line(_at(i), _at(1), _at(i), _at(SIDE)) for i in range(1, SIDE + 1)),
        *(Line(_at(1), _at(i), _at(SIDE), _at(i)) for i in range(1, SIDE + 1)),
        *(Point(_at(x), _at(y)) for x in _STARS for y in _STARS),
        *(Caption(_at(i), 13, str(i)) for i in range(1, SIDE + 1)),
        *(Caption(12, _at(i), str(i)) for i in range(1, SIDE + 1)),
    ),
    buttons=(Button("pick black", _("Play black")), Button("pick white", _("Play white"))),
    prompt=_prompt,
    result=_result,
    phrases={
        "pick black": words("six-in-a-row.picks-black"),
        "pick white": words("six-in-a-row.picks-white"),
    },
    sentences={
        "place": _("column {column} row {row}"),
        "picks-black": _("picks black"),
        "picks-white": _("picks white"),
        "pick": _("Pick the colour you want to play"),
        "pick-or-black": _(
            "Pick your colour, or place a black stone and leave the pick to the other"
        ),
        "pick-or-white": _(
            "Pick your colour, or place a white stone and leave the pick to the other"
        ),
        "open-black": _("Opening: place a black stone"),
        "open-white": _("Opening: place a white stone"),
        "line.won": _("You won: six in a row"),
        "line.lost": _("You lost: {winner} has six in a row"),
        "line.seen": _("{winner} won: six in a row"),
        "full": _("Draw: the board is full"),
    },
)
