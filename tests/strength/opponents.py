"""Who the computer's highest level is measured against."""

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyspiel

from games.bots.six_board import CELLS, WINDOWS
from games.bots.six_in_a_row import SixInARowBot
from games.bots.six_people import own_and_other, place_cell
from games.rules import GAMES, Position
from games.rules.dots_and_boxes import SIDE
from games.rules.six_in_a_row import BITS, PLACES, SixInARow
from tests.strength.games import Way

_THEIRS = {
    "tic-tac-toe": "tic_tac_toe",
    "dots-and-boxes": f"dots_and_boxes(num_rows={SIDE - 1},num_cols={SIDE - 1})",
}


@dataclass(frozen=True)
class OpenSpielSearch:
    """OpenSpiel's Monte Carlo tree search with random playouts, so many simulations a move."""

    game: str
    simulations: int = 1000

    def __call__(self, position: Position, way: Way, seed: int) -> str:
        theirs = pyspiel.load_game(_THEIRS[self.game])
        bot = pyspiel.MCTSBot(
            theirs,
            pyspiel.RandomRolloutEvaluator(1, seed),
            2.0,  # the exploration that its own example takes
            self.simulations,
            1000,  # MB at the most
            True,  # a solved branch is known as such
            seed,
            False,
        )
        state, names = theirs.new_initial_state(), _actions(self.game)
        for action in way:
            state.apply_action(names.index(action))
        return names[bot.step(state)]


@cache
def _actions(game: str) -> list[str]:
    """Our actions by OpenSpiel's numbers."""
    if game == "tic-tac-toe":
        return list(GAMES[game].start.legal())
    level = [f"draw {x} {y} {x + 1} {y}" for y in range(1, SIDE + 1) for x in range(1, SIDE)]
    upright = [f"draw {x} {y} {x} {y + 1}" for y in range(1, SIDE) for x in range(1, SIDE + 1)]
    return level + upright


@dataclass(frozen=True)
class LineBuilder:
    """Looks one ply ahead in Six in a Row: wins where it can, else makes its longest line that may
    still win as long as it can be. It sees nothing of the other's."""

    def __call__(self, position: SixInARow, way: Way, seed: int) -> str:
        chance = random.Random(f"{seed} {position.notation}")
        legal = list(position.legal())
        if position.black_seat is None:
            return chance.choice(legal)
        own, other = (
            (position.black, position.white)
            if position.stone == "b"
            else (position.white, position.black)
        )
        worths = [_longest(own | bit, other) for bit in map(_bit, legal)]
        best = max(worths)
        return chance.choice([a for a, worth in zip(legal, worths, strict=True) if worth == best])


def _bit(action: str) -> int:
    _, x, y = action.split()
    return 1 << (int(y) - 1) * 16 + int(x) - 1


_ROW, _LENGTH = 16, 6
_ON_BOARD = sum(1 << row * _ROW + x for row in range(15) for x in range(15))


def _longest(own: int, other: int) -> tuple[int, int]:
    """The most own stones in a place where six may still stand, and how many such places."""
    most, places = 0, 0
    for step in (1, _ROW, _ROW + 1, _ROW - 1):
        free = _ON_BOARD & ~other
        room = free
        for i in range(1, _LENGTH):
            room &= free >> step * i
        # Neither end may be taken, by either colour.
        room &= ~((own | other) << step) & ~((own | other) >> step * _LENGTH)
        while room:
            lowest = room & -room
            room ^= lowest
            stones = sum(own >> (lowest.bit_length() - 1 + step * i) & 1 for i in range(_LENGTH))
            if stones > most:
                most, places = stones, 0
            places += stones == most
    return most, places


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
    and nearly as much for the one that kills it. It wins where it can and meets every five."""

    defence: float = 0.9  # what killing a window of the other's counts against continuing an own

    def __call__(self, position: SixInARow, way: Way, seed: int) -> str:
        chance = random.Random(f"{seed} {position.notation}")
        legal = position.legal()
        if position.black_seat is None:
            return chance.choice(legal)
        own, other = own_and_other(position)
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
