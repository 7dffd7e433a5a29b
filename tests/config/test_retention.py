"""The rules by which the referee deletes old rows."""

from datetime import timedelta

import pytest
from django.db.models import Model
from django.utils import timezone

from config.retention import Rule, rules
from lobby.accounts.guests import new_guest
from lobby.models import Device, Player, Server
from tests.builders.retention import delete_old

NOT_INDEXED = {(Server, "seen_at"), (Player, "date_joined")}
"""Few rows; and guests, whose other conditions no index could serve."""


def is_indexed(model: type[Model], column: str) -> bool:
    meta = model._meta
    leading = {index.fields[0] for index in meta.indexes if index.fields}
    return column in leading or meta.get_field(column).db_index  # type: ignore[union-attr]


@pytest.mark.django_db
def test_every_rule_is_a_valid_query_by_an_index() -> None:
    for rule in rules():
        assert rule.delete_batch() == 0
        known = (rule.rows.model, rule.column)
        assert is_indexed(*known) is (known not in NOT_INDEXED), known


@pytest.mark.django_db
def test_a_batch_is_the_oldest_rows_and_new_ones_stay() -> None:
    now, player = timezone.now(), new_guest()
    ages = {f"{days}": now - timedelta(days=days) for days in (1, 10, 20, 30)}
    for token, seen_at in ages.items():
        Device.objects.create(player=player, token=token, seen_at=seen_at)
    rule = Rule(Device.objects.all(), "seen_at", timedelta(days=5), batch=2)
    left = []
    for _ in range(3):
        rule.delete_batch()
        left.append(sorted(Device.objects.values_list("token", flat=True)))
    assert left == [["1", "10"], ["1"], ["1"]]


@pytest.mark.django_db
def test_guests_who_never_played_are_deleted() -> None:
    old = timezone.now() - timedelta(days=31)
    unused, active, new = (new_guest() for _ in range(3))
    Player.objects.filter(pk__in=[unused.pk, active.pk]).update(date_joined=old, last_login=old)
    Player.objects.filter(pk=active.pk).update(last_login=timezone.now())
    delete_old(Player)
    assert set(Player.objects.filter(is_guest=True)) == {active, new}
