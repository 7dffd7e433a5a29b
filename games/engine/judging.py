"""Whether an action kept what there was or lost some of it, judged by what a bot found: pure.

What is proved is judged as it is. What was searched is called lost only where every depth that it
was searched at says so, by more than such a search is off by chance, and kept only where none says
so by half as much; of all between, nothing is said.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

KEPT, LOST, UNCLEAR, UNKNOWN = "kept", "lost", "unclear", ""


class Judgement(Struct, frozen=True):
    """`kind` is one of the four above; `lost` are points, or by how many the lead over the other
    is less, where `of_lead`."""

    kind: str
    lost: float = 0.0
    of_lead: bool = False


def judge(look: Mapping[str, Any]) -> Judgement:
    """The judgement on an action, from the parts of a `games.bots.Look`; {} where it failed."""
    if not look:
        return Judgement(UNKNOWN)
    lost = look["value"] - look["after"]
    if look["proved"]:
        if lost > 0:
            return Judgement(LOST, lost)
        # Matches that were looked through before the lead was counted have none.
        lead = (look.get("margin") or 0) - (look.get("margin_after") or 0)
        return Judgement(LOST, lead, of_lead=True) if lead > 0 else Judgement(KEPT)
    losses = look.get("losses") or ()
    if len(losses) > 1 and min(losses) > look["noise"]:
        return Judgement(LOST, lost)
    # Where one depth alone was searched, as by an older release, no loss is sure.
    doubtful = max(losses, default=lost) > look.get("tells", 0.0)
    return Judgement(UNCLEAR) if doubtful else Judgement(KEPT)
