"""Geometry of the charts in a match's review. The template draws them."""

from collections.abc import Sequence
from datetime import datetime
from math import log10
from statistics import median
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_noop as _

from games.match.state import MatchState, NewMove
from games.messages.names import isolate_name
from games.models import Connection

_WIDTH, _HALF = 760, 90  # size of the drawing; each player's bars have one half of its height
_LEFT = 52  # room for the labels of the scale
_MARKS = (
    (100, _("0.1 s")),
    (1_000, _("1 s")),
    (10_000, _("10 s")),
    (60_000, _("1 min")),
    (600_000, _("10 min")),
    (3_600_000, _("1 h")),
    (86_400_000, _("1 day")),
)


def build_think_times(
    state: MatchState, moves: Sequence[NewMove], names: tuple[str, str]
) -> dict[str, Any]:
    """Return a chart of the time for each ply, as bars on a log scale.

    The bars of the first player point upwards, and those of the second player downwards.
    """
    longest = max((move.spent_ms for move in moves), default=0)
    step = min(24.0, (_WIDTH - _LEFT) / max(1, len(moves)))
    bars = []
    for index, move in enumerate(moves):
        is_first = move.role == state.rules.roles[0]
        height = max(1.5, _get_height(move.spent_ms, longest))
        bars.append(
            {
                "ply": move.ply + 1,
                "seat": "first" if is_first else "second",
                "x": round(_LEFT + index * step, 2),
                "y": round(_HALF - height if is_first else _HALF, 2),
                "width": round(max(1.0, step - min(2.0, step / 4)), 2),
                "height": round(height, 2),
                "words": gettext("Move {ply}, {name}: {spent}").format(
                    ply=move.ply + 1,
                    name=isolate_name(names[0 if is_first else 1]),
                    spent=duration(move.spent_ms),
                ),
            }
        )
    marks = []
    for ms, words in _MARKS:
        if ms <= longest:
            height = _get_height(ms, longest)
            marks.append({"words": gettext(words), "up": _HALF - height, "down": _HALF + height})
    return {
        "width": _WIDTH,
        "height": 2 * _HALF,
        "left": _LEFT,
        "middle": _HALF,
        "bars": bars,
        "marks": marks,
        "label": pgettext("list of sentences", "; ").join(
            _describe_chart(isolate_name(name), [m.spent_ms for m in moves if m.role == role])
            for name, role in zip(names, state.rules.roles, strict=True)
        ),
    }


def build_presence(
    state: MatchState, moves: Sequence[NewMove], connections: Sequence[Connection], now: datetime
) -> dict[str, Any]:
    """Return a chart of when each player was connected and moved, from the match's start to end."""
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
    """Describe one connection in words."""
    # Seconds matter here, and Django has no named format with seconds in any language.
    opened, seen = f"{each.opened_at:%Y-%m-%d %H:%M:%S}", f"{each.seen_at:%H:%M:%S}"
    if each.closed_at is None:
        return gettext("opened {opened}, last seen {seen}").format(opened=opened, seen=seen)
    closed = f"{each.closed_at:%H:%M:%S}"
    return gettext("opened {opened}, closed {closed}").format(opened=opened, closed=closed)


def duration(ms: int) -> str:
    """Return a duration as text: 3.4 s, 2 min 05 s, 1 h 20 min, 3 days 4 h."""
    seconds = ms / 1000
    if seconds < 60:
        return gettext("{seconds} s").format(seconds=number_format(seconds, 1))
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return gettext("{minutes} min {seconds} s").format(minutes=minutes, seconds=f"{rest:02}")
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return gettext("{hours} h {minutes} min").format(hours=hours, minutes=f"{minutes:02}")
    days = hours // 24
    return ngettext("{days} day {hours} h", "{days} days {hours} h", days).format(
        days=days, hours=hours % 24
    )


def _get_height(ms: int, longest: int) -> float:
    """Return the height of a bar on a log scale, from 0 to almost half of the chart."""
    if longest <= 0:
        return 0.0
    return (_HALF - 8) * log10(1 + ms / 100) / log10(1 + max(longest, 1) / 100)


def _describe_chart(name: str, times: Sequence[int]) -> str:
    if not times:
        return gettext("{name} made no move").format(name=name)
    said = gettext("{name}: median {middle}, maximum {most}")
    middle, most = duration(int(median(times))), duration(max(times))
    return said.format(name=name, middle=middle, most=most)
