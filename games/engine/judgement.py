"""Judgement of an action, best or mistake, from a bot's evaluation. Pure functions.

A proved evaluation settles the judgement. If the bot only searched, an action is a mistake when the
search at every depth finds a loss greater than the search's usual error. It is best when no depth
finds more than a small loss. Otherwise the judgement is "unclear".

An action that wins the game is never a mistake. In games where a win can be worth 75 points, the
judgement is "won" if more points were possible.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

KEPT, LOST, WON, UNCLEAR, UNKNOWN = "kept", "lost", "won", "unclear", ""


class Judgement(Struct, frozen=True):
    """A judgement of one of the five kinds above. `lost` is in points or, if `of_lead`, in points
    of the lead over the opponent."""

    kind: str
    lost: float = 0.0
    of_lead: bool = False


def judge(look: Mapping[str, Any], is_win: bool = False) -> Judgement:
    """Judge an action by the fields of a `games.bots.Look`; {} if the search failed.

    `is_win` says that the action ended the game and that its player has more points.
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
    # Earlier releases searched only one depth, which cannot establish a mistake.
    doubtful = max(losses, default=lost) > look.get("tells", 0.0)
    return Judgement(UNCLEAR) if doubtful else Judgement(KEPT)
