"""Dots and Boxes positions as sets of undrawn lines.

A position is two sets of undrawn lines, stored as 64-bit integers. For the box in column x and row
y, bit 6y + x of `across` is the line above it, and the same bit of `down` is the line to its left.
The bit of the box is also 6y + x, so shifts give the four sides of all boxes. Bits outside the
board are never set.

A box is on offer if it lacks one line. A set is quiet if no box is on offer. The best play for
boxes on offer is known (Berlekamp, The Dots and Boxes Game, 2000; Barker and Korf, Solving
Dots-And-Boxes, 2012), so the search considers only quiet sets. The role in control takes every box
on offer, except the last two of an open chain or the last four of an open loop. It either takes
those, or leaves them to its opponent with one line that passes control. Both choices lead to the
same quiet set. If the value of that set is v, the better choice is worth |v + 2| or |v + 4|.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.int64]
Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compiled(kernel: Kernel) -> Kernel:
    """Compile the function with Numba at its first call, and cache the result on disk."""
    return numba.njit(cache=True)(kernel)  # type: ignore[return-value]  # Numba's dispatcher is called like the kernel


BOXES = sum(0b11111 << 6 * y for y in range(5))
DOWN = 36  # the number of a line is the index of its bit, plus `DOWN` if the line goes down
LINES = DOWN + 30
# The two outer lines of each corner, as (across, down). While both are undrawn, they are
# equivalent, so the search tries only one of them.
CORNERS = np.array(
    [
        (1 << 0, 1 << 0),
        (1 << 4, 1 << 5),
        (1 << 30, 1 << 24),
        (1 << 34, 1 << 29),
    ],
    dtype=np.int64,
)
OPENINGS = 64  # the index in a row of moves at which the openings begin
MIXER = -7046029254386353131  # an odd number whose multiples look random


@compiled
def count(bits: int) -> int:
    """Return how many bits are set."""
    bits = bits - (bits >> 1 & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    return (bits * 0x0101010101010101) >> 56


@compiled
def line_number(across: int, down: int) -> int:
    """Return the number of the only line that is set in `across` or `down`."""
    return count(across - 1) if across else DOWN + count(down - 1)


@compiled
def degrees(across: int, down: int) -> tuple[int, int, int]:
    """Return the boxes that lack one line, those that lack two, and those that lack more."""
    top, bottom, left, right = across & BOXES, across >> 6 & BOXES, down & BOXES, down >> 1 & BOXES
    odd_across, odd_down = top ^ bottom, left ^ right
    both_across, both_down = top & bottom, left & right
    odd, both = odd_across ^ odd_down, both_across | both_down
    three_or_four = odd & both | both_across & both_down
    two = (both ^ odd_across & odd_down) & ~odd & ~three_or_four
    return odd & ~both, two, three_or_four


@compiled
def exit_of(box: int, across: int, down: int) -> tuple[int, int, int]:
    """Return an undrawn line of a box, as a bit across or down, and the box behind it (0: none)."""
    if across & box:
        return box, 0, box >> 6
    if across & box << 6:
        return box << 6, 0, box << 6 & BOXES
    if down & box:
        return 0, box, box >> 1 & BOXES
    return 0, box << 1, box << 1 & BOXES


@compiled
def settle(across: int, down: int) -> tuple[int, int, int, int]:  # noqa: PLR0912  # each branch is one case
    """Take the boxes on offer, until there is a choice to take or leave the last two or four.

    Return the quiet set after that and after the choice, the number of boxes taken before the
    choice, and the number of boxes in the choice: 0, 2 or 4.
    """
    taken = 0
    while True:
        one, two, _ = degrees(across, down)
        if not one:
            return across, down, taken, 0
        choice = 0
        rest_across, rest_down, pass_across, pass_down = across, down, 0, 0
        offered = one
        take_across, take_down, gain = 0, 0, 0
        while offered:
            box = offered & -offered
            offered ^= box
            line_across, line_down, second = exit_of(box, across, down)
            kind = 0
            if second & two:
                a, d = across ^ line_across, down ^ line_down
                next_across, next_down, third = exit_of(second, a, d)
                if third & two:
                    far_a, far_d = a ^ next_across, d ^ next_down
                    far_across, far_down, fourth = exit_of(third, far_a, far_d)
                    if fourth & one:
                        kind = 4
                        far_a, far_d = far_a ^ far_across, far_d ^ far_down
                elif not third & one:
                    kind = 2
                    far_a, far_d = a ^ next_across, d ^ next_down
            if not kind:
                take_across, take_down, gain = line_across, line_down, 2 if second & one else 1
                break
            if not choice:
                choice = kind
                rest_across, rest_down, pass_across, pass_down = (
                    far_a,
                    far_d,
                    next_across,
                    next_down,
                )
                first_across, first_down = line_across, line_down
            elif pass_across != next_across or pass_down != next_down:
                # Boxes can be left only once, and leaving two costs less than leaving four.
                if choice == 4:
                    take_across, take_down, gain = first_across, first_down, 1
                else:
                    take_across, take_down, gain = line_across, line_down, 1
                break
        if not gain:
            return rest_across, rest_down, taken, choice
        across ^= take_across
        down ^= take_down
        taken += gain


@compiled
def quiet_lines(across: int, down: int, two: int) -> tuple[int, int]:
    """Return the lines that offer no box, with only one of two equivalent lines at a corner."""
    safe_across = across & ~(two | two << 6)
    safe_down = down & ~(two | two << 1)
    for corner in range(4):
        if safe_across & CORNERS[corner, 0] and safe_down & CORNERS[corner, 1]:
            safe_down ^= CORNERS[corner, 1]
    return safe_across, safe_down


@compiled
def walk(start: int, across: int, down: int, two: int) -> tuple[int, int, int, int, int, int]:
    """Find the chain or loop through a box that lacks two lines.

    Return its boxes, their number, its kind, a line in its middle, and its lines. Kinds 1, 2 and 3
    are chains of one, two and more boxes with both ends at the edge of the board. Kind 4 is a loop.
    Kind 0 is a chain with an end at a box that lacks more than two lines.
    """
    members, length, kind = start, 1, 0
    first_across, first_down, first = exit_of(start, across, down)
    last_across, last_down, last = exit_of(start, across ^ first_across, down ^ first_down)
    lines_across, lines_down = first_across | last_across, first_down | last_down
    middle = line_number(first_across, first_down)
    ends = 0
    for way in range(2):
        a, d, box = first_across, first_down, first
        if way:
            a, d, box = last_across, last_down, last
        while box & two & ~members:
            members |= box
            length += 1
            middle = line_number(a, d)
            a, d, box = exit_of(box, across ^ a, down ^ d)
            lines_across |= a
            lines_down |= d
        if box & members:
            kind = 4
            break
        ends += not box
    if ends == 2:
        kind = min(length, 3)
    return members, length, kind, middle, lines_across, lines_down


@compiled
def openings(across: int, down: int, two: int, found: Words) -> tuple[int, int, int, int]:
    """Write a line for each chain or loop worth opening into `found`, shortest first.

    A chain of two is opened in its middle, so that the opponent must take both boxes. Of the chains
    of each kind from 1 to 3, and of the loops, only the shortest is worth opening. Return the
    number of lines, the set without chains and loops of kinds 1 to 4, and a hash of their lengths.
    """
    size, stamp = 0, 0
    rest_across, rest_down = across, down
    while two:
        members, length, kind, line, lines_across, lines_down = walk(two & -two, across, down, two)
        two &= ~members
        if kind:
            rest_across ^= lines_across
            rest_down ^= lines_down
            mixed = (length << 3 | kind) * MIXER
            stamp += (mixed ^ mixed >> 29) * MIXER
        entry = length << 16 | kind << 8 | line
        at = 0
        while at < size and not (kind and found[at] >> 8 & 7 == kind):
            at += 1
        if at == size:
            found[at] = entry
            size += 1
        elif entry < found[at]:
            found[at] = entry
    for i in range(size):
        item = found[i]
        j = i
        while j and found[j - 1] > item:
            found[j] = found[j - 1]
            j -= 1
        found[j] = item
    for i in range(size):
        found[i] &= 127
    return size, rest_across, rest_down, stamp


@compiled
def listed(across: int, down: int, two: int, openings_found: int, moves: Words) -> tuple[int, int]:
    """Write the lines worth drawing in a quiet set into `moves`, those that offer no box first.

    The openings follow. They are read from the same array, starting at `OPENINGS`. Return the
    number of lines that offer no box, and the number of all lines.
    """
    safe_across, safe_down = quiet_lines(across, down, two)
    safe = 0
    while safe_across:
        moves[safe] = line_number(safe_across & -safe_across, 0)
        safe_across &= safe_across - 1
        safe += 1
    while safe_down:
        moves[safe] = line_number(0, safe_down & -safe_down)
        safe_down &= safe_down - 1
        safe += 1
    for i in range(openings_found):
        moves[safe + i] = moves[OPENINGS + i]
    return safe, safe + openings_found


@compiled
def without(line: int, across: int, down: int) -> tuple[int, int]:
    """Return the set after the line with that number is drawn."""
    if line < DOWN:
        return across ^ 1 << line, down
    return across, down ^ 1 << line - DOWN


@compiled
def boxes_left(across: int, down: int) -> int:
    """Return how many boxes are incomplete."""
    return count((across | across >> 6 | down | down >> 1) & BOXES)
