"""Data for the review's pages: `{% review_counts as open %}`, `{% undone kind as reversals %}`."""

from typing import Any

from django import template
from django.template.context import Context

from games.models import Decision
from games.review.decisions import get_last_reversal
from games.review.forms import PLAYER_KINDS
from games.review.queue import Counts, count_items

register = template.Library()


@register.simple_tag
def review_counts() -> Counts:
    """Return the numbers of open items for the admin's front page."""
    return count_items()


@register.simple_tag(takes_context=True)
def undone(context: Context, kind: str) -> list[Decision]:
    """Return the last reversals of this kind of decision on the page's match or its players."""
    state: Any = context.get("state")
    players = list(context["seen_of"])
    if kind in dict(PLAYER_KINDS):
        found = [get_last_reversal(kind, None, player) for player in players]
    else:
        found = [get_last_reversal(kind, state.id, None)] if state is not None else []
    return [each for each in found if each is not None]
