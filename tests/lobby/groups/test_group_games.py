"""The games of a group, in bounded pages: both players were members when the game began."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Resign
from games.models import Match
from games.review import decisions
from lobby.groups import games, membership
from lobby.groups.games import list_games, list_live_games
from lobby.live.groups import read_group_lobbies
from lobby.models import GroupGame
from tests.builders.groups import create_group
from tests.builders.matches import create_match, deliver_events
from tests.builders.players import client_for, create_organiser, create_player
from tests.builders.query_plans import get_query_plan

pytestmark = pytest.mark.django_db


@pytest.fixture
def there(db: None) -> dict[str, Any]:
    olga, anna, ben = create_organiser(), create_player("Anna Berg"), create_player("Ben Cole")
    return {"olga": olga, "anna": anna, "ben": ben, "group": create_group(olga, anna, ben)}


def ids(group: Any) -> list[str]:
    return [each.state.id for each in list_games(group.pk, group.organiser_id)[0]]


def test_games_of_two_members_are_listed_the_newest_first(there: dict[str, Any]) -> None:
    anna, ben, group = there["anna"], there["ben"], there["group"]
    out = create_player("Out Sider")
    first = create_match("tic-tac-toe", anna, ben, plies=1)
    second = create_match("six-in-a-row", ben, there["olga"])
    create_match("tic-tac-toe", anna, out)
    deliver_events()
    assert ids(group) == [second.pk, first.pk]
    assert [match for _, match in list_live_games([group.pk], 10)] == [second.pk, first.pk]
    commit_requests([Request(first.pk, anna.pk, Resign())])
    deliver_events()
    assert list_live_games([group.pk], 10) == [(group.pk, second.pk)]
    page = " ".join(client_for(anna).get(f"/groups/{group.pk}/").content.decode().split())
    assert "Ben Cole won" in page and "in progress" in page
    decisions.void_match(create_player("rita", "reviewer"), second.pk, "So.", 0)
    deliver_events()
    assert list_live_games([group.pk], 10) == []


def test_games_from_before_or_after_are_none_of_the_group(there: dict[str, Any]) -> None:
    anna, out, group = there["anna"], create_player("Out Sider"), there["group"]
    create_match("tic-tac-toe", anna, out)
    deliver_events()
    membership.join_group(out, group.code)
    mine = create_match("tic-tac-toe", anna, out)
    deliver_events()
    membership.remove_member(group.pk, out.pk)
    create_match("tic-tac-toe", anna, out)
    deliver_events()
    assert ids(group) == [mine.pk]


def test_an_event_that_comes_twice_is_noted_once(there: dict[str, Any]) -> None:
    create_match("tic-tac-toe", there["anna"], there["ben"])
    deliver_events()
    events = list(Match.objects.get().events.all())
    games.note_games(events)
    games.note_games(events)
    assert GroupGame.objects.count() == 1


def test_pages_go_on_where_the_last_one_ended(there: dict[str, Any], monkeypatch: Any) -> None:
    monkeypatch.setattr("lobby.groups.games.PAGE", 2)
    made = [create_match("tic-tac-toe", there["anna"], there["ben"]).pk for _ in range(5)]
    deliver_events()
    found, before = [], None
    while True:
        page, before = list_games(there["group"].pk, there["anna"].pk, before)
        found += [each.state.id for each in page]
        if before is None:
            break
    assert sorted(found) == sorted(made) and len(found) == 5
    client = client_for(there["anna"])
    for bad in ("x", "-1", str(2**63), "", "1.5", "9" * 5000):
        assert client.get(f"/groups/{there['group'].pk}/?before={bad}").status_code == 400, bad


def test_each_list_is_read_in_an_index(there: dict[str, Any]) -> None:
    """No plan sorts or scans: only one page is read, even if the group has many games."""
    group, anna, ben = there["group"], there["anna"], there["ben"]
    match = create_match("tic-tac-toe", anna, ben)
    deliver_events()
    with CaptureQueriesContext(connection) as queries:
        list_games(group.pk, anna.pk)
        list_live_games([group.pk], 12)
        read_group_lobbies([group.pk])
        membership.are_all_in(group.pk, [anna.pk, ben.pk])
        membership.get_group(anna.pk, group.pk)
    assert match.pk in str(queries.captured_queries)
    for query in queries.captured_queries:
        steps = get_query_plan(query["sql"])
        assert "SCAN" not in steps, (query["sql"], steps)
        if "lobby_groupgame" in query["sql"]:
            assert "TEMP B-TREE" not in steps, (query["sql"], steps)


def test_a_group_with_all_it_may_have_costs_few_queries(there: dict[str, Any]) -> None:
    group, olga = there["group"], there["olga"]
    for number in range(20):
        membership.join_group(create_player(f"Pupil {number:02}"), group.code)
        create_match("tic-tac-toe", there["anna"], there["ben"])
    deliver_events()
    client = client_for(olga)
    client.get(f"/groups/{group.pk}/")
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/groups/{group.pk}/").status_code == 200
    assert len(queries) <= 34, len(queries)


def test_the_lobbies_of_many_groups_are_read_together(there: dict[str, Any]) -> None:
    """The cost does not depend on the number of viewed groups or viewers."""
    groups = [there["group"], *(create_group(there["olga"]) for _ in range(9))]
    counts = []
    for some in (groups[:1], groups):
        with CaptureQueriesContext(connection) as queries:
            read_group_lobbies([each.pk for each in some])
            membership.get_memberships([each.pk for each in some], range(100))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 4
