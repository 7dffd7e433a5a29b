"""Opponents that measure the computer's highest level in Six in a Row."""

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.bots.six_board import CELLS, WINDOWS
from games.bots.six_human_play import get_own_and_other, place_cell
from games.bots.six_in_a_row import SixInARowBot
from games.rules.six_in_a_row import BITS, PLACES, SixInARow
from tests.bench.strength.games import Way


@dataclass(frozen=True)
class WithoutThreats:
    """The computer's highest level in Six in a Row, its threat search left out."""

    budget: float

    def __call__(self, position: SixInARow, way: Way, seed: int) -> str:
        return _without().choose(position, 5, self.budget, seed)


@cache
def _without() -> Any:
    return SixInARowBot(threats=False)


@dataclass(frozen=True)
class Blocker:
    """Looks one ply ahead in Six in a Row, at both colours alike: every window that may still
    become six counts four times as much with each stone in it, for the stone that continues it
    and nearly as much for the one that kills it. It wins where it can and meets every five, except
    where it errs."""

    defence: float = 0.9  # what killing a window of the other's counts against continuing an own
    errs: float = (
        0.0  # the chance that it overlooks the best cell, and plays another of the best 20
    )

    def __call__(self, position: SixInARow, way: Way, seed: int) -> str:
        chance = random.Random(f"{seed} {position.notation}")
        legal = position.legal()
        if position.black_seat is None:
            return chance.choice(legal)
        own, other = get_own_and_other(position)
        worths = [0.0] * CELLS
        for window, ends, cells, beyond in _windows():
            held, theirs = (window & own).bit_count(), (window & other).bit_count()
            if (held and theirs) or ends & (own | other):
                continue
            worth = _BLOCKER_WORTH[held + theirs] * (self.defence if theirs else 1.0)
            for cell in cells + beyond if theirs else cells:
                worths[cell] += worth
        places = [action for action in legal if action.startswith("place")]
        looks = [worths[place_cell(action)] for action in places]
        if chance.random() < self.errs and len(places) > 1:
            ranked = sorted(zip(looks, places, strict=True), reverse=True)
            return chance.choice(ranked[1:20])[1]
        best = max(looks)
        return chance.choice([a for a, look in zip(places, looks, strict=True) if look == best])


_BLOCKER_WORTH = (1.0, 4.0, 16.0, 64.0, 256.0, 1e6)  # of a window, by the stones in it


@cache
def _windows() -> list[tuple[int, int, list[int], list[int]]]:
    """Every window as bits: its six cells and its ends; and as cells."""
    found = []
    for _, inside, ends in WINDOWS:
        beyond = [cell for cell in ends if cell >= 0]
        bits = [sum(BITS[PLACES[cell]] for cell in cells) for cells in (inside, beyond)]
        found.append((bits[0], bits[1], inside, beyond))
    return found
