"""Signs, and the form with which staff decide a case."""

from typing import Any

from django.utils import timezone

from games.models import Match, Sign
from games.review import handling
from games.review.decisions import get_number


def create_sign(match: Match, of: Any, kind: str = "rhythm") -> Sign:
    return Sign.objects.create(
        key=f"{kind}:{of.pk}:{match.pk}", kind=kind, match=match, player=of, words="So.",
        at=timezone.now(),
    )  # fmt: skip


def create_decision_form(whom: Any, do: str = "decide", **more: Any) -> dict[str, str]:
    """Return the decision form of the page about a player."""
    seen = get_number(player_id=whom.pk)
    sent = {"do": do, "open": str(handling.get_open_items(whom.pk)), f"seen-{whom.pk}": str(seen)}
    return sent | {"kind": "warn", "reason": "Play by yourself."} | more
