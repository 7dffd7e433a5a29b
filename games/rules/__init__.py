"""The rules of each game, in pure Python without Django, I/O, a clock or randomness.

Each module of this package with a `GAME` defines a game; there is no list to add it to. Games from
rule sheets (`games.gdl`) are added when the site starts, and while it runs.
"""

from importlib import import_module
from pkgutil import iter_modules

from games.rules.access import Access, AccessTable
from games.rules.catalogue import Catalogue
from games.rules.position import Game, IllegalAction, Position

__all__ = [
    "ACCESS",
    "DEFAULT_GAME",
    "GAMES",
    "LISTED_GAMES",
    "PLAYABLE_GAMES",
    "Access",
    "Catalogue",
    "Game",
    "IllegalAction",
    "Position",
]


def found_games(package: str, paths: list[str]) -> Catalogue[Game]:
    """Return a catalogue of a package's games by their slugs, smallest board first.

    Raise `ValueError` if two games share a slug, because one would silently replace the other.
    """
    modules = [import_module(f"{package}.{module.name}") for module in iter_modules(paths)]
    games = [game for m in modules if isinstance(game := getattr(m, "GAME", None), Game)]
    games.sort(key=lambda game: (len(game.start.diagram), game.slug))
    slugs = [game.slug for game in games]
    if len(set(slugs)) < len(slugs):
        raise ValueError(f"two games of {package} share a slug: {', '.join(slugs)}")
    return Catalogue({game.slug: game for game in games})


GAMES: Catalogue[Game] = found_games(__name__, list(__path__))
"""The games of the site by their slugs: those of this package, smallest board first, and then those
that were added."""

(DEFAULT_GAME,) = (game for game in GAMES.values() if game.is_default)
"""The game that forms select by default, and that the API uses if a request names none."""

ACCESS = AccessTable(GAMES)
"""Who may start matches of each game."""

LISTED_GAMES = ACCESS.select(Access.EVERYBODY)
"""The slugs of the games that the site lists for everybody."""

PLAYABLE_GAMES = ACCESS.select(Access.EVERYBODY, Access.INVITED)
"""The slugs of the games of which new matches may start."""
