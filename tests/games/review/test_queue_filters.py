"""The queue's filters, orders and pages, and the place of appeals in it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Report
from games.review import decisions, handling, queue, reports
from games.review.queue_filters import EVERYTHING, QueueFilter, list_types
from lobby.accounts import appeals
from lobby.models import Appeal
from tests.builders.matches import create_match
from tests.builders.players import create_player
from tests.builders.reviews import create_sign

QUEUE = "/admin/games/case/queue/"


def ids(by: Any = None, **chosen: str) -> list[int]:
    return [entry.player_id for entry in queue.list_entries(QueueFilter.parse(chosen), by)]


def suspend(by: Any, whom: Any) -> Appeal:
    """Suspend a player, who appeals."""
    decisions.suspend_player(by, whom.pk, "So.", 0, 3)
    return appeals.submit_appeal(whom.pk, "It was my brother.")


def test_what_people_report_comes_before_signs_alone(alice: Any, bob: Any, charlie: Any) -> None:
    one, other = create_match("tic-tac-toe", alice, bob), create_match("tic-tac-toe", bob, charlie)
    reports.store_report(alice.pk, one.pk, bob.pk, "other", "so")
    for kind in ("rhythm", "pair", "thrown", "farming"):
        create_sign(other, charlie, kind)
    low, high = queue.list_entries()
    assert (low.player_id, high.player_id) == (bob.pk, charlie.pk)
    assert low.telling < high.telling


def test_one_item_must_have_all_that_is_selected(alice: Any, bob: Any, charlie: Any) -> None:
    ttt = create_match("tic-tac-toe", alice, bob)
    dots = create_match("dots-and-boxes", charlie, bob)
    reports.store_report(alice.pk, ttt.pk, bob.pk, "name", "")
    reports.store_report(bob.pk, dots.pk, charlie.pk, "cheating", "")
    create_sign(dots, bob, "thrown")
    assert ids(type="reports") == ids() == [bob.pk, charlie.pk]
    assert ids(type="signs") == ids(type="sign-thrown") == [bob.pk]
    assert ids(type="report-name") == [bob.pk]
    assert ids(type="sign-pair") == ids(type="appeals") == []
    assert ids(game="tic-tac-toe") == [bob.pk]
    assert ids(game="dots-and-boxes") == [bob.pk, charlie.pk]
    # The report is about Tic-Tac-Toe, and only the sign about Dots and Boxes.
    assert ids(game="dots-and-boxes", type="reports") == [charlie.pk]
    assert ids(reporter="alice") == ids(reporter=" ALICE ") == [bob.pk]
    assert ids(reporter="charlie") == ids(reporter="nobody-here") == []
    # Unknown values select everything.
    assert ids(type="nonsense", game="chess", age="x", taken="?", order="?") == ids()


def test_a_losing_report_and_a_losing_sign_are_two_types(alice: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob)
    reports.store_report(alice.pk, match.pk, bob.pk, "losing", "")
    create_sign(match, alice, "losing")
    assert ids(type="report-losing") == [bob.pk]
    assert ids(type="sign-losing") == [alice.pk]


def test_age_and_order(alice: Any, bob: Any, charlie: Any, rita: Any) -> None:
    match, other = create_match("tic-tac-toe", alice, bob), create_match("tic-tac-toe", alice, bob)
    for whom, days in ((bob, 8), (alice, 2)):
        made = reports.store_report(charlie.pk, match.pk, whom.pk, "name", "")
        Report.objects.filter(pk=made.pk).update(at=timezone.now() - timedelta(days=days))
    appeal = suspend(rita, charlie)
    create_sign(other, charlie, "wide")
    assert ids(age="7") == [bob.pk]
    assert ids(age="1") == [bob.pk, alice.pk]
    assert ids(age="30") == []
    assert ids(order="oldest") == [bob.pk, alice.pk, charlie.pk]
    assert ids(order="newest") == [charlie.pk, alice.pk, bob.pk]
    Appeal.objects.filter(pk=appeal.pk).update(at=timezone.now() - timedelta(days=40))
    assert ids(age="30") == [charlie.pk]
    assert ids(order="oldest")[0] == charlie.pk


def test_taken_by(alice: Any, bob: Any, charlie: Any, rita: Any, sara: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob)
    for whom in (alice, bob):
        reports.store_report(charlie.pk, match.pk, whom.pk, "name", "")
    handling.take_player(bob.pk, sara)
    assert ids(rita, taken="nobody") == ids(sara, taken="nobody") == [alice.pk]
    assert ids(sara, taken="me") == ids(rita, taken="others") == [bob.pk]
    assert ids(rita, taken="me") == ids(sara, taken="others") == []


def test_the_next_is_taken_from_what_was_selected(alice: Any, bob: Any, rita: Any) -> None:
    people = [create_player(f"player {n}") for n in range(3)]
    for who, reason in zip(people, ("cheating", "name", "name"), strict=True):
        match = create_match("tic-tac-toe", alice, who)
        reports.store_report(alice.pk, match.pk, who.pk, reason, "")
    names = QueueFilter(type="report-name", order="newest")
    assert queue.take_next(rita, chosen=names) == people[2].pk
    entry = queue.list_entries(names)[0]
    handling.release_player(people[2].pk, rita)
    assert queue.take_next(rita, entry, names) == people[1].pk
    assert QueueFilter.parse({"type": "report-name", "order": "newest"}) == names
    assert names.query == "type=report-name&order=newest"
    assert EVERYTHING.query == ""


def test_an_appeal_is_counted_and_waits_in_the_queue(
    alice: Any, bob: Any, rita: Any, sara: Any, client: Any
) -> None:
    appeal = suspend(rita, bob)
    create_sign(create_match("tic-tac-toe", alice, bob), alice, "rhythm")
    assert ids() == [bob.pk, alice.pk]
    assert ids(type="appeals") == [bob.pk]
    assert ids(type="reports") == []
    # The moderator who suspended the player does not answer the appeal.
    assert queue.take_next(rita) == alice.pk
    assert queue.take_next(sara) == bob.pk
    for staff in (rita, sara):
        client.force_login(staff)
        front = " ".join(client.get("/admin/").content.decode().split())
        assert "1 open appeal<" in front
        assert "2 players in the queue" in front
        answer = f"/admin/lobby/appeal/{appeal.pk}/change/"
        for page in (QUEUE, f"{QUEUE}{bob.pk}/", f"/admin/games/match/player/{bob.pk}/"):
            assert answer in client.get(page).content.decode(), page
        assert client.get(answer).status_code == 200
    appeals.answer_appeal(appeal.pk, sara, "No.")
    assert ids() == [alice.pk]
    assert queue.count_items().appeals == 0


def test_every_link_from_an_appeal_opens_for_those_who_see_it(
    bob: Any, rita: Any, sara: Any, client: Any
) -> None:
    appeal = suspend(rita, bob)
    for staff in (rita, sara):
        client.force_login(staff)
        for page in ("/admin/lobby/appeal/", f"/admin/lobby/appeal/{appeal.pk}/change/"):
            text = client.get(page).content.decode()
            for link in set(_links(text)):
                assert client.get(link).status_code in {200, 302}, (staff, page, link)


def _links(page: str) -> list[str]:
    return re.findall(r'href="(/admin/[^"]+)"', page.replace("&amp;", "&"))


def test_the_queue_has_pages(alice: Any, bob: Any, rita: Any, client: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob)
    people = [create_player(f"player {n}") for n in range(51)]
    for who in people:
        create_sign(match, who, "pair")
    client.force_login(rita)
    first = client.get(QUEUE, {"type": "signs", "order": "oldest"})
    assert len(first.context["rows"]) == 50
    page = first.content.decode()
    assert "?type=signs&amp;order=oldest&amp;page=2" in page
    second = client.get(QUEUE, {"type": "signs", "order": "oldest", "page": "2"})
    assert [row["player"] for row in second.context["rows"]] == people[50:]
    # The link to a player and the forms keep the selection.
    assert f"{QUEUE}{people[0].pk}/?type=signs&amp;order=oldest" in page
    taken = client.post(f"{QUEUE}next/?type=signs&order=newest")
    assert taken.headers["Location"].endswith("?type=signs&order=newest")
    for wrong in ("0", "99", "x"):
        assert client.get(QUEUE, {"page": wrong}).status_code == 200


@pytest.mark.django_db
def test_every_type_can_be_selected() -> None:
    for value, _ in list_types():
        assert ids(type=value) == []
