"""Challenges: who may make and answer them, and what becomes of them."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings
from django.utils import timezone

from games.journal.opening import open_match
from games.match.setup import Setup
from games.models import Match
from games.review import decisions
from lobby.live.player_state import read_own
from lobby.models import Challenge, Preferences, Seek
from lobby.seeks import challenges, matchmaking
from lobby.seeks.challenges import accept, challenge, decline, withdraw
from lobby.seeks.computer import computer
from tests.builders.players import create_player
from tests.builders.refusals import must_be_refused
from tests.builders.retention import delete_old

pytestmark = pytest.mark.django_db

SETUP = Setup("six-in-a-row", "3+2")


def seen(who: Any) -> tuple[list[str], list[str], list[str]]:
    """The challenges, the declined ones and the new matches that the player is shown."""
    own = read_own([who.pk])[who.pk]
    return (
        [each.challenge for each in own.challenges],
        [each.challenge for each in own.declined],
        [each.seek for each in own.begun],
    )


@pytest.mark.parametrize(("side", "first"), [("first", "alice"), ("second", "bob")])
def test_who_accepts_plays_on_the_side_that_is_left(
    alice: Any, bob: Any, side: str, first: str
) -> None:
    made = challenge(alice.pk, bob.pk, SETUP, side)
    match = Match.objects.get(pk=accept(bob.pk, made.pk).match_id)
    assert match.first.username == first
    assert (match.game, match.clock) == ("six-in-a-row", "3+2")
    assert seen(alice) == ([], [], [made.pk])


def test_both_see_it_until_it_is_answered(alice: Any, bob: Any, charlie: Any) -> None:
    made = challenge(alice.pk, bob.pk, SETUP)
    assert seen(alice) == seen(bob) == ([made.pk], [], [])
    assert seen(charlie) == ([], [], [])
    decline(bob.pk, made.pk, "later")
    assert seen(alice) == ([], [made.pk], [])
    assert seen(bob) == ([], [], [])
    assert withdraw(alice.pk, made.pk) == bob.pk  # the answer is put away
    assert seen(alice) == ([], [], [])


def test_the_match_has_the_id_of_its_challenge(alice: Any, bob: Any) -> None:
    made = challenge(alice.pk, bob.pk, SETUP)
    assert accept(bob.pk, made.pk).match_id == made.pk
    assert Match.objects.get().pk == made.pk


def test_a_challenge_whose_id_a_match_has_opens_a_match_with_another(alice: Any, bob: Any) -> None:
    taken = open_match(SETUP, alice.pk, bob.pk)
    made = challenge(alice.pk, bob.pk, SETUP)
    Challenge.objects.filter(pk=made.pk).update(id=taken.pk)
    accepted = accept(bob.pk, taken.pk)
    assert accepted.match_id != taken.pk
    assert Challenge.objects.get().match_id == accepted.match_id
    assert Match.objects.count() == 2


def test_accepting_again_returns_the_same_match(alice: Any, bob: Any) -> None:
    made = challenge(alice.pk, bob.pk, SETUP)
    first, again = accept(bob.pk, made.pk), accept(bob.pk, made.pk)
    assert first.match_id == again.match_id
    assert Match.objects.count() == 1


def test_it_is_answered_once(alice: Any, bob: Any) -> None:
    made = challenge(alice.pk, bob.pk, SETUP)
    accept(bob.pk, made.pk)
    must_be_refused("challenge-gone", decline, bob.pk, made.pk)
    assert withdraw(alice.pk, made.pk) is None
    assert Match.objects.count() == 1


def test_what_was_declined_or_withdrawn_is_not_accepted(alice: Any, bob: Any) -> None:
    made = challenge(alice.pk, bob.pk, SETUP)
    decline(bob.pk, made.pk)
    must_be_refused("challenge-gone", accept, bob.pk, made.pk)
    again = challenge(alice.pk, bob.pk, SETUP)
    withdraw(alice.pk, again.pk)
    must_be_refused("challenge-gone", accept, bob.pk, again.pk)
    assert Match.objects.count() == 0


def test_only_who_was_challenged_answers_and_only_who_made_it_withdraws(
    alice: Any, bob: Any, charlie: Any
) -> None:
    made = challenge(alice.pk, bob.pk, SETUP)
    for who in (alice, charlie):
        must_be_refused("challenge-gone", accept, who.pk, made.pk)
        must_be_refused("challenge-gone", decline, who.pk, made.pk)
    for who in (bob, charlie):
        assert withdraw(who.pk, made.pk) is None
    assert Challenge.objects.get().answer == ""


def test_it_runs_out(alice: Any, bob: Any) -> None:
    made = challenge(alice.pk, bob.pk, SETUP)
    lasts = made.expires_at - made.created_at
    assert lasts == timedelta(minutes=settings.TIMED_CHALLENGE_MINUTES)
    untimed = challenge(bob.pk, alice.pk, Setup("six-in-a-row"))
    assert untimed.expires_at - untimed.created_at == timedelta(
        hours=settings.UNTIMED_CHALLENGE_HOURS
    )
    Challenge.objects.filter(pk=made.pk).update(expires_at=timezone.now())
    must_be_refused("challenge-gone", accept, bob.pk, made.pk)
    must_be_refused("challenge-gone", decline, bob.pk, made.pk)
    assert seen(alice)[0] == [untimed.pk]
    challenge(alice.pk, bob.pk, SETUP)  # the old one is no hindrance
    Challenge.objects.update(expires_at=timezone.now() - timedelta(days=2))
    delete_old(Challenge)
    assert Challenge.objects.count() == 0


def test_one_at_a_time_of_the_same_two(alice: Any, bob: Any) -> None:
    challenge(alice.pk, bob.pk, SETUP)
    must_be_refused("challenged-already", challenge, alice.pk, bob.pk, Setup("tic-tac-toe"))
    challenge(bob.pk, alice.pk, SETUP)


@override_settings(OPEN_CHALLENGES_PER_PLAYER=2)
def test_a_player_has_few_open(alice: Any, bob: Any, charlie: Any, rita: Any) -> None:
    challenge(alice.pk, bob.pk, SETUP)
    challenge(alice.pk, charlie.pk, SETUP)
    must_be_refused("too-many-challenges", challenge, alice.pk, rita.pk, SETUP)


def test_nobody_is_faced_with_too_many(
    alice: Any, bob: Any, charlie: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenges, "_INBOX", 1)
    challenge(bob.pk, alice.pk, SETUP)
    must_be_refused("no-challenges", challenge, charlie.pk, alice.pk, SETUP)


def test_who_cannot_be_challenged(alice: Any, bob: Any) -> None:
    must_be_refused("challenge-yourself", challenge, alice.pk, alice.pk, SETUP)
    must_be_refused("no-challenges", challenge, alice.pk, computer(1).pk, SETUP)
    must_be_refused("no-challenges", challenge, alice.pk, 10**9, SETUP)
    must_be_refused("malformed", challenge, alice.pk, bob.pk, SETUP, "both")
    bob.is_active = False
    bob.save()
    must_be_refused("no-challenges", challenge, alice.pk, bob.pk, SETUP)


@pytest.mark.parametrize(
    ("wish", "guests", "accounts"),
    [("anyone", True, True), ("accounts", False, True), ("nobody", False, False)],
)
def test_everybody_says_who_may_challenge_them(
    alice: Any, bob: Any, wish: str, guests: bool, accounts: bool
) -> None:
    Preferences.objects.create(player=bob, challenges=wish)
    guest = create_player("Sly Fox", is_guest=True)
    for who, may in ((guest, guests), (alice, accounts)):
        if may:
            challenge(who.pk, bob.pk, SETUP)
        else:
            must_be_refused("no-challenges", challenge, who.pk, bob.pk, SETUP)


def test_who_is_suspended_neither_challenges_nor_accepts(alice: Any, bob: Any, rita: Any) -> None:
    made = challenge(alice.pk, bob.pk, SETUP)
    other = challenge(bob.pk, alice.pk, SETUP)
    decisions.suspend(rita, bob.pk, "A test.", 0, days=1)
    must_be_refused("suspended-now", challenge, bob.pk, rita.pk, SETUP)
    must_be_refused("suspended-now", accept, bob.pk, made.pk)
    must_be_refused("challenge-gone", accept, alice.pk, other.pk)
    assert Match.objects.count() == 0


def test_both_search_no_more_once_they_play(alice: Any, bob: Any) -> None:
    matchmaking.seek(alice.pk, Setup("tic-tac-toe"))
    matchmaking.seek(bob.pk, Setup("dots-and-boxes"))
    made = challenge(alice.pk, bob.pk, SETUP)
    accepted = accept(bob.pk, made.pk)
    assert set(accepted.ended.values()) == {alice.pk, bob.pk}
    assert Seek.objects.count() == 0


def test_a_word_is_one_of_a_few(alice: Any, bob: Any) -> None:
    made = challenge(alice.pk, bob.pk, SETUP)
    must_be_refused("malformed", decline, bob.pk, made.pk, "You never win.")


def test_another_server_learns_of_it_without_a_hint(alice: Any, bob: Any, charlie: Any) -> None:
    challenge(alice.pk, bob.pk, SETUP)
    assert challenges.newly_challenged() == {alice.pk, bob.pk}
    Challenge.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    assert challenges.newly_challenged() == set()
