"""What the opponents of somebody who cheated get back, beside the decision on that player.

Who keeps something that can be lost to a cheater registers here, and gives it back.
"""

from collections.abc import Callable

from games.models import Decision

Part = Callable[[Decision], int]

KINDS = (Decision.Kind.WARN, Decision.Kind.SUSPEND)
"""The decisions with which it may be asked for."""

_parts: list[Part] = []


def gives_back(part: Part) -> Part:
    """Decorator: call the function with a decision on a player whose opponents are to get back what
    they lost, in its transaction. It gives how many opponents got something."""
    _parts.append(part)
    return part


def refund(decision: Decision) -> int:
    """Give back, for the person whom the decision is about; to how many opponents."""
    return sum(part(decision) for part in _parts)
