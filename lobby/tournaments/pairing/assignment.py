"""The assignment problem: the cheapest columns for rows, and of all the cheapest the first."""

from collections.abc import Sequence

import numpy as np

INFINITE = 2**50
"""A cost of what may not be. Prices add up to no more than this for each row."""


def first_cheapest(costs: Sequence[Sequence[int]]) -> list[int] | None:
    """The column of each row of a square matrix of whole costs from 0, each column once, so that
    they cost least together; of those the one in which row 0 has the lowest column, then row 1, and
    so on. None where INFINITE cannot be avoided. The sum of the others must be less than INFINITE.

    The Hungarian algorithm by shortest paths gives the lowest cost with a price for each row and
    column. Every cheapest assignment has only pairs whose cost is the sum of their two prices;
    among these the first is found by trying columns in order.
    """
    size = len(costs)
    if size == 0:
        return []
    matrix = np.array(costs, dtype=np.int64)
    rows, tight = _cheapest(matrix)
    columns = [0] * size
    for column, row in enumerate(rows):
        columns[row] = column
    if any(matrix[row, column] >= INFINITE for row, column in enumerate(columns)):
        return None
    allowed = [
        sum(1 << int(column) for column in np.flatnonzero(line & (costs_line < INFINITE)))
        for line, costs_line in zip(tight, matrix, strict=True)
    ]
    _first(columns, allowed)
    return columns


def _cheapest(matrix: np.ndarray) -> tuple[list[int], np.ndarray]:
    """The row of each column, and which pairs are part of some cheapest assignment, if any is."""
    size = len(matrix)
    row_prices = np.zeros(size + 1, dtype=np.int64)
    column_prices = np.zeros(size + 1, dtype=np.int64)
    row_of = np.full(size + 1, size, dtype=np.int64)  # of column `size`: the row being placed
    far = np.iinfo(np.int64).max
    free = np.ones(size, dtype=bool)
    left = []
    for row in range(size):  # what costs nothing needs no search
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


def _first(columns: list[int], allowed: Sequence[int]) -> None:
    """Change an assignment of allowed columns to the first one. `allowed` are sets of bits."""
    owner = {column: row for row, column in enumerate(columns)}
    free = (1 << len(columns)) - 1  # columns of the rows that are not settled
    for row in range(len(columns)):
        lower = allowed[row] & free & ((1 << columns[row]) - 1)
        while lower:
            bit = lower & -lower
            lower ^= bit
            if _moved(row, bit.bit_length() - 1, columns, owner, allowed, free):
                break
        free &= ~(1 << columns[row])


def _moved(
    row: int,
    column: int,
    columns: list[int],
    owner: dict[int, int],
    allowed: Sequence[int],
    free: int,
) -> bool:
    """Give the row that column, if its owner can move on to another, and so on, until somebody
    takes the column that the row leaves."""
    target = columns[row]
    start = owner[column]
    open_columns = free & ~(1 << column)
    came: dict[int, int] = {}  # which row reached a column
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
