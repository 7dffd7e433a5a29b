"""Blocks: the two players no longer meet, and only the player who blocked knows why."""

from typing import Any

import pytest

from games.journal.opening import are_apart, open_match
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Rematch, Resign
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Match
from lobby.models import Block, Challenge
from lobby.players import blocks
from lobby.seeks import challenges, matchmaking
from lobby.seeks.computer import get_computer
from tests.builders.matches import commit_command, create_match

pytestmark = pytest.mark.django_db

SETUP = Setup("tic-tac-toe")


@pytest.fixture(params=["mine", "theirs"])
def apart(request: pytest.FixtureRequest, alice: Any, bob: Any) -> tuple[Any, Any]:
    """Alice and Bob. One of them has blocked the other."""
    pair = (alice, bob) if request.param == "mine" else (bob, alice)
    blocks.block_player(pair[0].pk, pair[1].pk)
    return alice, bob


def test_they_are_not_paired(apart: tuple[Any, Any], charlie: Any) -> None:
    alice, bob = apart
    one, other = (matchmaking.create_seek(each.pk, SETUP) for each in apart)
    assert matchmaking.list_candidates(one) == matchmaking.list_candidates(other) == []
    assert matchmaking.pair_seeks(one.pk, other.pk) is None
    third = matchmaking.create_seek(charlie.pk, SETUP)
    assert {each.player_id for each in matchmaking.list_candidates(third)} == {alice.pk, bob.pk}
    assert Match.objects.count() == 0


@pytest.mark.parametrize("by_address", [False, True])
def test_they_do_not_join_each_other(apart: tuple[Any, Any], by_address: bool) -> None:
    alice, bob = apart
    seek = matchmaking.create_seek(bob.pk, SETUP, by_address=by_address)
    with pytest.raises(Refused, match=r"^taken$"):  # as if another player had been faster
        matchmaking.join_seek(alice.pk, seek.pk)


def test_they_open_no_match_in_any_other_way(apart: tuple[Any, Any]) -> None:
    alice, bob = apart
    with pytest.raises(Refused, match="not-allowed"):
        open_match(SETUP, alice.pk, bob.pk)


def test_a_rematch_is_not_even_asked_for(alice: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob, plies=2)
    commit_requests([Request(match.pk, bob.pk, Resign())])
    blocks.block_player(alice.pk, bob.pk)
    for who in (bob, alice):
        (answer,), _ = commit_requests([Request(match.pk, who.pk, Rematch())])
        assert answer.refused == "not-allowed"
        assert answer.state is not None
        assert answer.state.rematch_by is None


def test_a_rematch_that_was_asked_for_is_not_accepted(alice: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob, plies=2)
    commit_requests([Request(match.pk, bob.pk, Resign()), Request(match.pk, bob.pk, Rematch())])
    blocks.block_player(alice.pk, bob.pk)
    (answer,), _ = commit_requests([Request(match.pk, alice.pk, Rematch())])
    assert answer.refused == "not-allowed"
    assert Match.objects.count() == 1


def test_the_match_that_they_play_goes_on(alice: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob, plies=2)
    blocks.block_player(alice.pk, bob.pk)
    commit_command(match, bob.pk, Resign())


def test_they_do_not_challenge_each_other(apart: tuple[Any, Any]) -> None:
    alice, bob = apart
    for one, other in ((alice, bob), (bob, alice)):
        with pytest.raises(
            Refused, match="no-challenges"
        ):  # as for a player who accepts no challenges
            challenges.create_challenge(one.pk, other.pk, SETUP)


def test_what_is_open_between_them_is_gone(alice: Any, bob: Any, charlie: Any) -> None:
    for one, other in ((alice, bob), (bob, alice), (charlie, alice)):
        challenges.create_challenge(one.pk, other.pk, SETUP)
    blocks.block_player(alice.pk, bob.pk)
    assert Challenge.objects.get().challenger == charlie


def test_a_block_is_taken_back_by_who_made_it(alice: Any, bob: Any) -> None:
    blocks.block_player(alice.pk, bob.pk)
    blocks.block_player(alice.pk, bob.pk)
    blocks.unblock_player(bob.pk, alice.pk)  # the block is not his
    assert are_apart([bob.pk, alice.pk])
    assert not blocks.has_blocked(bob.pk, alice.pk)
    assert blocks.list_blocked(alice.pk) == [bob]
    blocks.unblock_player(alice.pk, bob.pk)
    assert not are_apart([alice.pk, bob.pk])


def test_nobody_blocks_themselves_the_computer_or_everybody(
    alice: Any, bob: Any, charlie: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Refused, match="block-yourself"):
        blocks.block_player(alice.pk, alice.pk)
    with pytest.raises(Refused, match="block-computer"):
        blocks.block_player(alice.pk, get_computer(1).pk)
    monkeypatch.setattr(blocks, "MOST", 1)
    blocks.block_player(alice.pk, bob.pk)
    with pytest.raises(Refused, match="many-blocks"):
        blocks.block_player(alice.pk, charlie.pk)
    assert Block.objects.count() == 1
