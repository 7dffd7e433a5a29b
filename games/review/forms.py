"""Reads a reviewer's form strictly. Whether its decision is allowed is decided elsewhere."""

from collections.abc import Callable, Mapping
from typing import Any

from games.models import Decision
from games.review import decisions
from games.words.refusal import Refused

Kind = Decision.Kind
Form = Mapping[str, str]

DAYS = ((1, "1 day"), (3, "3 days"), (7, "1 week"), (30, "1 month"), (90, "3 months"),
        (365, "1 year"), (0, "for good"))  # fmt: skip
"""How long a suspension lasts, as the page offers it."""
PLAYER_KINDS = (
    (Kind.WARN.value, "Warn a player"),
    (Kind.SUSPEND.value, "Suspend a player"),
    (Kind.RENAME.value, "Rename a player"),
    (Kind.NEW_NAME.value, "Have a player choose another name"),
)
"""What may be decided on a player, as the page offers it."""


def decide(by: Any, form: Form, match_id: str | None = None, player_id: int | None = None) -> str:
    """Carry out the form's decision on a match or a player; give what was done, in words.

    Raises `Refused`. On a match's page the form says which of its players, if it is about one.
    """
    kind = form.get("kind", "")
    reason = form.get("reason", "")
    if not reason.strip():
        raise Refused("no-reason")
    if kind in _ON_MATCH and match_id is not None:
        made = _ON_MATCH[kind](by, match_id, reason, form)
    elif kind in _ON_PLAYER:
        whom = player_id if player_id is not None else _number(form, "player")
        made = _ON_PLAYER[kind](by, whom, reason, _number(form, f"seen-{whom}"), form, match_id)
    else:
        raise Refused("no-such")
    return made.summary


def _number(form: Form, name: str) -> int:
    text = form.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise Refused("no-number", field=name)
    return int(text)


def _goals(form: Form) -> tuple[int, int]:
    return _number(form, "first_goal"), _number(form, "second_goal")


_ON_MATCH: dict[str, Callable[[Any, str, str, Form], Decision]] = {
    Kind.VOID: lambda by, match_id, reason, form: decisions.void(
        by, match_id, reason, _number(form, "seen")
    ),
    Kind.CORRECT: lambda by, match_id, reason, form: decisions.correct(
        by, match_id, reason, _number(form, "seen"), _goals(form)
    ),
    Kind.END: lambda by, match_id, reason, form: decisions.end(
        by, match_id, reason, _number(form, "seen"), _goals(form)
    ),
}
_ON_PLAYER: dict[str, Callable[[Any, int, str, int, Form, str | None], Decision]] = {
    Kind.WARN: lambda by, whom, reason, seen, form, match_id: decisions.warn(
        by, whom, reason, seen, match_id
    ),
    Kind.SUSPEND: lambda by, whom, reason, seen, form, match_id: decisions.suspend(
        by, whom, reason, seen, _number(form, "days") or None, match_id
    ),
    Kind.NEW_NAME: lambda by, whom, reason, seen, form, match_id: decisions.require_name(
        by, whom, reason, seen, match_id
    ),
    Kind.RENAME: lambda by, whom, reason, seen, form, match_id: decisions.rename(
        by, whom, reason, seen, form.get("name", ""), match_id
    ),
}
