"""The boards of the games: their elements, their texts, and how they are drawn.

Each module of this package with a `BOARD` defines a board; there is no list to add it to.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from games.boards.board import Board, Detail

__all__ = ["BOARDS", "Board", "Detail"]


def found_boards(package: str, paths: list[str]) -> Mapping[str, Board]:
    """Return a mapping from the slug of each game to its board, as found in a package's modules."""
    modules = [import_module(f"{package}.{module.name}") for module in iter_modules(paths)]
    boards = [board for m in modules if isinstance(board := getattr(m, "BOARD", None), Board)]
    return MappingProxyType({board.slug: board for board in boards})


BOARDS: Mapping[str, Board] = found_boards(__name__, list(__path__))
"""The board of every game by the game's slug."""
