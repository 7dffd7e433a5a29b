"""Challenges: permissions, answers and outcomes."""

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
from lobby.seeks.challenges import (
    accept_challenge,
    create_challenge,
    decline_challenge,
    withdraw_challenge,
)
from lobby.seeks.computer import get_computer
from tests.builders.players import create_player
from tests.builders.refusals import must_be_refused
from tests.builders.retention import delete_old

pytestmark = pytest.mark.django_db

SETUP = Setup("six-in-a-row", "3+2")


def seen(who: Any) -> tuple[list[str], list[str], list[str]]:
    """Return the challenges, declined challenges and new matches that the player sees."""
    own = read_own([who.pk])[who.pk]
    return (
        [each.challenge for each in own.challenges],
        [each.challenge for each in own.declined],
        [each.seek for each in own.begun],
    )


@pytest.mark.parametrize(("side", "first"), [("first", "alice"), ("second", "bob")])
def test_the_accepting_player_gets_the_remaining_side(
    alice: Any, bob: Any, side: str, first: str
) -> None:
    made = create_challenge(alice.pk, bob.pk, SETUP, side)
    match = Match.objects.get(pk=accept_challenge(bob.pk, made.pk).match_id)
    assert match.first.username == first
    assert (match.game, match.clock) == ("six-in-a-row", "3+2")
    assert seen(alice) == ([], [], [made.pk])


def test_both_see_it_until_it_is_answered(alice: Any, bob: Any, charlie: Any) -> None:
    made = create_challenge(alice.pk, bob.pk, SETUP)
    assert seen(alice) == seen(bob) == ([made.pk], [], [])
    assert seen(charlie) == ([], [], [])
    decline_challenge(bob.pk, made.pk, "later")
    assert seen(alice) == ([], [made.pk], [])
    assert seen(bob) == ([], [], [])
    assert withdraw_challenge(alice.pk, made.pk) == bob.pk  # the answer is removed
    assert seen(alice) == ([], [], [])


def test_the_match_has_the_id_of_its_challenge(alice: Any, bob: Any) -> None:
    made = create_challenge(alice.pk, bob.pk, SETUP)
    assert accept_challenge(bob.pk, made.pk).match_id == made.pk
    assert Match.objects.get().pk == made.pk


def test_a_challenge_whose_id_a_match_has_opens_a_match_with_another(alice: Any, bob: Any) -> None:
    taken = open_match(SETUP, alice.pk, bob.pk)
    made = create_challenge(alice.pk, bob.pk, SETUP)
    Challenge.objects.filter(pk=made.pk).update(id=taken.pk)
    accepted = accept_challenge(bob.pk, taken.pk)
    assert accepted.match_id != taken.pk
    assert Challenge.objects.get().match_id == accepted.match_id
    assert Match.objects.count() == 2


def test_accepting_again_returns_the_same_match(alice: Any, bob: Any) -> None:
    made = create_challenge(alice.pk, bob.pk, SETUP)
    first, again = accept_challenge(bob.pk, made.pk), accept_challenge(bob.pk, made.pk)
    assert first.match_id == again.match_id
    assert Match.objects.count() == 1


def test_a_challenge_is_answered_once(alice: Any, bob: Any) -> None:
    made = create_challenge(alice.pk, bob.pk, SETUP)
    accept_challenge(bob.pk, made.pk)
    must_be_refused("challenge-gone", decline_challenge, bob.pk, made.pk)
    assert withdraw_challenge(alice.pk, made.pk) is None
    assert Match.objects.count() == 1


def test_what_was_declined_or_withdrawn_is_not_accepted(alice: Any, bob: Any) -> None:
    made = create_challenge(alice.pk, bob.pk, SETUP)
    decline_challenge(bob.pk, made.pk)
    must_be_refused("challenge-gone", accept_challenge, bob.pk, made.pk)
    again = create_challenge(alice.pk, bob.pk, SETUP)
    withdraw_challenge(alice.pk, again.pk)
    must_be_refused("challenge-gone", accept_challenge, bob.pk, again.pk)
    assert Match.objects.count() == 0


def test_only_the_challenged_answers_and_only_the_challenger_withdraws(
    alice: Any, bob: Any, charlie: Any
) -> None:
    made = create_challenge(alice.pk, bob.pk, SETUP)
    for who in (alice, charlie):
        must_be_refused("challenge-gone", accept_challenge, who.pk, made.pk)
        must_be_refused("challenge-gone", decline_challenge, who.pk, made.pk)
    for who in (bob, charlie):
        assert withdraw_challenge(who.pk, made.pk) is None
    assert Challenge.objects.get().answer == ""


def test_a_challenge_expires(alice: Any, bob: Any) -> None:
    made = create_challenge(alice.pk, bob.pk, SETUP)
    lasts = made.expires_at - made.created_at
    assert lasts == timedelta(minutes=settings.TIMED_CHALLENGE_MINUTES)
    untimed = create_challenge(bob.pk, alice.pk, Setup("six-in-a-row"))
    assert untimed.expires_at - untimed.created_at == timedelta(
        hours=settings.UNTIMED_CHALLENGE_HOURS
    )
    Challenge.objects.filter(pk=made.pk).update(expires_at=timezone.now())
    must_be_refused("challenge-gone", accept_challenge, bob.pk, made.pk)
    must_be_refused("challenge-gone", decline_challenge, bob.pk, made.pk)
    assert seen(alice)[0] == [untimed.pk]
    create_challenge(alice.pk, bob.pk, SETUP)  # the old one does not prevent it
    Challenge.objects.update(expires_at=timezone.now() - timedelta(days=2))
    delete_old(Challenge)
    assert Challenge.objects.count() == 0


def test_one_at_a_time_of_the_same_two(alice: Any, bob: Any) -> None:
    create_challenge(alice.pk, bob.pk, SETUP)
    must_be_refused("challenged-already", create_challenge, alice.pk, bob.pk, Setup("tic-tac-toe"))
    create_challenge(bob.pk, alice.pk, SETUP)


@override_settings(OPEN_CHALLENGES_PER_PLAYER=2)
def test_the_number_of_open_challenges_is_limited(
    alice: Any, bob: Any, charlie: Any, rita: Any
) -> None:
    create_challenge(alice.pk, bob.pk, SETUP)
    create_challenge(alice.pk, charlie.pk, SETUP)
    must_be_refused("too-many-challenges", create_challenge, alice.pk, rita.pk, SETUP)


def test_the_number_of_challenges_to_a_player_is_limited(
    alice: Any, bob: Any, charlie: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenges, "_INBOX", 1)
    create_challenge(bob.pk, alice.pk, SETUP)
    must_be_refused("no-challenges", create_challenge, charlie.pk, alice.pk, SETUP)


def test_challenges_that_are_refused(alice: Any, bob: Any) -> None:
    must_be_refused("challenge-yourself", create_challenge, alice.pk, alice.pk, SETUP)
    must_be_refused("no-challenges", create_challenge, alice.pk, get_computer(1).pk, SETUP)
    must_be_refused("no-challenges", create_challenge, alice.pk, 10**9, SETUP)
    must_be_refused("malformed", create_challenge, alice.pk, bob.pk, SETUP, "both")
    bob.is_active = False
    bob.save()
    must_be_refused("no-challenges", create_challenge, alice.pk, bob.pk, SETUP)


@pytest.mark.parametrize(
    ("wish", "guests", "accounts"),
    [("anyone", True, True), ("accounts", False, True), ("nobody", False, False)],
)
def test_players_choose_who_can_challenge_them(
    alice: Any, bob: Any, wish: str, guests: bool, accounts: bool
) -> None:
    Preferences.objects.create(player=bob, challenges=wish)
    guest = create_player("Sly Fox", is_guest=True)
    for who, may in ((guest, guests), (alice, accounts)):
        if may:
            create_challenge(who.pk, bob.pk, SETUP)
        else:
            must_be_refused("no-challenges", create_challenge, who.pk, bob.pk, SETUP)


def test_suspended_players_neither_challenge_nor_accept(alice: Any, bob: Any, rita: Any) -> None:
    made = create_challenge(alice.pk, bob.pk, SETUP)
    other = create_challenge(bob.pk, alice.pk, SETUP)
    decisions.suspend_player(rita, bob.pk, "A test.", 0, days=1)
    must_be_refused("suspended-now", create_challenge, bob.pk, rita.pk, SETUP)
    must_be_refused("suspended-now", accept_challenge, bob.pk, made.pk)
    must_be_refused("challenge-gone", accept_challenge, alice.pk, other.pk)
    assert Match.objects.count() == 0


def test_both_players_seeks_end_when_they_play(alice: Any, bob: Any) -> None:
    matchmaking.create_seek(alice.pk, Setup("tic-tac-toe"))
    matchmaking.create_seek(bob.pk, Setup("dots-and-boxes"))
    made = create_challenge(alice.pk, bob.pk, SETUP)
    accepted = accept_challenge(bob.pk, made.pk)
    assert set(accepted.ended.values()) == {alice.pk, bob.pk}
    assert Seek.objects.count() == 0


def test_a_challenge_is_declined_with_a_known_word(alice: Any, bob: Any) -> None:
    made = create_challenge(alice.pk, bob.pk, SETUP)
    must_be_refused("malformed", decline_challenge, bob.pk, made.pk, "You never win.")


def test_another_server_finds_a_pairing_without_a_hint(alice: Any, bob: Any, charlie: Any) -> None:
    create_challenge(alice.pk, bob.pk, SETUP)
    assert challenges.get_newly_challenged_players() == {alice.pk, bob.pk}
    Challenge.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    assert challenges.get_newly_challenged_players() == set()
