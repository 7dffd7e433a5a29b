"""Staff decisions: one transaction, with a reason, logged forever, undone only by another."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.journal.opening import open_match
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Play
from games.match.setup import Setup
from games.messages import render
from games.messages.refusal import Refused
from games.models import Decision, Match, Notice
from games.review import decisions
from games.store.records import find_unsound_matches, read_states
from games.store.suspensions import get_suspension
from lobby.seeks import matchmaking
from tests.builders.matches import commit_command, create_match, play_ply
from tests.builders.players import create_player, create_staff


def result(match: Match) -> tuple[Any, ...]:
    state = read_states([match.pk])[match.pk]
    return (
        state.status,
        state.ended,
        state.first_goal,
        state.second_goal,
        state.ended_at,
        state.ended_by,
    )


def test_a_match_is_voided_and_the_decision_reversed(
    finished: Callable[..., Match], rita: Any, sara: Any
) -> None:
    match = finished()
    before = result(match)
    made = decisions.void_match(rita, match.pk, "  They   agreed on it. ", 0)
    assert result(match)[:4] == ("over", "voided", 0, 0)
    assert (made.reason, made.by, made.number) == ("They agreed on it.", rita, 1)
    assert find_unsound_matches([match.pk]) == {}
    undone = decisions.reverse_decision(sara, made.pk, "They did not.")
    assert result(match) == before
    assert undone.reverses == made
    assert find_unsound_matches([match.pk]) == {}
    assert Decision.objects.count() == 2


def test_a_result_is_corrected_and_corrections_are_undone_from_the_newest(
    finished: Callable[..., Match], rita: Any, sara: Any
) -> None:
    match = finished()
    before = result(match)
    first = decisions.correct_result(rita, match.pk, "A slip.", 0, (75, 25))
    second = decisions.correct_result(rita, match.pk, "A slip in that.", 1, (50, 50))
    assert result(match)[:4] == ("over", "adjudicated", 50, 50)
    with pytest.raises(Refused, match="later-decision"):
        decisions.reverse_decision(sara, first.pk, "No.")
    decisions.reverse_decision(sara, second.pk, "No.")
    assert result(match)[:4] == ("over", "adjudicated", 75, 25)
    decisions.reverse_decision(sara, first.pk, "No.")
    assert result(match) == before
    with pytest.raises(Refused, match="reversed-already"):
        decisions.reverse_decision(sara, first.pk, "Again.")
    with pytest.raises(Refused, match="a-reversal"):
        decisions.reverse_decision(sara, Decision.objects.order_by("-pk")[0].pk, "Back.")
    assert find_unsound_matches([match.pk]) == {}


def test_a_live_match_is_ended_and_goes_on_after_the_reversal(
    alice: Any, bob: Any, rita: Any, sara: Any
) -> None:
    match = create_match("six-in-a-row", alice, bob, 6, clock="3+2")
    before = read_states([match.pk])[match.pk]
    with pytest.raises(Refused, match="still-live"):
        decisions.correct_result(rita, match.pk, "Too early.", 0, (100, 0))
    made = decisions.end_match(rita, match.pk, "The other is asleep.", 0, (100, 0))
    ended = read_states([match.pk])[match.pk]
    assert (ended.status, ended.ended, ended.deadline) == ("over", "adjudicated", None)
    with pytest.raises(Refused, match="over-already"):
        decisions.end_match(rita, match.pk, "Once more.", 1, (100, 0))
    decisions.reverse_decision(sara, made.pk, "They woke up.")
    after = read_states([match.pk])[match.pk]
    assert (after.status, after.ended, after.goals, after.ended_at) == ("live", "", None, None)
    assert (after.notation, after.left_ms) == (before.notation, before.left_ms)
    assert after.deadline is not None
    assert after.deadline > timezone.now()
    assert after.resumed_at is not None
    play_ply(match, 6)
    assert find_unsound_matches([match.pk]) == {}


def test_a_match_that_goes_on_is_not_abandoned_at_once(
    alice: Any, bob: Any, rita: Any, sara: Any
) -> None:
    from games.match.commands import Sweep

    long_ago = timezone.now() - timedelta(days=1)
    match = open_match(Setup("six-in-a-row", "30+20"), alice.pk, bob.pk, long_ago)
    play_ply(match, 0)
    Match.objects.filter(pk=match.pk).update(acted=3)
    made = decisions.void_match(rita, match.pk, "A slip.", 0)
    decisions.reverse_decision(sara, made.pk, "It was none.")
    commit_requests([Request(match.pk, None, Sweep())])
    assert read_states([match.pk])[match.pk].status == "live"


@pytest.mark.parametrize("reason", ["", "   ", "\n\t"])
def test_without_a_reason_nothing_is_decided(
    finished: Callable[..., Match], rita: Any, sara: Any, alice: Any, reason: str
) -> None:
    match = finished()
    before = result(match)
    held = decisions.warn_player(rita, alice.pk, "Once.", 0)
    for attempt in (
        lambda: decisions.void_match(rita, match.pk, reason, 0),
        lambda: decisions.correct_result(rita, match.pk, reason, 0, (50, 50)),
        lambda: decisions.warn_player(rita, alice.pk, reason, 1),
        lambda: decisions.suspend_player(rita, alice.pk, reason, 1, 3),
        lambda: decisions.rename_player(rita, alice.pk, reason, 1, "Otto Otter"),
        lambda: decisions.reverse_decision(sara, held.pk, reason),
    ):
        with pytest.raises(Refused, match="no-reason"):
            attempt()
    assert result(match) == before
    assert Decision.objects.count() == 1
    alice.refresh_from_db()
    assert alice.username == "alice"
    assert get_suspension(alice.pk) is None


def test_only_who_has_the_right_decides(
    finished: Callable[..., Match], alice: Any, bob: Any, charlie: Any, rita: Any
) -> None:
    match = finished()
    idle = create_staff("idle")  # staff without a group
    gone = create_player("gone", "senior reviewer", is_active=False)
    for who in (alice, charlie, idle, gone):
        for attempt in (
            lambda who=who: decisions.void_match(who, match.pk, "So.", 0),
            lambda who=who: decisions.suspend_player(who, bob.pk, "So.", 0, None),
            lambda who=who: decisions.rename_player(who, bob.pk, "So.", 0, "Nobody"),
        ):
            with pytest.raises(Refused) as refused:
                attempt()
            assert refused.value.code == "no-right"
    made = decisions.void_match(rita, match.pk, "So.", 0)
    with pytest.raises(Refused) as refused:
        decisions.reverse_decision(rita, made.pk, "A reviewer may not reverse.")
    assert refused.value.code == "no-right"
    assert Decision.objects.count() == 1


def test_nobody_decides_on_their_own_match_or_on_staff(alice: Any, rita: Any, sara: Any) -> None:
    match = create_match("tic-tac-toe", rita, alice, 2)
    with pytest.raises(Refused, match="own-match"):
        decisions.void_match(rita, match.pk, "I was losing.", 0)
    with pytest.raises(Refused, match="on-staff"):
        decisions.suspend_player(rita, sara.pk, "So.", 0, 1)
    with pytest.raises(Refused, match="decide-on-yourself"):
        decisions.rename_player(rita, rita.pk, "So.", 0, "Queen")
    root = create_staff("root", is_superuser=True)
    assert decisions.warn_player(root, rita.pk, "Be kind.", 0)


@pytest.mark.parametrize("goals", [(0, 0), (101, 0), (-1, 50), (60, 60), (100, 100)], ids=str)
def test_senseless_results_are_refused(
    finished: Callable[..., Match], rita: Any, goals: tuple[int, int]
) -> None:
    match = finished()
    with pytest.raises(Refused, match="points"):
        decisions.correct_result(rita, match.pk, "So.", 0, goals)
    assert Decision.objects.count() == 0


def test_what_is_so_already_is_not_decided_again(finished: Callable[..., Match], rita: Any) -> None:
    match = finished()
    decisions.void_match(rita, match.pk, "So.", 0)
    with pytest.raises(Refused, match="same-result"):
        decisions.void_match(rita, match.pk, "So.", 1)
    assert Decision.objects.count() == 1


def test_forged_ids_are_refused(rita: Any, sara: Any, alice: Any, charlie: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob)
    for attempt in (
        lambda: decisions.void_match(rita, "nosuch", "So.", 0),
        lambda: decisions.warn_player(rita, 10**9, "So.", 0),
        lambda: decisions.warn_player(rita, charlie.pk, "So.", 0, match.pk),  # not of that match
        lambda: decisions.reverse_decision(sara, 10**9, "So."),
    ):
        with pytest.raises(Refused) as refused:
            attempt()
        assert refused.value.code == "no-such"
    assert Decision.objects.count() == 0


def test_the_same_decision_sent_twice_is_made_once(
    finished: Callable[..., Match], rita: Any, alice: Any
) -> None:
    match = finished()
    decisions.void_match(rita, match.pk, "So.", 0)
    with pytest.raises(Refused, match="decided-already"):
        decisions.void_match(rita, match.pk, " So. ", 0)
    decisions.warn_player(rita, alice.pk, "So.", 0)
    with pytest.raises(Refused, match="decided-already"):
        decisions.warn_player(rita, alice.pk, "So.", 0)
    assert Decision.objects.count() == 2
    assert Notice.objects.filter(player=alice).count() == 2


def test_of_two_who_decide_on_what_both_saw_one_is_told(
    finished: Callable[..., Match], rita: Any, sara: Any, alice: Any
) -> None:
    match = finished()
    decisions.void_match(rita, match.pk, "So.", 0)
    with pytest.raises(Refused, match="overtaken"):
        decisions.correct_result(sara, match.pk, "Not so.", 0, (50, 50))
    assert result(match)[1] == "voided"
    decisions.suspend_player(rita, alice.pk, "So.", 0, 1)
    with pytest.raises(Refused, match="overtaken"):
        decisions.suspend_player(sara, alice.pk, "Longer.", 0, None)
    held = get_suspension(alice.pk)
    assert held is not None
    assert held.until is not None


def test_the_log_is_neither_changed_nor_deleted(finished: Callable[..., Match], rita: Any) -> None:
    made = decisions.void_match(rita, finished().pk, "So.", 0)
    made.reason = "Otherwise."
    with pytest.raises(TypeError):
        made.save()
    with pytest.raises(TypeError):
        made.delete()
    from django.db.models import ProtectedError

    with pytest.raises(ProtectedError):
        rita.delete()


def test_a_suspended_player_neither_seeks_nor_acts_until_it_is_over_or_lifted(
    alice: Any, bob: Any, rita: Any, sara: Any
) -> None:
    match = create_match("tic-tac-toe", alice, bob)
    waiting = matchmaking.create_seek(alice.pk, Setup("six-in-a-row"))
    made = decisions.suspend_player(rita, alice.pk, "Foul words.", 0, 3, match.pk)
    held = get_suspension(alice.pk)
    assert held is not None
    assert "Foul words." in render(held.refusal.words)
    assert "until 2" in render(held.refusal.words)
    (answer,), states = commit_requests([Request(match.pk, alice.pk, Play(0, "mark 1 1"))])
    assert (answer.refused, list(states)) == ("suspended", [])
    for attempt in (
        lambda: matchmaking.create_seek(alice.pk, Setup("tic-tac-toe")),
        lambda: matchmaking.create_seek(alice.pk, Setup("tic-tac-toe"), by_address=True),
        lambda: matchmaking.join_seek(alice.pk, waiting.pk),
    ):
        with pytest.raises(Refused) as refused:
            attempt()
        assert refused.value.code == "suspended"
    # Nor does an earlier seek pair anybody with them.
    assert (
        matchmaking.pair_seeks(
            matchmaking.create_seek(bob.pk, Setup("six-in-a-row")).pk, waiting.pk
        )
        is None
    )
    with pytest.raises(Refused):
        matchmaking.join_seek(bob.pk, waiting.pk)
    decisions.reverse_decision(sara, made.pk, "It was another.")
    assert get_suspension(alice.pk) is None
    commit_command(match, alice.pk, Play(0, "mark 1 1"))


def test_the_longest_of_several_suspensions_holds_and_a_past_one_does_not(
    alice: Any, rita: Any
) -> None:
    decisions.suspend_player(rita, alice.pk, "One.", 0, 30)
    decisions.suspend_player(rita, alice.pk, "Two.", 1, 3)
    held = get_suspension(alice.pk)
    assert held is not None
    assert held.reason == "One."
    decisions.suspend_player(rita, alice.pk, "Three.", 2, None)
    held = get_suspension(alice.pk)
    assert held is not None
    assert (held.reason, held.until) == ("Three.", None)
    assert "permanently" in render(held.refusal.words)
    Decision.objects.filter(player=alice).update(until=timezone.now() - timedelta(seconds=1))
    assert get_suspension(alice.pk) is None


def test_a_player_is_renamed_and_gets_the_name_back(
    alice: Any, bob: Any, rita: Any, sara: Any
) -> None:
    made = decisions.rename_player(rita, alice.pk, "Offensive.", 0, "  Polite   Otter ")
    alice.refresh_from_db()
    assert alice.username == "Polite Otter"
    for name, words in (
        ("BOB", "already"),
        ("x", "at least 3"),
        ("y" * 29, "at most 20"),
        ("a\x00b", "invisible character"),
        ("Computer (master)", "reserved"),
        ("\N{CYRILLIC CAPITAL LETTER ES}omputer", "reserved"),
        ("Ali\N{ZERO WIDTH SPACE}ce", "invisible character"),
        ("B0b", "or a similar one"),
    ):
        with pytest.raises(Refused) as refused:
            decisions.rename_player(rita, alice.pk, "So.", 1, name)
        assert words in render(refused.value.words)
    decisions.reverse_decision(sara, made.pk, "It was a real name.")
    alice.refresh_from_db()
    assert alice.username == "alice"


def test_those_concerned_are_told(
    finished: Callable[..., Match], alice: Any, bob: Any, rita: Any, client: Any
) -> None:
    match = finished()
    decisions.void_match(rita, match.pk, "Both left.", 0)
    decisions.warn_player(rita, bob.pk, "Do not leave.", 0, match.pk)
    client.force_login(alice)
    page = client.get(f"/match/{match.pk}/").content.decode()
    assert page.count("Both left.") == 2  # on the match, and as a notice
    assert "Do not leave." not in page  # a matter between bob and the staff
    client.force_login(bob)
    page = client.get("/").content.decode()
    assert "Warning from the moderators: Do not leave." in page
    notice = Notice.objects.get(player=bob, said__code="notice.warning")
    other = Notice.objects.get(player=alice)
    client.post(f"/notice/{other.pk}/read/")
    assert Notice.objects.get(pk=other.pk).seen_at is None  # it is not bob's
    answer = client.post(f"/notice/{notice.pk}/read/", {"next": "//evil.example/"})
    assert answer.headers["Location"] == "/"
    assert "Warning from" not in client.get("/").content.decode()
    client.logout()
    page = client.get(f"/match/{match.pk}/").content.decode()
    assert "The moderators voided this game." in page
    assert "Both left." not in page  # watchers see the result
