"""The board of Six in a Row: stones on the crossings of 15 by 15 lines."""

from games.boards.board import Board, Button, Caption, Element, Line, Point
from games.rules import Position
from games.rules.six_in_a_row import ROLES, SIDE, SixInARow

_STEP = 40.0
_LEFT = 24.0  # the numbers stand here, and above
_EDGE = 4.0
_STARS = (4, 8, 12)
_STONES = {"b": "black", "w": "white"}


def _at(coordinate: float) -> float:
    return _LEFT + (coordinate - 0.5) * _STEP


def _badge(position: Position, role: str) -> str:
    """The stones of a role, once the colours are settled."""
    assert isinstance(position, SixInARow)
    if position.black_seat is None:
        return "."
    return "b" if ROLES[position.black_seat] == role else "w"


def _prompt(position: Position) -> str:
    assert isinstance(position, SixInARow)
    if position.turn is None or position.black_seat is not None:
        return ""
    stone = _STONES.get(position.stone or "")
    may_pick = position.may("pick black")
    if stone is None:
        return "Pick the colour you want to play"
    if may_pick:
        return f"Pick your colour, or place a {stone} stone and leave the pick to the other"
    return f"Opening: place a {stone} stone"


BOARD = Board(
    slug="six-in-a-row",
    summary="Exactly six in a line, free at both ends. One opens, the other picks the colour.",
    width=_LEFT + SIDE * _STEP + _EDGE,
    height=_LEFT + SIDE * _STEP + _EDGE,
    elements=tuple(
        Element("stone", _at(x), _at(y), _STEP, f"column {x} row {y}", action=f"place {x} {y}")
        for y in range(1, SIDE + 1)
        for x in range(1, SIDE + 1)
    ),
    words={".": "empty", "b": "black", "w": "white"},
    badge=_badge,
    below=(
        *(Line(_at(i), _at(1), _at(i), _at(SIDE)) for i in range(1, SIDE + 1)),
        *(Line(_at(1), _at(i), _at(SIDE), _at(i)) for i in range(1, SIDE + 1)),
        *(Point(_at(x), _at(y)) for x in _STARS for y in _STARS),
        *(Caption(_at(i), 13, str(i)) for i in range(1, SIDE + 1)),
        *(Caption(12, _at(i), str(i)) for i in range(1, SIDE + 1)),
    ),
    buttons=(Button("pick black", "Play black"), Button("pick white", "Play white")),
    prompt=_prompt,
    phrases={"pick black": "picks black", "pick white": "picks white"},
)
