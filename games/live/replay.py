"""Stepping through a match: what a page needs to show one position of it, and the way to others."""

from collections.abc import Sequence
from typing import Any

from games.engine.verdicts import Verdict, attach
from games.live.protocol import frames_of
from games.store.records import Record


def stepping(
    found: Record, asked: str, live_too: bool = False, verdicts: Sequence[Verdict] = ()
) -> dict[str, Any]:
    """The frames of a match, and the one after `asked` moves (text from an address); else the last.

    A live match is shown as it stands, but where `live_too`.
    """
    frames = attach(frames_of(found.row, found.moves), verdicts)
    last = len(frames) - 1
    is_ply = asked.isascii() and asked.isdigit() and len(asked) < 8
    may_step = live_too or not found.row.is_live
    shown = min(int(asked), last) if is_ply and may_step else last
    return {
        "frame": frames[shown],
        "moves": frames[1:],
        "is_live": found.row.is_live,
        "shown_ply": shown,
        "previous_ply": max(0, shown - 1),
        "next_ply": min(last, shown + 1),
        "last_ply": last,
    }
