"""Every page is translated and accessible, and it fits a large and a small window.

The site runs with the pseudo-language, whose sentences are 40 % longer than the English ones. So
each page is opened once for all that is checked of it.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.marked_texts import ACCENTED, must_be_marked
from tests.browser.page_table import TABLE, Entry, Visitors, open_entry, run_sample_site
from tests.builders.axe import list_violations
from tests.builders.catalogs import PSEUDO, build_pseudo_catalog
from tests.builders.players import PASSWORD
from tests.builders.sample_site import MEMBER, ORGANISER, REVIEWER
from tests.builders.sites import Site
from tests.builders.visitors import DESK, PHONE, STILL, Visitor, send_account_form

Sample = tuple[Site, dict[str, str]]

RULES = {"rules": {"target-size": {"enabled": True}}}  # in addition to the default rules
IN_THE_OTHER_SCHEME = {
    "runOnly": ["color-contrast", "target-size"]
}  # the other rules do not depend on the scheme

MORE = [
    *(Entry(f"/rules/{slug}/") for slug in (
        "tic-tac-toe", "parallel-tic-tac-toe", "six-in-a-row",
    )),
    Entry("/ratings/bots/"),
    Entry("/nowhere/"),
    *(Entry(path, "guest") for path in ("/forget/", "/games/")),
    *(Entry(path, MEMBER) for path in (
        "/games/", "/preferences/", "/accounts/tokens/", "/accounts/webhooks/",
        "/accounts/appeal/", "/accounts/name/", "/tournaments/",
    )),
    Entry("/groups/", ORGANISER),
    *(Entry(path, REVIEWER) for path in ("/admin/", "/admin/status/")),
]  # fmt: skip


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    catalogs = str(build_pseudo_catalog())
    folder = tmp_path_factory.mktemp("pseudo")
    with run_sample_site(folder, PSEUDO_LANGUAGE=catalogs) as found:
        yield found


@pytest.fixture(scope="module")
def visitors(browser: Browser, sample: Sample) -> Iterator[Visitors]:
    found = Visitors(browser, sample[0], locale="en-XA", **STILL)
    yield found
    found.close()


def name_of(entry: Entry) -> str:
    return f"{entry.who} {entry.page} {entry.name}".strip()


def must_fit(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def open_in_pseudo_language(sample: Sample, visitors: Visitors, entry: Entry) -> Visitor:
    """Open the page of an entry on a desktop, and check that all its texts are marked."""
    visitor = visitors.find(entry.who)
    visitor.complaints.clear()
    visitor.page.set_viewport_size(DESK["viewport"])
    visitor.page.emulate_media(color_scheme="light")
    open_entry(visitor.page, entry, *sample)
    assert visitor.page.locator("html").get_attribute("lang") == PSEUDO
    must_be_marked(visitor.page)
    return visitor


@pytest.mark.parametrize("entry", TABLE, ids=name_of)
def test_a_page_is_marked_accessible_and_fits(
    sample: Sample, visitors: Visitors, entry: Entry
) -> None:
    visitor = open_in_pseudo_language(sample, visitors, entry)
    page = visitor.page
    assert list_violations(page, RULES) == []
    must_fit(page)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE["viewport"])
    assert list_violations(page, IN_THE_OTHER_SCHEME) == []
    for direction in ("ltr", "rtl"):
        page.evaluate("(to) => document.documentElement.dir = to", direction)
        must_fit(page)
    visitor.forgive_refusal()  # an address that does not exist, and an invalid form
    assert visitor.complaints == []


@pytest.mark.parametrize("entry", MORE, ids=name_of)
def test_another_page_is_marked_and_fits(sample: Sample, visitors: Visitors, entry: Entry) -> None:
    page = open_in_pseudo_language(sample, visitors, entry).page
    page.set_viewport_size(PHONE["viewport"])
    must_fit(page)


def test_every_word_from_sign_up_to_a_tournament_is_marked(
    sample: Sample, browser: Browser
) -> None:
    site, pages = sample
    page = browser.new_page(**DESK, **STILL, locale="en-XA")
    page.goto(f"{site.url}/accounts/login/")
    send_account_form(page, login="Nobody Here", password="wrong")
    expect(page.locator(".error, .errorlist").first).to_contain_text(ACCENTED)
    must_be_marked(page)
    page.goto(f"{site.url}/accounts/signup/")
    send_account_form(page, username="Zelda", password1="short")
    expect(page.locator(".error, .errorlist").first).to_contain_text(ACCENTED)
    must_be_marked(page)
    send_account_form(page, username="Zelda", password1=PASSWORD)
    expect(page.locator("#words-list li")).to_have_count(8)
    must_be_marked(page)
    page.locator(".buttons .primary").click()
    expect(page.locator(".account-menu summary")).to_contain_text("Zelda")
    page.goto(f"{site.url}{pages['swiss open']}")
    page.locator("form .primary").first.click()
    expect(page.locator("main")).to_contain_text("Zelda")
    must_be_marked(page)
    page.goto(f"{site.url}{pages['swiss over']}")
    must_be_marked(page)
    page.context.close()
