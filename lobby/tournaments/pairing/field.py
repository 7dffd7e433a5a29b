"""What every pairing and every table starts from: entrants, their games, the pairs of a round.

These are values without a database. `entry` is a number that names an entrant for the whole
tournament (their row's key will do); it says nothing of strength, `seed` does.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

Points: TypeAlias = int
"""Hundredths of a game: 100 for a win, 50 for a draw."""

WIN, DRAW, LOSS = 100, 50, 0

GameKind: TypeAlias = Literal["played", "forfeit", "bye", "half-bye", "zero-bye"]
"""`forfeit`: paired but not played, so it gives points and neither a side nor an opponent; both may
have lost. `bye`: unpaired by the system. `half-bye`, `zero-bye`: asked for, or away."""

Kind: TypeAlias = Literal["round-robin", "swiss", "knockout", "arena"]


class CannotPair(Exception):  # noqa: N818  # an answer to the caller
    """There is no lawful pairing. `code` is one of CANNOT_PAIR; `params` go with its sentence."""

    def __init__(self, code: str, **params: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


CANNOT_PAIR = (
    "too-few-players",  # players
    "too-many-rounds",  # rounds, most
    "no-pairing-left",  # round
    "too-many-players",  # players, most
)


class Entrant(Struct, frozen=True):
    """Who takes part. Seed 1 is the strongest; `rating` is what the tournament goes by, taken when
    the entrant registered, None where unknown."""

    entry: int
    seed: int
    rating: float | None = None
    name: str = ""


class Game(Struct, frozen=True):
    """A game that is over, or a round without one. `first` has the seat that begins.

    `round` counts from 1. In a knockout it is the stage; the games of one match follow each other
    in the list as they were played. In an arena the games are in the order in which they ended, and
    `round` may be 0. A bye has no second and gives its points to the first. A void game is a
    forfeit that both lost.
    """

    round: int
    first: int
    second: int | None
    first_points: Points
    second_points: Points = 0
    kind: GameKind = "played"
    board: int = 0
    first_berserk: bool = False
    second_berserk: bool = False

    def points_of(self, entry: int) -> Points:
        return self.first_points if entry == self.first else self.second_points

    def opponent_of(self, entry: int) -> int | None:
        return self.second if entry == self.first else self.first

    @property
    def is_played(self) -> bool:
        return self.kind == "played"


class Pair(Struct, frozen=True):
    """Who plays whom: `first` begins. No second: a bye. The pairs of a round are in the order of
    their boards. In a knockout `round` is the stage and `game` the number of the game in its match,
    from 1: the two with the players name a game once and for all."""

    first: int
    second: int | None
    round: int = 0
    game: int = 1


def ranked(entrants: Iterable[Entrant]) -> list[Entrant]:
    """By seed; equal seeds by entry, so that the order is always the same."""
    return sorted(entrants, key=lambda entrant: (entrant.seed, entrant.entry))


def games_of(games: Sequence[Game]) -> dict[int, list[Game]]:
    """Each entrant's games, in the order given. Who has none is not in it."""
    found: dict[int, list[Game]] = {}
    for game in games:
        found.setdefault(game.first, []).append(game)
        if game.second is not None:
            found.setdefault(game.second, []).append(game)
    return found
