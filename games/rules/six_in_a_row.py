"""The rules of Six in a Row, played on a 15 by 15 board.

A role wins with a line of exactly six stones that has no stone next to either end. Unless the
option `plain` is set, a match begins with an opening: player1 places three stones, and then player2
either picks a colour, or places two more stones and leaves the pick to player1.

The stones of a colour are the bits of one integer, with 16 bits to a row. The 16th bit of each row
stays empty, so a line that is shifted along a row or a diagonal never wraps around the edge.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import compress

from games.rules.position import Game, IllegalAction, Position, put, remembered

ROLES = ("player1", "player2")
SIDE = 15
LENGTH = 6  # stones in a winning line
_ROW = SIDE + 1
_STEPS = (1, _ROW, _ROW + 1, _ROW - 1)  # steps along a row, a column and both diagonals
_SHIFTS = tuple(y * _ROW + x for y in range(SIDE) for x in range(SIDE))
_ON_BOARD = sum(1 << shift for shift in _SHIFTS)
_SPAN = SIDE * _ROW
# The digit f for each cell of the 16th column.
_BEYOND = sum(15 << 4 * (y * _ROW + SIDE) for y in range(SIDE))
_MARKS = str.maketrans("012", ".bw", "f")
_FREE = str.maketrans(".bw", "100")
_NONE_FREE = "0" * SIDE * SIDE
PLACES = tuple(f"place {x} {y}" for y in range(1, SIDE + 1) for x in range(1, SIDE + 1))
BITS = {place: 1 << shift for place, shift in zip(PLACES, _SHIFTS, strict=True)}
_ELEMENTS = {1 << shift: element for element, shift in enumerate(_SHIFTS)}
_ELEMENT_OF = {place: element for element, place in enumerate(PLACES)}

BLACK, WHITE = 0, 1
_PICKS = {"pick black": BLACK, "pick white": WHITE}
# The opening, by the number of stones on the board: the role in control, and the stone to place.
_OPENING = ((0, BLACK), (0, WHITE), (0, BLACK), (1, WHITE), (1, BLACK), (0, None))
_PLAIN_BLACK = "player1"  # the role that has black in a match without the opening
_PICK_AT = {3, 5}  # a colour may be picked with one of these numbers of stones on the board


class SixInARow(Position):
    """A position. Its diagram has 225 cells, row by row from the top."""

    __slots__ = ("_diagram", "_stone", "_winner", "black", "black_seat", "turn", "white")
    roles = ROLES
    black: int
    white: int
    black_seat: int | None
    _winner: int | None
    _stone: int | None
    _diagram: str | None  # None until somebody asks for it

    def __init__(self, black: int, white: int, black_seat: int | None, winner: int | None) -> None:
        """Set up a position.

        `black_seat` is the role that has black, 0 or 1, or None before the pick. `winner` is the
        colour that has a winning line, or None.
        """
        put(self, "black", black)
        put(self, "white", white)
        put(self, "black_seat", black_seat)
        put(self, "_winner", winner)
        put(self, "_diagram", None)
        # The colours alternate, black first, so black has as many stones as white, or one more.
        stone: int | None
        if black_seat is None:
            seat, stone = _OPENING[(black | white).bit_count()]
        else:
            stone = WHITE if black.bit_count() > white.bit_count() else BLACK
            seat = black_seat if stone == BLACK else 1 - black_seat
        over = winner is not None or black | white == _ON_BOARD
        put(self, "_stone", stone)
        put(self, "turn", None if over else ROLES[seat])

    @property
    def stone(self) -> str | None:
        """Return the colour of the stone that may be placed now: "b", "w", or None."""
        return None if self.turn is None or self._stone is None else "bw"[self._stone]

    @property
    def diagram(self) -> str:
        if self._diagram is None:
            digits = _digits(self.black) | _digits(self.white) << 1
            put(self, "_diagram", f"{digits | _BEYOND:0{_SPAN}x}"[::-1].translate(_MARKS))
        return self._diagram or ""

    @property
    def open(self) -> str:
        if self.turn is None or self._stone is None:
            return _NONE_FREE
        return self.diagram.translate(_FREE)

    @property
    def notation(self) -> str:
        seat = "-" if self.black_seat is None else self.black_seat + 1
        return f"{self.black:x}/{self.white:x}/{seat}"

    @property
    def goals(self) -> dict[str, int] | None:
        if self.turn is not None:
            return None
        if self._winner is None or self.black_seat is None:
            return dict.fromkeys(ROLES, 50)  # the board is full, and nobody has a winning line
        seat = self.black_seat if self._winner == BLACK else 1 - self.black_seat
        return {ROLES[seat]: 100, ROLES[1 - seat]: 0}

    @property
    def line(self) -> tuple[int, ...]:
        if self._winner is None:
            return ()
        own, other = (self.black, self.white) if self._winner == BLACK else (self.white, self.black)
        cells: set[int] = set()
        for step in _STEPS:
            starts = _sixes(own, other, step)
            while starts:
                lowest = starts & -starts
                cells.update(_ELEMENTS[lowest << step * i] for i in range(LENGTH))
                starts ^= lowest
        return tuple(sorted(cells))

    def actions(self) -> tuple[str, ...]:
        if self.turn is None:
            return ()
        taken = self.black | self.white
        picks = tuple(_PICKS) if self._may_pick() else ()
        if self._stone is None:
            return picks
        return picks + tuple(compress(PLACES, (not taken >> s & 1 for s in _SHIFTS)))

    def may(self, action: str) -> bool:
        if self.turn is None:
            return False
        if action in _PICKS:
            return self._may_pick()
        bit = BITS.get(action)
        return bit is not None and self._stone is not None and not (self.black | self.white) & bit

    def play(self, action: str) -> "SixInARow":
        if not isinstance(action, str) or not self.may(action):
            raise IllegalAction(action)
        if action in _PICKS:
            # A pick settles both colours: the other role gets the remaining one.
            seat = ROLES.index(self.turn or "")
            black_seat = seat if _PICKS[action] == BLACK else 1 - seat
            return SixInARow(self.black, self.white, black_seat, None)
        bit = BITS[action]
        black, white = self.black, self.white
        if self._stone == BLACK:
            black |= bit
            winner = BLACK if _wins(black, white) else None
        else:
            white |= bit
            winner = WHITE if _wins(white, black) else None
        after = SixInARow(black, white, self.black_seat, winner)
        if self._diagram is not None:  # a stone changes one character
            element, mark = _ELEMENT_OF[action], "bw"[self._stone or 0]
            put(after, "_diagram", f"{self._diagram[:element]}{mark}{self._diagram[element + 1 :]}")
        return after

    @property
    def is_dead(self) -> bool:
        if self.black_seat is None or (self.black | self.white).bit_count() < _ALIVE_UNTIL:
            return False
        return _is_dead(self.black, self.white)

    @property
    def is_flat(self) -> bool:
        """Return whether it is proved that each role can prevent the other from winning.

        That is the case if the position is dead, or if no single stone advances two windows of one
        colour and no window has more than three stones. Positions before the pick, or with fewer
        than `_ALIVE_UNTIL` stones, are not examined.
        """
        if self.black_seat is None or (self.black | self.white).bit_count() < _ALIVE_UNTIL:
            return False
        black, white = self.black, self.white
        return _is_answered(black, white) and _is_answered(white, black)

    def _may_pick(self) -> bool:
        return self.black_seat is None and (self.black | self.white).bit_count() in _PICK_AT


def _digits(bits: int) -> int:
    """Return an integer with one hexadecimal digit for each bit, 1 if the bit is set."""
    return int(f"{bits:b}", 16)


def _sixes(own: int, other: int, step: int) -> int:
    """Return the first cells of unbroken lines of exactly six that are free at both ends."""
    pairs = own & own >> step
    fours = pairs & pairs >> 2 * step
    sixes = fours & pairs >> 4 * step
    if not sixes:
        return 0
    # An end must be the edge or a cell without a stone of either colour.
    taken = own | other
    return sixes & ~(taken << step) & ~(taken >> LENGTH * step)


def _wins(own: int, other: int) -> bool:
    # Checking the whole board gives the same result as checking around the last stone. A stone can
    # complete only lines of its own colour that contain it, and it never frees the end of a line.
    return any(_sixes(own, other, step) for step in _STEPS)


# A window is six cells in a line. It is alive for a colour while its cells have no stone of the
# other colour and the cells at its two ends, if they exist, are empty. Stones never leave the
# board, so a dead window stays dead. Positions with fewer stones than `_ALIVE_UNTIL` are not
# examined. None of them is dead: as linear programming shows, killing the 500 windows of each
# colour takes at least 54 stones.
_ALIVE_UNTIL = 39


@lru_cache(maxsize=4096)
def _is_dead(black: int, white: int) -> bool:
    taken = black | white
    return not any(_alive(other, taken, step) for other in (white, black) for step in _STEPS)


def _alive(other: int, taken: int, step: int) -> int:
    """Return the first cells of the windows that are alive for the colour that is not `other`."""
    free = _ON_BOARD & ~other
    pairs = free & free >> step
    fours = pairs & pairs >> 2 * step
    return fours & pairs >> 4 * step & ~(taken << step) & ~(taken >> LENGTH * step)


def _windows(other: int, taken: int) -> Iterator[int]:
    """Yield the cells of each window that is alive for the colour that is not `other`."""
    for step in _STEPS:
        starts = _alive(other, taken, step)
        while starts:
            first = starts & -starts
            starts ^= first
            yield sum(first << step * i for i in range(LENGTH))


def _is_answered(own: int, other: int) -> bool:
    """Return whether the opponent can block each window of `own` after `own` adds a stone to it.

    That is the case if no window has more than three stones, and no two have an empty cell in
    common.
    """
    taken = own | other
    wanted = 0
    for window in _windows(other, taken):
        if (window & own).bit_count() > 3 or window & ~own & wanted:
            return False
        wanted |= window & ~own
    return True


_NOTATION = re.compile(r"([0-9a-f]{1,60})/([0-9a-f]{1,60})/([12-])", re.ASCII)


@remembered
def read(notation: str) -> SixInARow:
    """Parse a notation: black and white stones (hexadecimal), and the role that has black.

    Raise `ValueError` if the text is not a notation, or if play cannot lead to the position: a
    colour has too many stones, a cell has two stones, the colours were settled too early or too
    late, or play continued after a win. Without the opening, the colours are settled from the
    start.
    """
    found = _NOTATION.fullmatch(notation)
    if found is not None:
        black, white = int(found[1], 16), int(found[2], 16)
        seat = None if found[3] == "-" else int(found[3]) - 1
        if _is_sound(black, white, seat):
            winner = BLACK if _wins(black, white) else WHITE if _wins(white, black) else None
            position = SixInARow(black, white, seat, winner)
            if position.notation == notation and _is_last(position, winner):
                return position
    raise ValueError(f"no position of Six in a Row: {str(notation)[:60]!r}")


def _is_sound(black: int, white: int, black_seat: int | None) -> bool:
    stones = (black | white).bit_count()
    if (black | white) & ~_ON_BOARD or black & white:
        return False
    # Black and white stones alternate, black first.
    if black.bit_count() - white.bit_count() not in (0, 1):
        return False
    if black_seat is None:
        return stones < len(_OPENING)
    return stones >= min(_PICK_AT) or black_seat == ROLES.index(_PLAIN_BLACK)


def _is_last(position: SixInARow, winner: int | None) -> bool:
    """Return whether the last stone can have completed the winner's line; True if nobody won."""
    if winner is None:
        return True
    # If black has one more stone than white, black placed the last one.
    last = BLACK if position.black.bit_count() > position.white.bit_count() else WHITE
    own, other = position.black, position.white
    if winner == WHITE:
        own, other = other, own
    if winner != last:
        return False
    rest = own
    while rest:
        lowest = rest & -rest
        before = own ^ lowest
        # This stone can be the last one if neither colour has a line without it.
        if not _wins(before, other) and not _wins(other, before):
            return True
        rest ^= lowest
    return False


GAME = Game(
    "six-in-a-row",
    "Six in a Row",
    ROLES,
    SixInARow(0, 0, None, None),
    read,
    other_starts={"plain": SixInARow(0, 0, ROLES.index(_PLAIN_BLACK), None)},
    first_options="plain",
    is_default=True,
    # The role that places the last stone of the opening leaves the pick to the other role.
    is_balanced=True,
    can_be_dead=True,
    short_plies=14,
    formats=frozenset({"sgf"}),
)
