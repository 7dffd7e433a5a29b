"""The opening of Six in a Row: placements that keep the position even, and the pick of a colour.

Stones near the middle favour black, which scored 54 % of the points in played games (the search
expects 55 %). Stones far from the middle have less influence, so the bot also compares placements
there, to find one that keeps the position even.
"""

from dataclasses import replace
from random import Random

from games.bots.six_human_play import empty_cells, place_name
from games.bots.six_study import SearchLimits, Study, points
from games.rules.six_in_a_row import SIDE, SixInARow

PICKS = ("pick black", "pick white")
_MIDDLE = SIDE // 2
DEEPEST = 4  # depth of the searches that evaluate both colours
_SEARCH_LIMITS = SearchLimits(
    deepest=DEEPEST, width=10, attack=5, guard=5, inner_attack=4, whim=0, caution=1.0
)
# The minimum limit of placements for a search, even if the budget is smaller.
_STONES_AT_LEAST = 3000
_EVEN = 4.0  # points from 50; if closer, the bot may place two more stones instead of picking
_NEAR, _FAR = 8, 16  # placements to compare near the middle, and anywhere
_UNTOLD = 1.0  # points from 50; if closer, the search cannot tell which colour is better
_MARGIN = 1  # the width, in cells, of the edge where the bot places no stones


def white_points(position: SixInARow, placements: int, deepest: int = DEEPEST) -> float:
    """Return white's expected points, 0 to 100, with settled colours and white to move."""
    settled = SixInARow(position.black, position.white, 0, None)
    skill = replace(_SEARCH_LIMITS, deepest=deepest)
    study = Study(settled, skill, max(placements, _STONES_AT_LEAST))
    return points(study.settled_score())


def nearby(position: SixInARow, chance: Random) -> list[int]:
    """Return the empty cells near the middle, in random order.

    If there are stones, return only cells that are also near a stone. If there are no such cells,
    return all empty cells.
    """
    marks = position.diagram
    stones = [cell for cell, mark in enumerate(marks) if mark != "."]

    def distance(cell: int, other: int) -> int:
        return max(abs(cell % SIDE - other % SIDE), abs(cell // SIDE - other // SIDE))

    near = [
        cell
        for cell in empty_cells(position)
        if distance(cell, _MIDDLE * SIDE + _MIDDLE) <= (3 if stones else 2)
        and (not stones or min(distance(cell, stone) for stone in stones) <= 2)
    ]
    near = near or empty_cells(position)
    chance.shuffle(near)
    return near


def anywhere(position: SixInARow, chance: Random) -> list[int]:
    """Return the empty cells that are not at the edge, in random order."""
    inner = range(_MARGIN, SIDE - _MARGIN)
    cells = [c for c in empty_cells(position) if c % SIDE in inner and c // SIDE in inner]
    chance.shuffle(cells)
    return cells


def leaves(position: SixInARow, cell: int, placements: int, deepest: int = DEEPEST) -> float:
    """Return how far from even the position is after a placement, in points."""
    return abs(white_points(position.play(place_name(cell)), placements, deepest) - 50)


def even_placement(position: SixInARow, placements: int, chance: Random) -> int:
    """Compare some placements, and return the one that makes the position most even."""
    cells = nearby(position, chance)[:_NEAR] + anywhere(position, chance)[:_FAR]
    return min(cells, key=lambda cell: leaves(position, cell, placements // len(cells)))


def _pick(white: float) -> str:
    """Return the pick of the better colour, given white's expected points."""
    return "pick white" if white >= 50 else "pick black"


def opening_move(position: SixInARow, placements: int, chance: Random) -> str | int:
    """Return the move to play in the opening: a pick, or the cell of a placement."""
    count = (position.black | position.white).bit_count()
    if count in {2, 4}:
        return even_placement(position, placements, chance)
    if count in {3, 5}:
        white = white_points(position, placements)
        is_even = abs(white - 50) < _UNTOLD
        if count == 5 or abs(white - 50) > _EVEN or chance.random() < 0.5:
            return chance.choice(PICKS) if is_even else _pick(white)
    return nearby(position, chance)[0]
