"""Fixtures of the review's tests."""

from collections.abc import Callable
from typing import Any

import pytest

from games.models import Match
from lobby.models import Player
from tests.builders.everything import create_everything
from tests.builders.matches import create_finished_match


@pytest.fixture
def finished(alice: Player, bob: Player) -> Callable[..., Match]:
    def make(game: str = "dots-and-boxes", seed: int = 1) -> Match:
        return create_finished_match(game, alice, bob, seed)

    return make


@pytest.fixture
def there(db: None) -> dict[str, Any]:
    return create_everything()
