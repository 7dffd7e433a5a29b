"""Fixtures for the lobby's tests: sites with one server and with two."""

from collections.abc import Sequence

import pytest

from tests.builders.sites import Person, Site


@pytest.fixture(params=["one server", "two servers"])
def places(request: pytest.FixtureRequest) -> Sequence[Site]:
    """The servers of Alice and Bob: the same one, or two."""
    if request.param == "one server":
        return [request.getfixturevalue("site")] * 2
    found: list[Site] = request.getfixturevalue("sites")
    return found


@pytest.fixture
def people(places: Sequence[Site]) -> tuple[Person, Person]:
    """Alice and Bob, each on their own server."""
    alice, bob = (Person(places[0]).be_guest() for _ in range(2))
    return alice, bob.at(places[1])
