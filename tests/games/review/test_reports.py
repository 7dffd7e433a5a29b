"""Players report others: once each, within a limit, and in one case per match."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone

from games.messages.refusal import Refused
from games.models import Case, Match, Notice, Report
from games.review import forms, handling, queue, reports
from games.review.decisions import void_match, warn_player
from games.review.lists import get_matches_worth_review
from games.review.queue_filters import QueueFilter
from tests.builders.matches import create_match
from tests.builders.reviews import create_decision_form


def test_what_several_report_of_one_player_in_one_match_is_one_case(
    alice: Any, bob: Any, charlie: Any
) -> None:
    match, other = create_match("tic-tac-toe", alice, bob), create_match("tic-tac-toe", alice, bob)
    first = reports.store_report(alice.pk, match.pk, bob.pk, "stalling", "  sits   there ")
    second = reports.store_report(charlie.pk, match.pk, bob.pk, "cheating", "")
    third = reports.store_report(alice.pk, other.pk, bob.pk, "name", "")
    fourth = reports.store_report(bob.pk, match.pk, alice.pk, "other", "she is slow")
    assert first.words == "sits there"
    assert first.case == second.case
    assert len({first.case_id, third.case_id, fourth.case_id}) == 3
    assert list(Case.objects.all()) == [first.case, third.case, fourth.case]  # the oldest first


def test_reports_that_make_no_sense_are_refused(alice: Any, bob: Any, charlie: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob)
    for who, whom, reason, words, told in (
        (alice, alice, "name", "", "report-yourself"),
        (alice, charlie, "name", "", "no-such"),
        (alice, bob, "", "", "report-reason"),
        (alice, bob, "<script>", "", "report-reason"),
        (alice, bob, "other", "   ", "report-words"),
        (alice, bob, "name", "x" * 501, "report-too-long"),
    ):
        with pytest.raises(Refused, match=told):
            reports.store_report(who.pk, match.pk, whom.pk, reason, words)
    with pytest.raises(Refused, match="no-such"):
        reports.store_report(alice.pk, "nosuch", bob.pk, "name", "")
    reports.store_report(alice.pk, match.pk, bob.pk, "name", "")
    with pytest.raises(Refused, match="reported-already"):
        reports.store_report(alice.pk, match.pk, bob.pk, "stalling", "")
    assert Report.objects.count() == 1


def test_nobody_reports_more_than_five_times_a_day(alice: Any, bob: Any) -> None:
    matches = [create_match("tic-tac-toe", alice, bob) for _ in range(7)]
    with override_settings(RATE_LIMITS=True):
        for match in matches[:5]:
            reports.store_report(alice.pk, match.pk, bob.pk, "name", "")
        with pytest.raises(Refused, match="many-reports"):
            reports.store_report(alice.pk, matches[5].pk, bob.pk, "name", "")
        reports.store_report(bob.pk, matches[5].pk, alice.pk, "name", "")
        Report.objects.filter(by=alice).update(at=timezone.now() - timedelta(days=1, minutes=1))
        reports.store_report(alice.pk, matches[6].pk, bob.pk, "name", "")


def test_the_page_has_a_form_for_who_may_report(
    finished: Callable[..., Match], alice: Any, bob: Any, charlie: Any, client: Any
) -> None:
    match = finished()
    path = f"/match/{match.pk}/"
    assert 'id="report"' not in client.get(path).content.decode()
    assert client.post(f"{path}report/", {"player": bob.pk, "reason": "name"}).status_code == 403
    client.force_login(alice)
    page = client.get(path).content.decode()
    assert f'name="player" value="{bob.pk}"' in page
    told = client.post(
        f"{path}report/", {"player": bob.pk, "reason": "name", "words": "<b>x</b>"}, follow=True
    )
    assert "Thank you." in told.content.decode()
    told = client.post(f"{path}report/", {"player": "x" * 50, "reason": "name"})
    assert told.status_code == 404
    client.force_login(charlie)
    page = client.get(path).content.decode()
    assert f'<option value="{alice.pk}">alice</option>' in page
    assert f'<option value="{bob.pk}">bob</option>' in page


def test_a_report_after_a_decision_on_the_match_is_a_dispute(
    alice: Any, bob: Any, charlie: Any, sara: Any
) -> None:
    calm, decided, warned = (create_match("tic-tac-toe", alice, bob) for _ in range(3))
    reports.store_report(alice.pk, decided.pk, bob.pk, "name", "")
    void_match(sara, decided.pk, "A program.", 0)
    warn_player(sara, bob.pk, "Be kind.", 0, warned.pk)
    reports.store_report(alice.pk, warned.pk, bob.pk, "name", "")
    reports.store_report(alice.pk, calm.pk, bob.pk, "name", "")
    assert get_matches_worth_review("disputed") == set()
    reports.store_report(charlie.pk, decided.pk, bob.pk, "other", "It was no program.")
    assert get_matches_worth_review("disputed") == {decided.pk}


def test_reports_outside_games_are_one_case_each_time(
    alice: Any, bob: Any, charlie: Any, rita: Any
) -> None:
    first = reports.store_report(alice.pk, None, bob.pk, "name", "")
    second = reports.store_report(charlie.pk, None, bob.pk, "lobby", "")
    assert first.case == second.case
    assert first.case.match is None
    for who, whom, reason, told in (
        (alice, bob, "name", "reported-already"),
        (bob, bob, "name", "report-yourself"),
        (bob, alice, "cheating", "report-needs-game"),
        (bob, alice, "losing", "report-needs-game"),
        (bob, alice, "other", "report-words"),
    ):
        with pytest.raises(Refused, match=told):
            reports.store_report(who.pk, None, whom.pk, reason, "")
    handling.take_player(bob.pk, rita)
    forms.handle(rita, create_decision_form(bob), bob.pk)
    assert {notice.match for notice in Notice.objects.filter(player__in=[alice, charlie])} == {None}
    third = reports.store_report(alice.pk, None, bob.pk, "name", "")
    assert third.case != first.case


def test_every_page_shows_a_report_outside_games(
    alice: Any, bob: Any, rita: Any, client: Any
) -> None:
    case = reports.store_report(alice.pk, None, bob.pk, "lobby", "Shouts.").case
    client.force_login(rita)
    for page, words in (
        (f"/admin/games/case/{case.pk}/change/", "Shouts."),
        (f"/admin/games/case/queue/{bob.pk}/", "Shouts."),
        (f"/admin/games/match/player/{bob.pk}/", "Shouts."),
        ("/admin/games/case/", "no game"),
        ("/admin/games/case/queue/?game=none", "behaviour in the lobby"),
        ("/admin/games/match/?worth=open", "0 "),
    ):
        assert words in client.get(page).content.decode(), page
    assert queue.list_entries(QueueFilter(game="tic-tac-toe")) == []
