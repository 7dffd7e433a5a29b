"""Boards and lessons in templates: `{% board slug diagram %}`, `{% lesson slug as parts %}`."""

from collections.abc import Collection
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.boards import BOARDS
from games.boards.drawing import draw, draw_mark
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
    """Draw the board of a game filled with a diagram, by default that of the start."""
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
    """Draw the board of one frame of a replay, with the highlights of that frame."""
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
                mark(button.mark) if button.mark else "",
                gettext(button.label),
            )
            for button in BOARDS[slug].buttons
        ),
    )


@register.simple_tag
def mark(which: str) -> SafeString:
    """Draw a mark to stand beside a name."""
    return format_html("{}", SafeString(draw_mark(which)))  # nosec B703  # `draw_mark` escapes it


@register.simple_tag
def lesson(slug: str) -> list[dict[str, Any]]:
    """Return the parts of a game's lesson: a heading, and pictures. Empty without a lesson."""
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
