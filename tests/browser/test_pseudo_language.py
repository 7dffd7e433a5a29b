"""A match shows no text that is not marked for translation, from the lobby to its end."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.marked_texts import ACCENTED, must_be_marked
from tests.builders.catalogs import PSEUDO, build_pseudo_catalog
from tests.builders.computer import analyse
from tests.builders.sites import Site
from tests.builders.visitors import DESK, PHONE, STILL, Visitor, wait_for_analysis, watch


@pytest.fixture(scope="module")
def empty_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    env = {"PSEUDO_LANGUAGE": str(build_pseudo_catalog())}
    server = Site(tmp_path_factory.mktemp("empty"), env)
    try:
        yield server.wait()
    finally:
        server.stop()


@pytest.fixture
def people(empty_site: Site, browser: Browser) -> Iterator[Callable[[], Visitor]]:
    """Yield a function that creates visitors to that site."""
    contexts, complaints = [], list[str]()

    def new() -> Visitor:
        context = browser.new_context(**DESK, **STILL, locale="en-XA")
        contexts.append(context)
        visitor = Visitor(context.new_page(), empty_site, complaints)
        watch(visitor.page, complaints)
        return visitor

    yield new
    for context in contexts:
        context.close()
    assert complaints == []


def test_every_word_of_lobby_game_and_analysis_is_marked(people: Callable[[], Visitor]) -> None:
    alice, bob, charlie = people().open(), people().open(), people().open()
    must_be_marked(charlie.page)
    alice.page.click('[data-seek="tic-tac-toe"]')
    alice.page.wait_for_selector("#waiting:not([hidden])")
    bob.page.wait_for_selector("#seeks li")
    must_be_marked(alice.page)
    must_be_marked(bob.page)
    bob.page.locator("#seeks li button").click()
    for visitor in (alice, bob):
        visitor.wait_to_be_seated()
    seats = {alice.role(): alice, bob.role(): bob}
    charlie.page.wait_for_selector("#matches li")
    must_be_marked(charlie.page)
    charlie.open(alice.page.url.removeprefix(charlie.site.url))
    charlie.see_ply(0)
    moves = ["mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3"]
    for ply, action in enumerate(moves):
        seats[("xplayer", "oplayer")[ply % 2]].click_action(action)
        for visitor in (alice, bob, charlie):
            visitor.see_ply(ply + 1)
            if ply == 1:
                expect(visitor.page.locator("#status")).to_contain_text(ACCENTED)
                must_be_marked(visitor.page)
    for visitor in (alice, bob, charlie):
        visitor.page.wait_for_selector('#match[data-status="over"]')
        must_be_marked(visitor.page)
    alice.page.reload()
    must_be_marked(alice.page)
    alice.page.locator("#analyse button").click()
    alice.page.wait_for_selector('#analysis[data-state="waiting"]')
    must_be_marked(alice.page)
    analyse(alice.site, alice.page.url.split("/")[-2])
    wait_for_analysis(alice.page, "#analysis")
    must_be_marked(alice.page)
    alice.page.locator('[data-step="back"]').click()
    alice.page.wait_for_selector('#moves [aria-current="step"]')
    must_be_marked(alice.page)
    alice.page.locator("#commands button").first.click()  # asks for a rematch
    expect(alice.page.locator("#rematch-banner")).to_contain_text(ACCENTED)
    must_be_marked(alice.page)


def test_an_invitation_and_the_pages_of_what_went_wrong_are_marked(
    people: Callable[[], Visitor],
) -> None:
    alice, bob = people().open(), people()
    alice.open_menu("six-in-a-row").locator('[action^="/seek/"] button').click()
    alice.page.wait_for_selector("#address")
    must_be_marked(alice.page)
    bob.open(alice.page.url.removeprefix(bob.site.url))
    must_be_marked(bob.page)
    alice.open("/forget/")
    alice.page.wait_for_selector("#waiting:not([hidden])")
    must_be_marked(alice.page)
    for path in ("/tv/", "/rules/", "/rules/dots-and-boxes/"):
        bob.open(path)
        must_be_marked(bob.page)
    bob.open("/nothing/")
    must_be_marked(bob.page)
    bob.complaints[:] = [c for c in bob.complaints if "status of 404" not in c]


def test_the_switch_in_the_footer_works_without_scripts(empty_site: Site, browser: Browser) -> None:
    context = browser.new_context(**PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{empty_site.url}/players/?q=x")
    assert page.locator("html").get_attribute("lang") == "en"
    page.locator(".languages summary").click()
    for target in page.locator(".languages summary, .languages button").all():
        box = target.bounding_box()
        assert box and box["height"] >= 44 and box["width"] >= 44
    page.locator(f'.languages [value="{PSEUDO}"]').click()
    page.wait_for_url(f"{empty_site.url}/players/?q=x")
    assert page.locator("html").get_attribute("lang") == PSEUDO
    context.close()
