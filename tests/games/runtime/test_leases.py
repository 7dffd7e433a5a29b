"""A lease gives work to one process at a time, and to another one if that process is gone."""

from datetime import timedelta

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Match
from games.runtime.leases import Lease
from tests.builders.matches import create_guest_match

pytestmark = pytest.mark.django_db
LEASE = Lease("bot_at", timedelta(seconds=10))


@pytest.fixture
def row() -> QuerySet[Match]:
    """A match in which something has been due for a second."""
    match = create_guest_match()
    rows = Match.objects.filter(pk=match.pk)
    rows.update(bot_at=timezone.now() - timedelta(seconds=1))
    return rows


def test_of_two_who_saw_the_same_row_one_takes_it(row: QuerySet[Match]) -> None:
    seen = row.get().bot_at
    until = LEASE.take(row, seen)
    assert until is not None
    assert LEASE.take(row, seen) is None
    assert row.get().bot_at == until


def test_a_row_that_is_taken_is_not_due_until_its_lease_has_run_out(row: QuerySet[Match]) -> None:
    now = timezone.now()
    assert LEASE.due(row, now).exists()
    LEASE.take(row, row.get().bot_at, now)
    assert not LEASE.due(row, now + timedelta(seconds=9)).exists()
    assert LEASE.due(row, now + timedelta(seconds=10)).exists()


def test_a_renewed_lease_runs_from_now_and_tells_another_that_it_is_not_theirs(
    row: QuerySet[Match],
) -> None:
    long_ago = timezone.now() - timedelta(seconds=30)
    old = LEASE.take(row, row.get().bot_at, long_ago)
    assert LEASE.renew(row)
    assert not LEASE.due(row, timezone.now()).exists()
    assert not LEASE.held(row, old).exists()


def test_what_is_done_is_neither_due_nor_renewed(row: QuerySet[Match]) -> None:
    assert LEASE.end(row) == 1
    assert not LEASE.due(row, timezone.now() + timedelta(days=1)).exists()
    assert not LEASE.renew(row)


def test_rows_are_taken_together_except_those_that_another_process_has(
    row: QuerySet[Match],
) -> None:
    other = create_guest_match()
    Match.objects.filter(pk=other.pk).update(bot_at=row.get().bot_at)
    now = timezone.now()
    seen, late = (list(LEASE.due(Match.objects.order_by("pk"), now)) for _ in range(2))
    assert LEASE.take(row, row.get().bot_at, now - timedelta(seconds=5)) is not None
    (taken,) = LEASE.take_each(seen, now)
    assert (taken.pk, taken.bot_at) == (other.pk, now + timedelta(seconds=10))
    assert Match.objects.get(pk=other.pk).bot_at == taken.bot_at
    assert LEASE.take_each(late, now) == [] == LEASE.take_each([], now)
    assert not LEASE.due(Match.objects.all(), now).exists()
