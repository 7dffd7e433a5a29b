"""Swiss rounds of large fields, bracket by bracket from the top, in seconds.

Small brackets, and all that are left when few players are, go by the exact algorithm; so do what
matters most, the top boards, and what is hardest, the bottom with the bye. They are looked at with
some of the players after them. A large bracket is an assignment: its upper half gets its opponents
from the lower half so that as few rules as can be are broken, in the order of C.10 to C.17, and of
all such pairings the first by the order of transpositions is taken (C.04.3 D.1). That is what the
system asks for, unless the upper half had to change places with the lower one for it; so it is
tried whether an exchange (D.2) breaks fewer rules, and a few are.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, islice

from lobby.tournaments.pairing.assignment import INFINITE, first_cheapest
from lobby.tournaments.pairing.dutch import Two, exact, forced, is_possible
from lobby.tournaments.pairing.history import Past, may_meet

EXACT = 44
"""Players that are paired in one go."""

_SMALL = 28  # players of a bracket that goes by the exact algorithm, with others behind it
_BEHIND = 12  # players after a small bracket that are looked at with it
_EXCHANGES = 12  # that are tried in a large one
_TRIED = 8  # opponents of a floater of a large bracket
_BACK = 8  # pairs taken back where the last players cannot be paired


def large(present: Sequence[Past], round_number: int, rounds: int) -> list[Two]:
    """The pairs of more than EXACT players after the first round. Raises CannotPair."""
    return _Field(round_number, rounds).paired(present)


class _Field:
    """The rules of a round."""

    def __init__(self, round_number: int, rounds: int) -> None:
        self.round_number, self.rounds = round_number, rounds

    def may_meet(self, one: Past, other: Past) -> bool:
        return may_meet(one, other, self.round_number, self.rounds)

    def is_possible(self, players: Sequence[Past]) -> bool:
        return is_possible(players, self.round_number, self.rounds)

    def exact(self, players: Sequence[Past]) -> list[Two]:
        return exact(players, self.round_number, self.rounds)

    def paired(self, present: Sequence[Past]) -> list[Two]:
        order = sorted(present, key=_rank)
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
        """The pairs and those of the last players. Where these cannot be paired, pairs before them
        are taken back."""
        while not self.is_possible(players):
            if not pairs or len(players) > 2 * EXACT:
                return pairs + forced(players, self.round_number)
            for two in pairs[-_BACK:]:
                players += [player for player in two if player is not None]
            del pairs[-_BACK:]
        return pairs + self.exact(players)

    def _window(self, bracket: Sequence[Past], after: Sequence[Past]) -> list[Two]:
        """The pairs inside a small bracket, as they are with the next players behind it."""
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
        """The pairs of a large bracket. Who is in none floats down."""
        left = list(residents)
        pairs: list[Two] = []
        for floater in floaters:
            other = self._opponent(floater, left, after)
            if other is not None:
                left.remove(other)
                pairs.append((floater, other))
        best, price = self._halves(left, len(left) // 2, after)
        fewest = _fewest_unmet(left)
        for upper in islice(_exchanged(len(left)), _EXCHANGES):
            if price is not None and price[0] <= fewest:
                break
            lower = [place for place in range(len(left)) if place not in set(upper)]
            order = [left[place] for place in (*upper, *lower)]
            other_pairs, other_price = self._halves(order, len(upper), after)
            if other_price is not None and (price is None or other_price < price):
                best, price = other_pairs, other_price
        return pairs + best

    def _opponent(self, floater: Past, left: Sequence[Past], after: Sequence[Past]) -> Past | None:
        """The resident whom a floater meets: the one with whom floater and residents break fewest
        rules (C.12 to C.17), then the first. Those of whom most can be hoped are tried first, a few
        of them; where wishes are equally strong, until one keeps what it promises."""
        met = [other for other in left if self.may_meet(floater, other)]
        met.sort(key=lambda other: (_hoped(floater, other, left), *_upfloats(other), other.number))
        base = len(left)
        are_alike = len({player.strength >= 2 for player in left if player.wish}) < 2
        best: tuple[tuple[int, ...], Past] | None = None
        for other in met[:_TRIED]:
            hoped = _hoped(floater, other, left)
            if best is not None and (hoped > best[0][0] or (are_alike and hoped == best[0][0])):
                break
            rest = [player for player in left if player is not other]
            _, price = self._halves(rest, len(rest) // 2, after)
            if price is None:
                continue
            unmet = price[0] + _is_unmet(floater, other)
            total = price[1] + self._price(floater, other, base)
            once, twice = _upfloats(other)
            found = (unmet, total // base, once, total % base, twice, other.number)
            if best is None or found < best[0]:
                best = found, other
        return best[1] if best is not None else met[0] if met else None

    def _halves(
        self, players: Sequence[Past], half: int, after: Sequence[Past]
    ) -> tuple[list[Two], tuple[int, int] | None]:
        """The upper half with opponents from the lower, and what it costs: sides not as they are
        due, and all in one number. Of an odd number one of the lower half floats. None: not
        possible."""
        upper, lower = players[:half], players[half:]
        base = len(players) + 1
        costs = [[self._price(one, other, base) for other in lower] for one in upper]
        if len(lower) > len(upper):
            costs.append([self._floating_price(player, after, base) for player in lower])
        columns = first_cheapest(costs)
        if columns is None:
            return [], None
        pairs: list[Two] = [(one, lower[columns[row]]) for row, one in enumerate(upper)]
        total = sum(costs[row][column] for row, column in enumerate(columns))
        unmet = sum(_is_unmet(one, other) for one, other in pairs if other is not None)
        return pairs, (unmet, total)

    def _price(self, one: Past, other: Past, base: int) -> int:
        """What a pair costs, by C.10 to C.13: each criterion weighs more than all pairs can break
        of the next."""
        if not self.may_meet(one, other):
            return INFINITE
        if not _is_unmet(one, other):
            return 0
        weakest = min(one.strength, other.strength)
        return base**2 * ((weakest == 3) * base**2 + base + (weakest >= 2))

    def _floating_price(self, player: Past, after: Sequence[Past], base: int) -> int:
        """What a floater costs: nobody to meet below (C.8), downfloats repeated (C.14, C.16). Below
        the last bracket is the bye (C.2)."""
        if not after and not player.may_have_bye:
            return INFINITE
        alone = not any(self.may_meet(player, other) for other in after[: 4 * EXACT])
        once, twice = player.floats[-1:] == ("down",), player.floats[-2:-1] == ("down",)
        return base**5 * alone + base * once + twice


def _rank(player: Past) -> tuple[int, int]:
    return -player.points, player.number


def _is_unmet(one: Past, other: Past) -> bool:
    """Whether one of the two does not get the side they are due."""
    return bool(one.wish) and one.wish == other.wish


def _hoped(floater: Past, other: Past, left: Sequence[Past]) -> int:
    """How many at least do not get the side they are due, if these two meet."""
    rest = [player for player in left if player is not other]
    return _is_unmet(floater, other) + _fewest_unmet(rest)


def _upfloats(player: Past) -> tuple[bool, bool]:
    """Whether they floated up in the last round, and in the one before."""
    return player.floats[-1:] == ("up",), player.floats[-2:-1] == ("up",)


def _fewest_unmet(players: Sequence[Past]) -> int:
    """How many pairs of these at least have one who does not get the side they are due."""
    wishes = [player.wish for player in players]
    return max(0, max(wishes.count("f"), wishes.count("s")) - (len(players) + 1) // 2)


def _exchanged(size: int) -> Iterator[list[int]]:
    """The upper half with one of it exchanged for one of the lower, the nearest first (D.2)."""
    half = size // 2
    for apart in range(1, size):
        for out in range(half - 1, -1, -1):
            into = out + apart
            if half <= into < size:
                yield sorted([*(place for place in range(half) if place != out), into])
