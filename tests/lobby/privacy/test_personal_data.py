"""Data that the players' pages store about a person.

Tests cover what happens to it when a guest logs in or an account is closed, and that the export
includes it.
"""

import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.utils import timezone

from games.journal.opening import are_apart
from games.match.setup import Setup
from games.messages.refusal import Refused
from lobby.accounts.merging import merge_guest
from lobby.accounts.names import change_name
from lobby.live.player_state import read_own
from lobby.models import Block, Challenge, Player, Preferences
from lobby.players import blocks
from lobby.privacy.account_deletion import delete_due_accounts, schedule_deletion
from lobby.privacy.export import stream_export
from lobby.seeks.challenges import accept_challenge, create_challenge
from tests.builders.players import create_player

pytestmark = pytest.mark.django_db
SETUP = Setup("tic-tac-toe")


@pytest.fixture
def people() -> tuple[Any, Any, Any]:
    return (
        create_player("Sly Fox", is_guest=True),
        create_player("Anna Berg"),
        create_player("Bob Cole"),
    )


def test_blocks_of_a_guest_hold_for_the_account(people: tuple[Any, Any, Any]) -> None:
    guest, anna, bob = people
    blocks.block_player(guest.pk, bob.pk)
    blocks.block_player(bob.pk, guest.pk)
    merge_guest(guest.pk, anna.pk)
    for row in (guest, anna):
        assert are_apart([row.pk, bob.pk]) and are_apart([bob.pk, row.pk])
    assert blocks.list_blocked(anna.pk) == [bob] and blocks.list_blocked(bob.pk) == [anna]
    with pytest.raises(Refused, match="no-challenges"):
        create_challenge(bob.pk, anna.pk, SETUP)


def test_a_block_of_an_alias_is_one_of_its_person(people: tuple[Any, Any, Any]) -> None:
    guest, anna, bob = people
    merge_guest(guest.pk, anna.pk)
    blocks.block_player(bob.pk, guest.pk)
    assert Block.objects.get().whom == anna
    with pytest.raises(Refused, match="block-yourself"):
        blocks.block_player(anna.pk, guest.pk)


def test_challenges_of_a_guest_are_the_accounts(people: tuple[Any, Any, Any]) -> None:
    guest, anna, bob = people
    charlie = create_player("Charlie Day")
    made = create_challenge(bob.pk, guest.pk, SETUP)
    create_challenge(guest.pk, anna.pk, SETUP)  # would become a challenge to oneself
    create_challenge(guest.pk, charlie.pk, SETUP)
    kept = create_challenge(anna.pk, charlie.pk, SETUP)  # the second between the same two players
    merge_guest(guest.pk, anna.pk)
    assert set(Challenge.objects.values_list("pk", flat=True)) == {made.pk, kept.pk}
    assert {each.challenge for each in read_own([anna.pk])[anna.pk].challenges} == {
        made.pk,
        kept.pk,
    }
    accepted = accept_challenge(anna.pk, made.pk)
    assert set(accepted.players) == {anna.pk, bob.pk}


def test_a_match_that_the_guest_was_challenged_to_is_told_to_the_account(
    people: tuple[Any, Any, Any],
) -> None:
    guest, anna, bob = people
    match_id = accept_challenge(guest.pk, create_challenge(bob.pk, guest.pk, SETUP).pk).match_id
    merge_guest(guest.pk, anna.pk)
    assert [each.match for each in read_own([anna.pk])[anna.pk].begun] == [match_id]


def test_an_alias_challenges_nobody(people: tuple[Any, Any, Any]) -> None:
    guest, anna, bob = people
    merge_guest(guest.pk, anna.pk)
    for by, whom in ((guest, bob), (bob, guest), (guest, anna)):
        with pytest.raises(Refused):
            create_challenge(by.pk, whom.pk, SETUP)


def test_whoever_must_choose_another_name_first_neither_challenges_nor_accepts(
    people: tuple[Any, Any, Any],
) -> None:
    _, anna, bob = people
    made = create_challenge(bob.pk, anna.pk, SETUP)
    Player.objects.filter(pk=anna.pk).update(must_rename=True)
    with pytest.raises(Refused, match="rename-first"):
        accept_challenge(anna.pk, made.pk)
    with pytest.raises(Refused, match="rename-first"):
        create_challenge(anna.pk, bob.pk, SETUP)


def test_closing_takes_them_away_and_the_page_with_them(people: tuple[Any, Any, Any]) -> None:
    guest, anna, bob = people
    Preferences.objects.create(player=anna, sound=False)
    blocks.block_player(anna.pk, guest.pk)
    create_challenge(anna.pk, bob.pk, SETUP)
    schedule_deletion(anna.pk)
    Player.objects.filter(pk=anna.pk).update(closing_at=timezone.now() - timedelta(days=1))
    delete_due_accounts()
    for model in (Preferences, Block, Challenge):
        assert not model.objects.exists()
    assert Client().get("/player/Anna%20Berg/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_the_download_has_them(people: tuple[Any, Any, Any]) -> None:
    _, anna, bob = people
    Preferences.objects.create(player=anna, sound=False)
    create_challenge(bob.pk, anna.pk, SETUP)
    Block.objects.create(by=anna, whom=bob, at=timezone.now())

    async def read() -> bytes:
        return b"".join([piece async for piece in stream_export(anna)])

    told = json.loads(async_to_sync(read)())
    assert told["preferences"][0]["sound"] is False
    assert [each["whom__username"] for each in told["blocks"]] == ["Bob Cole"]
    assert [each["challenger__username"] for each in told["challenges"]] == ["Bob Cole"]


def test_a_former_name_leads_to_the_page(people: tuple[Any, Any, Any]) -> None:
    _, anna, _ = people
    change_name(anna.pk, "Anna Clay")
    assert Client().get("/player/Anna%20Berg/").headers["Location"] == "/player/Anna%20Clay/"
    assert Client().get("/player/Anna%20Clay/").status_code == 200
