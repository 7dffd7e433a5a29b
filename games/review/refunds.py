"""Refunds for the opponents of a player who cheated, as part of the decision on that player."""

from collections.abc import Callable

from games.models import Decision

KINDS = (Decision.Kind.WARN, Decision.Kind.SUSPEND)
"""The kinds of decision that can include refunds."""

handlers: list[Callable[[Decision], int]] = []
"""Functions that refund the opponents of the player whom a decision is about, in its transaction.
Each returns the number of opponents who received a refund. `config.wiring` sets them."""


def refund_opponents(decision: Decision) -> int:
    """Refund the opponents of the player whom the decision is about, and return their number."""
    return sum(handler(decision) for handler in handlers)
