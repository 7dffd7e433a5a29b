"""The boards of the games: their elements, their texts, and how they are drawn.

Each module of this package with a `BOARD` defines a board; there is no list to add it to.
"""

from importlib import import_module
from pkgutil import iter_modules

from games.boards.board import Board, Detail
from games.rules import Catalogue

__all__ = ["BOARDS", "Board", "Detail"]


def found_boards(package: str, paths: list[str]) -> Catalogue[Board]:
    """Return a catalogue of the boards in a package's modules by the slugs of their games."""
    modules = [import_module(f"{package}.{module.name}") for module in iter_modules(paths)]
    boards = [board for m in modules if isinstance(board := getattr(m, "BOARD", None), Board)]
    return Catalogue({board.slug: board for board in boards})


BOARDS: Catalogue[Board] = found_boards(__name__, list(__path__))
"""The board of every game by the game's slug."""
