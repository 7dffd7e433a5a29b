"""A request for many players costs as much as a request for one."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.journal.opening import open_match
from games.match.setup import Setup
from lobby.accounts.names import change_name
from lobby.players.people import find_player, find_players
from tests.builders.players import create_player

pytestmark = pytest.mark.django_db


def queries(method: str, path: str, **more: Any) -> tuple[int, Any]:
    with CaptureQueriesContext(connection) as found:
        answer = getattr(Client(), method)(path, **more)
    assert answer.status_code == 200, answer.content
    return len(found), answer.json()


def test_many_players_are_found_by_as_many_queries_as_two() -> None:
    people = [create_player(f"Player {number:03}") for number in range(1, 41)]
    match = open_match(Setup("six-in-a-row"), people[0].pk, people[1].pk, timezone.now())
    playing = [match.pk, match.pk, None]
    counts = set()
    for some in (people[:2], people):
        text = ",".join(each.name for each in some) + ",Nobody At All"
        of_users, found = queries("post", "/api/users", data=text, content_type="text/plain")
        assert [each["username"] for each in found] == [each.name for each in some]
        of_status, found = queries("get", f"/api/users/status?ids={text}&withGameIds=true")
        assert [each["name"] for each in found] == [each.name for each in some]
        assert [each.get("playingId") for each in found[:3]] == playing[: len(some)]
        counts.add((of_users, of_status))
    assert len(counts) == 1 and max(max(counts)) <= 6, counts


def test_several_names_are_found_as_each_alone() -> None:
    anna, ben = create_player("Anna Berg"), create_player("Ben Some")
    change_name(anna.pk, "Anna Hill")
    asked = ["anna berg", "BEN SOME", "Anna Hill", "Nobody At All", "", "ben some"]
    assert find_players(asked, None) == [anna, ben]
    assert [find_player(each, None) for each in asked] == [anna, ben, anna, None, None, ben]
