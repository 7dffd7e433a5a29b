"""A three-by-three grid with marks x and o.

Tic-Tac-Toe is played on one such grid, and Parallel Tic-Tac-Toe on two.
"""

from functools import cache

BLANK = "........."
LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)  # fmt: skip


def lines_of(grid: str, mark: str) -> tuple[int, ...]:
    """Return the cells, 0 to 8, of the mark's lines on the grid; () if it has no line."""
    cells: set[int] = set()
    for line in LINES:
        if all(grid[cell] == mark for cell in line):
            cells.update(line)
    return tuple(sorted(cells))


@cache
def has_line(grid: str, mark: str) -> bool:
    return any(grid[a] == grid[b] == grid[c] == mark for a, b, c in LINES)


@cache
def has_any_line(grid: str) -> bool:
    return any(grid[a] != "." and grid[a] == grid[b] == grid[c] for a, b, c in LINES)


def is_reachable(text: str) -> bool:
    """Return whether alternating play, x first, can lead to these nine marks."""
    return (
        len(text) == len(BLANK)
        and set(text) <= {"x", "o", "."}
        and text.count("x") - text.count("o") in (0, 1)
        # If the next mark had a line, the game would have ended. If the other mark has two lines,
        # the last mark can have completed both, because any two of its lines in nine cells
        # intersect.
        and not has_line(text, next_mark(text))
    )


def next_mark(grid: str) -> str:
    """Return the next mark to place; x and o alternate, x first."""
    return "x" if grid.count("x") == grid.count("o") else "o"


def marked(grid: str, cell: int, mark: str) -> str:
    return grid[:cell] + mark + grid[cell + 1 :]
