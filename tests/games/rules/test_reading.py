"""`read` refuses notations of the right form if play cannot lead to them."""

import pytest

from games.rules import GAMES
from games.rules.dots_and_boxes import LINES

DOTS = GAMES["dots-and-boxes"]
SIX = GAMES["six-in-a-row"]
ALL_LINES = (1 << 60) - 1


def box(x: int, y: int) -> int:
    """The four lines around the box of which (x, y) is the upper left point."""
    sides = [(x, y, x + 1, y), (x, y + 1, x + 1, y + 1), (x, y, x, y + 1), (x + 1, y, x + 1, y + 1)]
    return sum(1 << LINES.index(side) for side in sides)


FIRST, SECOND, BELOW = box(1, 1), box(2, 1), box(1, 2)

DOTS_READ = {
    "nothing drawn": "0/0/0/x",
    "one line": "1/0/0/o",
    "two lines": "3/0/0/x",
    # Four lines. The fourth keeps the turn, so the turn passed three times.
    "a box of o": f"{FIRST:x}/0/1/o",
    "two apart, of x and o": f"{FIRST | box(3, 3):x}/1/1000/x",
    # Seven lines: one of them closed both boxes and the turn passed six times, or it passed five.
    "two at once or one by one": f"{FIRST | SECOND:x}/3/0/x",
    "the other way": f"{FIRST | SECOND:x}/3/0/o",
    "one below the other, at once": f"{FIRST | BELOW:x}/21/0/x",
    "one below the other, one by one": f"{FIRST | BELOW:x}/0/21/x",
    "one below the other, of o, at once": f"{FIRST | BELOW:x}/0/21/o",
    "all": f"{ALL_LINES:x}/1ffffff/0/-",
}
DOTS_REFUSED = {
    "o acts first": "0/0/0/o",
    "the turn did not pass": "1/0/0/x",
    "nobody's turn before the end": "0/0/0/-",
    "x's turn after the end": f"{ALL_LINES:x}/1ffffff/0/x",
    "o's turn after the end": f"{ALL_LINES:x}/1ffffff/0/o",
    "a box that is nobody's": f"{FIRST:x}/0/0/x",
    "a box that is open": f"{FIRST ^ 1:x}/1/0/o",
    "a box of both": f"{FIRST:x}/1/1/o",
    "a box of x's on o's turn": f"{FIRST:x}/1/0/x",
    "another box": f"{FIRST:x}/0/2/o",
    "a box off the board": f"{ALL_LINES:x}/3ffffff/0/-",
    "a line off the board": f"{1 << 60:x}/0/0/o",
    "side by side, of x and o, with the turn of both at once": f"{FIRST | SECOND:x}/1/2/x",
    "one below the other, of x and o": f"{FIRST | BELOW:x}/1/20/x",
    "in one column, a row between": f"{FIRST | box(1, 3):x}/401/0/o",
    "a row below and a column on": f"{FIRST | box(2, 2):x}/41/0/o",
    "in different rows, not side by side": f"{box(5, 1) | box(1, 2):x}/30/0/o",
    "a leading zero": "01/0/0/o",
    "capitals": "A/0/0/x",
    "a prefix": "0x1/0/0/o",
    "a digit of another script": "\u0661/0/0/o",
    "a newline": "1/0/0/o\n",
    "a part more": "1/0/0/o/",
    "a part less": "1/0/o",
    "a sign": "-1/0/0/o",
    "an underscore": "1_1/0/0/x",
}


def stones(cells: list[tuple[int, int]]) -> int:
    return sum(1 << 16 * (y - 1) + x - 1 for x, y in cells)


def six(black: list[tuple[int, int]], white: list[tuple[int, int]], seat: str) -> str:
    return f"{stones(black):x}/{stones(white):x}/{seat}"


def apart(count: int, row: int) -> list[tuple[int, int]]:
    """Stones on every other row, no two of them neighbours in a row."""
    free = [(x, y) for y in range(row, 16, 4) for x in range(1, 16, 2)]
    return free[:count]


ROW = [(x, 7) for x in range(4, 10)]
# A block of white lines. One stone of black's own line blocks an end of each of them.
BLACK_CAPS = [(x, 8) for x in range(3, 9)] + [(2, y) for y in range(9, 16)] + [(9, 15)]
WHITE_BLOCK = [(x, y) for x in range(3, 9) for y in range(9, 15)]
REST = [(x, y) for y in (1, 3, 5) for x in range(1, 16) if x % 3]

SIX_READ = {
    "nothing": "0/0/-",
    "one": six(apart(1, 1), [], "-"),
    "three, not picked": six(apart(2, 1), apart(1, 3), "-"),
    "three, picked": six(apart(2, 1), apart(1, 3), "1"),
    "four, not picked": six(apart(2, 1), apart(2, 3), "-"),
    "four, picked": six(apart(2, 1), apart(2, 3), "2"),
    "five, not picked": six(apart(3, 1), apart(2, 3), "-"),
    "five, picked": six(apart(3, 1), apart(2, 3), "2"),
    "a line of black, who was last": six(ROW, apart(5, 1), "1"),
    "a line of white, who was last": six(apart(6, 1), ROW, "1"),
    "two lines by one stone": six(
        ROW + [(4, y) for y in range(8, 13)], [*apart(7, 1), (1, 15), (3, 15), (5, 15)], "1"
    ),
    "seven": six([*ROW, (10, 7)], apart(6, 1), "1"),
}
SIX_REFUSED = {
    "white before black": six([], [(1, 1)], "-"),
    "black twice": six(apart(2, 1), [], "-"),
    "black ahead by two": six(apart(6, 1), apart(4, 3), "1"),
    "white ahead": six(apart(5, 1), apart(6, 3), "1"),
    "picked with nothing on the board": "0/0/2",
    "picked with two stones": six(apart(1, 1), apart(1, 3), "2"),
    "not picked with six": six(apart(3, 1), apart(3, 3), "-"),
    "two on one cell": six([(1, 1), (2, 2)], [(1, 1)], "-"),
    "a stone in the sixteenth column": f"{1 << 15:x}/0/-",
    "a stone in the sixteenth row": f"{1 << 240:x}/0/-",
    "a line of black, and white was last": six(ROW, apart(6, 1), "1"),
    "a line of white, and black was last": six(apart(7, 1), ROW, "1"),
    "a line of each": six([(x, 3) for x in range(4, 10)], ROW, "1"),
    "two lines that share no stone": six(
        ROW + [(x, 11) for x in range(4, 10)], [*apart(8, 1), (1, 15), (5, 15), (9, 15)], "1"
    ),
    "a line whose every stone freed one of white's before": six(
        BLACK_CAPS + REST[: len(WHITE_BLOCK) + 1 - len(BLACK_CAPS)], WHITE_BLOCK, "1"
    ),
    "a third seat": six(apart(3, 1), apart(3, 3), "3"),
    "a leading zero": "01/0/-",
    "capitals": six([(1, 1), (2, 1), (4, 1)], apart(2, 3), "-").replace("b", "B"),
    "a newline": "0/0/-\n",
    "a digit of another script": "\u0661/0/-",
    "a part more": "0/0/-/",
}


@pytest.mark.parametrize("text", DOTS_READ.values(), ids=list(DOTS_READ))
def test_dots_and_boxes_reads_what_play_leads_to(text: str) -> None:
    assert DOTS.read(text).notation == text


@pytest.mark.parametrize("text", DOTS_REFUSED.values(), ids=list(DOTS_REFUSED))
def test_dots_and_boxes_refuses_what_play_cannot_lead_to(text: str) -> None:
    with pytest.raises(ValueError, match="no position"):
        DOTS.read(text)


@pytest.mark.parametrize("text", SIX_READ.values(), ids=list(SIX_READ))
def test_six_in_a_row_reads_what_play_leads_to(text: str) -> None:
    assert SIX.read(text).notation == text


@pytest.mark.parametrize("text", SIX_REFUSED.values(), ids=list(SIX_REFUSED))
def test_six_in_a_row_refuses_what_play_cannot_lead_to(text: str) -> None:
    with pytest.raises(ValueError, match="no position"):
        SIX.read(text)
