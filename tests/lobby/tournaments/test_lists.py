"""A page of a list takes constant time, regardless of the number of tournaments."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from lobby.models import Entry, Player, Tournament
from lobby.tournaments import queries as reading
from lobby.tournaments.queries import PAGE
from tests.builders.players import create_player
from tests.builders.query_plans import get_query_plan

pytestmark = pytest.mark.django_db

State = Tournament.State


def fill(organiser: Player, each: int = 150, players: int = 5) -> None:
    now = timezone.now()
    people = Player.objects.bulk_create(Player(username=f"Filler {n}") for n in range(players))
    made = Tournament.objects.bulk_create(
        Tournament(
            organiser=organiser, name=f"Evening {n}", kind="arena", game="six-in-a-row",
            clock="3+2", minutes=10, starts_at=now + timedelta(hours=n), made_at=now, most=100,
            ended_at=now - timedelta(hours=n) if state == State.OVER else None, state=state,
        )
        for state in (State.OVER, State.RUNNING, State.REGISTRATION, State.CHECK_IN)
        for n in range(each)
    )  # fmt: skip
    Entry.objects.bulk_create(
        Entry(tournament=each, player=who, entered_at=now) for each in made for who in people
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


LISTS: dict[str, Callable[[Player], list[Tournament]]] = {
    "over": lambda _: reading.list_finished_tournaments(None),
    "running": lambda _: reading.list_running_tournaments(None),
    "to come": lambda _: reading.list_upcoming_tournaments(None),
    "mine": reading.list_own_tournaments,
    "made by": lambda olga: reading.list_tournaments_by_organiser(None, olga, PAGE + 1),
}


def test_each_list_is_read_by_an_index_and_counts_its_own_rows() -> None:
    olga = create_player("Olga Brook")
    fill(olga)
    for name, read in LISTS.items():
        with CaptureQueriesContext(connection) as queries:
            found = read(olga)
        assert len(found) == PAGE + 1, name
        assert {each.players for each in found} == {5}, name  # type: ignore[attr-defined]
        for query in queries:
            steps = get_query_plan(query["sql"])
            assert "SCAN lobby_" not in steps, (name, steps)
            if "lobby_entry" not in query["sql"] and "lobby_member" not in query["sql"]:
                assert "TEMP B-TREE FOR ORDER BY" not in steps, (name, steps)


def test_what_is_to_come_is_in_order_over_its_pages() -> None:
    fill(create_player("Olga Brook"), each=20, players=1)
    found: list[Tournament] = []
    last = None
    while True:
        page = reading.list_upcoming_tournaments(None, last)
        found += page[:PAGE]
        if len(page) <= PAGE:
            break
        last = reading.PageCursor(page[PAGE - 1].starts_at, page[PAGE - 1].pk)
    assert len({each.pk for each in found}) == len(found) == 40
    assert found == sorted(found, key=lambda each: (each.starts_at, each.pk))


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_a_time_that_is_none_is_no_place_in_a_list(text: str) -> None:
    answer: Any = Client().get("/tournaments/", {"open": f"{text}~abcdefghij"})
    assert answer.status_code == 400
