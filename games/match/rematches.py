"""Offers of rematches, and their acceptance and withdrawal."""

from msgspec.structs import replace

from games.match.commands import Rematch, WithdrawRematch
from games.match.state import Change, Context, MatchState
from games.messages.refusal import Refused


def rematch(state: MatchState, seat: int, _: Rematch, __: Context) -> Change:
    """Offer a rematch, or accept the opponent's offer. The computer accepts immediately."""
    if state.status != "over" or state.arranged:
        raise Refused("not-allowed")
    if state.rematch_id is not None or state.rematch_by == seat:
        return Change(state)
    if state.rematch_by is None and state.levels[1 - seat] is None:
        return Change(replace(state, rematch_by=seat))
    return Change(state=replace(state), rematch=True)


def withdraw_rematch(state: MatchState, seat: int, _: WithdrawRematch, __: Context) -> Change:
    """Withdraw the seat's offer of a rematch."""
    if state.rematch_by != seat or state.rematch_id is not None:
        return Change(state)
    return Change(replace(state, rematch_by=None))
