"""A solver for the assignment problem that finds the first of all cheapest assignments."""

from collections.abc import Sequence

import numpy as np

INFINITE = 2**50
"""The cost of a forbidden cell. All finite costs together must be lower."""


def find_first_cheapest(costs: Sequence[Sequence[int]]) -> list[int] | None:
    """Return the column of each row in the first cheapest assignment of a square matrix.

    Costs are non-negative integers. Of all cheapest assignments, the result is the one in which row
    0 has the lowest column, then row 1, and so on. Return None if every assignment has a cost of
    `INFINITE` or more.

    The Hungarian algorithm with shortest paths finds the lowest cost, and a price for each row and
    column. Every cheapest assignment consists of cells whose cost is the sum of their two prices.
    The first of these assignments is found by trying columns in order.
    """
    size = len(costs)
    if size == 0:
        return []
    matrix = np.array(costs, dtype=np.int64)
    rows, tight = _find_cheapest(matrix)
    columns = [0] * size
    for column, row in enumerate(rows):
        columns[row] = column
    if any(matrix[row, column] >= INFINITE for row, column in enumerate(columns)):
        return None
    allowed = [
        sum(1 << int(column) for column in np.flatnonzero(line & (costs_line < INFINITE)))
        for line, costs_line in zip(tight, matrix, strict=True)
    ]
    _make_first(columns, allowed)
    return columns


def _find_cheapest(matrix: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Return the row of each column in a cheapest assignment, and a mask of cells.

    All cheapest assignments consist of cells in the mask.
    """
    size = len(matrix)
    row_prices = np.zeros(size + 1, dtype=np.int64)
    column_prices = np.zeros(size + 1, dtype=np.int64)
    row_of = np.full(
        size + 1, size, dtype=np.int64
    )  # column `size` belongs to the row that is being placed
    far = np.iinfo(np.int64).max
    free = np.ones(size, dtype=bool)
    left = []
    for row in range(size):  # cells of cost zero need no search
        places = np.flatnonzero((matrix[row] == 0) & free)
        if len(places):
            row_of[places[0]], free[places[0]] = row, False
        else:
            left.append(row)
    for row in left:
        row_of[size] = row
        column = size
        least = np.full(size, far, dtype=np.int64)
        before = np.full(size, size, dtype=np.int64)
        seen = np.zeros(size, dtype=bool)
        seen_columns = [size]
        while row_of[column] != size:
            here = row_of[column]
            reached = matrix[here] - row_prices[here] - column_prices[:size]
            nearer = ~seen & (reached < least)
            least[nearer] = reached[nearer]
            before[nearer] = column
            column = int(np.argmin(np.where(seen, far, least)))
            step = least[column]
            row_prices[row_of[seen_columns]] += step
            column_prices[seen_columns] -= step
            least[~seen] -= step
            seen[column] = True
            seen_columns.append(column)
        while column != size:
            row_of[column] = row_of[before[column]]
            column = int(before[column])
    tight = matrix == row_prices[:size, None] + column_prices[None, :size]
    return [int(row) for row in row_of[:size]], tight


def _make_first(columns: list[int], allowed: Sequence[int]) -> None:
    """Turn an assignment into the first one. `allowed` has a bit set of columns for each row."""
    owner = {column: row for row, column in enumerate(columns)}
    free = (1 << len(columns)) - 1  # columns of the rows whose column is not final
    for row in range(len(columns)):
        lower = allowed[row] & free & ((1 << columns[row]) - 1)
        while lower:
            bit = lower & -lower
            lower ^= bit
            if _try_to_move(row, bit.bit_length() - 1, columns, owner, allowed, free):
                break
        free &= ~(1 << columns[row])


def _try_to_move(
    row: int,
    column: int,
    columns: list[int],
    owner: dict[int, int],
    allowed: Sequence[int],
    free: int,
) -> bool:
    """Give a row the column if an augmenting path frees it, and return whether this succeeded."""
    target = columns[row]
    start = owner[column]
    open_columns = free & ~(1 << column)
    came: dict[int, int] = {}  # the row that reached each column
    queue = [start]
    for each in queue:
        reached = allowed[each] & open_columns
        open_columns &= ~reached
        while reached:
            bit = reached & -reached
            reached ^= bit
            place = bit.bit_length() - 1
            came[place] = each
            if place != target:
                queue.append(owner[place])
        if target in came:
            break
    if target not in came:
        return False
    place = target
    while True:
        mover = came[place]
        left = columns[mover]
        columns[mover], owner[place] = place, mover
        if mover == start:
            break
        place = left
    columns[row], owner[column] = column, row
    return True
