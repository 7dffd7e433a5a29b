"""Visitors, each with their own browser."""

import itertools
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookiejar import Cookie
from pathlib import Path
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from tests.builders.people import create_accounts
from tests.builders.players import PASSWORD
from tests.builders.sites import PATIENCE, Person, Site

# Five seconds, the default, are too short when the browser and the server share a busy machine.
expect.set_options(timeout=PATIENCE * 1000)

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
}
SMALL_PHONE: dict[str, Any] = {**PHONE, "viewport": {"width": 390, "height": 664}}
STILL: dict[str, Any] = {"reduced_motion": "reduce"}
MOVING: dict[str, Any] = {"reduced_motion": "no-preference"}
WITHOUT_WORKER: dict[str, Any] = {"service_workers": "block"}

BLOCKED_WORKER = "Service Worker registration blocked by Playwright"
"""Playwright's warning on pages of `WITHOUT_WORKER`."""

_LOST_CONNECTION = ("net::ERR_", "WebSocket", "error occurred when fetching the script")
"""Parts of the browser's errors about a lost connection. The last is of the service worker."""

_SESSIONS = """
from tests.builders.players import client_for
for name in {names!r}:
    (cookie,) = client_for(Player.objects.get(username=name)).cookies.values()
    print("cookie", cookie.key, cookie.value)
"""

NOTE_SOUNDS = """() => {
  document.addEventListener("sound", ({ detail }) => {
    const heard = JSON.parse(sessionStorage.getItem("heard") ?? "[]");
    sessionStorage.setItem("heard", JSON.stringify([...heard, detail]));
  });
}"""
"""A script that notes the sounds of a page, for `get_sounds`."""

_NOTE_TEXT = """([selector, name]) => {
  new MutationObserver((_, observer) => {
    const found = [...document.querySelectorAll(selector)].find((e) => e.checkVisibility());
    if (!found) return;
    observer.disconnect();
    document.documentElement.dataset[name] = found.textContent;
  }).observe(document.body, { attributes: true, childList: true, subtree: true });
}"""
_numbers = itertools.count(1)


@dataclass
class Visitor:
    """A person with a browser."""

    page: Page
    site: Site
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str = "/") -> "Visitor":
        self.page.goto(f"{self.site.url}{path}")
        return self

    def see_ply(self, ply: int) -> None:
        self.page.wait_for_selector(f'#match[data-ply="{ply}"]')

    def role(self) -> str:
        return self.page.get_attribute("#match", "data-role") or ""

    def wait_to_be_seated(self) -> None:
        self.page.wait_for_url("**/match/**")
        self.page.wait_for_selector('#match:not([data-role=""])')

    def click_action(self, action: str) -> None:
        """Click on the element or button of the action, as a person would."""
        self.page.locator(f'[data-action="{action}"]:visible').click()
        self.confirm()

    def click_cells(self, action: str, first: int = 1) -> None:
        """Make the two clicks of Parallel Tic-Tac-Toe, in either order."""
        _, *words = action.split()
        cells = {1: " ".join(words[:2]), 2: " ".join(words[2:])}
        for grid in (first, 3 - first):
            self.page.locator(f'[data-grid="{grid}"][data-cell="{cells[grid]}"]').click()
        self.confirm()

    def open_menu(self, slug: str) -> Locator:
        """Open the dialog of a card with the other ways to play its game."""
        self.page.locator(f'.game[data-game="{slug}"] .more').click()
        return self.page.locator("#game-menu")

    def invite_friend(self, slug: str) -> None:
        self.open_menu(slug).get_by_role("button", name="with a friend").click()
        self.page.wait_for_url("**/seek/**")

    def play_computer(self, slug: str, level: str, side: str = "Random") -> None:
        """Start a game against the computer in its dialog, and wait for the match."""
        self.open_menu(slug).get_by_role("button", name="against the computer").click()
        dialog = self.page.locator("#computer")
        dialog.get_by_label(level).check()
        dialog.get_by_label(side, exact=True).check()
        dialog.get_by_role("button", name="Start").click()
        self.wait_to_be_seated()

    def choose_clock(self, control: str = "") -> None:
        """Press the button of a time control such as "3+2", or type it if it has no button."""
        button = self.page.locator(f'input[name="control"][value="{control}"]')
        if button.count():
            button.check()
            return
        self.page.locator('input[name="control"][value="other"]').check()
        for place, value in zip(("#minutes", "#increment"), control.split("+"), strict=True):
            self.page.fill(place, value)
            self.page.locator(place).blur()

    def forgive_network(self) -> None:
        """Discard the browser's own errors about a lost connection, which the page handles."""
        self.complaints[:] = [
            complaint
            for complaint in self.complaints
            if not any(part in complaint for part in _LOST_CONNECTION)
        ]

    def forgive_refusal(self) -> None:
        """Discard the browser's own error about a 400 or 409; the page shows the refusal."""
        self.complaints[:] = [c for c in self.complaints if "status of 40" not in c]

    def confirm(self) -> None:
        """Confirm the action if the page asks for it, as it does on a phone."""
        if self.page.evaluate("matchMedia('(pointer: coarse)').matches"):
            self.page.locator("#confirm-yes").click()


def watch(page: Page, complaints: list[str]) -> None:
    """Collect the errors and warnings of the console, including those about the content policy."""

    def note(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and message.text != BLOCKED_WORKER:
            complaints.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: complaints.append(str(error)))


def open_tab(visitor: Visitor, path: str = "/") -> Page:
    """Open another tab of the visitor's browser."""
    page = visitor.page.context.new_page()
    watch(page, visitor.complaints)
    page.goto(f"{visitor.site.url}{path}")
    return page


def open_by_name(visitor: Visitor, path: str) -> Page:
    """Open a page at localhost, because passkeys do not work at an IP address."""
    visitor.page.goto(f"http://localhost:{visitor.site.port}{path}")
    return visitor.page


def be_account(visitor: Visitor, name: str) -> Visitor:
    """Log the browser in to an account with `PASSWORD`, without opening a page."""
    return take_session(visitor, Person(visitor.site).log_in(name, PASSWORD, "/offline/"))


def create_logged_in(site: Site, *names: str, then: str = "") -> tuple[dict[str, Person], str]:
    """Create accounts with sessions, and run more Python. Return the people and what it prints.

    The accounts have `PASSWORD`, but a login would take ten times as long as such a session.
    """
    output = create_accounts(site, *names, then=_SESSIONS.format(names=names) + then)
    people = {name: Person(site) for name in names}
    made = re.findall(r"^cookie (\S+) (\S+)$", output, re.MULTILINE)
    for person, cookie in zip(people.values(), made, strict=True):
        person.cookies.set_cookie(_make_cookie(*cookie))
    return people, output


def _make_cookie(name: str, value: str) -> Cookie:
    return Cookie(
        *(0, name, value, None, False, "127.0.0.1", True, False, "/", True),
        *(False, None, False, None, None, {}),
    )


def log_in(visitor: Visitor, name: str, password: str = PASSWORD) -> Visitor:
    """Log in with the form."""
    visitor.open("/accounts/login/")
    visitor.page.fill('[name="login"]', name)
    visitor.page.fill('[name="password"]', password)
    visitor.page.get_by_role("button", name="Log in", exact=True).click()
    expect(visitor.page.locator(".account-menu summary")).to_contain_text(name)
    return visitor


def take_session(visitor: Visitor, person: Person) -> Visitor:
    """Give the browser the cookies of a person."""
    cookies: list[Any] = [
        {"name": cookie.name, "value": cookie.value, "url": visitor.site.url}
        for cookie in person.cookies
    ]
    visitor.page.context.add_cookies(cookies)
    return visitor


def send_account_form(page: Page, **fields: str) -> None:
    for name, value in fields.items():
        page.fill(f"[name={name}]", value)
    page.click(".account-form .primary")


def choose_rated(visitor: Visitor, control: str) -> None:
    visitor.choose_clock(control)
    visitor.page.locator("#wants-rated").check(force=True)


def resign(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Resign").click()
    visitor.page.get_by_role("button", name="Yes").click()


def wait_for_analysis(page: Page, selector: str) -> None:
    """Wait until the analysis is ready, however long other programs keep the cores busy.

    The processes that search for moves run only while a core is idle.
    """
    page.wait_for_selector(f'{selector}[data-state="ready"]', timeout=1_000 * PATIENCE)


def get_sounds(visitor: Visitor) -> list[str]:
    """Return the sounds that the visitor heard. The page must have run `NOTE_SOUNDS`."""
    sounds: list[str] = visitor.page.evaluate("JSON.parse(sessionStorage.getItem('heard') ?? '[]')")
    return sounds


def note_text(page: Page, selector: str) -> Callable[[str | re.Pattern[str]], None]:
    """Return a function that checks the text of an element that is visible only for a moment.

    The element is the first one with that selector that is visible after this call. The test may
    look later.
    """
    name = f"noted{next(_numbers)}"
    page.evaluate(_NOTE_TEXT, [selector, name])
    return lambda text: expect(page.locator("html")).to_have_attribute(f"data-{name}", text)


def get_box(page: Page, selector: str) -> dict[str, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return dict(box)


def save_picture(page: Page, name: str) -> None:
    """Save a screenshot in the folder `LOOK_AT`, if that environment variable is set."""
    folder = os.environ.get("LOOK_AT")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def must_fit_window(page: Page, name: str) -> None:
    """Check that the page is not wider than the window, and save screenshots of both schemes."""
    for scheme in ("light", "dark") if os.environ.get("LOOK_AT") else ():
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        save_picture(page, f"{name}-{scheme}")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, name
