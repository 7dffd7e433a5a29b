"""The opening of Six in a Row: placements that leave neither side better, and the better pick."""

from random import Random

from games.bots.six_people import empty_cells, place_name
from games.bots.six_study import Skill, Study, points
from games.rules.six_in_a_row import SIDE, SixInARow

_MIDDLE = SIDE // 2
_LOOK = Skill(deepest=4, width=10, attack=5, guard=5, inner_attack=4, whim=0, caution=1.0)
_STONES_AT_LEAST = 300  # for a look at one placement, however small the budget is
_EVEN = 4.0  # points from 50 that leave it open whether to pick or to place two more
_CHOICES = 14  # placements that are compared


def white_points(position: SixInARow, placements: int) -> float:
    """What white, to move, can expect of those stones once the colours are settled."""
    settled = SixInARow(position.black, position.white, 0, None)
    study = Study(settled, _LOOK, max(placements, _STONES_AT_LEAST))
    return points(study.choice()[1])


def nearby(position: SixInARow, chance: Random) -> list[int]:
    """Empty cells for a placement, in any order: near the middle, and near a stone."""
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


def leaves(position: SixInARow, cell: int, placements: int) -> float:
    """How far from even a placement leaves the stones, when the other may pick next: points."""
    return abs(white_points(position.play(place_name(cell)), placements) - 50)


def even_placement(position: SixInARow, placements: int, chance: Random) -> int:
    """The placement, before the other's pick, that leaves the stones the most even."""
    cells = nearby(position, chance)[:_CHOICES]
    return min(cells, key=lambda cell: leaves(position, cell, placements // len(cells)))


def opening_move(position: SixInARow, placements: int, chance: Random) -> str | int:
    """A pick, or the cell of a placement."""
    count = (position.black | position.white).bit_count()
    if count in {2, 4}:
        return even_placement(position, placements, chance)
    if count in {3, 5}:
        white = white_points(position, placements)
        if count == 5 or abs(white - 50) > _EVEN or chance.random() < 0.5:
            return "pick white" if white >= 50 else "pick black"
    return nearby(position, chance)[0]
