"""Computer players: a bot for each game, in a module with the game's name.

A module is imported when its bot is first requested, because the searches import a compiler (Numba)
that the web server does not need.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from games.bots.bot import LEVELS, LONGEST, MASTER, Bot, Look, Review
from games.rules import GAMES

__all__ = ["LEVELS", "LONGEST", "MASTER", "Bot", "Look", "Review", "get_bot", "has_bot"]


def has_bot(slug: str) -> bool:
    """Return whether there is a bot for the game."""
    return slug in GAMES and _is_there(slug)


@cache
def _is_there(slug: str) -> bool:
    return find_spec(_module(slug)) is not None


@cache
def get_bot(slug: str) -> Bot[Any]:
    """Return the bot of a game. Raise `KeyError` if the game has no bot."""
    if not has_bot(slug):
        raise KeyError(slug)
    bot: Bot[Any] = import_module(_module(slug)).BOT
    return bot


def _module(slug: str) -> str:
    return f"{__name__}.{slug.replace('-', '_')}"
