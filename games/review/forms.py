"""Strict parsing of the moderators' forms, and the actions that the forms request.

The modules `decisions` and `handling` check permissions.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.messages.refusal import Refused
from games.models import Decision, Match
from games.review import decisions, handling
from games.review.decisions import get_last_reversal

Kind = Decision.Kind
Form = Mapping[str, str]

DAYS = (
    (1, _("1 day")),
    (3, _("3 days")),
    (7, _("1 week")),
    (30, _("1 month")),
    (90, _("3 months")),
    (365, _("1 year")),
    (0, pgettext_lazy("suspension", "permanently")),
)
"""The durations of a suspension that pages offer, in days. 0 stands for a permanent one."""
PLAYER_KINDS = (
    (Kind.WARN.value, _("Warn a player")),
    (Kind.SUSPEND.value, _("Suspend a player")),
    (Kind.RENAME.value, _("Rename a player")),
    (Kind.NEW_NAME.value, _("Have a player choose another name")),
)
"""Decisions on a player that the pages of matches and players offer."""
DISMISS, DECIDE, STAY = "dismiss", "decide", "stay"
"""The ways to handle the open items about a player: close them without a decision, decide and close
them, or decide and leave them open."""


def decide(by: Any, form: Form, match_id: str | None = None, player_id: int | None = None) -> str:
    """Carry out the form's decision on a match or a player, and return a sentence about the result.

    Raise `Refused` if the form is invalid or the decision is not possible. On a match's page, the
    form names the player if the decision concerns one. A form can ask for refunds to the opponents.
    """
    kind = form.get("kind", "")
    reason = form.get("reason", "").strip() or form.get("preset", "")
    if not reason.strip():
        raise Refused("no-reason")
    back = 0
    if kind in _ON_MATCH and match_id is not None:
        _must_know_of_reversal(form, kind, match_id, None)
        made = _ON_MATCH[kind](by, match_id, reason, form)
    elif kind in _ON_PLAYER:
        whom = player_id if player_id is not None else _number(form, "player")
        seen = _number(form, f"seen-{whom}")
        _must_know_of_reversal(form, kind, None, whom)
        with transaction.atomic():
            made = _ON_PLAYER[kind](by, whom, reason, seen, form, match_id)
            if kind in decisions.REFUND_KINDS and f"refund-{kind}" in form:
                back = decisions.refund_opponents(made)
    else:
        raise Refused("no-such")
    return f"{made.summary} {_given_back(back)}" if back else made.summary


def handle(by: Any, form: Form, player_id: int) -> str:
    """Carry out the form of a player's entry, and return a sentence about the result.

    The form closes the open items without a decision (`DISMISS`), decides and closes them
    (`DECIDE`), or only decides (`STAY`). The note, the decision and the closed items are stored in
    one transaction. If the moderator has closed the items already, nothing is done. Raise `Refused`
    if the form is invalid or a part of it is not possible.
    """
    what, match_id = form.get("do", ""), form.get("match") or None
    if what not in {DISMISS, DECIDE, STAY}:
        raise Refused("no-such")
    seen = handling.Seen.read(form.get("open", ""))
    with transaction.atomic():
        if what != STAY and handling.was_closed_by(player_id, by, seen):
            return gettext("This was already done.")
        handling.must_hold(player_id, by)
        if form.get("note", "").strip():
            handling.write_note(player_id, by, form["note"], match_id)
        if what == DISMISS:
            acted = handling.has_acted(player_id, by)
            return _closed(player_id, by, seen, acted, gettext("Dismissed."))
        done = _decide_on_group(by, form, match_id, player_id)
        return done if what == STAY else _closed(player_id, by, seen, True, done)


def _decide_on_group(by: Any, form: Form, match_id: str | None, player_id: int) -> str:
    """Carry out the decision on the match or the player.

    If the form says so, a decision on the player applies to all players in the entry, unless it
    gives the player a new name.
    """
    if form.get("kind", "") not in _ON_PLAYER:
        return decide(by, form, match_id, player_id)
    group = handling.get_group(player_id)
    whom = group if "everyone" in form and form["kind"] != Kind.RENAME else [player_id]
    seats = set(Match.objects.filter(pk=match_id).values_list("first", flat=True)) | set(
        Match.objects.filter(pk=match_id).values_list("second", flat=True)
    )
    done = [decide(by, form, match_id if pk in seats else None, pk) for pk in whom]
    return done[0]


def _given_back(count: int) -> str:
    told = ngettext(
        "Points were refunded to %(count)d opponent.",
        "Points were refunded to %(count)d opponents.",
        count,
    )
    return told % {"count": count}


def _closed(player_id: int, by: Any, seen: handling.Seen, acted: bool, done: str) -> str:
    left = handling.close_player(player_id, by, seen, acted)
    if not left:
        return done
    more = ngettext(
        "%(count)d new item arrived in the meantime and stays open.",
        "%(count)d new items arrived in the meantime and stay open.",
        left,
    )
    return f"{done} {more % {'count': left}}"


def _must_know_of_reversal(
    form: Form, kind: str, match_id: str | None, player_id: int | None
) -> None:
    """Raise `Refused` if such a decision was reversed before, unless the form confirms it.

    By confirming, the moderator shows that they know of the reversal.
    """
    undone = get_last_reversal(kind, match_id, player_id)
    if undone is not None and f"again-{undone.pk}" not in form:
        raise Refused("repeats-reversal", name=str(undone.by), reason=undone.reason)


def _number(form: Form, name: str) -> int:
    text = form.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise Refused("no-number", field=name)
    return int(text)


def _goals(form: Form) -> tuple[int, int]:
    return _number(form, "first_goal"), _number(form, "second_goal")


_ON_MATCH: dict[str, Callable[[Any, str, str, Form], Decision]] = {
    Kind.VOID: lambda by, match_id, reason, form: decisions.void_match(
        by, match_id, reason, _number(form, "seen")
    ),
    Kind.CORRECT: lambda by, match_id, reason, form: decisions.correct_result(
        by, match_id, reason, _number(form, "seen"), _goals(form)
    ),
    Kind.END: lambda by, match_id, reason, form: decisions.end_match(
        by, match_id, reason, _number(form, "seen"), _goals(form)
    ),
}
_ON_PLAYER: dict[str, Callable[[Any, int, str, int, Form, str | None], Decision]] = {
    Kind.WARN: lambda by, whom, reason, seen, form, match_id: decisions.warn_player(
        by, whom, reason, seen, match_id
    ),
    Kind.SUSPEND: lambda by, whom, reason, seen, form, match_id: decisions.suspend_player(
        by, whom, reason, seen, _number(form, "days") or None, match_id
    ),
    Kind.NEW_NAME: lambda by, whom, reason, seen, form, match_id: decisions.require_new_name(
        by, whom, reason, seen, match_id
    ),
    Kind.RENAME: lambda by, whom, reason, seen, form, match_id: decisions.rename_player(
        by, whom, reason, seen, form.get("name", ""), match_id
    ),
}
