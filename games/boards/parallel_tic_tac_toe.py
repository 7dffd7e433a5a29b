"""The board of Parallel Tic-Tac-Toe: two grids. An action marks one cell on each of them."""

from django.utils.translation import gettext_noop as _

from games.boards.board import Board, Caption, Detail, name_place
from games.boards.grids import (
    CELL,
    MARGIN,
    WORDS,
    badge,
    cell,
    centre,
    coordinates,
    rulings,
)
from games.messages import Message, build_message, pgettext
from games.rules import Position
from games.rules.parallel_tic_tac_toe import ParallelTicTacToe

_GAP = 44.0
_TOP = 62.0
_LEFTS = (MARGIN, MARGIN + 3 * CELL + _GAP)
# Columns are lettered A to F across both grids, so that every cell has its own name.
_FIRSTS = (1, 4)


def _result(position: Position) -> str:
    """Return the code of the result, which depends on the number of grids with a line.

    If both grids have a line, one action completed both, so both lines belong to the same player.
    """
    grids = len({index // 9 for index in position.line})
    return ("full", "line", "lines")[grids]


def _prompt(position: Position, last: str) -> Message:
    return build_message("parallel-tic-tac-toe.both")


def _details(position: Position) -> tuple[Detail, ...]:
    """Return the points and, if a grid is full without a line, a detail that says so.

    Return () if the game is not over, or if it ended without a line.
    """
    assert isinstance(position, ParallelTicTacToe)
    goals = position.goals
    if goals is None or not position.line:
        return ()
    owner = max(goals, key=goals.__getitem__)
    with_line = {index // 9 for index in position.line}
    sides = ("left", position.first), ("right", position.second)
    full = (
        Detail(f"{side}-full")
        for grid, (side, cells) in enumerate(sides)
        if grid not in with_line and "." not in cells
    )
    return (*full, Detail("points", owner, max(goals.values()), min(goals.values())))


BOARD = Board(
    slug="parallel-tic-tac-toe",
    summary=_("Two grids at once: every turn marks a cell on each. The first line ends it."),
    width=_LEFTS[1] + 3 * CELL + MARGIN,
    height=_TOP + 3 * CELL + MARGIN,
    elements=tuple(
        cell(
            centre(x, left),
            centre(y, _TOP),
            name_place(_FIRSTS[grid - 1] + x, y + 1),
            grid=grid,
            cell=f"{x + 1} {y + 1}",
        )
        for grid, left in enumerate(_LEFTS, 1)
        for y in range(3)
        for x in range(3)
    ),
    words=WORDS,
    badge=badge,
    verb="mark",
    prompt=_prompt,
    result=_result,
    details=_details,
    sentences={
        "name": _("Parallel Tic-Tac-Toe"),
        # Earlier releases stored this code.
        "cell": _("grid {grid} row {row} column {column}"),
        "left": pgettext("grid", "Left"),
        "right": pgettext("grid", "Right"),
        "both.mine": _("Choose a cell on each grid"),
        "both.theirs": _("They choose a cell on each grid"),
        "both.seen": _("{name} chooses a cell on each grid"),
        "now-1": _("Now a cell on the left grid"),
        "now-2": _("Now a cell on the right grid"),
        "line.won": _("{result}: three in a row"),
        "line.lost": _("{result}: three in a row"),
        "line.seen": _("{result}: three in a row"),
        "lines.won": _("{result}: three in a row twice"),
        "lines.lost": _("{result}: three in a row twice"),
        "lines.seen": _("{result}: three in a row twice"),
        "full": _("{result}: the grids are full"),
        # Translators: the left grid is full.
        "left-full": _("Left: full"),
        "right-full": _("Right: full"),
        # Translators: points
        "points.won": _("{won} to {lost}"),
        "points.lost": _("{lost} to {won}"),
        "points.seen": _("{won} to {lost}"),
    },
    below=(
        *rulings(_LEFTS[0], _TOP),
        *rulings(_LEFTS[1], _TOP),
        *coordinates(_LEFTS[0], _TOP, _FIRSTS[0]),
        *coordinates(_LEFTS[1], _TOP, _FIRSTS[1]),
        *(
            Caption(left + 1.5 * CELL, 22, build_message(side))
            for side, left in zip(
                ("parallel-tic-tac-toe.left", "parallel-tic-tac-toe.right"), _LEFTS, strict=True
            )
        ),
    ),
)
