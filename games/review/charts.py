"""The charts of a match's review: lengths and places only, the template draws them."""

from collections.abc import Sequence
from datetime import datetime
from math import log10
from statistics import median
from typing import Any

from games.match.state import MatchState, NewMove
from games.models import Connection
from games.words.names import isolated

_WIDTH, _HALF = 760, 90  # of the drawing; each player has one half of its height
_LEFT = 52  # room for the words of the scale
_MARKS = (
    (100, "0.1 s"),
    (1_000, "1 s"),
    (10_000, "10 s"),
    (60_000, "1 min"),
    (600_000, "10 min"),
    (3_600_000, "1 h"),
    (86_400_000, "1 day"),
)


def think_times(
    state: MatchState, moves: Sequence[NewMove], names: tuple[str, str]
) -> dict[str, Any]:
    """A bar for each ply, the first player's upwards and the second's downwards, on a log scale."""
    longest = max((move.spent_ms for move in moves), default=0)
    step = min(24.0, (_WIDTH - _LEFT) / max(1, len(moves)))
    bars = []
    for index, move in enumerate(moves):
        is_first = move.role == state.rules.roles[0]
        height = max(1.5, _height(move.spent_ms, longest))
        bars.append(
            {
                "ply": move.ply + 1,
                "seat": "first" if is_first else "second",
                "x": round(_LEFT + index * step, 2),
                "y": round(_HALF - height if is_first else _HALF, 2),
                "width": round(max(1.0, step - min(2.0, step / 4)), 2),
                "height": round(height, 2),
                "words": f"Move {move.ply + 1}, {isolated(names[0 if is_first else 1])}: "
                f"{duration(move.spent_ms)}",
            }
        )
    marks = []
    for ms, words in _MARKS:
        if ms <= longest:
            height = _height(ms, longest)
            marks.append({"words": words, "up": _HALF - height, "down": _HALF + height})
    return {
        "width": _WIDTH,
        "height": 2 * _HALF,
        "left": _LEFT,
        "middle": _HALF,
        "bars": bars,
        "marks": marks,
        "label": "; ".join(
            _spoken(isolated(name), [m.spent_ms for m in moves if m.role == role])
            for name, role in zip(names, state.rules.roles, strict=True)
        ),
    }


def presence(
    state: MatchState, moves: Sequence[NewMove], connections: Sequence[Connection], now: datetime
) -> dict[str, Any]:
    """When each player was connected, from the match's making to its end, and when they moved."""
    until = max(state.ended_at or now, state.created_at)
    whole = max(1.0, (until - state.created_at).total_seconds())

    def across(moment: datetime) -> float:
        share = (moment - state.created_at).total_seconds() / whole
        return round(_LEFT + (_WIDTH - _LEFT) * min(1.0, max(0.0, share)), 2)

    rows: list[dict[str, Any]] = []
    for seat in (0, 1):
        bars = []
        for each in connections:
            if each.seat == seat and each.opened_at < until:
                x = across(each.opened_at)
                width = max(1.5, across(each.closed_at or each.seen_at) - x)
                bars.append({"x": x, "width": round(width, 2), "words": connected(each)})
        own = [across(move.at) for move in moves if move.role == state.rules.roles[seat]]
        rows.append({"y": 6 + 34 * seat, "middle": 19 + 34 * seat, "bars": bars, "moves": own})
    return {"width": _WIDTH, "height": 74, "left": _LEFT, "rows": rows}


def connected(each: Connection) -> str:
    """One connection in words."""
    if each.closed_at is not None:
        until = f"closed {each.closed_at:%H:%M:%S}"
    else:
        until = f"last there {each.seen_at:%H:%M:%S}"
    return f"opened {each.opened_at:%Y-%m-%d %H:%M:%S}, {until}"


def duration(ms: int) -> str:
    """A duration as text: 3.4 s, 2 min 05 s, 1 h 20 min."""
    seconds = ms / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes:02} min"
    return f"{hours // 24} days {hours % 24} h"


def _height(ms: int, longest: int) -> float:
    """The height of a bar, from 0 to nearly half of the chart, on a log scale."""
    if longest <= 0:
        return 0.0
    return (_HALF - 8) * log10(1 + ms / 100) / log10(1 + max(longest, 1) / 100)


def _spoken(name: str, times: Sequence[int]) -> str:
    if not times:
        return f"{name} made no move"
    return f"{name}: {duration(int(median(times)))} in the middle, {duration(max(times))} at most"
