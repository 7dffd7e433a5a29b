"""A table of all pages, and of the states that a visitor can bring them into.

The actions find elements by their English texts, also on pages in the pseudo-language.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from games.rules import GAMES
from tests.builders import nursery
from tests.builders.catalogs import PSEUDO, accent
from tests.builders.oauth import allow_at_site, exchange_code_at_once, get_address
from tests.builders.players import PASSWORD
from tests.builders.sample_site import KINDS, MEMBER, ORGANISER, REVIEWER
from tests.builders.sites import Person, Site, copy_prepared
from tests.builders.visitors import PHONE, Visitor, take_session, wait_for_analysis, watch

FILL = "import json; from tests.builders.sample_site import fill; print(json.dumps(fill()))"

Act = Callable[[Page], Any]
"""Brings a page that was opened into the state that is checked."""


@dataclass(frozen=True)
class Entry:
    page: str  # a path, or the name of one in `sample_site`
    who: str = ""  # a name in `sample_site`, "guest", "one screen" (another guest), or nobody
    act: Act | None = None
    name: str = ""


def said(page: Page, text: str) -> str:
    """Return a part of an English sentence in the language of the page."""
    language = page.locator("html").get_attribute("lang")
    return accent(text) if language == PSEUDO else text


def unfold(selector: str) -> Act:
    return lambda page: page.locator(f"{selector} > summary").first.click()


def seek(page: Page) -> None:
    page.click('[data-seek="six-in-a-row"]')
    expect(page.locator("#waiting li").first).to_be_visible()
    expect(page.locator("#seeks li").first).to_be_visible()


def invite(page: Page) -> None:
    page.locator('.game[data-game="six-in-a-row"] .more').click()
    page.locator('#game-menu [action="/seek/"] button').click()
    expect(page.locator("#address")).to_be_visible()


def see_the_bar(page: Page) -> None:
    expect(page.locator("#waiting li").first).to_be_visible()


def want_rated(page: Page) -> None:
    page.locator('input[name="control"][value="3+2"]').check()
    page.locator("#wants-rated").check(force=True)
    expect(page.locator("#rating-range")).to_be_visible()


def analyse(page: Page) -> None:
    button = page.get_by_role("button", name=said(page, "Analyse this game"))
    if button.is_visible():  # hidden once someone has requested the analysis
        button.click()
    wait_for_analysis(page, "#analysis")


def look(page: Page) -> None:
    if page.locator("#ask button").is_visible():
        page.click("#ask button")
    expect(page.locator("#look")).to_contain_text(said(page, "Best move:"))


def open_a_pairing(page: Page) -> None:
    page.locator(".pair .board-number").first.click()
    expect(page.locator("h1")).to_contain_text(said(page, "Why did these two meet?"))


def confirm_password(page: Page) -> None:
    page.fill("[name=password]", PASSWORD)
    page.click(".account-form .primary")
    expect(page.locator("[name=password]")).to_have_count(0)


def send_without_a_name(page: Page) -> None:
    page.get_by_label(said(page, "Name")).fill("")
    page.get_by_role("button", name=said(page, "Create tournament")).click()
    expect(page.locator("#about-name")).to_be_visible()


def send_a_list_with_faults(page: Page) -> None:
    page.get_by_label(said(page, "One name per line")).fill("Anna\nAnna\nx")
    page.get_by_role("button", name=said(page, "Create accounts")).first.click()
    expect(page.locator(".faults li").first).to_be_visible()


def make_accounts(page: Page) -> None:
    page.get_by_label(said(page, "One name per line")).fill("Pupil Able\nPupil Baker")
    page.get_by_role("button", name=said(page, "Create accounts")).first.click()
    expect(page.locator(".slip")).to_have_count(2)


def see_the_class(page: Page) -> None:
    expect(page.locator(".pupils li")).to_have_count(3)


def see_the_pictures(page: Page) -> None:
    see_the_class(page)
    page.locator(".pupils a").first.click()
    expect(page.locator(".picture-row")).to_have_count(3)


def print_cards(page: Page) -> None:
    page.get_by_role("link", name=said(page, "Tick all")).click()
    page.get_by_role("button", name=said(page, "New cards and pictures")).click()
    expect(page.locator(".slip")).to_have_count(3)


def pass_the_first_step(page: Page) -> None:
    page.fill("[name=login]", REVIEWER)
    page.fill("[name=password]", PASSWORD)
    page.click(".account-form .primary")
    expect(page.locator("h1")).to_contain_text(said(page, "Two-step login"))


def open_menu(page: Page) -> None:
    page.locator('.game[data-game="tic-tac-toe"] .more').click()
    expect(page.locator("#game-menu")).to_be_visible()


def open_site_menu(page: Page) -> None:
    page.set_viewport_size(PHONE["viewport"])
    page.locator(".site-menu > summary").click()


def open_computer(page: Page) -> None:
    open_menu(page)
    page.locator("#game-menu [data-dialog=computer]").click()
    expect(page.locator("#computer")).to_be_visible()


def play_at_one_screen(page: Page) -> None:
    open_menu(page)
    page.locator("#game-menu .beside").click()
    page.wait_for_selector('#match:not([data-role=""])')


def open_a_card(page: Page) -> None:
    page.locator("#standings tbody th a").first.click()
    expect(page.locator(".card").first).to_be_visible()


TABLE = [
    *(Entry(path) for path in (
        "/", "/tv/", "/rules/", "/rules/dots-and-boxes/", "/analysis/", "/offline/", "/ratings/",
        "/ratings/dots-and-boxes/", "/tournaments/", "/preferences/", "/match/nosuchone/",
        "/accounts/login/", "/accounts/signup/", "/accounts/recovery/", "/accounts/password/reset/",
        "/players/?q=a", "player", "embed", "over tic-tac-toe", "invitation",
    )),
    Entry("/", act=open_menu, name="menu"),
    Entry("/", act=open_computer, name="levels"),
    Entry("/ratings/", act=open_site_menu, name="site menu"),
    Entry("/ratings/", "guest", unfold(".own-menu"), "own menu"),
    Entry("/accounts/login/", act=pass_the_first_step, name="second step"),
    Entry("/", "one screen", play_at_one_screen),
    Entry("/", "guest", seek, "waiting"),
    Entry("/", "guest", invite, "inviting"),
    Entry("/rules/", "guest", see_the_bar, "inviting elsewhere"),
    Entry("/analysis/tic-tac-toe/xo......x/", "guest", look, "looked at"),
    *(Entry(path, MEMBER) for path in (
        "/accounts/", "/accounts/2fa/", "/accounts/email/", "/accounts/password/",
        "/accounts/sessions/", "/accounts/words/", "/accounts/close/", "/accounts/applications/",
        "/groups/", "group", "player", "challenge", "timed", "draw offered", "rated",
    )),
    Entry("/accounts/2fa/totp/activate/", MEMBER, confirm_password),
    Entry(get_address(), MEMBER, name="consent"),
    Entry("/", MEMBER, want_rated, "rated wanted"),
    *(Entry(f"{state} {slug}", MEMBER) for slug in GAMES for state in ("live", "over")),
    *(Entry("live tic-tac-toe", MEMBER, unfold(fold), fold)
      for fold in ("#phrases", "#how-to-play", "#menu")),
    Entry("over tic-tac-toe", MEMBER, analyse, "analysed"),
    *(Entry(f"{kind} {stage}", ORGANISER) for kind in KINDS for stage in ("running", "over")),
    Entry("swiss over", act=open_a_card, name="card"),
    Entry("arena over", act=open_a_card, name="card"),
    Entry("swiss over", act=open_a_pairing, name="why"),
    Entry("swiss wall"),
    Entry("swiss open", ORGANISER),
    Entry("arena open", MEMBER),
    Entry("arena running", MEMBER),
    Entry("arena game", MEMBER),
    Entry("arena running", ORGANISER, unfold("#tool-end"), "tools"),
    Entry("/tournaments/new/", ORGANISER, send_without_a_name),
    Entry("group", ORGANISER),
    *(Entry(page, ORGANISER) for page in ("move", "remove", "care", "close", "closed")),
    Entry("class tournament", ORGANISER),
    Entry("accounts", ORGANISER, send_a_list_with_faults),
    Entry("accounts", ORGANISER, make_accounts, "sheet"),
    Entry("/class/"),
    Entry("class login", act=see_the_class, name="names"),
    Entry("class login", act=see_the_pictures, name="pictures"),
    *(Entry(f"class {page}", ORGANISER) for page in ("cards", "names", "login/board")),
    Entry("class cards", ORGANISER, print_cards, "sheet"),
]  # fmt: skip


@contextmanager
def run_sample_site(folder: Path, **more: str) -> Iterator[tuple[Site, dict[str, str]]]:
    """Run a site that has one of everything; yield it and its paths by name."""
    env = {"BOT_PROCESSES": "1", "ANALYSIS_MS_PER_MOVE": "50", "SECRET_KEY": "k" * 50, **more}
    copy_prepared(folder, with_database=True)
    filled = nursery.run(
        ["manage.py", "shell", "-v0", "-c", FILL], {**os.environ, **env, "DATA_DIR": str(folder)}
    )
    assert filled.returncode == 0, filled.stderr
    pages = json.loads(filled.stdout.splitlines()[-1])
    site = Site(folder, env)
    try:
        host = Person(site.wait()).be_guest()
        _, pages["invitation"] = host.post("/seek/", b"game=six-in-a-row")
        pages["swiss wall"] = f"{pages['swiss over']}?display"
        member = Person(site).log_in(MEMBER, PASSWORD)
        assert exchange_code_at_once([site], allow_at_site(member))[0][0] == 200
        pages["accounts"] = f"{pages['group']}accounts/"
        pages["class tournament"] = f"{pages['group']}tournament/"
        yield site, pages
        site.must_be_calm()
    finally:
        site.stop()


class Visitors:
    """The browsers of the table's people. All entries share them."""

    def __init__(self, browser: Browser, site: Site, **how: Any) -> None:
        self._browser, self._site, self._how = browser, site, how
        self._found: dict[str, Visitor] = {}

    def find(self, who: str) -> Visitor:
        """Return the browser of a person (`Entry.who`)."""
        if who in self._found:
            return self._found[who]
        person = Person(self._site)
        if who in {"guest", "one screen"}:
            person.be_guest()
        elif who:
            person.log_in(who, PASSWORD)
        visitor = self._found[who] = Visitor(self._browser.new_page(**self._how), self._site)
        take_session(visitor, person)
        watch(visitor.page, visitor.complaints)
        # Without an answer the offline page stays. It would leave after three seconds.
        visitor.page.route("**/healthz", lambda _: None)
        return visitor

    def close(self) -> None:
        for visitor in self._found.values():
            visitor.page.context.close()


def open_entry(page: Page, entry: Entry, site: Site, pages: dict[str, str]) -> None:
    """Open the page of an entry, and bring it into the entry's state."""
    address = pages.get(entry.page, entry.page)
    page.goto(address if address.startswith("http") else f"{site.url}{address}")
    if entry.act:
        entry.act(page)
