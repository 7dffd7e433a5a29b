"""Games that the load plays again and again: the same work for everybody.

The one of Six in a Row fills the board without a winner. The order of its stones is the one that
the peers' own load plays, drawn by the same generator.
"""

import random
from collections.abc import Iterable
from functools import cache

from games.rules import GAMES, Game
from tests.builders.gdl_sheets import SHIPPED, load_sheet

Script = list[tuple[int, str]]
"""The seat and the action of each ply."""

SIX = "six-in-a-row"
_DRAWN = 3  # random games, of which the longest is played

SIDE = 15
_LINES = ((1, 0), (0, 1), (1, 1), (1, -1))


@cache
def order() -> tuple[int, ...]:
    """The crossings in the order in which they are taken, colours in turn; none of them wins."""
    seed = 1
    while True:
        shuffled = _shuffled(seed)
        if _never_wins(shuffled):
            return shuffled
        seed += 1


@cache
def actions() -> tuple[str, ...]:
    """The whole game for this site: three stones, a pick, and the rest in turn."""
    places = [f"place {cell % SIDE + 1} {cell // SIDE + 1}" for cell in order()]
    played = [*places[:3], "pick white", *places[3:]]
    position = GAMES["six-in-a-row"].start
    for action in played:
        position = position.play(action)
    assert position.goals == {"player1": 50, "player2": 50}, position.goals
    return tuple(played)


@cache
def make_script(slug: str, number: int = 0) -> Script:
    """Return the game of Six in a Row without a winner, or a random game of another game.

    Each number gives another random game, so that the site cannot remember its positions.
    """
    game = load_sheet(slug).game if slug in SHIPPED else GAMES[slug]
    if slug == SIX:
        return _follow(game, actions())
    chance = random.Random(f"{slug} {number}")
    return _follow(game, max((_play_at_random(game, chance) for _ in range(_DRAWN)), key=len))


def _play_at_random(game: Game, chance: random.Random) -> list[str]:
    position, played = game.start, list[str]()
    while not position.is_over:
        played.append(chance.choice(position.legal()))
        position = position.play(played[-1])
    return played


def _follow(game: Game, played: Iterable[str]) -> Script:
    position, script = game.start, Script()
    for action in played:
        script.append((game.roles.index(position.turn or ""), action))
        position = position.play(action)
    return script


def _shuffled(seed: int) -> tuple[int, ...]:
    state = seed

    def chance() -> float:
        nonlocal state
        state = _product(state) & 0x7FFFFFFF
        return state / 0x7FFFFFFF

    cells = list(range(SIDE * SIDE))
    for i in range(len(cells) - 1, 0, -1):
        j = int(chance() * (i + 1))
        cells[i], cells[j] = cells[j], cells[i]
    return tuple(cells)


def _product(state: int) -> int:
    # As JavaScript computes it: the product is a double, and & takes its lowest 32 bits.
    return int(float(state) * 1103515245.0 + 12345.0)


def _never_wins(cells: tuple[int, ...]) -> bool:
    board = [0] * (SIDE * SIDE)
    for number, cell in enumerate(cells):
        board[cell] = number % 2 + 1
        if _wins(board, cell):
            return False
    return True


def _wins(board: list[int], cell: int) -> bool:
    """Exactly six through the cell, each end empty or the edge."""
    own = board[cell]
    y, x = divmod(cell, SIDE)

    def at(dx: int, dy: int, steps: int) -> int:
        column, row = x + dx * steps, y + dy * steps
        inside = 0 <= column < SIDE and 0 <= row < SIDE
        return board[row * SIDE + column] if inside else 0

    for dx, dy in _LINES:
        ahead = behind = 1
        while at(dx, dy, ahead) == own:
            ahead += 1
        while at(-dx, -dy, behind) == own:
            behind += 1
        if ahead + behind - 1 == 6 and not at(dx, dy, ahead) and not at(-dx, -dy, behind):
            return True
    return False
