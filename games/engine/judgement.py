"""Judges an action by what a bot found: was it best, or a mistake? Pure functions.

If the bot proved its result, the judgement follows from it. If it only searched, the action counts
as a mistake if every depth of the search says so, by more points than such a search errs by chance.
It counts as best if no depth finds more than a small loss. Otherwise the judgement is "unclear".

An action that wins the game is never a mistake. In games where a win can be worth 75 points, it is
"won" if more points were possible.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

KEPT, LOST, WON, UNCLEAR, UNKNOWN = "kept", "lost", "won", "unclear", ""


class Judgement(Struct, frozen=True):
    """`kind` is one of the five above. `lost` are points; if `of_lead`, points of the lead over the
    other."""

    kind: str
    lost: float = 0.0
    of_lead: bool = False


def judge(look: Mapping[str, Any], is_win: bool = False) -> Judgement:
    """Judge an action by the fields of a `games.bots.Look`; {} if the search failed.

    `is_win`: the action ended the game, and its player has more points than the other.
    """
    if not look:
        return Judgement(UNKNOWN)
    lost = look["value"] - look["after"]
    if look["proved"]:
        if lost > 0:
            return Judgement(WON if is_win else LOST, lost)
        # Analyses of earlier releases have no margins.
        lead = (look.get("margin") or 0) - (look.get("margin_after") or 0)
        return Judgement(LOST, lead, of_lead=True) if lead > 0 else Judgement(KEPT)
    losses = look.get("losses") or ()
    if len(losses) > 1 and min(losses) > look["noise"]:
        return Judgement(LOST, lost)
    # Earlier releases searched one depth only: then no mistake is sure.
    doubtful = max(losses, default=lost) > look.get("tells", 0.0)
    return Judgement(UNCLEAR) if doubtful else Judgement(KEPT)
