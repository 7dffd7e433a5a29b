"""The rules of Dots and Boxes: six by six points, 60 lines, 25 boxes."""

import re

from games.rules.position import Game, IllegalAction, Position, put, remembered

ROLES = ("xplayer", "oplayer")
SIDE = 6  # points on each side of the board
BOXES = (SIDE - 1) ** 2
_SPAN = range(1, SIDE + 1)


def _lines() -> list[tuple[int, int, int, int]]:
    # For each point, first the line to its right, then the line below it. A line is named from its
    # left end to its right end, or from its upper end to its lower end.
    found = []
    for y in _SPAN:
        for x in _SPAN:
            if x < SIDE:
                found.append((x, y, x + 1, y))
            if y < SIDE:
                found.append((x, y, x, y + 1))
    return found


LINES = _lines()
_ACTIONS = tuple("draw {} {} {} {}".format(*line) for line in LINES)
_BITS = {action: 1 << i for i, action in enumerate(_ACTIONS)}
_ALL = (1 << len(LINES)) - 1


def _sides() -> list[int]:
    """Return the bits of each box's four lines, row by row."""
    bit = {line: 1 << i for i, line in enumerate(LINES)}
    return [
        bit[x, y, x + 1, y]
        | bit[x, y + 1, x + 1, y + 1]
        | bit[x, y, x, y + 1]
        | bit[x + 1, y, x + 1, y + 1]
        for y in range(1, SIDE)
        for x in range(1, SIDE)
    ]


SIDES = _sides()
"""For each box, row by row, the bits of its four lines."""
# The bits of the boxes that have another box to their right.
_NOT_LAST = sum(1 << box for box in range(BOXES) if (box + 1) % (SIDE - 1))
# For each line's bit, the one or two boxes beside the line: the box's bit, and the bits of its
# four lines.
_BESIDE = {
    bit: tuple((1 << box, sides) for box, sides in enumerate(SIDES) if sides & bit)
    for bit in _BITS.values()
}


class DotsAndBoxes(Position):
    """A position. Its diagram has 25 boxes, row by row, then 60 lines in the actions' order."""

    __slots__ = ("_is_x", "lines", "o_boxes", "turn", "x_boxes")
    roles = ROLES
    lines: int
    x_boxes: int
    o_boxes: int
    _is_x: bool

    def __init__(self, lines: int, x_boxes: int, o_boxes: int, is_x: bool) -> None:
        put(self, "lines", lines)
        put(self, "x_boxes", x_boxes)
        put(self, "o_boxes", o_boxes)
        put(self, "_is_x", is_x)
        # The game ends when all lines are drawn.
        put(self, "turn", None if lines == _ALL else ROLES[0 if is_x else 1])

    @property
    def diagram(self) -> str:
        boxes = "".join(
            "x" if self.x_boxes >> box & 1 else "o" if self.o_boxes >> box & 1 else "."
            for box in range(BOXES)
        )
        return boxes + "".join("-" if self.lines >> i & 1 else "." for i in range(len(LINES)))

    @property
    def open(self) -> str:
        return "0" * BOXES + f"{_ALL & ~self.lines:0{len(LINES)}b}"[::-1]

    @property
    def notation(self) -> str:
        turn = "-" if self.turn is None else "x" if self._is_x else "o"
        return f"{self.lines:x}/{self.x_boxes:x}/{self.o_boxes:x}/{turn}"

    @property
    def goals(self) -> dict[str, int] | None:
        if self.turn is not None:
            return None
        # More boxes win; a tie counts as a win for oplayer.
        x_wins = self.x_boxes.bit_count() > self.o_boxes.bit_count()
        return {ROLES[0]: 100 if x_wins else 0, ROLES[1]: 0 if x_wins else 100}

    @property
    def line(self) -> tuple[int, ...]:
        return ()  # no line of elements ends this game

    def actions(self) -> tuple[str, ...]:
        return tuple(action for action, bit in _BITS.items() if not self.lines & bit)

    def may(self, action: str) -> bool:
        bit = _BITS.get(action)
        return bit is not None and not self.lines & bit

    def play(self, action: str) -> "DotsAndBoxes":
        bit = _BITS.get(action) if isinstance(action, str) else None
        if bit is None or self.lines & bit:
            raise IllegalAction(action)
        lines = self.lines | bit
        won = 0
        for box, sides in _BESIDE[bit]:
            if lines & sides == sides:
                won |= box
        if not won:
            return DotsAndBoxes(lines, self.x_boxes, self.o_boxes, not self._is_x)
        # The role that completes a box owns it and stays in control.
        if self._is_x:
            return DotsAndBoxes(lines, self.x_boxes | won, self.o_boxes, True)
        return DotsAndBoxes(lines, self.x_boxes, self.o_boxes | won, False)


# Sixty lines take fifteen hexadecimal digits.
_NOTATION = re.compile(r"([0-9a-f]{1,15})/([0-9a-f]{1,7})/([0-9a-f]{1,7})/([xo-])", re.ASCII)


@remembered
def read(notation: str) -> DotsAndBoxes:
    """Parse a notation: lines, x's boxes, o's boxes (hexadecimal), and the role in control.

    Raise `ValueError` if the text is not a notation or contradicts itself: a box has two owners, a
    box has an owner but is not closed, a closed box has no owner, or no order of drawing these
    lines leads to this turn.
    """
    found = _NOTATION.fullmatch(notation)
    if found is not None:
        lines, x_boxes, o_boxes = (int(part, 16) for part in found.groups()[:3])
        position = DotsAndBoxes(lines, x_boxes, o_boxes, found[4] != "o")
        if lines == _ALL:
            position = DotsAndBoxes(lines, x_boxes, o_boxes, True)
        if position.notation == notation and _is_sound(position):
            return position
    raise ValueError(f"no position of Dots and Boxes: {str(notation)[:60]!r}")


def _is_sound(position: DotsAndBoxes) -> bool:
    lines, x_boxes, o_boxes = position.lines, position.x_boxes, position.o_boxes
    closed = sum(1 << box for box, sides in enumerate(SIDES) if lines & sides == sides)
    if x_boxes & o_boxes or x_boxes | o_boxes != closed:
        return False
    if position.turn is None or _may_share_a_line(x_boxes) or _may_share_a_line(o_boxes):
        return True  # one line may have closed two boxes, so either turn is possible
    passes = lines.bit_count() - closed.bit_count()
    return position.turn == ROLES[passes % 2]


def _may_share_a_line(boxes: int) -> bool:
    """Return whether two of these boxes are adjacent, so that one line may have closed both."""
    return bool(boxes & boxes >> SIDE - 1 or boxes & boxes >> 1 & _NOT_LAST)


GAME = Game(
    "dots-and-boxes",
    "Dots and Boxes",
    ROLES,
    DotsAndBoxes(0, 0, 0, True),
    read,
    short_plies=16,
    formats=frozenset({"golem"}),
)
