"""The values with which pairings and standings are computed: entrants, games and pairs.

`entry` identifies an entrant throughout a tournament, for example as the id of a database row. It
says nothing about the strength of the player; `seed` does.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

Points: TypeAlias = int
"""Hundredths of a point: 100 for a win, 50 for a draw."""

WIN, DRAW, LOSS = 100, 50, 0

GameKind: TypeAlias = Literal["played", "forfeit", "bye", "half-bye", "zero-bye"]
"""The kinds of games. `forfeit`: the game was paired but not played. It gives points, but counts
neither for the side nor as a meeting, and both players can lose it. `bye`: the system left the
player unpaired, which counts as a win. `half-bye`: half a point, because the player requested the
bye or entered late. `zero-bye`: no points, because the player entered after the round, or for the
odd player in a round robin."""

Kind: TypeAlias = Literal["round-robin", "swiss", "knockout", "arena"]


class CannotPair(Exception):  # noqa: N818  # an outcome, not an error
    """No valid pairing exists. `code` is one of `CANNOT_PAIR`; `params` are for its message."""

    def __init__(self, code: str, **params: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


CANNOT_PAIR = (
    "too-few-players",  # params: players
    "too-many-rounds",  # params: rounds, most
    "no-pairing-left",  # params: round
    "too-many-players",  # params: players, most
)


class Entrant(Struct, frozen=True):
    """A participant.

    Seed 1 is the strongest. `rating` is the rating that the tournament uses, None if unknown.
    """

    entry: int
    seed: int
    rating: float | None = None
    name: str = ""


class RoundGame(Struct, frozen=True):
    """A finished game, or a round without a game. The player in `first` moves first.

    `round` counts from 1. In a knockout, it is the stage, and the games of a match are in the order
    in which they were played. In an arena, games are in the order in which they ended, and `round`
    can be 0. A bye has no second player, and gives its points to the first. A void game is a
    forfeit that both players lost.
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
    """A pair of players. `first` moves first. A pair without `second` is a bye.

    The pairs of a round are in the order of their boards. In a knockout, `round` is the stage, and
    `game` counts the games of a match from 1. Together with the two players, they identify a game.
    """

    first: int
    second: int | None
    round: int = 0
    game: int = 1


def rank_entrants(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Return the entrants sorted by seed.

    Entrants with equal seeds are sorted by entry, so that the order does not depend on the input.
    """
    return sorted(entrants, key=lambda entrant: (entrant.seed, entrant.entry))


def group_games(games: Sequence[RoundGame]) -> dict[int, list[RoundGame]]:
    """Return a dictionary that maps each entrant to its games, in the given order.

    Entrants without games are missing.
    """
    found: dict[int, list[RoundGame]] = {}
    for game in games:
        found.setdefault(game.first, []).append(game)
        if game.second is not None:
            found.setdefault(game.second, []).append(game)
    return found
