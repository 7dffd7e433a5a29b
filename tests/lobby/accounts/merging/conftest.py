"""A guest, and two people with accounts."""

from typing import Any

import pytest

from lobby.accounts.guests import new_guest
from lobby.models import Player
from tests.builders.players import create_player


@pytest.fixture
def guest() -> Player:
    return new_guest()


@pytest.fixture
def bob() -> Any:
    return create_player("Bob Cole")
