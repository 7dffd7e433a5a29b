"""How a game is played, in templates: `{% lesson slug as parts %}`."""

from typing import Any

from django import template
from django.utils.safestring import SafeString

from games.lessons import LESSONS

register = template.Library()


@register.simple_tag
def lesson(slug: str) -> list[dict[str, Any]]:
    """The parts of a game's lesson: a heading, and pictures. Nothing for a game without one."""
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
