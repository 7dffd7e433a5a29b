"""The review's pages: `{% review_counts as open %}`, `{% undone kind as reversals %}`."""

from typing import Any

from django import template
from django.template.context import Context

from games.models import Decision
from games.review.queue import Counts, counts
from games.review.repeats import reversal

register = template.Library()


@register.simple_tag
def review_counts() -> Counts:
    """What is open now, for the front page."""
    return counts()


@register.simple_tag(takes_context=True)
def undone(context: Context, kind: str) -> list[Decision]:
    """The reversals of the same decision before, on the page's match or on its players."""
    state: Any = context.get("state")
    players = list(context["seen_of"])
    if kind in {Decision.Kind.WARN, Decision.Kind.SUSPEND, Decision.Kind.RENAME}:
        found = [reversal(kind, None, player) for player in players]
    else:
        found = [reversal(kind, state.id, None)] if state is not None else []
    return [each for each in found if each is not None]
