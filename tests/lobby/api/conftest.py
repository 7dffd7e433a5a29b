"""Fixtures for the tests of the API."""

import pytest
from django.test import Client

from lobby.models import Player
from tests.builders.players import log_in


@pytest.fixture
def browser(alice: Player) -> Client:
    """A client in which Alice logged in with her password."""
    return log_in("alice")
