"""Who begins: the allocation of sides of the Dutch system (FIDE Handbook C.04.3 E), and which two
players it lets meet (C.1, C.3). What is white there is the seat that begins here."""

from lobby.tournaments.pairing.field import WIN, Pair
from lobby.tournaments.pairing.history import Past


def is_top_scorer(player: Past, round_number: int, rounds: int) -> bool:
    """More than half of the points before the last round (A.7)."""
    return round_number >= rounds and 2 * player.points > WIN * (round_number - 1)


def may_meet(one: Past, other: Past, round_number: int, rounds: int) -> bool:
    """Whether they have not met, and one of them may have each side."""
    if other.entry in one.opponents:
        return False
    if not (one.is_absolute and other.is_absolute and one.wish == other.wish):
        return True
    return is_top_scorer(one, round_number, rounds) or is_top_scorer(other, round_number, rounds)


def seated(one: Past, other: Past) -> Pair:
    """The pair with its seats (E.1 to E.5)."""
    higher, lower = sorted((one, other), key=lambda player: (-player.points, player.number))
    side = _side(higher, lower)
    return _pair(higher, lower) if side == "f" else _pair(lower, higher)


def _side(higher: Past, lower: Past) -> str:
    """What the higher ranked gets."""
    if higher.wish != lower.wish:
        return higher.wish or _other(lower.wish)
    if higher.wish:
        strong = (higher.strength, abs(higher.difference) if higher.strength == 3 else 0)
        weak = (lower.strength, abs(lower.difference) if lower.strength == 3 else 0)
        if strong != weak:
            return higher.wish if strong > weak else _other(higher.wish)
    for mine, theirs in zip(reversed(higher.sides), reversed(lower.sides), strict=False):
        if mine != theirs:
            return theirs
    return higher.wish or ("f" if higher.number % 2 else "s")


def _other(side: str) -> str:
    return "s" if side == "f" else "f"


def _pair(first: Past, second: Past) -> Pair:
    return Pair(first.entry, second.entry)
