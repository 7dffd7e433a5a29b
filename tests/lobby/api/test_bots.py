"""Bots: only new accounts become bots; they are marked, rated apart, and play only if asked."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from games.journal.opening import open_match
from games.match.setup import Setup
from games.messages.refusal import Refused
from lobby.accounts import tokens
from lobby.accounts.names import change_name
from lobby.api import event_stream_leases
from lobby.models import Player, Rating, Token
from lobby.players.bots import upgrade_to_bot
from lobby.players.people import find_player
from lobby.ratings import leaderboards
from lobby.ratings.eligibility import _exclude_bots_against_people
from lobby.seeks import matchmaking
from lobby.seeks.challenges import create_challenge
from tests.builders.players import create_player

pytestmark = pytest.mark.django_db

GAME = "six-in-a-row"
RATED = Setup(GAME, "3+2", rated=True)


@pytest.fixture
def tinker() -> Player:
    made = create_player("tinker")
    upgrade_to_bot(made.pk)
    made.refresh_from_db()
    return made


def test_who_has_played_stays_a_person(alice: Player) -> None:
    bob = create_player("bob")
    open_match(Setup(GAME), alice.pk, bob.pk)
    with pytest.raises(Refused, match="bot-has-played"):
        upgrade_to_bot(alice.pk)
    judge = create_player("judge", is_staff=True)
    with pytest.raises(Refused, match="not-allowed"):
        upgrade_to_bot(judge.pk)


def test_a_repeat_changes_nothing(tinker: Player) -> None:
    upgrade_to_bot(tinker.pk)
    assert Player.objects.get(pk=tinker.pk).is_bot


def test_its_name_is_marked_and_it_is_found_by_it(tinker: Player, alice: Player) -> None:
    assert tinker.name == "tinker (bot)"
    assert find_player("tinker (bot)", None) == find_player("tinker", None) == tinker
    match = open_match(Setup(GAME), alice.pk, tinker.pk)
    page = Client().get(f"/match/{match.pk}/").content.decode()
    assert "tinker (bot)" in page
    assert "tinker (bot)" in Client().get("/player/tinker/").content.decode()
    told = Client().get("/api/user/tinker").json()
    assert (told["username"], told["title"]) == ("tinker", "BOT")
    change_name(tinker.pk, "Gearwheel")
    assert Player.objects.get(pk=tinker.pk).name == "Gearwheel (bot)"


def test_nobody_can_take_such_a_name() -> None:
    with pytest.raises(ValidationError, match="name"):
        Player.objects.create_user("alice (bot)")


def test_it_does_not_look_for_people(tinker: Player, alice: Player) -> None:
    with pytest.raises(Refused, match="not-for-bots"):
        matchmaking.create_seek(tinker.pk, Setup(GAME))
    listed = matchmaking.create_seek(alice.pk, Setup(GAME))
    with pytest.raises(Refused, match="not-for-bots"):
        matchmaking.get_joinable_seek(tinker.pk, listed.pk)
    # A player with the address of an invitation was invited.
    invitation = matchmaking.create_seek(alice.pk, Setup(GAME), by_address=True)
    assert matchmaking.get_joinable_seek(tinker.pk, invitation.pk) == invitation


def test_bots_and_people_are_rated_apart(tinker: Player, alice: Player) -> None:
    with pytest.raises(Refused, match="rated-apart"):
        create_challenge(alice.pk, tinker.pk, RATED)
    assert create_challenge(alice.pk, tinker.pk, Setup(GAME, "3+2"))
    other = create_player("cogs")
    upgrade_to_bot(other.pk)
    assert create_challenge(other.pk, tinker.pk, RATED)
    pairs = {"a": (alice.pk, tinker.pk), "b": (tinker.pk, other.pk)}
    assert _exclude_bots_against_people(pairs) == {"b": (tinker.pk, other.pk)}


def test_each_kind_has_its_board(tinker: Player, alice: Player) -> None:
    now = timezone.now()
    row: dict[str, Any] = {
        "game": GAME, "rating": 1800.0, "deviation": 50.0, "volatility": 0.06, "games": 30,
        "best": 1800.0, "streak": 0, "longest": 0, "key": "x", "rated_at": now,
        "listed_until": now + timedelta(days=9),
    }  # fmt: skip
    for player in (tinker, alice):
        Rating.objects.create(player=player, **row)
    assert [each.name for each in leaderboards.get_leaderboard(GAME)] == ["alice"]
    assert [each.name for each in leaderboards.get_leaderboard(GAME, bots=True)] == ["tinker (bot)"]
    for player in (tinker, alice):
        found = leaderboards.get_rank(GAME, player.pk)
        assert found is not None
        assert found.rank == 1


def test_those_that_listen_are_listed_for_two_minutes(tinker: Player, alice: Player) -> None:
    texts = {each: tokens.create_token(each.pk, "it", ("bot",)) for each in (tinker, alice)}

    def online() -> list[str]:
        answer = Client().get("/api/bot/online")
        assert answer.status_code == 200
        return [json.loads(line)["id"] for line in answer.content.splitlines()]

    assert online() == []
    for made in texts.values():
        event_stream_leases.begin_stream(made.id, "stream")
    assert online() == ["tinker"]  # alice is a person
    later = timezone.now() - timedelta(seconds=121)
    Token.objects.update(used_at=later)
    assert online() == []
    event_stream_leases.renew_stream([texts[tinker].id])
    assert online() == ["tinker"]
    event_stream_leases.begin_stream(texts[tinker].id, "newer")
    event_stream_leases.end_stream(texts[tinker].id, "stream")
    assert online() == ["tinker"]
    event_stream_leases.end_stream(texts[tinker].id, "newer")
    assert online() == [] and not event_stream_leases.has_stream(tinker.pk)
    event_stream_leases.begin_stream(texts[tinker].id, "newest")
    assert online() == ["tinker"]
    Player.objects.filter(pk=tinker.pk).update(is_active=False)
    assert online() == []
    assert Client().get("/api/bot/online?nb=0").status_code == 400
