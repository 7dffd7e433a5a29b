"""People of the review: alice and bob play, charlie looks on, rita reviews, sara is senior."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.utils import timezone

from games.journal.opening import open_match
from games.journal.requests import Request
from games.journal.transaction import commit
from games.match.commands import Play
from games.match.setup import Setup
from games.models import Match
from tests.factors import give_factor


def player(name: str, group: str = "", **more: Any) -> Any:
    made = get_user_model()._default_manager.create_user(
        username=name, password="a-password", is_staff=bool(group), **more
    )
    if group and group != "none":
        made.groups.add(Group.objects.get(name=group))
    if group:
        give_factor(made)
    return made


@pytest.fixture
def alice(db: None) -> Any:
    return player("alice")


@pytest.fixture
def bob(db: None) -> Any:
    return player("bob")


@pytest.fixture
def charlie(db: None) -> Any:
    return player("charlie")


@pytest.fixture
def rita(db: None) -> Any:
    return player("rita", "reviewer")


@pytest.fixture
def sara(db: None) -> Any:
    return player("sara", "senior reviewer")


def live(game: str, first: Any, second: Any, plies: int = 0, clock: str = "") -> Match:
    """A live match in which so many plies were played, always the first legal action."""
    match = open_match(Setup(game, clock), first.pk, second.pk, timezone.now())
    for ply in range(plies):
        act(match, ply)
    match.refresh_from_db()
    return match


def act(match: Match, ply: int, pick: int = 0) -> None:
    match.refresh_from_db()
    position = match.rules.read(match.notation)
    seat = match.rules.roles.index(position.turn or "")
    who = (match.first_id, match.second_id)[seat]
    action = position.actions()[pick]
    (answer,), _ = commit([Request(match.pk, who, Play(ply, action))])
    assert answer.refused is None, answer


def over(game: str, first: Any, second: Any, seed: int = 1) -> Match:
    """A match played by chance to the end that its rules give it."""
    chance = random.Random(seed)
    match = live(game, first, second)
    while match.status == "live":
        actions = match.rules.read(match.notation).actions()
        act(match, match.ply, chance.randrange(len(actions)))
        match.refresh_from_db()
    return match


@pytest.fixture
def finished(alice: Any, bob: Any) -> Callable[..., Match]:
    def make(game: str = "dots-and-boxes", seed: int = 1) -> Match:
        return over(game, alice, bob, seed)

    return make


@pytest.fixture
def there(db: None) -> dict[str, Any]:
    from tests.games.review.everybody import things  # which makes its people by `player`

    return things()
