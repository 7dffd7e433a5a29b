"""Sites of one server and of two, for the tests of all of the lobby."""

from collections.abc import Sequence

import pytest

from tests.builders.sites import Person, Site


@pytest.fixture(params=["one server", "two servers"])
def places(request: pytest.FixtureRequest) -> Sequence[Site]:
    """Where alice is, and where bob is."""
    if request.param == "one server":
        return [request.getfixturevalue("site")] * 2
    found: list[Site] = request.getfixturevalue("sites")
    return found


@pytest.fixture
def people(places: Sequence[Site]) -> tuple[Person, Person]:
    """Alice and Bob, each at a server of their own."""
    alice, bob = (Person(places[0]).be_guest() for _ in range(2))
    return alice, bob.at(places[1])
