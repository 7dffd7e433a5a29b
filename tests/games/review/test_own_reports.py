"""A moderator handles a report of their own only if no other moderator was active for a day."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.utils import timezone

from games.messages.refusal import Refused
from games.models import Case, Decision, Report
from games.review import decisions, forms, handling, queue, reports
from lobby.models import Player
from tests.builders.matches import create_match
from tests.builders.players import create_player, create_staff
from tests.builders.reviews import create_decision_form, create_sign

A_DAY_AGO = timedelta(hours=24, minutes=1)


@pytest.fixture
def reported(bob: Any, rita: Any) -> Any:
    """Bob, whom rita reported a day ago. She is the only moderator so far."""
    made = reports.store_report(rita.pk, None, bob.pk, "lobby", "Insults.")
    Report.objects.filter(pk=made.pk).update(at=timezone.now() - A_DAY_AGO)
    return bob


def test_a_lone_moderator_handles_their_own_report_and_the_log_says_so(
    reported: Any, rita: Any, client: Any
) -> None:
    client.force_login(rita)
    where = f"/admin/games/case/queue/{reported.pk}/"
    assert "The log will say so" in client.get(where).content.decode()
    assert queue.take_next(rita) == reported.pk
    forms.handle(rita, create_decision_form(reported), reported.pk)
    case = Case.objects.get()
    assert (case.closed_by, case.is_own_report, case.outcome) == (rita, True, "acted")
    for page in (f"/admin/games/case/{case.pk}/change/", "/admin/games/case/?seen=all",
                 f"/admin/games/match/player/{reported.pk}/"):  # fmt: skip
        text = client.get(page).content.decode()
        assert "own report" in text or "no other moderator had been active" in text, page
    decided = f"/admin/games/decision/{Decision.objects.get().pk}/change/"
    assert "who had reported the player" in client.get(decided).content.decode()


def test_a_fresh_report_waits_a_day(bob: Any, rita: Any, client: Any) -> None:
    made = reports.store_report(rita.pk, None, bob.pk, "name", "")
    for hours, may in ((0, False), (23, False), (25, True)):
        Report.objects.filter(pk=made.pk).update(at=timezone.now() - timedelta(hours=hours))
        assert (queue.take_next(rita) == bob.pk) is may, hours
    # One old report does not make up for a fresh one.
    handling.release_player(bob.pk, rita)
    match = create_match("tic-tac-toe", bob, create_player("dora"))
    reports.store_report(rita.pk, match.pk, bob.pk, "name", "")
    with pytest.raises(Refused, match="own-report"):
        handling.take_player(bob.pk, rita)
    client.force_login(rita)
    shown = client.get(f"/admin/games/case/queue/{bob.pk}/").content.decode()
    assert "another moderator must handle it" in shown


def _log_in(other: Player) -> None:
    Player.objects.filter(pk=other.pk).update(last_login=timezone.now())


def _use_session(other: Player) -> None:
    UserSession.objects.create(user=other, session_key="k", ip="192.0.2.1", user_agent="x")


def _decide(other: Player) -> None:
    decisions.warn_player(other, create_player("dora").pk, "So.", 0)


def _take(other: Player) -> None:
    dora = create_player("dora")
    create_sign(create_match("tic-tac-toe", dora, create_player("dan")), dora)
    handling.take_player(dora.pk, other)


@pytest.mark.parametrize("act", [_log_in, _use_session, _decide, _take])
def test_any_activity_of_another_moderator_counts(
    act: Any, reported: Any, rita: Any, sara: Any
) -> None:
    Player.objects.filter(pk=sara.pk).update(last_login=timezone.now() - A_DAY_AGO)
    assert handling.get_own_opponents(rita) == {rita.pk}
    act(sara)
    assert reported.pk in handling.get_own_opponents(rita)
    with pytest.raises(Refused, match="own-report"):
        handling.take_player(reported.pk, rita)


def test_only_those_who_may_handle_reports_count(reported: Any, rita: Any) -> None:
    for other in (create_player("dora"), create_staff("idle"),
                  create_player("gone", "reviewer", is_active=False)):  # fmt: skip
        _log_in(other)
    handling.take_player(reported.pk, rita)
    handling.release_player(reported.pk, rita)
    _log_in(create_staff("root", is_superuser=True))
    with pytest.raises(Refused, match="own-report"):
        handling.take_player(reported.pk, rita)


def test_what_others_reported_is_no_own_report(
    reported: Any, alice: Any, rita: Any, sara: Any
) -> None:
    reports.store_report(alice.pk, None, rita.pk, "name", "")
    other = create_player("dora")
    reports.store_report(alice.pk, None, other.pk, "name", "")
    handling.take_player(other.pk, rita)
    forms.handle(rita, create_decision_form(other, "dismiss"), other.pk)
    assert not Case.objects.get(player=other).is_own_report
    # Nobody handles a report about themselves.
    with pytest.raises(Refused, match="own-match"):
        handling.take_player(rita.pk, rita)
