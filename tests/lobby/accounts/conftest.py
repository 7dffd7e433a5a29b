"""Fixtures for the tests of accounts."""

import pytest

from lobby.models import Player
from tests.builders.players import create_player


@pytest.fixture
def anna(db: None) -> Player:
    return create_player("Anna Berg")
