"""Boards, lessons, marks and icons in templates, such as `{% board slug diagram %}`."""

from collections.abc import Collection
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.boards import BOARDS
from games.boards.board import Button
from games.boards.drawing import draw, draw_mark
from games.boards.glyphs import draw_symbol
from games.engine.replay import Step
from games.lessons import LESSONS
from games.messages import get_game_name
from games.rules import GAMES

register = template.Library()


@register.simple_tag
def board(
    slug: str,
    diagram: str = "",
    fresh: Collection[int] = (),
    line: Collection[int] = (),
    better: Collection[int] = (),
    targets: Collection[int] = (),
    live: bool = False,
    thumbnail: bool = False,
    sparse: bool = False,
    label: str = "",
) -> SafeString:
    """Draw the board of a game with the marks of a diagram, by default the starting position's."""
    svg = draw(
        BOARDS[slug],
        diagram or GAMES[slug].start.diagram,
        fresh=fresh,
        line=line,
        better=better,
        targets=targets,
        live=live,
        thumbnail=thumbnail,
        sparse=sparse,
        label=label or get_game_name(slug),
    )
    return SafeString(svg)  # nosec B703  # `draw` escapes whatever it is given


@register.simple_tag
def frame_board(slug: str, frame: Step, **more: Any) -> SafeString:
    """Draw the board of a replay frame, with the highlights of that frame."""
    return board(
        slug, frame.diagram, fresh=frame.fresh, line=frame.line, better=frame.better, **more
    )


@register.simple_tag
def board_buttons(slug: str) -> SafeString:
    """Draw buttons for actions without a place on the board; a script shows the legal ones."""
    return format_html_join(
        "",
        '<button type="button" class="button choice" data-action="{}" data-question="{}" '
        'data-mark="{}" hidden>{}{}</button>',
        (
            (
                button.action,
                gettext(button.question) if button.question else "",
                button.mark,
                _draw_button(button),
                gettext(button.label),
            )
            for button in BOARDS[slug].buttons
        ),
    )


def _draw_button(button: Button) -> SafeString:
    """Draw the mark or the symbol of a button, if it has one."""
    if button.symbol:
        return SafeString(draw_symbol(button.symbol))  # nosec B703  # it escapes what it is given
    return mark(button.mark) if button.mark else SafeString("")


@register.simple_tag
def mark(which: str) -> SafeString:
    """Draw a mark, such as a cross, for example beside a name."""
    return format_html("{}", SafeString(draw_mark(which)))  # nosec B703  # `draw_mark` escapes it


@register.simple_tag
def lesson(slug: str) -> list[dict[str, Any]]:
    """Return the parts of a game's lesson, each with a heading and pictures, or [] without one."""
    if slug not in LESSONS:
        return []
    return [
        {
            "heading": heading,
            "pictures": [
                {
                    "board": SafeString(each.svg),  # nosec B703  # `draw` escapes what it is given
                    "sentence": each.sentence,
                    "verdict": each.verdict,
                }
                for each in drawn
            ],
        }
        for heading, drawn in LESSONS[slug].drawn()
    ]


_ICONS = {
    "flag": "M5 21V4h12l-2 4 2 4H5",
    "draw": "M5 9h14M5 15h14",
    "cancel": "M6 6l12 12M18 6L6 18",
    "speech": "M4 5h16v11h-9l-5 4v-4H4z",
    "book": "M12 6c-2-2-5-2-8-2v14c3 0 6 0 8 2 2-2 5-2 8-2V4c-3 0-6 0-8 2zv14",
    "more": "M5 12h.01M12 12h.01M19 12h.01",
    "again": "M5 12a7 7 0 1 1 2 5M5 20v-4h4",
    "search": "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5",
    "chart": "M4 20h16M6 16v-5M12 16V5M18 16v-8",
    "share": "M12 15V4M7 8l5-5 5 5M5 13v7h14v-7",
    "back": "M14 5l-7 7 7 7",
}
"""The paths of icons beside a board, drawn with a stroke in a square of 24 units."""


@register.simple_tag
def icons() -> SafeString:
    """Define the icons of the page, for `{% icon %}` and for scripts."""
    symbols = format_html_join(
        "", '<symbol id="icon-{}" viewBox="0 0 24 24"><path d="{}"/></symbol>', _ICONS.items()
    )
    return format_html('<svg class="unseen" aria-hidden="true">{}</svg>', symbols)


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw an icon that `{% icons %}` has defined."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="#icon-{}"/></svg>', name)
