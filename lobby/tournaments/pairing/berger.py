"""Round robins from the Berger tables (FIDE Handbook C.05, annex 1)."""

from typing import TypeAlias

from lobby.tournaments.pairing.field import CannotPair

Round: TypeAlias = tuple[tuple[int, int | None], ...]

MOST = 64
"""The maximum number of players. With 64, there are already 63 rounds."""


def build_rounds(n: int, double: bool = False) -> tuple[Round, ...]:
    """Return the rounds for seeds 1 to n, each with its pairs in the order of boards.

    The first player of a pair moves first. With an odd number of players, each has one bye, or two
    in a double round robin: a pair without a second player, placed last in its round. A double
    round robin repeats all pairs with exchanged seats, and the last two rounds of the first half
    are swapped, so that nobody has the same seat three times in a row (C.05 annex 1). The numbers
    of games that a player has in the two seats differ by at most one in a single round robin, and
    are equal in a double round robin.

    Raise `CannotPair` for fewer than 2 players or more than `MOST`.
    """
    if n < 2:
        raise CannotPair("too-few-players", players=n)
    if n > MOST:
        raise CannotPair("too-many-players", players=n, most=MOST)
    even = n + n % 2
    single = [_build_round(even, number) for number in range(1, even)]
    if not double:
        return tuple(_remove_surplus_seeds(each, n) for each in single)
    again = [tuple((second, first) for first, second in each) for each in single]
    if len(single) > 1:
        single[-2], single[-1] = single[-1], single[-2]
    return tuple(_remove_surplus_seeds(each, n) for each in (*single, *again))


def _build_round(even: int, number: int) -> tuple[tuple[int, int], ...]:
    """Return a round of the table. The last player stays; the others move by half the table."""
    others = even - 1
    anchor = (number - 1) * (even // 2) % others
    pairs = [
        (
            (anchor + step) % others + 1,
            (anchor - step) % others + 1,
        )
        for step in range(1, even // 2)
    ]
    last = (anchor + 1, even) if number % 2 else (even, anchor + 1)
    return (last, *pairs)


def _remove_surplus_seeds(pairs: tuple[tuple[int, int], ...], n: int) -> Round:
    """Return the round, with byes in place of seeds beyond n."""
    played = [pair for pair in pairs if max(pair) <= n]
    off: list[tuple[int, int | None]] = [(min(pair), None) for pair in pairs if max(pair) > n]
    return (*played, *off)
