"""The site's pages in a real Chromium, that of Debian."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from games.rules import GAMES
from tests.live import PATIENCE, Site

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
# Five seconds, the default, are too short where the browser and the server share a busy machine.
expect.set_options(timeout=PATIENCE * 1000)

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium-headless-shell")  # a third less work than all of Chromium
    assert path, "Chromium is not installed: tests/run installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=["--no-sandbox", "--disable-background-networking", "--disable-quic"],
        )
        yield browser
        browser.close()


@dataclass
class Visitor:
    """Somebody with their own browser."""

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
        """The two clicks of Parallel Tic-Tac-Toe, in either order."""
        _, *words = action.split()
        cells = {1: " ".join(words[:2]), 2: " ".join(words[2:])}
        for grid in (first, 3 - first):
            self.page.locator(f'[data-grid="{grid}"][data-cell="{cells[grid]}"]').click()
        self.confirm()

    def choose_clock(self, control: str = "") -> None:
        """Press the time control, such as "3+2", or write it where no button has it."""
        button = self.page.locator(f'input[name="control"][value="{control}"]')
        if button.count():
            button.check()
            return
        self.page.locator('input[name="control"][value="other"]').check()
        for place, value in zip(("#minutes", "#increment"), control.split("+"), strict=True):
            self.page.fill(place, value)
            self.page.locator(place).blur()

    def forgive_network(self) -> None:
        """Forget the browser's own complaints about a lost connection: the page is right."""
        self.complaints[:] = [
            complaint
            for complaint in self.complaints
            if "net::ERR_" not in complaint and "WebSocket" not in complaint
        ]

    def forgive_refusal(self) -> None:
        """Forget the browser's own message about a 400 or 409: the page shows the refusal."""
        self.complaints[:] = [c for c in self.complaints if "status of 40" not in c]

    def confirm(self) -> None:
        """Confirm the action, if the page asks: on a phone it does."""
        if self.page.evaluate("matchMedia('(pointer: coarse)').matches"):
            self.page.locator("#confirm-yes").click()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """Gives visitors. Afterwards no console of theirs may show an error."""
    visitors: list[Visitor] = []
    contexts = []

    def new(**how: Any) -> Visitor:
        context = browser.new_context(**(how or DESK))
        contexts.append(context)
        visitor = Visitor(context.new_page(), site)
        watch(visitor.page, visitor.complaints)
        visitors.append(visitor)
        return visitor

    yield new
    for context in contexts:
        context.close()
    complaints = [c for visitor in visitors for c in visitor.complaints]
    assert complaints == []


def watch(page: Page, complaints: list[str]) -> None:
    """Collect the console's errors and warnings, also about the content policy."""
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text) if message.type in {"error", "warning"} else None
        ),
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))


@pytest.fixture
def seat(visit: Callable[..., Visitor]) -> Callable[..., dict[str, Visitor]]:
    """Two visitors meet in the lobby, one at a desk and one with a phone; gives them by role."""

    def sit(slug: str) -> dict[str, Visitor]:
        alice, bob = visit(**DESK).open(), visit(**PHONE).open()
        alice.page.click(f'[data-seek="{slug}"]')
        alice.page.wait_for_selector("#waiting:not([hidden])")
        bob.page.locator("#seeks li", has_text=GAMES[slug].name).get_by_role(
            "button", name="Join"
        ).last.click()
        for visitor in (alice, bob):
            visitor.wait_to_be_seated()
        found = {alice.role(): alice, bob.role(): bob}
        assert set(found) == set(GAMES[slug].roles)
        return found

    return sit
