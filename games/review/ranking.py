"""Weights that order the queue. They have no other effect.

Each kind of report and sign has a weight. Additional items of the same kind add less and less:
twenty players who report the same count a little more than four times as much as one. Each reporter
counts once, so repeated reports add nothing. A report and a sign that support each other weigh more
than the sum of both.
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


def weigh_items(reporters: Mapping[str, int], signs: Mapping[str, int]) -> float:
    """Return the weight of a player's open reports (the number of different reporters for each
    reason) and signs (the number of each kind)."""
    found = sum(_REPORTS[Report.Reason(reason)] * log2(1 + n) for reason, n in reporters.items())
    found += sum(_SIGNS[Sign.Kind(kind)] * log2(1 + n) for kind, n in signs.items())
    return found + _TOGETHER * sum(reason in reporters and kind in signs for reason, kind in _SAME)


def get_weight(kind: str) -> float:
    """Return the weight of one report or one sign of this kind."""
    return _REPORTS[Report.Reason(kind)] if kind in _REPORTS else _SIGNS[Sign.Kind(kind)]
