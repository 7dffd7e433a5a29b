"""Pools: their members, the leases of their waves, and rated matches."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from games.journal.opening import open_match
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Play, Rematch, Resign
from games.match.setup import Setup
from games.models import Match
from games.store.records import read_states
from lobby.accounts.guests import new_guest
from lobby.models import Played, Pool, Seek
from lobby.players import blocks
from lobby.seeks import challenges, matchmaking, pool
from lobby.seeks.pool import pair_seekers
from lobby.seeks.rated import Between
from tests.builders.refusals import must_be_refused

pytestmark = pytest.mark.django_db

SETUP = Setup("six-in-a-row", "3+2", rated=True)


def make_due() -> None:
    """Make the next wave due."""
    Pool.objects.update(due_at=timezone.now() - timedelta(milliseconds=1))


def test_the_first_wave_comes_a_second_after_the_first_seeker(alice: Any, bob: Any) -> None:
    assert pool.lease_waves() == ([], None)
    began, second = timezone.now(), timedelta(seconds=1)
    matchmaking.create_seek(alice.pk, SETUP)
    first = Pool.objects.get().due_at
    assert first is not None and began + second <= first <= timezone.now() + second
    matchmaking.create_seek(bob.pk, SETUP)
    assert Pool.objects.get().due_at == first
    Pool.objects.update(due_at=timezone.now() + timedelta(seconds=60))
    due, soon = pool.lease_waves()
    assert due == [] and soon is not None and 30 < soon <= 60


def test_unrated_seeks_and_invitations_are_in_no_pool(alice: Any, bob: Any) -> None:
    matchmaking.create_seek(alice.pk, Setup("six-in-a-row", "3+2"))
    matchmaking.create_seek(alice.pk, SETUP, by_address=True)
    assert not Pool.objects.exists()
    matchmaking.create_seek(bob.pk, SETUP)
    assert [each.player_id for each in pool.list_seekers(SETUP)[0]] == [bob.pk]


def test_a_wave_is_one_servers_until_its_lease_runs_out(alice: Any) -> None:
    matchmaking.create_seek(alice.pk, SETUP)
    make_due()
    (wave,), _ = pool.lease_waves()
    assert pool.lease_waves()[0] == []
    longer = pool.renew_lease(wave)
    assert longer is not None and longer.until > wave.until
    make_due()  # the process has died, or was delayed
    (taken,), _ = pool.lease_waves()
    assert pool.renew_lease(longer) is None
    pool.end_wave(longer)  # no longer its lease
    assert Pool.objects.get().due_at == taken.until


def test_waves_follow_each_three_seconds_while_anybody_waits(alice: Any) -> None:
    seek = matchmaking.create_seek(alice.pk, SETUP)
    make_due()
    (wave,), _ = pool.lease_waves()
    pool.end_wave(wave)
    assert Pool.objects.get().due_at == wave.began + timedelta(seconds=3)
    make_due()
    (wave,), _ = pool.lease_waves()
    matchmaking.cancel_seeks(alice.pk, seek.pk)
    pool.end_wave(wave)
    assert Pool.objects.get().due_at is None
    matchmaking.create_seek(alice.pk, SETUP)
    assert Pool.objects.get().due_at is not None


def test_a_lapsed_seek_is_left_out_until_its_player_returns(alice: Any) -> None:
    seek = matchmaking.create_seek(alice.pk, SETUP)
    old = timezone.now() - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS + 1)
    Seek.objects.update(seen_at=old)
    Pool.objects.update(due_at=None)
    assert pool.list_seekers(SETUP)[0] == []
    assert matchmaking.create_seek(alice.pk, SETUP).pk == seek.pk
    assert Pool.objects.get().due_at is not None
    assert len(pool.list_seekers(SETUP)[0]) == 1


def test_a_seeker_is_read_with_rating_range_and_last_opponents(
    alice: Any, bob: Any, charlie: Any
) -> None:
    matchmaking.create_seek(alice.pk, SETUP, wanted=Between(1400, 1600))
    matchmaking.create_seek(bob.pk, SETUP)
    matchmaking.create_seek(charlie.pk, Setup("six-in-a-row", "5+3", rated=True))
    blocks.block_player(bob.pk, alice.pk)
    blocks.block_player(charlie.pk, alice.pk)
    for back, opponent in enumerate((charlie, bob, charlie)):
        match = open_match(SETUP if back < 2 else Setup("dots-and-boxes"), bob.pk, charlie.pk)
        Played.objects.create(
            player=alice, opponent=opponent, match=match, seat=0, game=match.game, result="won",
            length=0, rated=match.rated, ended_at=timezone.now() - timedelta(hours=back),
        )  # fmt: skip
    found, apart = pool.list_seekers(SETUP)
    assert apart == {frozenset((alice.pk, bob.pk))}
    one, other = found
    assert (one.player_id, one.lowest, one.highest, one.rating) == (alice.pk, 1400, 1600, 1500)
    assert one.last == (charlie.pk, bob.pk) and other.last == ()
    assert 0 <= one.waited < 60
    assert pair_seekers(found, apart) == []


def test_a_pair_of_the_wave_plays_a_rated_match(alice: Any, bob: Any) -> None:
    for each in (alice, bob):
        matchmaking.create_seek(each.pk, SETUP)
    ((one, other),) = pair_seekers(*pool.list_seekers(SETUP))
    pairing = matchmaking.pair_seeks(one.seek_id, other.seek_id)
    assert pairing is not None and set(pairing.roles) == {alice.pk, bob.pk}
    assert read_states([pairing.match_id])[pairing.match_id].setup == SETUP
    assert matchmaking.pair_seeks(one.seek_id, other.seek_id) is None  # a second attempt
    assert pool.list_seekers(SETUP)[0] == []


def test_rated_seeks_are_paired_by_waves_alone(alice: Any, bob: Any) -> None:
    people = {each.pk for each in (alice, bob)}
    for pk in people:
        matchmaking.create_seek(pk, SETUP)
    assert matchmaking.list_matching_seeks(people) == []


def test_guests_play_nothing_rated(alice: Any) -> None:
    guest = new_guest()
    must_be_refused("rated-account", matchmaking.create_seek, guest.pk, SETUP)
    must_be_refused("rated-account", matchmaking.create_seek, guest.pk, SETUP, by_address=True)
    for by_address in (False, True):
        seek = matchmaking.create_seek(alice.pk, SETUP, by_address=by_address)
        must_be_refused("rated-account", matchmaking.join_seek, guest.pk, seek.pk)
    must_be_refused("rated-account", challenges.create_challenge, guest.pk, alice.pk, SETUP)
    must_be_refused("rated-guest", challenges.create_challenge, alice.pk, guest.pk, SETUP)
    assert Match.objects.count() == 0


def test_a_challenge_and_a_rematch_are_rated_too(alice: Any, bob: Any) -> None:
    made = challenges.create_challenge(alice.pk, bob.pk, SETUP)
    first = challenges.accept_challenge(bob.pk, made.pk).match_id
    match = Match.objects.get(pk=first)
    opening = match.rules.start.legal()[0]
    commit_requests([Request(first, match.first_id, Play(0, opening))])
    commit_requests([Request(first, match.second_id, Resign())])
    for player_id in (match.first_id, match.second_id):
        commit_requests([Request(first, player_id, Rematch())])
    match.refresh_from_db()
    rematch = str(match.rematch_id)
    assert read_states([rematch])[rematch].setup == SETUP


def test_a_range_is_for_rated_seeks_and_is_checked(alice: Any, bob: Any) -> None:
    plain = matchmaking.create_seek(
        alice.pk, Setup("six-in-a-row", "3+2"), wanted=Between(1600, 1700)
    )
    assert (plain.lowest, plain.highest) == (0, 4000)
    seek = matchmaking.create_seek(alice.pk, SETUP, wanted=Between(1501, 1700))
    must_be_refused("out-of-range", matchmaking.join_seek, bob.pk, seek.pk)
    matchmaking.create_seek(alice.pk, SETUP, wanted=Between(1500, 1700))
    assert matchmaking.join_seek(bob.pk, seek.pk).seeks == {seek.pk: alice.pk}


def test_in_a_round_one_seek_each_of_few_players_is_tried_again(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in (alice, bob):
        for clock in ("1+0", "2+0", "3+0"):
            matchmaking.create_seek(each.pk, Setup("tic-tac-toe", clock))
    people = {alice.pk, bob.pk}
    assert {seek.player_id for seek in matchmaking.list_matching_seeks(people)} == people
    assert len(matchmaking.list_matching_seeks(people)) == 2
    monkeypatch.setattr(matchmaking, "_MEETABLE", 1)
    tried = {matchmaking.list_matching_seeks(people)[0].pk for _ in range(60)}
    assert (
        len(matchmaking.list_matching_seeks(people)) == 1 and len(tried) > 2
    )  # each seek is tried
