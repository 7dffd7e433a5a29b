"""A guest, and two people with accounts."""

from typing import Any

import pytest

from lobby.accounts.guests import new_guest
from lobby.models import Player
from tests.games.review.conftest import player


@pytest.fixture
def guest() -> Player:
    return new_guest()


@pytest.fixture
def anna() -> Any:
    return player("Anna Berg")


@pytest.fixture
def bob() -> Any:
    return player("Bob Cole")
