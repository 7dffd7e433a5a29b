"""How long matches were, in a few classes: people look for short ones and long ones."""

from bisect import bisect_right

LENGTHS = ("0-9", "10-19", "20-39", "40-79", "80-")
"""The classes, in moves. A history stores the index."""

_FROM = tuple(int(each.split("-")[0]) for each in LENGTHS[1:])


def length_of(ply: int) -> int:
    """The class of a match with so many moves, as an index into `LENGTHS`."""
    return bisect_right(_FROM, ply)
