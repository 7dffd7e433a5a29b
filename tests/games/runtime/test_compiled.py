"""Prepared queries return what Django returns."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Match
from games.runtime.prepared_query import FixedQuery, PreparedQuery
from games.store import records
from tests.builders.matches import create_finished_match

pytestmark = pytest.mark.django_db


def test_rows_are_those_of_django(alice: Any, bob: Any) -> None:
    made = [create_finished_match("tic-tac-toe", alice, bob, seed) for seed in range(4)]
    Match.objects.filter(pk=made[0].pk).update(ended_at=datetime(2020, 2, 3, 4, 5, tzinfo=UTC))
    fields = ("pk", "first__username", "rated", "ended_at", "options")
    query = PreparedQuery(lambda ids: Match.objects.filter(pk__in=ids).values_list(*fields), of=str)
    for wanted in (made[:1], made[:3], made, made[1:2]):
        ids = [match.pk for match in wanted]
        assert set(map(str, query(ids))) == {
            str(row) for row in Match.objects.filter(pk__in=ids).values_list(*fields)
        }
    assert list(query(["nothing"])) == []
    assert len(list(query([made[0].pk] * 2))) == 1


def test_times_are_those_of_django(alice: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", alice, bob, 1)
    Match.objects.filter(pk=match.pk).update(acted_at=datetime(2020, 2, 3, 4, 5, tzinfo=UTC))
    fields = ("created_at", "acted_at", "ended_at", "deadline")
    query = PreparedQuery(lambda ids: Match.objects.filter(pk__in=ids).values_list(*fields), of=str)
    (row,) = query([match.pk])
    assert row == Match.objects.values_list(*fields).get(pk=match.pk)
    assert [each and each.tzinfo for each in row] == [UTC, UTC, UTC, None]


def test_keys_may_stand_in_several_places(alice: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", alice, bob, 1)
    query = PreparedQuery(
        lambda two: Match.objects.filter(first__in=two, second__in=two).values_list("pk")
    )
    assert list(query([alice.pk, bob.pk])) == [(match.pk,)]
    assert list(query([bob.pk, alice.pk])) == [(match.pk,)]
    assert list(query([alice.pk, 0])) == []


def test_texts_and_times_may_change_between_calls(alice: Any, bob: Any) -> None:
    made = [create_finished_match("tic-tac-toe", alice, bob, seed) for seed in range(3)]
    other = create_finished_match("six-in-a-row", bob, alice, 1)
    ends = [datetime(2020, 1, day, 12, tzinfo=UTC) for day in (1, 2, 3)]
    for match, end in zip((*made, other), (*ends, ends[0]), strict=True):
        Match.objects.filter(pk=match.pk).update(ended_at=end)
    query = FixedQuery(
        lambda player_id, game, after, until: (
            Match.objects.filter(first=player_id, game=game)
            .filter(ended_at__gt=after, ended_at__lte=until)
            .order_by("ended_at")
            .values_list("pk")
        ),
        *(int, str, datetime, datetime),
    )
    before = datetime(2019, 1, 1, tzinfo=UTC)
    keys = [(match.pk,) for match in made]
    assert list(query(alice.pk, "tic-tac-toe", before, ends[2])) == keys
    assert list(query(alice.pk, "tic-tac-toe", ends[0], ends[1])) == keys[1:2]
    assert list(query(alice.pk, "six-in-a-row", before, ends[2])) == []
    assert list(query(bob.pk, "six-in-a-row", before, ends[2])) == [(other.pk,)]


def test_it_is_compiled_once_for_each_number_of_keys(alice: Any, bob: Any) -> None:
    made: list[int] = []

    def make(ids: Any) -> Any:
        made.append(len(ids))
        return Match.objects.filter(first__in=ids).values_list("pk")

    query = PreparedQuery(make)
    with CaptureQueriesContext(connection) as asked:
        for keys in ([alice.pk], [bob.pk], [alice.pk, bob.pk], [1, 2], []):
            list(query(keys))
    assert made == [1, 2]
    assert len(asked) == 4  # none without keys


def test_many_keys_are_compiled_for_few_numbers_of_them(alice: Any, bob: Any) -> None:
    made: list[int] = []

    def make(ids: Any) -> Any:
        made.append(len(ids))
        return Match.objects.filter(first__in=ids).values_list("first")

    create_finished_match("tic-tac-toe", alice, bob, 1)
    create_finished_match("tic-tac-toe", bob, alice, 2)
    query = PreparedQuery(make)
    for number in range(1, 301):
        keys = [alice.pk, bob.pk, *range(10**6, 10**6 + number - 2)][:number]
        assert sorted(query(keys)) == sorted((pk,) for pk in (alice.pk, bob.pk) if pk in keys)
    assert made == [1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512]


def test_nobody_s_key_is_part_of_the_query(alice: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", alice, bob, 1)
    assert records.read_states(["') OR 1=1 --", "9000000000000000", "%s"]) == {}
    assert list(records.read_states([match.pk, "%s"])) == [match.pk]
