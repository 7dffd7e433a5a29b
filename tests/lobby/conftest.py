"""Sites of one server and of two, for the tests of all of the lobby."""

from collections.abc import Iterator, Sequence

import pytest

from tests.databases import database_of_its_own
from tests.live import Person, Site, servers


@pytest.fixture(scope="module")
def sites(
    postgres_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Site]]:
    """Two servers of one site, on PostgreSQL and Redis."""
    env = {"DATABASE_URL": postgres_url, "REDIS_URL": redis_url, "SECRET_KEY": "k" * 50}
    database_of_its_own(env)  # the wall and the lists show all matches there are
    with servers(env, *(tmp_path_factory.mktemp(f"server{i}") for i in range(2))) as found:
        yield found


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
