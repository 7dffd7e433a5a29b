"""A moderator takes a player and closes every open item about them once, as shown."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from games.messages.refusal import Refused
from games.models import Assignment, Case, Decision, Match, Note, Notice, Sign
from games.review import forms, handling, queue, reports
from games.review.decisions import get_number
from games.templatetags.review import undone as find_reversals
from tests.builders.matches import create_match
from tests.builders.players import create_player, create_staff
from tests.builders.reviews import create_decision_form, create_sign


@pytest.fixture
def reported(alice: Any, bob: Any) -> Match:
    """A match with a sign, in which alice has reported bob."""
    match = create_match("tic-tac-toe", alice, bob)
    reports.store_report(alice.pk, match.pk, bob.pk, "cheating", "too fast")
    create_sign(match, bob)
    return match


def test_a_player_is_taken_by_one_moderator_at_a_time(
    reported: Match, bob: Any, rita: Any, sara: Any
) -> None:
    handling.take_player(bob.pk, rita)
    handling.take_player(bob.pk, rita)  # a repeat changes nothing
    with pytest.raises(Refused, match="taken-by"):
        handling.take_player(bob.pk, sara)
    with pytest.raises(Refused, match="taken-by"):
        handling.close_player(bob.pk, sara, handling.get_open_items(bob.pk), True)
    handling.release_player(bob.pk, sara)  # it is not hers
    with pytest.raises(Refused, match="taken-by"):
        handling.take_player(bob.pk, sara)
    handling.release_player(bob.pk, rita)
    with pytest.raises(Refused, match="not-taken"):
        handling.close_player(bob.pk, rita, handling.get_open_items(bob.pk), True)
    handling.take_player(bob.pk, sara)
    long_ago = timezone.now() - timedelta(minutes=settings.CASE_LOCK_MINUTES, seconds=1)
    Assignment.objects.update(at=long_ago)
    handling.take_player(bob.pk, rita)  # sara has not finished it
    assert Assignment.objects.get().by == rita


def test_all_that_was_seen_is_closed_and_each_reporter_is_told_once(
    reported: Match, alice: Any, bob: Any, charlie: Any, rita: Any
) -> None:
    again = create_match("tic-tac-toe", bob, alice)
    reports.store_report(alice.pk, again.pk, bob.pk, "stalling", "")
    reports.store_report(charlie.pk, again.pk, bob.pk, "name", "")
    handling.take_player(bob.pk, rita)
    assert forms.handle(rita, create_decision_form(bob), bob.pk) == "The player was warned."
    assert {case.outcome for case in Case.objects.all()} == {"acted"}
    assert {case.closed_by for case in Case.objects.all()} == {rita}
    assert Sign.objects.get().seen_by == rita
    assert not Assignment.objects.exists()
    told = Notice.objects.filter(said__code="notice.report-acted")
    # alice reported in two games, charlie in one
    assert {(n.player, n.match) for n in told} == {(alice, None), (charlie, again)}
    assert Decision.objects.get().player == bob
    assert queue.list_entries() == []
    # A later report opens another case.
    assert reports.store_report(alice.pk, again.pk, bob.pk, "name", "").case.closed_at is None


def test_what_comes_in_meanwhile_stays_open(
    reported: Match, alice: Any, bob: Any, charlie: Any, rita: Any
) -> None:
    other = create_match("tic-tac-toe", alice, bob)
    handling.take_player(bob.pk, rita)
    sent = create_decision_form(bob)
    reports.store_report(charlie.pk, reported.pk, bob.pk, "cheating", "me too")  # the same case
    reports.store_report(charlie.pk, other.pk, bob.pk, "stalling", "")  # another one
    late = create_sign(other, bob, "thrown")
    done = forms.handle(rita, sent, bob.pk)
    assert "3 new items arrived in the meantime" in done
    assert Decision.objects.count() == 1
    assert Case.objects.filter(closed_at=None).count() == 2
    assert [each.pk for each in Sign.objects.filter(seen_at=None)] == [late.pk]
    assert not Notice.objects.filter(player=charlie).exists()
    (entry,) = queue.list_entries()
    assert entry.player_id == bob.pk
    assert not Assignment.objects.exists()


def test_what_another_has_handled_meanwhile_is_not_decided_again(
    reported: Match, bob: Any, rita: Any, sara: Any
) -> None:
    handling.take_player(bob.pk, rita)
    sent = create_decision_form(bob, note="Looks clear.")
    Sign.objects.update(seen_at=timezone.now(), seen_by=sara)
    with pytest.raises(Refused, match="overtaken"):
        forms.handle(rita, sent, bob.pk)
    # All of this is one transaction.
    assert not Decision.objects.exists()
    assert not Note.objects.exists()
    assert Case.objects.get().closed_at is None


def test_the_same_form_sent_twice_does_its_work_once(
    reported: Match, bob: Any, rita: Any, sara: Any
) -> None:
    handling.take_player(bob.pk, rita)
    sent = create_decision_form(bob, note="Watch him.")
    forms.handle(rita, sent, bob.pk)
    assert forms.handle(rita, sent, bob.pk) == "This was already done."
    assert Decision.objects.count() == Note.objects.count() == 1
    # The same decision about another player is not a repeat.
    with pytest.raises(Refused, match="not-taken"):
        forms.handle(sara, sent, bob.pk)


def test_to_dismiss_needs_no_reason_and_says_that_nothing_was_found(
    reported: Match, alice: Any, bob: Any, rita: Any
) -> None:
    handling.take_player(bob.pk, rita)
    assert (
        forms.handle(rita, create_decision_form(bob, "dismiss", reason="", kind=""), bob.pk)
        == "Dismissed."
    )
    assert Case.objects.get().outcome == "nothing"
    assert Notice.objects.get(player=alice).said == {"code": "notice.report-nothing", "name": "bob"}
    assert not Decision.objects.exists()


def test_who_has_acted_before_closing_has_acted(
    reported: Match, alice: Any, bob: Any, rita: Any
) -> None:
    handling.take_player(bob.pk, rita)
    sent = create_decision_form(
        bob, "stay", kind="void", reason="A program.", match=reported.pk, seen="0"
    )
    forms.handle(rita, sent, bob.pk)
    assert Case.objects.get().closed_at is None
    assert Assignment.objects.get().by == rita
    forms.handle(rita, create_decision_form(bob, "dismiss"), bob.pk)
    assert Case.objects.get().outcome == "acted"


def test_without_a_decision_nothing_is_closed(reported: Match, bob: Any, rita: Any) -> None:
    handling.take_player(bob.pk, rita)
    for wrong, told in (
        ({"reason": " "}, "no-reason"),
        ({"kind": ""}, "no-such"),
        ({"do": "all"}, "no-such"),
        ({"open": "1-2"}, "no-number"),
        ({"open": "1-2-x"}, "no-number"),
        ({"kind": "rename", "name": "x"}, "name-too-short"),
        ({"note": "x" * 501}, "reason-too-long"),
    ):
        with pytest.raises(Refused, match=told):
            forms.handle(rita, create_decision_form(bob) | wrong, bob.pk)
    assert not Decision.objects.exists()
    assert Assignment.objects.get().by == rita
    # A preset is shown if the moderator writes no reason.
    forms.handle(rita, create_decision_form(bob, reason="", preset="Please be kind."), bob.pk)
    assert Decision.objects.get().reason == "Please be kind."


def test_who_is_concerned_does_not_handle_it(alice: Any, bob: Any, rita: Any, sara: Any) -> None:
    match = create_match("tic-tac-toe", alice, rita)
    reports.store_report(sara.pk, match.pk, alice.pk, "name", "")
    for who, told in ((rita, "own-match"), (sara, "own-report")):
        with pytest.raises(Refused, match=told):
            handling.take_player(alice.pk, who)
        assert queue.take_next(who) is None
    for who in (
        alice,
        bob,
        create_staff("idle"),
        create_player("gone", "reviewer", is_active=False),
    ):
        for attempt in (
            lambda who=who: handling.take_player(alice.pk, who),
            lambda who=who: handling.release_player(alice.pk, who),
            lambda who=who: queue.take_next(who),
        ):
            with pytest.raises(Refused, match="no-right"):
                attempt()
    with pytest.raises(Refused, match="no-such"):
        handling.take_player(10**9, rita)
    with pytest.raises(Refused, match="nothing-open"):
        handling.take_player(bob.pk, rita)


def test_the_next_is_the_most_telling_that_is_free(
    alice: Any, bob: Any, charlie: Any, rita: Any, sara: Any
) -> None:
    people = [create_player(f"player {n}") for n in range(3)]
    for kind, who in zip(("other", "stalling", "cheating"), people, strict=True):
        reports.store_report(
            alice.pk, create_match("tic-tac-toe", alice, who).pk, who.pk, kind, "so"
        )
    boss = create_player("boss", "reviewer")
    reports.store_report(
        alice.pk, create_match("tic-tac-toe", alice, boss).pk, boss.pk, "cheating", "so"
    )
    low, middle, high = (who.pk for who in people)
    assert queue.take_next(rita) == high
    assert queue.take_next(rita) == high  # she already has it
    assert queue.take_next(sara) == middle  # only an administrator decides on the boss
    handling.release_player(middle, sara)
    entry = next(each for each in queue.list_entries() if each.player_id == middle)
    assert queue.take_next(sara, entry) == low  # the restriction that follows her latest one
    handling.release_player(low, sara)
    entry = queue.list_entries()[-1]
    assert entry.player_id == low
    assert queue.take_next(sara, entry) == middle  # from the beginning again
    root = create_staff("root", is_superuser=True)
    assert queue.take_next(root) == boss.pk


@pytest.mark.parametrize("kind", ["warn", "suspend", "new-name", "void"])
def test_what_a_senior_reversed_is_repeated_only_by_saying_so(
    finished: Callable[..., Match], bob: Any, alice: Any, rita: Any, sara: Any, kind: str
) -> None:
    from games.review import decisions

    match = finished()
    reports.store_report(alice.pk, match.pk, bob.pk, "cheating", "")
    first = {
        "warn": lambda: decisions.warn_player(rita, bob.pk, "So.", 0),
        "suspend": lambda: decisions.suspend_player(rita, bob.pk, "So.", 0, 3),
        "new-name": lambda: decisions.require_new_name(rita, bob.pk, "So.", 0),
        "void": lambda: decisions.void_match(rita, match.pk, "So.", 0),
    }[kind]()
    undone = decisions.reverse_decision(sara, first.pk, "There was no program.")
    handling.take_player(bob.pk, rita)
    sent = create_decision_form(bob, kind=kind, days="3", match=match.pk, seen="2")
    with pytest.raises(Refused, match="repeats-reversal") as refused:
        forms.handle(rita, sent, bob.pk)
    assert refused.value.params == {"name": "sara", "reason": "There was no program."}
    with pytest.raises(Refused, match="repeats-reversal"):
        forms.handle(rita, sent | {f"again-{undone.pk + 1}": "on"}, bob.pk)
    assert Decision.objects.count() == 2
    assert find_reversals({"state": match, "seen_of": {bob.pk: 0}}, kind) == [undone]  # type: ignore[arg-type]
    # Another kind of decision is not a repeat.
    other = {"kind": "rename", "name": "Polite Otter", "do": "stay"}
    forms.handle(rita, sent | other, bob.pk)
    sent[f"seen-{bob.pk}"] = str(get_number(player_id=bob.pk))
    forms.handle(rita, sent | {f"again-{undone.pk}": "on"}, bob.pk)
    assert Decision.objects.order_by("-pk")[0].kind == kind
