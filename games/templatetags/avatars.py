"""Avatars in templates: `{% avatar name %}`.

An avatar is a small pattern computed from a player's displayed name. `makeAvatar` in
`static/js/shared/page.js` draws the same one, and the tests compare both with
`tests/static/avatars.json`.
"""

from functools import lru_cache

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.store.visibility import HIDDEN_NAME

register = template.Library()

HUES = 8  # the number of avatar colours in static/css/colours.css
_SIZE = 5  # cells per row and column; the right half mirrors the left one
_HIDDEN = "M2 0h1v1h1v2h-1v2h-1v-2h-1v-2h1z"  # the outline of a pawn, for every hidden player


@register.simple_tag
def avatar(name: str) -> SafeString:
    """Draw the avatar of a displayed name. It is hidden from screen readers."""
    hue, path = compute_avatar(name)
    return format_html(
        '<svg class="avatar" viewBox="-1 -1 7 7" aria-hidden="true" data-hue="{}">'
        '<path d="{}"/></svg>',
        hue,
        path,
    )


@lru_cache(4096)
def compute_avatar(name: str) -> tuple[str, str]:
    """Return the number of the colour ("" for a hidden player) and the path of the pattern."""
    if name == HIDDEN_NAME:
        return "", _HIDDEN
    number = _hash(name)
    path = ""
    for row in range(_SIZE):
        left = [number >> (3 * row + column) & 1 for column in range(3)]
        cells = [*left, left[1], left[0], 0]
        start = 0
        for column, is_filled in enumerate(cells):
            if not is_filled:
                if column > start:
                    path += f"M{start} {row}h{column - start}v1h{start - column}z"
                start = column + 1
    return str((number >> 24) % HUES), path


def _hash(name: str) -> int:
    """Return a 32-bit hash of the text: FNV-1a, finished like MurmurHash3 for well-mixed bits."""
    number = 0x811C9DC5
    for byte in name.encode("utf-8", "replace"):
        number = (number ^ byte) * 0x01000193 & 0xFFFFFFFF
    number = (number ^ number >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    number = (number ^ number >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return number ^ number >> 16
