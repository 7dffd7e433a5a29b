"""The retention periods of rows that the referee deletes.

Most rules name a column with an index, so that a round does not read a whole large table. A round
deletes one batch for each rule, because on SQLite no other transaction can write meanwhile.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet
from django.utils import timezone
from msgspec import Struct

from games.models import (
    Attendance,
    Caller,
    ClientNetwork,
    Connection,
    Event,
    FailureCount,
    Match,
    PositionLook,
    ProcessBeat,
    SignSearch,
)
from lobby.accounts.devices import REMEMBERED
from lobby.groups import transfers
from lobby.models import (
    AuthorizationCode,
    Challenge,
    Delivery,
    Device,
    FormerName,
    Player,
    Server,
    SignIn,
    Token,
    Transfer,
)

_NOW = timedelta(0)  # the period for columns that contain the time at which the row expires


class Rule(Struct, frozen=True):
    """A rule to delete the rows whose `column` is older than `keep`, oldest first."""

    rows: QuerySet[Any]
    column: str
    keep: timedelta
    batch: int = 1000

    def delete_batch(self) -> int:
        """Delete one batch, and return the number of rows that were found for it."""
        is_old = {f"{self.column}__lt": timezone.now() - self.keep}
        found = self.rows.filter(**is_old).order_by(self.column)
        ids = list(found.values_list("pk", flat=True)[: self.batch])
        if ids:
            # Rows that were renewed after the query are not deleted.
            self.rows.model._base_manager.filter(pk__in=ids, **is_old).delete()
        return len(ids)


def rules() -> tuple[Rule, ...]:
    """Return all rules. Periods that are settings are read at each call."""
    connection_log = timedelta(days=settings.CONNECTION_LOG_DAYS)
    guest = timedelta(days=settings.GUEST_DAYS)
    return (
        Rule(Connection.objects.all(), "opened_at", connection_log),
        Rule(ClientNetwork.objects.all(), "at", connection_log),
        Rule(Caller.objects.all(), "at", connection_log),
        # A live match still needs the times when its players were last present.
        Rule(
            Attendance.objects.exclude(match__status=Match.Status.LIVE),
            "seen_at",
            timedelta(days=30),
        ),
        Rule(
            Event.objects.filter(due_at=None), "at", timedelta(days=settings.DELIVERED_EVENT_DAYS)
        ),
        # If a search were deleted earlier, the referee could queue its match again.
        Rule(
            SignSearch.objects.filter(due_at=None),
            "at",
            timedelta(hours=settings.SIGN_SEARCH_HOURS),
        ),
        Rule(PositionLook.objects.all(), "asked_at", timedelta(days=1)),
        # Deleting 250 sessions takes 20 ms on SQLite, and 720,000 can be deleted per day.
        Rule(Session.objects.all(), "expire_date", _NOW, 250),
        Rule(Device.objects.all(), "seen_at", REMEMBERED, 500),
        Rule(SignIn.objects.all(), "at", REMEMBERED, 500),
        Rule(Token.objects.all(), "expires_at", _NOW),
        # Codes are kept for a day to detect reuse.
        Rule(AuthorizationCode.objects.all(), "expires_at", timedelta(days=1)),
        Rule(FormerName.objects.all(), "until", _NOW, 500),
        Rule(Delivery.objects.filter(due_at=None), "at", timedelta(days=7)),
        Rule(Challenge.objects.all(), "expires_at", timedelta(days=1)),
        Rule(Transfer.objects.all(), "at", transfers.KEPT),
        # A server without a heartbeat is gone.
        Rule(Server.objects.all(), "seen_at", timedelta(hours=1)),
        Rule(ProcessBeat.objects.all(), "at", timedelta(hours=1)),
        Rule(FailureCount.objects.all(), "day", timedelta(days=7)),
        Rule(_unused_guests(guest), "date_joined", guest, 500),
    )


def _unused_guests(unseen: timedelta) -> QuerySet[Player]:
    """Return the guests who have not logged in for the time `unseen` and are not referred to.

    Guests are kept if they have a match, made a report, have a case or a decision about them, or
    have an alias. Staff are kept too.
    """
    return Player.objects.filter(
        Q(last_login__lt=timezone.now() - unseen) | Q(last_login__isnull=True),
        is_guest=True,
        is_staff=False,
        matches_as_first__isnull=True,
        matches_as_second__isnull=True,
        reports_made__isnull=True,
        cases__isnull=True,
        decisions__isnull=True,
        aliases__isnull=True,
    )
