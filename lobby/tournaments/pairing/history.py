"""What of the rounds before decides how a Swiss round is paired: one value for each entrant."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from lobby.tournaments.pairing.field import WIN, Entrant, Game, Points, games_of, ranked

Float: TypeAlias = Literal["up", "down", "none"]


class Past(Struct, frozen=True, dict=True):
    """An entrant before a round. `number` is the pairing number, from 1 for the best seed. `sides`
    has an "f" for each game that they began and an "s" for each that the other began, in order.
    `floats` has one for each round. `had_bye`: from the system; `won_unplayed`: by forfeit."""

    entry: int
    number: int
    points: Points
    sides: str
    floats: tuple[Float, ...]
    opponents: frozenset[int]
    had_bye: bool
    won_unplayed: bool

    @cached_property
    def difference(self) -> int:
        """How many games more they began than the other did."""
        return self.sides.count("f") - self.sides.count("s")

    @cached_property
    def is_absolute(self) -> bool:
        """Whether they must not have the same side again (C.04.3 A.6 a)."""
        return abs(self.difference) > 1 or self.sides[-2:] in {"ff", "ss"}

    @cached_property
    def wish(self) -> str:
        """The side they are due: "f", "s", or "" before the first game (A.6)."""
        if self.sides[-2:] in {"ff", "ss"}:
            return "s" if self.sides[-1] == "f" else "f"
        if self.difference:
            return "s" if self.difference > 0 else "f"
        return {"f": "s", "s": "f", "": ""}[self.sides[-1:]]

    @cached_property
    def strength(self) -> int:
        """Of the wish: 3 absolute, 2 strong, 1 mild, 0 none."""
        if self.is_absolute:
            return 3
        return 2 if self.difference else int(bool(self.sides))

    @property
    def may_have_bye(self) -> bool:
        return not (self.had_bye or self.won_unplayed)


def histories(
    entrants: Iterable[Entrant], games: Sequence[Game], round_number: int
) -> dict[int, Past]:
    """Everyone's past before a round."""
    before = [game for game in games if game.round < round_number]
    played = games_of(before)
    order = ranked(entrants)
    scores = {one.entry: _scores(one.entry, played, round_number) for one in order}
    return {
        one.entry: _past(one.entry, number, played.get(one.entry, []), scores, round_number)
        for number, one in enumerate(order, 1)
    }


def _scores(entry: int, played: dict[int, list[Game]], round_number: int) -> list[Points]:
    """The points before each round from the first up to this one."""
    gained = [0] * round_number
    for game in played.get(entry, ()):
        gained[game.round] += game.points_of(entry)
    total = 0
    return [total := total + points for points in gained]


def _past(
    entry: int,
    number: int,
    games: list[Game],
    scores: dict[int, list[Points]],
    round_number: int,
) -> Past:
    floats: list[Float] = ["none"] * (round_number - 1)
    sides: list[tuple[int, str]] = []
    opponents: set[int] = set()
    for game in games:
        opponent = game.opponent_of(entry)
        if game.is_played and opponent is not None:
            opponents.add(opponent)
            sides.append((game.round, "f" if game.first == entry else "s"))
            own, other = scores[entry][game.round - 1], scores[opponent][game.round - 1]
            floats[game.round - 1] = "none" if own == other else "down" if own > other else "up"
        elif game.points_of(entry) > 0:  # points without a game are a downfloat
            floats[game.round - 1] = "down"
    return Past(
        entry=entry,
        number=number,
        points=scores[entry][-1],
        sides="".join(side for _, side in sorted(sides)),
        floats=tuple(floats),
        opponents=frozenset(opponents),
        had_bye=any(game.kind == "bye" for game in games),
        won_unplayed=any(game.kind == "forfeit" and game.points_of(entry) >= WIN for game in games),
    )
