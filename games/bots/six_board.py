"""The board of the Six in a Row searches, which counts the stones in every window.

A window is six cells in a line and its ends, the two cells beyond them. A window is alive for a
colour while the colour can still win in it: the six cells have no stone of the other colour, and
the ends have no stone at all (a stone of the colour there would make seven). Five stones in a live
window are a threat. The opponent meets the threat with a stone on the gap or on either end.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from games.rules.six_in_a_row import LENGTH, SIDE

F = TypeVar("F", bound=Callable[..., object])
Ints = NDArray[np.int64]

CELLS = SIDE * SIDE
DEEPEST = 64  # the maximum number of plies that a search looks ahead
SLOTS = 1 << 18  # entries in each table of search results; a power of two
# The number of kinds of tallies. Kind 0: no live window has a stone. Kind 2k - 1: one live window
# has k stones, and none has more. Kind 2k: several have k stones, and none has more.
KINDS = 11


def kernel(function: F) -> F:
    """Compile the function at its first call, and cache the result on disk."""
    return cast(F, numba.njit(cache=True)(function))


def _all_windows() -> list[tuple[int, list[int], list[int]]]:
    """Return the direction, the six cells and the ends (-1 beyond the edge) of every window."""

    def cell(x: int, y: int) -> int:
        return y * SIDE + x if 0 <= x < SIDE and 0 <= y < SIDE else -1

    windows = []
    for way, (dx, dy) in enumerate(((1, 0), (0, 1), (1, 1), (-1, 1))):
        for y in range(SIDE):
            for x in range(SIDE):
                line = [cell(x + dx * i, y + dy * i) for i in range(-1, LENGTH + 1)]
                if min(line[1:-1]) >= 0:
                    windows.append((way, line[1:-1], [line[0], line[-1]]))
    return windows


WINDOWS = _all_windows()


def _by_cell(part: int, width: int) -> Ints:
    """Return, for each cell, the number of windows that contain it in `part`, and the windows."""
    table = np.zeros((CELLS, 1 + width), dtype=np.int64)
    for window, parts in enumerate(WINDOWS):
        for cell in cast(list[int], parts[part]):
            if cell >= 0:
                table[cell, 0] += 1
                table[cell, table[cell, 0]] = window
    return table


def _kinds() -> NDArray[np.uint8]:
    """Return the kind of each tally.

    A tally has three bits for each number of stones from 1 to 5. They count the live windows with
    that number of stones.
    """
    table = np.zeros(1 << 15, dtype=np.uint8)
    for tally in range(1, 1 << 15):
        most = (tally.bit_length() + 2) // 3
        table[tally] = 2 * most - (tally >> 3 * (most - 1) == 1)
    return table


_WAY = np.array([way for way, _, _ in WINDOWS], dtype=np.int64)
INSIDE = np.array([inside for _, inside, _ in WINDOWS], dtype=np.int64)
ENDS = np.array([ends for _, _, ends in WINDOWS], dtype=np.int64)
_INSIDE_OF = _by_cell(1, 4 * LENGTH)
_END_OF = _by_cell(2, 8)
_KIND = _kinds()
# The amount that a live window adds to the tallies of its cells, by its number of stones. It is 1
# in the three bits for that number (see `_kinds`).
_WORTH = np.array([0, 1, 8, 64, 512, 4096, 0], dtype=np.int64)
_KEYS = np.random.default_rng(6).integers(1, 1 << 62, size=(2, CELLS), dtype=np.int64)


# The stones, the counts, and the memory of the searches. All are fields of a single record, because
# compiled functions pass a record by its address. Colours are 0 (black) and 1 (white).
_FIELDS = [
    ("stone", np.int8, (CELLS,)),  # -1 or the colour, by cell
    # The colour's stones on the six cells, by colour and window.
    ("held", np.int8, (2, len(WINDOWS))),
    # The number of stones that make the window dead, by colour and window.
    ("barred", np.int8, (2, len(WINDOWS))),
    # The number of live windows, by colour and number of stones.
    ("alive", np.int64, (2, LENGTH + 1)),
    # The live windows with 4 and with 5 stones, by colour.
    ("near", np.int16, (2, 2, len(WINDOWS))),
    ("rank", np.int16, (2, len(WINDOWS))),  # the place of a window in `near`, by colour and window
    # The tallies of live windows (see `_kinds`), by colour, cell and direction.
    ("tally", np.int16, (2, CELLS, 4)),
    ("kind", np.uint8, (2, CELLS, 4)),  # the kind of each tally
    # The two best kinds as KINDS * best + second, by colour and cell.
    ("pair", np.uint8, (2, CELLS)),
    ("worth", np.int64, (2, KINDS * KINDS)),  # the value of an empty cell, by colour and pair
    ("total", np.int64, (2,)),  # the sum of the values of all empty cells, by colour
    ("key", np.int64),  # the hash of the stones
    ("placed", np.int64),  # the number of stones that the search has placed
    ("limit", np.int64),  # the value of `placed` at which the search ends
    ("attack_limit", np.int64),  # the value of `placed` at which the current attack ends
    ("attack_depth", np.int64),  # threats in the longest attack within alpha-beta; 0: no attacks
    ("width", np.int64),  # the number of moves tried at a node
    ("moves", np.int16, (2 * DEEPEST, CELLS)),  # moves to try, by ply of the search
    ("scores", np.int32, (2 * DEEPEST, CELLS)),  # the scores that the moves are sorted by
    ("count", np.int64, (2 * DEEPEST,)),  # the number of moves to try
    ("at", np.int64, (2 * DEEPEST,)),  # the index of the current move
    ("best", np.int64, (2 * DEEPEST,)),  # the best move so far
    ("depth", np.int64, (2 * DEEPEST,)),  # the depth left, by ply of alpha-beta
    ("alpha", np.int64, (2 * DEEPEST,)),  # the score that the side to move has already
    ("beta", np.int64, (2 * DEEPEST,)),  # the score that the opponent will not allow
    ("floor", np.int64, (2 * DEEPEST,)),  # alpha when the node was entered
    ("score", np.int64, (2 * DEEPEST,)),  # the best score so far
    ("attack_keys", np.int64, (SLOTS,)),
    ("attack_facts", np.int8, (SLOTS,)),
    ("keys", np.int64, (SLOTS,)),
    ("facts", np.int64, (SLOTS,)),
]
Board = np.record


def empty_board(worth: Ints) -> Board:
    """Return a board without stones. `worth` is the value of an empty cell, by colour and pair."""
    board = cast(Board, np.zeros(1, dtype=np.dtype((np.record, _FIELDS)))[0])
    board.stone[:] = -1
    board.alive[:, 0] = len(WINDOWS)
    board.worth[:] = worth
    board.total[:] = CELLS * worth[:, 0]
    return board


@kernel
def _recount(board: Board, colour: int, window: int, old: int, new: int) -> None:
    """Count a window whose number of stones changes from `old` to `new`. -1 is a dead window."""
    if old >= 0:
        board.alive[colour, old] -= 1
    if old == 4 or old == 5:  # noqa: PLR1714  # two comparisons compile to less code
        last = board.near[colour, old - 4, board.alive[colour, old]]
        at = board.rank[colour, window]
        board.near[colour, old - 4, at] = last
        board.rank[colour, last] = at
    if new == 4 or new == 5:  # noqa: PLR1714  # as above
        board.near[colour, new - 4, board.alive[colour, new]] = window
        board.rank[colour, window] = board.alive[colour, new]
    if new >= 0:
        board.alive[colour, new] += 1
    change = (_WORTH[new] if new >= 0 else 0) - (_WORTH[old] if old >= 0 else 0)
    if change == 0:
        return
    way = _WAY[window]
    for i in range(LENGTH):
        cell = INSIDE[window, i]
        tally = board.tally[colour, cell, way] + change
        board.tally[colour, cell, way] = tally
        kind = int(_KIND[tally])
        if board.kind[colour, cell, way] != kind:
            board.kind[colour, cell, way] = kind
            best = second = 0
            for other in range(4):
                kind = int(board.kind[colour, cell, other])
                second = max(second, min(best, kind))
                best = max(best, kind)
            pair = KINDS * best + second
            if board.stone[cell] < 0:
                board.total[colour] -= board.worth[colour, board.pair[colour, cell]]
                board.total[colour] += board.worth[colour, pair]
            board.pair[colour, cell] = pair


@kernel
def place(board: Board, cell: int, colour: int) -> None:
    for side in range(2):
        board.total[side] -= board.worth[side, board.pair[side, cell]]
    board.stone[cell] = colour
    board.key ^= _KEYS[colour, cell]
    board.placed += 1
    rival = 1 - colour
    for i in range(1, _INSIDE_OF[cell, 0] + 1):
        window = _INSIDE_OF[cell, i]
        held = int(board.held[colour, window])
        board.held[colour, window] = held + 1
        if board.barred[colour, window] == 0:
            _recount(board, colour, window, held, held + 1)
        if board.barred[rival, window] == 0:
            _recount(board, rival, window, int(board.held[rival, window]), -1)
        board.barred[rival, window] += 1
    for i in range(1, _END_OF[cell, 0] + 1):
        window = _END_OF[cell, i]
        for side in range(2):
            if board.barred[side, window] == 0:
                _recount(board, side, window, int(board.held[side, window]), -1)
            board.barred[side, window] += 1


@kernel
def remove(board: Board, cell: int) -> None:
    """Undo `place`, but not its count of placed stones."""
    colour = int(board.stone[cell])
    rival = 1 - colour
    board.key ^= _KEYS[colour, cell]
    for i in range(1, _INSIDE_OF[cell, 0] + 1):
        window = _INSIDE_OF[cell, i]
        held = int(board.held[colour, window])
        board.held[colour, window] = held - 1
        if board.barred[colour, window] == 0:
            _recount(board, colour, window, held, held - 1)
        board.barred[rival, window] -= 1
        if board.barred[rival, window] == 0:
            _recount(board, rival, window, -1, int(board.held[rival, window]))
    for i in range(1, _END_OF[cell, 0] + 1):
        window = _END_OF[cell, i]
        for side in range(2):
            board.barred[side, window] -= 1
            if board.barred[side, window] == 0:
                _recount(board, side, window, -1, int(board.held[side, window]))
    board.stone[cell] = -1
    for side in range(2):
        board.total[side] += board.worth[side, board.pair[side, cell]]


@kernel
def _meets(board: Board, window: int, cell: int) -> bool:
    """Return whether a stone of the other colour on the empty cell makes the window dead."""
    if ENDS[window, 0] == cell or ENDS[window, 1] == cell:
        return True
    found = False
    for i in range(LENGTH):
        found = found or INSIDE[window, i] == cell
    return found


@kernel
def gap(board: Board, window: int) -> int:
    """Return the first empty cell of a window, or -1 if it is full."""
    for i in range(LENGTH):
        if board.stone[INSIDE[window, i]] < 0:
            return int(INSIDE[window, i])
    return -1


@kernel
def answers(board: Board, colour: int, row: int) -> int:
    """Write the cells that meet all threats of the colour to `moves[row]`. Return their number."""
    first = int(board.near[colour, 1, 0])
    count = 0
    for i in range(3):
        cell = ENDS[first, i] if i < 2 else gap(board, first)
        met = cell >= 0
        for j in range(1, board.alive[colour, 5]):
            if not met:
                break
            met = _meets(board, int(board.near[colour, 1, j]), cell)
        if met:
            board.moves[row, count] = cell
            count += 1
    return count
