"""The setup that two players agree on, in seeks, challenges, invitations, matches and rematches."""

from collections.abc import Collection, Iterator

from msgspec import Struct

from games.match.clock import parse_control
from games.messages.refusal import Refused
from games.rules import GAMES, PLAYABLE_GAMES


class _RatedGames(Collection[str]):
    """The slugs of the games that can be rated, including those that are added later."""

    def __contains__(self, slug: object) -> bool:
        return slug in GAMES and GAMES[str(slug)].can_be_rated

    def __iter__(self) -> Iterator[str]:
        return (slug for slug, game in GAMES.items() if game.can_be_rated)

    def __len__(self) -> int:
        return sum(1 for _ in self)


RATED_GAMES: Collection[str] = _RatedGames()
"""The games that can be rated, each with its own ratings."""


class Setup(Struct, frozen=True):
    """A game with its options, its clock, and whether it counts for ratings.

    `game` is a slug. `options` is the canonical text of the game's options, "" for the defaults.
    `clock` is "3+2" (minutes and seconds of increment), or "" for an untimed match.
    """

    game: str
    clock: str = ""
    options: str = ""
    rated: bool = False


def checked(game: str, clock: str | None = None, options: str = "", rated: bool = False) -> Setup:
    """Return a valid setup.

    `clock` is None or "" for an untimed match. Raise `ValueError` for an unknown game, an invalid
    clock or unknown options, and `Refused` for a game that is switched off and for a rated match
    that cannot be rated.
    """
    if game not in GAMES:
        raise ValueError(f"no game: {game[:40]!r}")
    must_be_playable(game)
    if clock:
        parse_control(clock)
    if options not in GAMES[game].options:
        raise ValueError(f"{game} does not know these options: {options[:40]!r}")
    setup = Setup(game, clock or "", options, rated)
    if rated and (why := why_unrated(setup)) is not None:
        raise why
    return setup


def must_be_playable(game: str) -> None:
    """Raise `Refused` if no new match of the game may start."""
    if game not in PLAYABLE_GAMES:
        raise Refused("game-off")


def why_unrated(setup: Setup) -> Refused | None:
    """Return why a match with this setup cannot be rated, or None if it can."""
    if setup.game not in RATED_GAMES:
        return Refused("unrated-game")
    if setup.options:
        return Refused("unrated-options")
    return None if setup.clock else Refused("unrated-untimed")
