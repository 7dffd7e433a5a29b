"""Many players are dismissed or merged with one reason, once, and it is undone as a whole."""

from typing import Any

import pytest
from django.utils import timezone

from games.messages.refusal import Refused
from games.models import Assignment, BulkAction, Case, Decision, MergedEntry, Notice, Report, Sign
from games.review import bulk, forms, handling, queue, reports
from games.review.player_search import MOST
from games.review.queue_filters import QueueFilter
from tests.builders.matches import create_match
from tests.builders.players import create_player, create_staff
from tests.builders.reviews import create_decision_form, create_sign

BULK = "/admin/games/case/bulk/"


@pytest.fixture
def crowd(alice: Any, bob: Any) -> list[Any]:
    """Three players whom alice reported for their names. Bob reported the first one, too."""
    found = [create_player(f"player {n}") for n in range(3)]
    for each in found:
        reports.store_report(alice.pk, None, each.pk, "name", "")
    match = create_match("tic-tac-toe", bob, found[0])
    reports.store_report(bob.pk, match.pk, found[0].pk, "cheating", "")
    create_sign(match, found[0], "rhythm")
    return found


def dismiss(by: Any, players: list[Any], key: str = "k", **chosen: str) -> bulk.Done:
    ids = [each.pk for each in players]
    selected = QueueFilter.parse(chosen)
    return bulk.dismiss_players(by, ids, " So  much. ", key, bulk.get_latest(), selected)


def open_ones() -> list[int]:
    return sorted(entry.player_id for entry in queue.list_entries())


def test_all_open_items_are_dismissed_and_brought_back(
    crowd: list[Any], alice: Any, bob: Any, rita: Any
) -> None:
    handling.take_player(crowd[1].pk, rita)
    done = dismiss(rita, crowd)
    assert open_ones() == []
    assert not done.left_out
    assert done.action.players == [each.pk for each in crowd]
    assert (done.action.reason, done.action.by) == ("So much.", rita)
    assert {case.outcome for case in Case.objects.all()} == {"nothing"}
    assert not Assignment.objects.exists()
    told = Notice.objects.filter(said__code="notice.report-nothing")
    assert sorted(told.values_list("player", flat=True)) == [alice.pk] * 3 + [bob.pk]
    told.filter(player=bob).update(seen_at=timezone.now())
    assert bulk.undo_action(rita, done.action.pk) == 5
    assert open_ones() == [each.pk for each in crowd]
    assert {case.outcome for case in Case.objects.all()} == {""}
    assert [notice.player for notice in told.all()] == [bob]  # he has read it already
    with pytest.raises(Refused, match="undone-already"):
        bulk.undo_action(rita, done.action.pk)


def test_only_what_was_selected_is_dismissed(crowd: list[Any], rita: Any) -> None:
    first = crowd[0]
    done = dismiss(rita, crowd, reporter="alice")
    # Bob's report and the sign about the first player stay.
    assert open_ones() == [first.pk]
    assert [entry.reports for entry in queue.list_entries()] == [{"cheating": 1}]
    assert Sign.objects.get().seen_at is None
    bulk.undo_action(rita, done.action.pk)
    dismiss(rita, crowd, "other", type="signs")
    assert Case.objects.filter(closed_at=None).count() == 4
    with pytest.raises(Refused, match="bulk-nothing"):
        dismiss(rita, crowd, "again", type="signs")


def test_a_case_with_a_report_of_another_kind_stays_open(
    crowd: list[Any], charlie: Any, rita: Any
) -> None:
    reports.store_report(charlie.pk, None, crowd[1].pk, "lobby", "")
    done = dismiss(rita, crowd[1:], type="report-name")
    assert done.action.players == [crowd[2].pk]
    assert crowd[1].pk in open_ones()


def test_what_comes_later_than_the_page_stays_open(
    crowd: list[Any], charlie: Any, rita: Any
) -> None:
    latest = bulk.get_latest()
    reports.store_report(charlie.pk, None, crowd[1].pk, "name", "")
    create_sign(create_match("tic-tac-toe", charlie, crowd[2]), crowd[2])
    bulk.dismiss_players(rita, [each.pk for each in crowd], "So.", "k", latest)
    assert open_ones() == [crowd[1].pk, crowd[2].pk]
    assert Case.objects.get(player=crowd[2]).closed_at is not None


def test_those_who_cannot_be_handled_are_left_out_with_the_reason(
    crowd: list[Any], alice: Any, rita: Any, sara: Any
) -> None:
    boss = create_player("boss", "reviewer")
    reports.store_report(alice.pk, None, boss.pk, "name", "")
    own = create_player("own")
    reports.store_report(rita.pk, None, own.pk, "name", "")
    handling.take_player(crowd[0].pk, sara)
    done = dismiss(rita, [*crowd, boss, own])
    assert {pk: refusal.code for pk, refusal in done.left_out.items()} == {
        boss.pk: "on-staff", own.pk: "concerned", crowd[0].pk: "taken-by",
    }  # fmt: skip
    assert open_ones() == sorted([crowd[0].pk, boss.pk, own.pk])
    assert Assignment.objects.get().by == sara
    with pytest.raises(Refused, match="taken-by"):
        dismiss(rita, crowd[:1], "other")


def test_the_same_form_twice_is_one_action(crowd: list[Any], alice: Any, rita: Any) -> None:
    first = dismiss(rita, crowd)
    reports.store_report(alice.pk, None, crowd[0].pk, "name", "")
    assert dismiss(rita, crowd).action == first.action
    assert open_ones() == [crowd[0].pk]
    assert Notice.objects.count() == 4


def test_what_was_reported_again_meanwhile_is_not_opened_twice(
    crowd: list[Any], alice: Any, rita: Any
) -> None:
    done = dismiss(rita, crowd[1:])
    reports.store_report(alice.pk, None, crowd[1].pk, "lobby", "")
    assert bulk.undo_action(rita, done.action.pk) == 1
    assert Case.objects.filter(player=crowd[1], closed_at=None).count() == 1
    assert Case.objects.filter(player=crowd[2], closed_at=None).count() == 1


def test_who_may_do_and_undo_it(crowd: list[Any], alice: Any, rita: Any, sara: Any) -> None:
    other = create_player("rex", "reviewer")
    for who in (alice, create_staff("idle")):
        with pytest.raises(Refused, match="no-right"):
            dismiss(who, crowd)
        with pytest.raises(Refused, match="no-right"):
            bulk.merge_players(who, [each.pk for each in crowd], "So.", "k")
    done = dismiss(rita, crowd)
    for who, told in ((alice, "no-right"), (other, "undo-of-another")):
        with pytest.raises(Refused, match=told):
            bulk.undo_action(who, done.action.pk)
    bulk.undo_action(sara, done.action.pk)
    assert BulkAction.objects.get().undone_by == sara
    ids = [each.pk for each in crowd]
    for wrong, told in (
        (([], "So."), "bulk-nobody"),
        ((range(1, MOST + 2), "So."), "bulk-many"),
        ((ids, "  "), "bulk-reason"),
        ((ids, "x" * 501), "reason-too-long"),
        (([10**9], "So."), "no-such"),
    ):
        with pytest.raises(Refused, match=told):
            bulk.dismiss_players(rita, *wrong, "other", bulk.get_latest())
    with pytest.raises(Refused, match="no-such"):
        bulk.undo_action(rita, 10**9)


def test_merged_players_are_one_entry_and_are_handled_together(
    crowd: list[Any], alice: Any, bob: Any, rita: Any, client: Any
) -> None:
    first, *others = crowd
    done = bulk.merge_players(rita, [each.pk for each in crowd], "One person.", "k")
    (entry,) = queue.list_entries()
    assert (entry.player_id, entry.merged) == (first.pk, tuple(each.pk for each in others))
    assert (entry.reports, entry.signs) == ({"name": 3, "cheating": 1}, {"rhythm": 1})
    assert queue.list_entries(QueueFilter(type="report-name", reporter="alice")) == [entry]
    with pytest.raises(Refused, match="merged-into"):
        handling.take_player(others[0].pk, rita)
    assert queue.take_next(rita) == first.pk
    client.force_login(rita)
    page = client.get(f"/admin/games/case/queue/{first.pk}/").content.decode()
    for there in ("player 1", "player 2", 'name="everyone"'):
        assert there in page
    form = create_decision_form(first, everyone="on") | {f"seen-{pk.pk}": "0" for pk in others}
    forms.handle(rita, form, first.pk)
    assert {made.player for made in Decision.objects.all()} == set(crowd)
    assert open_ones() == []
    assert not MergedEntry.objects.exists()
    told = Notice.objects.filter(player=alice, said__code="notice.report-acted")
    assert {notice.said["name"] for notice in told} == {each.username for each in crowd}
    with pytest.raises(Refused, match="undo-nothing"):
        bulk.undo_action(rita, done.action.pk)


def test_a_merge_is_undone_and_needs_two(crowd: list[Any], alice: Any, rita: Any) -> None:
    done = bulk.merge_players(rita, [each.pk for each in crowd], "One person.", "k")
    handling.take_player(crowd[0].pk, rita)
    form = create_decision_form(crowd[0])
    assert bulk.undo_action(rita, done.action.pk) == 2
    assert open_ones() == [each.pk for each in crowd]
    with pytest.raises(Refused, match="overtaken"):  # the page showed the items of all
        forms.handle(rita, form, crowd[0].pk)
    for wrong in (crowd[:1], [crowd[0], alice]):
        with pytest.raises(Refused, match="merge-two"):
            bulk.merge_players(rita, [each.pk for each in wrong], "So.", "other")


def test_more_players_join_an_entry(crowd: list[Any], rita: Any) -> None:
    bulk.merge_players(rita, [each.pk for each in crowd[1:]], "One person.", "k")
    done = bulk.merge_players(rita, [each.pk for each in crowd], "The same.", "other")
    (entry,) = queue.list_entries()
    assert entry.player_id == crowd[1].pk
    bulk.undo_action(rita, done.action.pk)
    assert open_ones() == [crowd[0].pk, crowd[1].pk]
    # All players of an entry are dismissed with it.
    dismiss(rita, [crowd[1]], "third")
    assert open_ones() == [crowd[0].pk]


def test_the_pages_dismiss_what_was_found_and_undo_it(
    crowd: list[Any], alice: Any, rita: Any, client: Any
) -> None:
    client.force_login(rita)
    for found in (
        client.get("/admin/games/case/queue/?type=report-name&reporter=alice&select=1"),
        client.get("/admin/games/case/search/?q=player"),
    ):
        page = found.content.decode()
        for each in crowd:
            assert f'value="{each.pk}" form="bulk"' in page
        assert Report.objects.filter(case__closed_at=None).count() == 4
        form = {
            "player": [each.pk for each in crowd], "reason": "A campaign.", "do": "dismiss",
            "key": found.context["key"], "latest": found.context["latest"],
        }  # fmt: skip
        answer = client.post(f"{BULK}?reporter=alice", form, follow=True)
        shown = answer.content.decode()
        assert "A campaign." in shown
        assert open_ones() == [crowd[0].pk]
        action = BulkAction.objects.latest("pk")
        undone = client.post(f"/admin/games/bulkaction/{action.pk}/undo/", follow=True)
        assert "Undone." in undone.content.decode()
        assert "Undo all of it" not in undone.content.decode()
    refused = client.post(
        BULK, {"player": crowd[0].pk, "reason": " ", "latest": "1-1"}, follow=True
    )
    assert "Enter a reason" in refused.content.decode()
    assert client.get("/admin/games/bulkaction/").content.decode().count("A campaign.") == 2
    one = {**form, "player": crowd[1].pk, "key": "for one"}
    assert "Done for 1 player." in client.post(BULK, one, follow=True).content.decode()
