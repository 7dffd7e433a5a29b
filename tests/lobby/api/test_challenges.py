"""The reasons for declining a challenge: lichess's codes are accepted besides the site's own."""

import json
from typing import get_args

import pytest
from berserk.types.challenges import ChallengeDeclineReason
from django.test import Client

from games.match.setup import Setup
from lobby.accounts import tokens
from lobby.api.schemas.challenges import REASONS
from lobby.models import Challenge, Player
from lobby.seeks.challenges import WORDS, create_challenge
from tests.builders.players import create_player

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("reason", "word"),
    [("timeControl", "clock"), ("time_control", "clock"), ("variant", "game"), ("later", "later")],
)
def test_a_reason_is_stored_as_a_code_of_the_site(alice: Player, reason: str, word: str) -> None:
    bob = create_player("bob")
    made = create_challenge(alice.pk, bob.pk, Setup("six-in-a-row"))
    token = tokens.create_token(bob.pk, "it", ("challenges",)).text
    answer = Client().post(
        f"/api/challenge/{made.pk}/decline",
        json.dumps({"reason": reason}),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    assert answer.status_code == 200, answer.content
    assert Challenge.objects.get(pk=made.pk).word == word


def test_every_reason_that_lichess_knows_is_accepted() -> None:
    assert set(get_args(ChallengeDeclineReason)) <= REASONS.keys()
    assert set(REASONS.values()) == set(WORDS)
