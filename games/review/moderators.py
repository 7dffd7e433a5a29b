"""Moderators: their groups and permissions, and the activity of a moderator's colleagues.

If no other moderator has been active for `HOURS`, moderators may handle their own reports that are
older than that.
"""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from django.apps import AppConfig
from django.contrib.auth import get_user_model
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission
from django.db.models import Max, Q
from django.utils import timezone

from games.models import Assignment, Case, Decision, Report
from games.store.aliases import get_aliases

HOURS = 24
"""The hours without activity by another moderator before a moderator may handle their own reports,
and the minimum age of these reports in hours."""
_MAX_MODERATORS = 200  # the maximum number of accounts that are checked for activity

activity_sources: list[Callable[[Collection[int], datetime], bool]] = []
"""Functions that return whether one of the given accounts has been used since the given time.
`config.wiring` sets them."""


def get_own_report_limit(by: Any) -> datetime | None:
    """Return the latest time of the moderator's own reports that the moderator may handle.

    Return None if another moderator has been active in the last `HOURS`, so that the moderator may
    handle none of them.
    """
    since = timezone.now() - timedelta(hours=HOURS)
    return None if _was_any_active(_list_others(by), since) else since


def may_handle_own_reports(player_ids: Collection[int], by: Any) -> bool | None:
    """Return whether the moderator may handle their own open reports about these players.

    Return None if the moderator did not report any of them.
    """
    mine = get_aliases(by.pk)
    own = Report.objects.filter(case__player__in=player_ids, case__closed_at=None, by__in=mine)
    newest = own.aggregate(newest=Max("at"))["newest"]
    if newest is None:
        return None
    limit = get_own_report_limit(by)
    return limit is not None and newest <= limit


def has_reported(decision: Decision) -> bool:
    """Return whether the moderator had an open report on the player when making the decision."""
    if decision.player_id is None:
        return False
    own = Report.objects.filter(
        by__in=get_aliases(decision.by_id), case__player=decision.player_id, at__lte=decision.at
    )
    still_open = Q(case__closed_at=None) | Q(case__closed_at__gte=decision.at)
    return own.filter(still_open).exists()


def _list_others(by: Any) -> list[int]:
    """Return the ids of the other accounts that may handle reports, at most `_MAX_MODERATORS`."""
    people = get_user_model()._default_manager.with_perm(
        "games.handle", backend="django.contrib.auth.backends.ModelBackend"
    )
    others = people.filter(is_staff=True).exclude(pk__in=get_aliases(by.pk))
    return list(others.order_by("pk").values_list("pk", flat=True)[:_MAX_MODERATORS])


def _was_any_active(others: list[int], since: datetime) -> bool:
    if not others:
        return False
    people = get_user_model()._default_manager.filter(pk__in=others)
    return (
        people.filter(last_login__gte=since).exists()
        or any(was_used(others, since) for was_used in activity_sources)
        or Assignment.objects.filter(by__in=others, at__gte=since).exists()
        or Decision.objects.filter(by__in=others, at__gte=since).exists()
        or Case.objects.filter(closed_by__in=others, closed_at__gte=since).exists()
    )


_LOOK = ("view_match", "view_move", "view_case", "view_report", "view_decision", "view_sign",
         "view_bulkaction")  # fmt: skip
_APPEALS = ("view_appeal", "change_appeal")
_EVENTS = ("view_tournament", "change_tournament")
RIGHTS = {
    "reviewer": (*_LOOK, *_APPEALS, *_EVENTS, "decide", "handle"),
    "senior reviewer": (
        *(*_LOOK, *_APPEALS, *_EVENTS, "decide", "handle", "reverse"),
        *("view_protectionchange", "change_protection"),
        *("view_erasure", "erase_player"),
    ),
    "game editor": ("view_storedsheet", "add_storedsheet", "change_storedsheet"),
}
"""The permissions of each group. None of them permits editing accounts in the admin. With
`change_appeal`, a moderator can answer an appeal once; with `change_tournament`, a moderator can do
everything that a tournament's organiser can. Game editors add games from rule sheets; they need not
be moderators."""


def give_rights(sender: AppConfig, using: str, **kwargs: Any) -> None:
    """Create missing groups and add missing permissions, but never remove a permission."""
    # Django's own receiver creates the permissions, but may run after this one.
    create_permissions(sender, verbosity=0, using=using)
    for name, codenames in RIGHTS.items():
        group, _ = Group.objects.using(using).get_or_create(name=name)
        rights = Permission.objects.using(using).filter(
            content_type__app_label__in=("games", "lobby"), codename__in=codenames
        )
        group.permissions.add(*rights)
