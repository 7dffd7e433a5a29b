"""Computer players: a bot for each game, in a module with the game's name.

A module is imported when its bot is first requested, because the searches import a compiler (Numba)
that the web server does not need.
"""

from base64 import b64decode, b64encode
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from games.bots.bot import LEVELS, LONGEST, MASTER, Bot, Look, Review
from games.gdl.network import decode_network
from games.gdl.sheet_position import LoadedSheet, SheetPosition
from games.rules import GAMES, Game

__all__ = [
    "LEVELS",
    "LONGEST",
    "MASTER",
    "Bot",
    "Look",
    "Review",
    "get_bot",
    "has_bot",
    "pack_sheet",
    "unpack_sheet",
]


def has_bot(slug: str) -> bool:
    """Return whether there is a bot for the game. Every game from a rule sheet has one."""
    return slug in GAMES and (bool(GAMES[slug].sheet) or _is_there(slug))


@cache
def _is_there(slug: str) -> bool:
    return find_spec(_module(slug)) is not None


def get_bot(slug: str) -> Bot[Any]:
    """Return the bot of a game. Raise `KeyError` if the game has no bot."""
    if not has_bot(slug):
        raise KeyError(slug)
    return _get_bot(slug, GAMES[slug])


@cache
def _get_bot(slug: str, game: Game) -> Bot[Any]:
    if isinstance(game.start, SheetPosition):
        made: Bot[Any] = import_module(f"{__name__}.sheet_bot").SheetBot(game.start.sheet)
        return made
    bot: Bot[Any] = import_module(_module(slug)).BOT
    return bot


def pack_sheet(slug: str) -> dict[str, str] | None:
    """Return what a process needs to know the game, if it comes from a rule sheet.

    `unpack_sheet` adds the game there.
    """
    start = GAMES[slug].start if slug in GAMES else None
    if not isinstance(start, SheetPosition):
        return None
    network = b64encode(start.sheet.network.encode()).decode()
    return {"name": start.sheet.name, "digest": start.sheet.digest, "network": network}


def unpack_sheet(slug: str, packed: dict[str, str]) -> None:
    """Add the game of a rule sheet to this process, without its board. Do nothing if it is known.

    Raise `ValueError` if `packed` was not returned by `pack_sheet`.
    """
    if slug not in GAMES:
        network = decode_network(b64decode(packed["network"]))
        sheet = LoadedSheet(slug, packed["name"], packed["digest"], network, _NoBoard())
        GAMES.add(slug, sheet.game)


class _NoBoard:
    """Stands for the layout of a sheet, which bots do not need."""

    def read_diagram(self, state: bytes) -> str:
        return ""

    def find_line(self, diagram: str) -> tuple[int, ...]:
        return ()


def _module(slug: str) -> str:
    return f"{__name__}.{slug.replace('-', '_')}"
