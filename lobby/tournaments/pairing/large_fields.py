"""Swiss rounds of large fields, paired bracket by bracket from the top within seconds.

The exact algorithm pairs small brackets, including the top boards, and the last players, among whom
the bye makes pairing hardest. It also considers some of the players below a small bracket.

A large bracket is an assignment problem. Its upper half gets opponents from the lower half such
that as few rules as possible are broken, in the order of C.10 to C.17. Of all these pairings, the
first in the order of transpositions is used (C.04.3 D.1). The rules require this unless players
must move between the halves, so a few exchanges (D.2) are tried, and used if they break fewer
rules.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, islice

from lobby.tournaments.pairing.assignment import INFINITE, find_first_cheapest
from lobby.tournaments.pairing.dutch import Two, is_possible, pair_exactly, pair_without_rules
from lobby.tournaments.pairing.history import Past, may_meet

EXACT = 44
"""The highest number of players whom the exact algorithm pairs together.

If the last players of a larger field are hard to pair, there can be up to twice as many.
"""

_SMALL = 28  # the maximum size of a bracket that the exact algorithm pairs, with others behind it
_BEHIND = 12  # the maximum number of players behind a small bracket that are paired with it
_EXCHANGES = 12  # the maximum number of exchanges that are tried in a large bracket
_TRIED = 8  # the maximum number of opponents that are tried for a floater of a large bracket
_BACK = 8  # the number of pairs undone at a time if the last players cannot be paired


def pair_large_field(present: Sequence[Past], round_number: int, rounds: int) -> list[Two]:
    """Pair more than `EXACT` players after the first round. Raise `CannotPair` if impossible."""
    return _Field(round_number, rounds).paired(present)


class _Field:
    """The pairing of a large field in one round. Some rules depend on the number of the round."""

    def __init__(self, round_number: int, rounds: int) -> None:
        self.round_number, self.rounds = round_number, rounds

    def may_meet(self, one: Past, other: Past) -> bool:
        return may_meet(one, other, self.round_number, self.rounds)

    def is_possible(self, players: Sequence[Past]) -> bool:
        return is_possible(players, self.round_number, self.rounds)

    def exact(self, players: Sequence[Past]) -> list[Two]:
        return pair_exactly(players, self.round_number, self.rounds)

    def paired(self, present: Sequence[Past]) -> list[Two]:
        order = sorted(present, key=_get_rank)
        brackets = [list(group) for _, group in groupby(order, key=lambda player: player.points)]
        pairs: list[Two] = []
        floaters: list[Past] = []
        for place, residents in enumerate(brackets):
            after = [player for bracket in brackets[place + 1 :] for player in bracket]
            bracket = floaters + residents
            if len(bracket) + len(after) <= EXACT:
                floaters = [*bracket, *after]
                break
            if len(bracket) <= _SMALL:
                made = self._window(bracket, after)
            else:
                made = self._bracket(floaters, residents, after)
            pairs += made
            there = {player.entry for two in made for player in two if player is not None}
            floaters = [player for player in bracket if player.entry not in there]
        return self._with_rest(pairs, floaters)

    def _with_rest(self, pairs: list[Two], players: list[Past]) -> list[Two]:
        """Return `pairs` and the pairs of the last players.

        If the rules leave the last players no pairing, undo the last of `pairs`. If that does not
        help, pair them without the rules.
        """
        while not self.is_possible(players):
            if not pairs or len(players) > 2 * EXACT:
                return pairs + pair_without_rules(players, self.round_number)
            for two in pairs[-_BACK:]:
                players += [player for player in two if player is not None]
            del pairs[-_BACK:]
        return pairs + self.exact(players)

    def _window(self, bracket: Sequence[Past], after: Sequence[Past]) -> list[Two]:
        """Return the pairs within a small bracket, paired along with the next players behind it."""
        size = min(len(bracket) + _BEHIND, len(bracket) + len(after)) // 2 * 2
        window = [*bracket, *after[: size - len(bracket)]]
        if not self.is_possible(window):
            return []
        inside = {player.entry for player in bracket}
        return [
            (one, other)
            for one, other in self.exact(window)
            if other is not None and {one.entry, other.entry} <= inside
        ]

    def _bracket(
        self, floaters: Sequence[Past], residents: Sequence[Past], after: Sequence[Past]
    ) -> list[Two]:
        """Return the pairs of a large bracket. Players who stay unpaired float down."""
        left = list(residents)
        pairs: list[Two] = []
        for floater in floaters:
            other = self._opponent(floater, left, after)
            if other is not None:
                left.remove(other)
                pairs.append((floater, other))
        best, price = self._halves(left, len(left) // 2, after)
        fewest = _count_fewest_unmet(left)
        for upper in islice(_exchange_one(len(left)), _EXCHANGES):
            if price is not None and price[0] <= fewest:
                break
            lower = [place for place in range(len(left)) if place not in set(upper)]
            order = [left[place] for place in (*upper, *lower)]
            other_pairs, other_price = self._halves(order, len(upper), after)
            if other_price is not None and (price is None or other_price < price):
                best, price = other_pairs, other_price
        return pairs + best

    def _opponent(self, floater: Past, left: Sequence[Past], after: Sequence[Past]) -> Past | None:
        """Return the resident that a floater meets, or None if the floater stays unpaired.

        Up to `_TRIED` residents are tried, the most promising first, until the others cannot be
        better. The result is the first one with whom the floater and the other residents break the
        fewest rules (C.12 to C.17).
        """
        met = [other for other in left if self.may_meet(floater, other)]
        met.sort(
            key=lambda other: (
                _estimate_unmet(floater, other, left),
                *_has_upfloated(other),
                other.number,
            )
        )
        base = len(left)
        are_alike = len({player.strength >= 2 for player in left if player.wish}) < 2
        best: tuple[tuple[int, ...], Past] | None = None
        for other in met[:_TRIED]:
            hoped = _estimate_unmet(floater, other, left)
            if best is not None and (hoped > best[0][0] or (are_alike and hoped == best[0][0])):
                break
            rest = [player for player in left if player is not other]
            _, price = self._halves(rest, len(rest) // 2, after)
            if price is None:
                continue
            unmet = price[0] + _is_unmet(floater, other)
            total = price[1] + self._price(floater, other, base)
            once, twice = _has_upfloated(other)
            found = (unmet, total // base, once, total % base, twice, other.number)
            if best is None or found < best[0]:
                best = found, other
        return best[1] if best is not None else met[0] if met else None

    def _halves(
        self, players: Sequence[Past], half: int, after: Sequence[Past]
    ) -> tuple[list[Two], tuple[int, int] | None]:
        """Return the upper half with its opponents, and the cost.

        The cost is a tuple of the number of unmet preferences and the total cost of the assignment.
        If the number of players is odd, one player of the lower half floats. If no pairing is
        possible, there are no pairs and the cost is None.
        """
        upper, lower = players[:half], players[half:]
        base = len(players) + 1
        costs = [[self._price(one, other, base) for other in lower] for one in upper]
        if len(lower) > len(upper):
            costs.append([self._floating_price(player, after, base) for player in lower])
        columns = find_first_cheapest(costs)
        if columns is None:
            return [], None
        pairs: list[Two] = [(one, lower[columns[row]]) for row, one in enumerate(upper)]
        total = sum(costs[row][column] for row, column in enumerate(columns))
        unmet = sum(_is_unmet(one, other) for one, other in pairs if other is not None)
        return pairs, (unmet, total)

    def _price(self, one: Past, other: Past, base: int) -> int:
        """Return the cost of a pair by C.10 to C.13, `INFINITE` if the two may not meet.

        A violation of one criterion outweighs all possible violations of the next.
        """
        if not self.may_meet(one, other):
            return INFINITE
        if not _is_unmet(one, other):
            return 0
        weakest = min(one.strength, other.strength)
        return base**2 * ((weakest == 3) * base**2 + base + (weakest >= 2))

    def _floating_price(self, player: Past, after: Sequence[Past], base: int) -> int:
        """Return the cost of a floater.

        It includes a missing opponent below (C.8) and repeated downfloats (C.14, C.16). A floater
        from the last bracket gets the bye, so the cost is `INFINITE` if that is not possible (C.2).
        """
        if not after and not player.may_have_bye:
            return INFINITE
        alone = not any(self.may_meet(player, other) for other in after[: 4 * EXACT])
        once, twice = player.floats[-1:] == ("down",), player.floats[-2:-1] == ("down",)
        return base**5 * alone + base * once + twice


def _get_rank(player: Past) -> tuple[int, int]:
    return -player.points, player.number


def _is_unmet(one: Past, other: Past) -> bool:
    """Return whether one of the two players does not get the preferred side."""
    return bool(one.wish) and one.wish == other.wish


def _estimate_unmet(floater: Past, other: Past, left: Sequence[Past]) -> int:
    """Return a lower bound for the number of unmet preferences if these two players meet."""
    rest = [player for player in left if player is not other]
    return _is_unmet(floater, other) + _count_fewest_unmet(rest)


def _has_upfloated(player: Past) -> tuple[bool, bool]:
    """Return whether the player floated up in the last round, and in the round before it."""
    return player.floats[-1:] == ("up",), player.floats[-2:-1] == ("up",)


def _count_fewest_unmet(players: Sequence[Past]) -> int:
    """Return a lower bound for the number of pairs with an unmet preference."""
    wishes = [player.wish for player in players]
    return max(0, max(wishes.count("f"), wishes.count("s")) - (len(players) + 1) // 2)


def _exchange_one(size: int) -> Iterator[list[int]]:
    """Yield the places of the upper half after exchanging one player with the lower half (D.2).

    The nearest exchange comes first.
    """
    half = size // 2
    for apart in range(1, size):
        for out in range(half - 1, -1, -1):
            into = out + apart
            if half <= into < size:
                yield sorted([*(place for place in range(half) if place != out), into])
