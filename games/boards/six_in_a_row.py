"""The board of Six in a Row: stones on the crossings of 15 by 15 lines."""

from django.utils.translation import gettext_noop as _

from games.boards.board import (
    COLUMNS,
    Board,
    BoardLine,
    Button,
    Caption,
    Element,
    Point,
    name_place,
)
from games.messages import Message, build_message, pgettext
from games.rules import Position
from games.rules.six_in_a_row import ROLES, SIDE, SixInARow

_STEP = 40.0
_LEFT = 24.0  # the width of the margins on the left and at the top, for the coordinates
_EDGE = 4.0
_STARS = (4, 8, 12)


def _at(coordinate: float) -> float:
    return _LEFT + (coordinate - 0.5) * _STEP


def _badge(position: Position, role: str) -> str:
    """Return the colour of a role's stones, or '.' while it is not decided."""
    assert isinstance(position, SixInARow)
    if position.black_seat is None:
        return "."
    return "b" if ROLES[position.black_seat] == role else "w"


def _prompt(position: Position, last: str) -> Message | None:
    """Return the prompt for stones to place in the opening, or for the choice of a colour."""
    assert isinstance(position, SixInARow)
    if position.turn is None:
        return None
    if position.black_seat is None:
        stones = (position.black | position.white).bit_count()
        return build_message(f"six-in-a-row.opening-{stones + 1}")
    return build_message(_CHOSEN[last]) if last in _CHOSEN else None


_CHOSEN = {
    "pick black": "six-in-a-row.chose-black",
    "pick white": "six-in-a-row.chose-white",
}


def _hand(position: Position) -> str:
    assert isinstance(position, SixInARow)
    return position.stone or "."


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
            name_place(x, y),
            action=f"place {x} {y}",
        )
        for y in range(1, SIDE + 1)
        for x in range(1, SIDE + 1)
    ),
    words={
        ".": pgettext("board", "empty"),
        "b": pgettext("stone", "black"),
        "w": pgettext("stone", "white"),
    },
    badge=_badge,
    below=(
        *(BoardLine(_at(i), _at(1), _at(i), _at(SIDE)) for i in range(1, SIDE + 1)),
        *(BoardLine(_at(1), _at(i), _at(SIDE), _at(i)) for i in range(1, SIDE + 1)),
        *(Point(_at(x), _at(y)) for x in _STARS for y in _STARS),
        *(Caption(_at(i), 13, letter) for i, letter in enumerate(COLUMNS, 1)),
        *(Caption(12, _at(i), str(i)) for i in range(1, SIDE + 1)),
    ),
    buttons=(
        Button("pick black", _("Play black"), _("Play as black?"), "b"),
        Button("pick white", _("Play white"), _("Play as white?"), "w"),
    ),
    prompt=_prompt,
    hand=_hand,
    result=_result,
    phrases={
        "pick black": build_message("six-in-a-row.picks-black"),
        "pick white": build_message("six-in-a-row.picks-white"),
    },
    opening=_("To be fair, one player places three stones; the other then picks a colour."),
    sentences={
        "name": _("Six in a Row"),
        "place": _("column {column} row {row}"),  # earlier releases stored this code
        # Translators: after the name of a player, as in “Anna: picks black.”
        "picks-black": _("picks black"),
        "picks-white": _("picks white"),
        "opening-1.mine": _("Opening, 1 of 3: place a black stone; your opponent then chooses"),
        "opening-1.theirs": _("Opening, 1 of 3: they place a black stone; you then choose"),
        "opening-1.seen": _("Opening, 1 of 3: {name} places a black stone; {other} then chooses"),
        "opening-2.mine": _("Opening, 2 of 3: place a white stone; your opponent then chooses"),
        "opening-2.theirs": _("Opening, 2 of 3: they place a white stone; you then choose"),
        "opening-2.seen": _("Opening, 2 of 3: {name} places a white stone; {other} then chooses"),
        "opening-3.mine": _("Opening, 3 of 3: place a black stone; your opponent then chooses"),
        "opening-3.theirs": _("Opening, 3 of 3: they place a black stone; you then choose"),
        "opening-3.seen": _("Opening, 3 of 3: {name} places a black stone; {other} then chooses"),
        "opening-4.mine": _(
            "Pick your colour, or place a white and a black stone; your opponent then picks"
        ),
        "opening-4.theirs": _("They pick a colour, or place two stones and leave the pick to you"),
        "opening-4.seen": _(
            "{name} picks a colour, or places two stones and leaves the pick to {other}"
        ),
        "opening-5.mine": _("Now a black stone; your opponent then picks a colour"),
        "opening-5.theirs": _("They place a black stone; you then pick a colour"),
        "opening-5.seen": _("{name} places a black stone; {other} then picks a colour"),
        "opening-6.mine": _("Pick the colour you want to play"),
        "opening-6.theirs": _("They pick a colour, and you get the other one"),
        "opening-6.seen": _("{name} picks a colour"),
        "chose-black.mine": _("They chose black: you are white, and white begins"),
        "chose-black.theirs": _("You chose black: {name} is white, and white begins"),
        "chose-black.seen": _("{other} chose black: {name} is white, and white begins"),
        "chose-white.mine": _("You chose white, and white begins"),
        "chose-white.theirs": _("They chose white: you are black, and white begins"),
        "chose-white.seen": _("{name} chose white, and white begins"),
        "line.won": _("{result}: six in a row"),
        "line.lost": _("{result}: {winner} has six in a row"),
        "line.seen": _("{result}: six in a row"),
        "full": _("{result}: the board is full"),
    },
)
