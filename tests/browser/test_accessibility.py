"""Every page is accessible in both colour schemes and fits a large and a small window."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.page_table import TABLE, Entry, Visitors, open_entry, run_sample_site
from tests.builders.sites import Site
from tests.builders.visitors import DESK, PHONE

QUICK = {"resultTypes": ["violations"]}  # leave out the thousands of nodes that pass
RULES = {**QUICK, "rules": {"target-size": {"enabled": True}}}  # in addition to the default rules
IN_THE_OTHER_SCHEME = {
    **QUICK,
    "runOnly": ["color-contrast", "target-size"],
}  # the other rules do not depend on the scheme

Sample = tuple[Site, dict[str, str]]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    with run_sample_site(tmp_path_factory.mktemp("sample")) as found:
        yield found


@pytest.fixture(scope="module")
def visitors(browser: Browser, sample: Sample) -> Iterator[Visitors]:
    found = Visitors(browser, sample[0])
    yield found
    found.close()


def list_problems(page: Page, options: dict[str, Any]) -> list[Any]:
    return [
        (violation["id"], [node["html"][:160] for node in violation["nodes"][:3]])
        for violation in Axe().run(page, options=options).response["violations"]
    ]


@pytest.mark.parametrize("entry", TABLE, ids=[f"{e.who} {e.page} {e.name}".strip() for e in TABLE])
def test_a_page_is_accessible_and_fits(sample: Sample, visitors: Visitors, entry: Entry) -> None:
    site, pages = sample
    visitor = visitors.find(entry.who)
    page = visitor.page
    visitor.complaints.clear()
    page.set_viewport_size(DESK["viewport"])
    page.emulate_media(color_scheme="light")
    open_entry(page, entry, site, pages)
    assert list_problems(page, RULES) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE["viewport"])
    assert list_problems(page, IN_THE_OTHER_SCHEME) == []
    for direction in ("ltr", "rtl"):
        page.evaluate("(to) => document.documentElement.dir = to", direction)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visitor.forgive_refusal()  # an address that does not exist, and an invalid form
    assert visitor.complaints == []
