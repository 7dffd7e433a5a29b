"""How telling what is open about a player is: figures only, and they decide nothing.

Each kind of report and of sign has a weight. More of a kind tell more, but ever less: twenty
players who report the same count a little more than four times one. Reports count by who made them,
so nobody is heard louder by reporting more often. A report and a sign that say the same tell more
than both of them apart.
"""

from collections.abc import Mapping
from math import log2

from games.models import Report, Sign

_REPORTS = {
    Report.Reason.CHEATING: 3.0,
    Report.Reason.NAME: 2.5,
    Report.Reason.LOSING: 2.0,
    Report.Reason.STALLING: 2.0,
    Report.Reason.OTHER: 1.0,
}
_SIGNS = {
    Sign.Kind.RHYTHM: 4.0,
    Sign.Kind.PAIR: 4.0,
    Sign.Kind.THROWN: 3.0,
    Sign.Kind.ABORTS: 3.0,
    Sign.Kind.FARMING: 3.5,
    Sign.Kind.SUDDEN: 3.0,
    Sign.Kind.LOSING: 3.0,
    Sign.Kind.ADDRESS: 1.5,
    Sign.Kind.WIDE: 1.0,
}
_SAME = (
    (Report.Reason.CHEATING, Sign.Kind.RHYTHM),
    (Report.Reason.CHEATING, Sign.Kind.SUDDEN),
    (Report.Reason.LOSING, Sign.Kind.LOSING),
    (Report.Reason.LOSING, Sign.Kind.THROWN),
    (Report.Reason.LOSING, Sign.Kind.PAIR),
    (Report.Reason.STALLING, Sign.Kind.ABORTS),
)
_TOGETHER = 5.0


def telling(reporters: Mapping[str, int], signs: Mapping[str, int]) -> float:
    """The weight of a player's open reports (how many different players for each reason) and signs
    (how many of each kind)."""
    found = sum(_REPORTS[Report.Reason(reason)] * log2(1 + n) for reason, n in reporters.items())
    found += sum(_SIGNS[Sign.Kind(kind)] * log2(1 + n) for kind, n in signs.items())
    return found + _TOGETHER * sum(reason in reporters and kind in signs for reason, kind in _SAME)


def weight(kind: str) -> float:
    """The weight of one report or one sign of that kind."""
    return _REPORTS[Report.Reason(kind)] if kind in _REPORTS else _SIGNS[Sign.Kind(kind)]
