"""The replay of a match: what a page needs to show one of its positions, and the way to others."""

from collections.abc import Sequence
from typing import Any

from games.match.state import Row


def replay_at(
    row: Row, frames: Sequence[dict[str, Any]], asked: str, live_too: bool = False
) -> dict[str, Any]:
    """Which of a match's frames (`frames_of`) to show: the one after `asked` moves, which is text
    from an address, or else the last one.

    A live match is shown as it stands, unless `live_too`.
    """
    last = len(frames) - 1
    is_ply = asked.isascii() and asked.isdigit() and len(asked) < 8
    may_step = live_too or not row.is_live
    shown = min(int(asked), last) if is_ply and may_step else last
    return {
        "frame": frames[shown],
        "moves": frames[1:],
        "is_live": row.is_live,
        "shown_ply": shown,
        "previous_ply": max(0, shown - 1),
        "next_ply": min(last, shown + 1),
        "last_ply": last,
    }
