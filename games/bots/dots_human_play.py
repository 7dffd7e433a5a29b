"""A model of people who look one line ahead in Dots and Boxes, and of their mistakes."""

import random
from dataclasses import dataclass

from games.rules.dots_and_boxes import LINES, SIDES

# For each line, the four sides of the one or two boxes beside it.
_BESIDE = [[sides for sides in SIDES if sides >> line & 1] for line in range(len(LINES))]


@dataclass(frozen=True)
class DotsHabits:
    """A player's habits. The first four fields are probabilities, 0 to 1:

    `overlooks`: the player overlooks a box on offer. `careless`: the player overlooks that a line
    offers a box. `guesses`: the player opens any chain instead of the shortest. `lapses`: the
    player does not think ahead.

    `sight`: with at most this many undrawn lines, the player thinks the game through to its end.
    `playouts`: the number of games that the player tries out if that is not possible.
    """

    overlooks: float = 0.0
    careless: float = 0.0
    guesses: float = 0.0
    lapses: float = 0.0
    sight: int = 0
    playouts: int = 0


def _list_free_lines(drawn: int) -> list[int]:
    return [line for line in range(len(LINES)) if not drawn >> line & 1]


def count_completed(drawn: int, line: int) -> int:
    """Return how many boxes the line completes."""
    after = drawn | 1 << line
    return sum(after & sides == sides for sides in _BESIDE[line])


def offers_box(drawn: int, line: int) -> bool:
    """Return whether the line offers a box, that is, leaves a box that lacks one line."""
    after = drawn | 1 << line
    return any((after & sides).bit_count() == 3 for sides in _BESIDE[line])


def count_haul(drawn: int) -> int:
    """Return how many boxes can be taken in one turn."""
    taken, going = 0, True
    while going:
        going = False
        for sides in SIDES:
            missing = sides & ~drawn
            if missing.bit_count() == 1:
                taken += count_completed(drawn, missing.bit_length() - 1)
                drawn |= missing
                going = True
    return taken


def choose_line(drawn: int, habits: DotsHabits, dice: random.Random) -> int:
    """Choose the line that a player with these habits draws without thinking ahead."""
    free = _list_free_lines(drawn)
    on_offer = [line for line in free if count_completed(drawn, line)]
    if on_offer and dice.random() >= habits.overlooks:
        return dice.choice(on_offer)
    seen = [line for line in free if line not in on_offer] or free
    safe = [line for line in seen if not offers_box(drawn, line)]
    if safe and dice.random() >= habits.careless:
        return dice.choice(safe)
    if safe or dice.random() < habits.guesses:
        return dice.choice(seen)
    hauls = {line: count_haul(drawn | 1 << line) for line in seen}
    least = min(hauls.values())
    return dice.choice([line for line in seen if hauls[line] == least])
