"""A model of people who look one move ahead in Six in a Row and overlook some of the lines."""

from dataclasses import dataclass
from random import Random

from games.bots.bot import HUNCHES
from games.bots.six_board import CELLS, WINDOWS
from games.rules.six_in_a_row import BITS, PLACES, SIDE, SixInARow

# The value of adding a stone to a line, by the number of stones in its window.
_WORTH = (0.0, 1.0, 4.0, 14.0, 50.0, 5000.0)
_CELLS = {place: cell for cell, place in enumerate(PLACES)}


def _bits(cells: list[int]) -> int:
    """Return the cells as the bits of a position of the rules. Ignore cells that are -1."""
    return sum(BITS[PLACES[cell]] for cell in cells if cell >= 0)


_LINES = tuple(
    (way, _bits(inside), _bits(ends), tuple(inside), tuple(end for end in ends if end >= 0))
    for way, inside, ends in WINDOWS
)


def place_name(cell: int) -> str:
    return PLACES[cell]


def place_cell(action: str) -> int:
    """Return the cell of a placement, 0 to 224, counted by row."""
    return _CELLS[action]


def empty_cells(position: SixInARow) -> list[int]:
    return [cell for cell, mark in enumerate(position.diagram) if mark == "."]


@dataclass(frozen=True)
class Eye:
    """A player's view of the board. All fields are 0 to 1, except `defence` and `waver`."""

    overlooks: float  # the probability of overlooking a line; doubled for diagonals
    blind: float  # the probability of overlooking a line with five stones
    defence: float  # the weight of an opponent's line, relative to the player's own
    crossing: float  # the weight of a second line through the same cell
    waver: float  # the largest random bonus of a cell, relative to its value


def get_own_and_other(position: SixInARow) -> tuple[int, int]:
    """Return the stones of the colour that is placed next, and those of the other colour."""
    own, other = position.black, position.white
    return (own, other) if position.stone == "b" else (other, own)


def _compute_promises(
    own: int, other: int, eye: Eye, chance: Random, ends_too: bool
) -> list[float]:
    """Return the value of each cell for the lines of `own` that the eye sees.

    If `ends_too` is true, include the cells at the ends of a line, where a stone blocks it.
    """
    taken = own | other
    best = [[0.0] * 4 for _ in range(CELLS)]
    for way, inside, ends, cells, beyond in _LINES:
        held = (inside & own).bit_count()
        if held == 0 or inside & other or ends & taken:
            continue
        missed = eye.blind if held == 5 else eye.overlooks * (2 if way > 1 else 1)
        if missed > 0 and chance.random() < missed:
            continue
        worth = _WORTH[held]
        for cell in cells + beyond if ends_too else cells:
            best[cell][way] = max(best[cell][way], worth)
    promises = []
    for ways in best:
        first, second, *_ = sorted(ways, reverse=True)
        promises.append(first + eye.crossing * (second + sum(ways) / 8))
    return promises


def choose_at_a_glance(position: SixInARow, eye: Eye, chance: Random) -> int:
    """Return the cell that looks best to the eye for the next stone."""
    own, other = get_own_and_other(position)
    attack = _compute_promises(own, other, eye, chance, ends_too=False)
    defence = _compute_promises(other, own, eye, chance, ends_too=True)
    looks = []
    for cell in empty_cells(position):
        # Among cells of about the same value, people prefer the middle.
        middle = abs(cell % SIDE - SIDE // 2) + abs(cell // SIDE - SIDE // 2)
        look = attack[cell] * 1.2 + defence[cell] * eye.defence + 0.5
        looks.append((look * (1 + eye.waver * chance.random()) - middle / 50, cell))
    return max(looks)[1]


_AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
# For each cell, the cell itself and the cells around it.
_BESIDE = [
    [
        SIDE * y + x
        for dx, dy in _AROUND
        if 0 <= (x := cell % SIDE + dx) < SIDE and 0 <= (y := cell // SIDE + dy) < SIDE
    ]
    for cell in range(CELLS)
]


def choose_by_hunch(position: SixInARow, chance: Random) -> str:
    """Compare a few random cells next to a stone, and choose the one with the longest line.

    If no stone can be placed in any of them, choose a random action.
    """
    diagram = position.diagram
    stones = [cell for cell, mark in enumerate(diagram) if mark != "."]
    near = sorted({cell for stone in stones for cell in _BESIDE[stone] if diagram[cell] == "."})
    tried = chance.sample(near, min(HUNCHES, len(near)))
    allowed = [cell for cell in tried if position.may(PLACES[cell])]
    if not allowed:
        return chance.choice(position.actions())
    return PLACES[max(allowed, key=lambda cell: _measure_longest_line(diagram, cell))]


def _measure_longest_line(diagram: str, cell: int) -> int:
    """Return the length of the longest line that a stone in the cell would extend or block."""
    return max(
        sum(_measure_length(diagram, cell, sign * dx, sign * dy, mark) for sign in (1, -1))
        for mark in "bw"
        for dx, dy in _DIRECTIONS
    )


def _measure_length(diagram: str, cell: int, dx: int, dy: int, mark: str) -> int:
    """Return the number of consecutive marks that start next to the cell in that direction."""
    x, y, length = cell % SIDE, cell // SIDE, 0
    while True:
        x, y = x + dx, y + dy
        if not (0 <= x < SIDE and 0 <= y < SIDE and diagram[y * SIDE + x] == mark):
            return length
        length += 1
