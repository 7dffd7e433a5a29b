"""A guest can choose another name only once, before the first game."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from games.messages.guest_names import LONGEST
from tests.builders.sites import Person, Site, pair


@pytest.fixture
def site(sites: list[Site]) -> Site:
    return sites[0]


def name(person: Person) -> str:
    found = re.search(r"You are <b><bdi>([^<]+)</bdi></b>", person.get("/")[1])
    assert found
    return found[1]


def is_offered(person: Person) -> bool:
    return "another-name" in person.get("/")[1]


def test_a_guest_gets_another_name_once(alice_online: Person) -> None:
    first = name(alice_online)
    assert len(first) <= LONGEST
    assert is_offered(alice_online)
    assert alice_online.post("/another-name/")[0] == 200
    second = name(alice_online)
    assert second != first
    assert not is_offered(alice_online)
    assert "only before your first game" in alice_online.form("/another-name/", b"")[1]
    assert name(alice_online) == second


def test_not_after_a_game_has_begun(alice_online: Person, bob_online: Person) -> None:
    pair(alice_online, bob_online, "tic-tac-toe")
    first = name(alice_online)
    assert not is_offered(alice_online)
    alice_online.post("/another-name/")
    assert name(alice_online) == first


def test_of_two_tabs_at_two_servers_one_gets_it(sites: list[Site]) -> None:
    for _ in range(5):
        here = Person(sites[0]).be_guest()
        tabs = [here.at(site) for site in sites for _ in range(2)]
        with ThreadPoolExecutor(len(tabs)) as pool:
            pages = list(pool.map(lambda tab: tab.form("/another-name/", b"")[1], tabs))
        refused = ["only before your first game" in page for page in pages]
        assert sum(refused) == len(tabs) - 1


def test_it_takes_a_post_with_the_token_and_comes_back_to_a_page_of_ours(
    alice_online: Person,
) -> None:
    first = name(alice_online)
    assert alice_online.get("/another-name/")[0] == 405
    assert alice_online.post("/another-name/", token="x" * 32)[0] == 403
    assert name(alice_online) == first
    assert (
        alice_online.post("/another-name/", b"next=//elsewhere.example/")[1]
        == f"{alice_online.site.url}/"
    )
    assert name(alice_online) != first


def test_who_is_nobody_is_offered_it_in_the_lobby_alone(site: Site, charlie_online: Person) -> None:
    assert is_offered(charlie_online)  # hidden until a script has made the visitor a guest
    assert "another-name" not in charlie_online.get("/forget/")[1]
    assert charlie_online.post("/another-name/") == (200, f"{site.url}/")
    assert "You are" not in charlie_online.get("/")[1]


def test_an_address_may_not_ask_all_day(tmp_path_factory: pytest.TempPathFactory) -> None:
    limited = Site(
        tmp_path_factory.mktemp("limited"), {"RATE_LIMITS": "on", "GUESTS_PER_MINUTE": "2"}
    ).wait()
    try:
        alice = Person(limited).be_guest()
        assert [alice.post("/another-name/")[0] for _ in range(3)] == [200, 200, 429]
    finally:
        limited.stop()
