"""Round robins: everybody meets everybody, by the Berger tables (FIDE Handbook C.05, annex 1)."""

from typing import TypeAlias

from lobby.tournaments.pairing.field import CannotPair

Round: TypeAlias = tuple[tuple[int, int | None], ...]

MOST = 64
"""Players. 64 already play 63 rounds."""


def rounds(n: int, double: bool = False) -> tuple[Round, ...]:
    """The rounds for the seeds 1 to n: pairs of seeds in the order of boards. The first begins.

    Where n is odd, each has one bye, a pair without a second; it stands last. In a double
    round robin all meet again with the seats exchanged, and the last two rounds of the first half
    are exchanged, so that nobody has the same seat three times in a row (C.05 annex 1). In a single
    one, seats differ by one at most; in a double one, each has both seats equally often.

    Raises CannotPair for fewer than 2 players or more than MOST.
    """
    if n < 2:
        raise CannotPair("too-few-players", players=n)
    if n > MOST:
        raise CannotPair("too-many-players", players=n, most=MOST)
    even = n + n % 2
    single = [_round(even, number) for number in range(1, even)]
    if not double:
        return tuple(_without(each, n) for each in single)
    again = [tuple((second, first) for first, second in each) for each in single]
    if len(single) > 1:
        single[-2], single[-1] = single[-1], single[-2]
    return tuple(_without(each, n) for each in (*single, *again))


def _round(even: int, number: int) -> tuple[tuple[int, int], ...]:
    """A round of the table. The last player stays, the others move on by half the table."""
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


def _without(pairs: tuple[tuple[int, int], ...], n: int) -> Round:
    """The same round where seeds beyond n are nobody."""
    played = [pair for pair in pairs if max(pair) <= n]
    off: list[tuple[int, int | None]] = [(min(pair), None) for pair in pairs if max(pair) > n]
    return (*played, *off)
