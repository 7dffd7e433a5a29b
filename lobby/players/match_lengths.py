"""Classes of match lengths, for the filter of histories."""

from bisect import bisect_right

LENGTHS = ("0-9", "10-19", "20-39", "40-79", "80-")
"""The classes, in moves. Histories store the index."""

_FROM = tuple(int(each.split("-")[0]) for each in LENGTHS[1:])


def get_length_class(ply: int) -> int:
    """Return the class of a match with this many moves, as an index into `LENGTHS`."""
    return bisect_right(_FROM, ply)
