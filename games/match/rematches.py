"""A rematch: asked for by one, agreed to by the other, withdrawn for one who has left."""

from msgspec.structs import replace

from games.match.commands import Rematch, WithdrawRematch
from games.match.state import Change, Circumstances, Row
from games.words.refusal import Refused


def rematch(row: Row, seat: int, _: Rematch, __: Circumstances) -> Change:
    """Ask for a rematch, or agree to the other's asking; the computer agrees at once."""
    if row.status != "over":
        raise Refused("not-allowed")
    if row.rematch_id is not None or row.rematch_by == seat:
        return Change(row)
    if row.rematch_by is None and row.levels[1 - seat] is None:
        return Change(replace(row, rematch_by=seat))
    return Change(row=replace(row), rematch=True)


def withdraw_rematch(row: Row, seat: int, _: WithdrawRematch, __: Circumstances) -> Change:
    """Take one's asking back."""
    if row.rematch_by != seat or row.rematch_id is not None:
        return Change(row)
    return Change(replace(row, rematch_by=None))
