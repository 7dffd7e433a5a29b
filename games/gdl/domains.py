"""Constants in order: the coordinates of a board."""

import re
from collections.abc import Collection, Iterable

from games.gdl.terms import Compound, RuleSheet, get_args, get_name

LONGEST_AXIS = 40  # columns or rows of a board
_NUMBERED = re.compile(r"([a-z_-]*?)(\d+)")


def find_chains(sheet: RuleSheet) -> list[tuple[str, ...]]:
    """Return the chains of the sheet's facts: "1", "2", "3" for `(succ 1 2)` and `(succ 2 3)`.

    A relation is a chain if each constant has at most one successor and one predecessor.
    """
    facts: dict[str, list[tuple[str, str]]] = {}
    for rule in sheet.rules:
        args = get_args(rule.head)
        if not rule.body and len(args) == 2 and all(isinstance(each, str) for each in args):
            facts.setdefault(get_name(rule.head), []).append((str(args[0]), str(args[1])))
    return [chain for pairs in facts.values() if (chain := _follow(pairs))]


def _follow(pairs: list[tuple[str, str]]) -> tuple[str, ...]:
    after = dict(pairs)
    if len(after) < len(pairs) or len(set(after.values())) < len(pairs):
        return ()
    starts = [each for each in after if each not in set(after.values())]
    if len(starts) != 1:
        return ()
    chain = [starts[0]]
    while chain[-1] in after:
        chain.append(after[chain[-1]])
    return tuple(chain) if len(chain) == len(pairs) + 1 else ()


def order_constants(
    constants: Collection[str], chains: Iterable[tuple[str, ...]] = ()
) -> tuple[str, ...]:
    """Return the constants in order, or () if they have no order that a reader would expect.

    Numbers, the first letters of the alphabet, numbered names such as "c3", and parts of a chain
    have an order.
    """
    found = set(constants)
    if not 1 <= len(found) <= LONGEST_AXIS:
        return ()
    numbered = {each: match for each in found if (match := _NUMBERED.fullmatch(each))}
    if len(numbered) == len(found) and len({match[1] for match in numbered.values()}) == 1:
        return tuple(sorted(found, key=lambda each: int(numbered[each][2])))
    letters = "abcdefghijklmnopqrstuvwxyz"[: len(found)]
    if found == set(letters):
        return tuple(letters)
    for chain in chains:
        if found <= set(chain):
            return tuple(each for each in chain if each in found)
    return ()


def sort_constants(constants: Iterable[str]) -> list[str]:
    """Sort constants so that "p2" is before "p10"."""

    def order(constant: str) -> list[tuple[int, str]]:
        parts = re.findall(r"\d+|\D+", constant)
        return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]

    return sorted(constants, key=order)


def is_flat(args: Iterable[object]) -> bool:
    """Return whether no argument is a compound term."""
    return not any(isinstance(each, Compound) for each in args)
