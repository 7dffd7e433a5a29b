"""Appeals: one per decision, with one answer; and players at a suspended player's address."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.messages.refusal import Refused
from games.models import Connection, Notice
from games.review import decisions
from games.store.audit import has_suspended, hash_address, list_addresses, list_neighbours
from lobby.accounts.appeals import answer_appeal, submit_appeal
from lobby.accounts.guests import new_guest
from lobby.accounts.limits import may_make_guest
from lobby.accounts.merging import merge_guest
from lobby.models import Appeal
from tests.builders.matches import create_finished_match
from tests.builders.players import create_player
from tests.builders.query_plans import get_query_plan

pytestmark = pytest.mark.django_db


def suspended(sara: Any, anna: Any) -> Any:
    return decisions.suspend_player(
        sara, anna.pk, "Unfair.", decisions.get_number(player_id=anna.pk), 3
    )


def test_one_text_box_answered_once(anna: Any, sara: Any) -> None:
    page, rita = Client(), create_player("rita", "reviewer")
    page.force_login(anna)
    assert "You are not suspended." in page.get("/accounts/appeal/").content.decode()
    assert page.post("/accounts/appeal/", {"words": "Why?"}).status_code == 400
    suspended(sara, anna)
    assert "/accounts/appeal/" in page.get("/").content.decode(), "the notice leads there"
    for empty in ("", "  \n ", "x" * 501):
        assert page.post("/accounts/appeal/", {"words": empty}).status_code == 400
    text = page.post("/accounts/appeal/", {"words": "I did <b>nothing</b>."}, follow=True)
    assert "I did &lt;b&gt;nothing&lt;/b&gt;." in text.content.decode()
    assert "<textarea" not in text.content.decode()
    assert (
        "already appealed"
        in page.post("/accounts/appeal/", {"words": "And more."}).content.decode()
    )
    found = Appeal.objects.get()
    with pytest.raises(Refused, match="appeal-own"):
        answer_appeal(found.pk, sara, "No.")
    staff = Client()
    staff.force_login(rita)
    shown = staff.get(f"/admin/lobby/appeal/{found.pk}/change/")
    leads_to = set(re.findall(r'href="(/admin/(?:games|lobby)/[^"]+)"', shown.content.decode()))
    assert f"/admin/games/match/player/{anna.pk}/" in leads_to
    for address in leads_to:
        assert staff.get(address).status_code == 200, address
    assert shown.status_code == 200, shown
    change = f"/admin/lobby/appeal/{found.pk}/change/"
    assert change in staff.get("/admin/lobby/appeal/").content.decode()
    done = staff.post(f"/admin/lobby/appeal/{found.pk}/change/", {"answer": "Two days will do."})
    assert done.status_code == 302
    assert change not in staff.get("/admin/lobby/appeal/").content.decode()
    assert change in staff.get("/admin/lobby/appeal/?answered=yes").content.decode()
    staff.post(f"/admin/lobby/appeal/{found.pk}/change/", {"answer": "Or three."})
    found.refresh_from_db()
    assert (found.answer, found.answered_by_id) == ("Two days will do.", rita.pk)
    told = [notice.sentence for notice in Notice.objects.filter(player=anna)]
    assert sum("Two days will do." in sentence for sentence in told) == 1
    assert "Two days will do." in page.get("/accounts/appeal/").content.decode()
    with pytest.raises(Refused, match="appeal-answered"):
        answer_appeal(found.pk, rita, "Again.")


def test_each_suspension_has_its_appeal_and_a_guest_may_too(sara: Any) -> None:
    guest = new_guest()
    suspended(sara, guest)
    first = submit_appeal(guest.pk, "Once.")
    made = decisions.suspend_player(sara, guest.pk, "Again.", 1, None)
    second = submit_appeal(guest.pk, "Twice.")
    assert (first.decision_id, second.decision_id) != (made.pk, made.pk)
    assert second.decision_id == made.pk


def test_players_cannot_read_others_appeals(anna: Any) -> None:
    page = Client()
    page.force_login(anna)
    assert page.get("/admin/lobby/appeal/").status_code == 302


# -- the same address


def connected(who: Any, other: Any, address: str, days: int = 0) -> None:
    match = create_finished_match("tic-tac-toe", who, other)
    at = timezone.now() - timedelta(days=days)
    Connection.objects.create(
        match=match, seat=0, server="s", address=hash_address(address), opened_at=at, seen_at=at
    )


def test_staff_see_who_plays_from_the_same_address(anna: Any, sara: Any) -> None:
    bob, far, guest = create_player("Bob Cole"), create_player("Far Away"), new_guest()
    connected(anna, far, "192.0.2.1", 1)
    connected(anna, far, "192.0.2.2")
    connected(bob, far, "192.0.2.1")
    connected(guest, far, "192.0.2.1")
    connected(far, bob, "192.0.2.9")
    merge_guest(guest.pk, bob.pk)
    suspended(sara, bob)
    assert list_addresses(anna.pk) == [hash_address("192.0.2.2"), hash_address("192.0.2.1")]
    (found,) = list_neighbours(anna.pk)
    assert (found.player_id, found.times, found.is_suspended) == (bob.pk, 2, True)
    assert [each.player_id for each in list_neighbours(guest.pk)] == [anna.pk]
    assert list_neighbours(far.pk) == []
    with CaptureQueriesContext(
        connection,
    ) as asked:
        list_neighbours(anna.pk)
    for query in asked.captured_queries:
        assert "SCAN games_" not in get_query_plan(query["sql"]), (
            query,
            get_query_plan(query["sql"]),
        )


def test_a_suspended_client_network_gets_a_slower_door(anna: Any, sara: Any, settings: Any) -> None:
    settings.RATE_LIMITS, settings.RESTRICTED_GUESTS_PER_HOUR = True, 2
    here, there = "192.0.2.77", "192.0.2.78"
    connected(anna, new_guest(), here)
    suspended(sara, anna)
    assert has_suspended(here, 7)
    assert not has_suspended(there, 7)
    assert [may_make_guest(here) for _ in range(4)] == [True, True, False, False]
    assert all(may_make_guest(there) for _ in range(4))
    Connection.objects.update(opened_at=timezone.now() - timedelta(days=8))
    assert may_make_guest(here), "it is long ago"
