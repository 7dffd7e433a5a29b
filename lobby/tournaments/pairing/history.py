"""The history of each entrant, which decides how a Swiss round is paired (FIDE C.04.3).

"White" in the handbook means the seat that moves first. The allocation of sides follows section E.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from lobby.tournaments.pairing.field import (
    WIN,
    Entrant,
    Pair,
    Points,
    RoundGame,
    group_games,
    rank_entrants,
)

Float: TypeAlias = Literal["up", "down", "none"]

SeatReason: TypeAlias = Literal["both-due", "stronger", "last-turns", "rank", "seeding"]
"""The reason why a player moves first. `both-due`: each player gets the side that is due. The
following decide between players who prefer the same side: `stronger` by the strength of the
preference, `last-turns` by the last games in which their sides differed, counted back from the
latest game of each, and `rank` by points and number. `seeding`: neither player has a preference."""


class Past(Struct, frozen=True, dict=True):
    """An entrant before a round.

    `number` is the pairing number, from 1 for the best seed. `sides` has, in order, an "f" for each
    game in which the player moved first and an "s" for each other game. `floats` has one value for
    each round. `had_bye` is True after a bye from the system, and `won_unplayed` after a win by
    forfeit.
    """

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
        """Return the number of games with the first move minus the number of other games."""
        return self.sides.count("f") - self.sides.count("s")

    @cached_property
    def is_absolute(self) -> bool:
        """Return whether the preference for a side is absolute (C.04.3 A.6 a)."""
        return abs(self.difference) > 1 or self.sides[-2:] in {"ff", "ss"}

    @cached_property
    def wish(self) -> str:
        """Return the preferred side: "f", "s", or "" before the first game (A.6)."""
        if self.sides[-2:] in {"ff", "ss"}:
            return "s" if self.sides[-1] == "f" else "f"
        if self.difference:
            return "s" if self.difference > 0 else "f"
        return {"f": "s", "s": "f", "": ""}[self.sides[-1:]]

    @cached_property
    def strength(self) -> int:
        """Return the strength of the preference: 3 absolute, 2 strong, 1 mild, 0 none."""
        if self.is_absolute:
            return 3
        return 2 if self.difference else int(bool(self.sides))

    @property
    def may_have_bye(self) -> bool:
        return not (self.had_bye or self.won_unplayed)


def build_histories(
    entrants: Iterable[Entrant], games: Sequence[RoundGame], round_number: int
) -> dict[int, Past]:
    """Return a dictionary that maps each entrant to the history before a round."""
    before = [game for game in games if game.round < round_number]
    played = group_games(before)
    order = rank_entrants(entrants)
    scores = {one.entry: _compute_scores(one.entry, played, round_number) for one in order}
    return {
        one.entry: _build_past(one.entry, number, played.get(one.entry, []), scores, round_number)
        for number, one in enumerate(order, 1)
    }


def _compute_scores(
    entry: int, played: dict[int, list[RoundGame]], round_number: int
) -> list[Points]:
    """Return the entrant's points before each round from 1 to `round_number`."""
    gained = [0] * round_number
    for game in played.get(entry, ()):
        gained[game.round] += game.points_of(entry)
    total = 0
    return [total := total + points for points in gained]


def _build_past(
    entry: int,
    number: int,
    games: list[RoundGame],
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


def is_top_scorer(player: Past, round_number: int, rounds: int) -> bool:
    """Return whether the player is a top scorer, which is only possible in the last round (A.7).

    A top scorer has more than half of the points that were possible before that round.
    """
    return round_number >= rounds and 2 * player.points > WIN * (round_number - 1)


def may_meet(one: Past, other: Past, round_number: int, rounds: int) -> bool:
    """Return whether two players have not met and can be given sides (C.1, C.3).

    Two players with an absolute preference for the same side cannot, unless one is a top scorer.
    """
    if other.entry in one.opponents:
        return False
    if not (one.is_absolute and other.is_absolute and one.wish == other.wish):
        return True
    return is_top_scorer(one, round_number, rounds) or is_top_scorer(other, round_number, rounds)


def assign_seats(one: Past, other: Past) -> Pair:
    """Return the pair with its seats (E.1 to E.5)."""
    higher, lower = _rank_two(one, other)
    side, _ = _choose_side(higher, lower)
    return _build_pair(higher, lower) if side == "f" else _build_pair(lower, higher)


def explain_seats(one: Past, other: Past) -> SeatReason:
    """Return the rule that gave the players their seats."""
    higher, lower = _rank_two(one, other)
    return _choose_side(higher, lower)[1]


def _rank_two(one: Past, other: Past) -> list[Past]:
    return sorted((one, other), key=lambda player: (-player.points, player.number))


def _choose_side(higher: Past, lower: Past) -> tuple[str, SeatReason]:
    """Return the side of the player who ranks higher, and the reason."""
    if higher.wish != lower.wish:
        return higher.wish or _get_other_side(lower.wish), "both-due"
    if higher.wish:
        strong = (higher.strength, abs(higher.difference) if higher.strength == 3 else 0)
        weak = (lower.strength, abs(lower.difference) if lower.strength == 3 else 0)
        if strong != weak:
            is_stronger = strong > weak
            return higher.wish if is_stronger else _get_other_side(higher.wish), "stronger"
    for mine, theirs in zip(reversed(higher.sides), reversed(lower.sides), strict=False):
        if mine != theirs:
            return theirs, "last-turns"
    if higher.wish:
        return higher.wish, "rank"
    return ("f" if higher.number % 2 else "s"), "seeding"


def _get_other_side(side: str) -> str:
    return "s" if side == "f" else "f"


def _build_pair(first: Past, second: Past) -> Pair:
    return Pair(first.entry, second.entry)
