"""Fixtures for testing pages in Debian's Chromium."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from games.rules import GAMES
from tests.builders.sites import PATIENCE, Person, Site, Socket, pair
from tests.builders.visitors import (
    DESK,
    PHONE,
    STILL,
    WITHOUT_WORKER,
    Visitor,
    take_session,
    watch,
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium-headless-shell")  # a third less work than full Chromium
    assert path, "Chromium is not installed: tests/run installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=[
                *("--no-sandbox", "--disable-background-networking", "--disable-quic"),
                *("--renderer-process-limit=1", "--process-per-site"),  # fewer to start
                "--in-process-gpu",  # otherwise each frame is copied to another process
                "--js-flags=--single-threaded",  # others compile what a short visit never runs
            ],
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Callable[..., Visitor]]:
    """Yield a function that creates visitors, then check that no console shows an error.

    Visitors prefer reduced motion, because a browser without a graphics card needs a quarter of
    its time for animations. Tests of motion pass `**MOVING`. The pages have no service worker,
    because each browser would load and store its files, an eighth of the work of a match. Tests of
    the service worker pass `service_workers="allow"`.
    """
    visitors: list[Visitor] = []
    contexts = []

    def new(**how: Any) -> Visitor:
        context = browser.new_context(**{**STILL, **WITHOUT_WORKER, **(how or DESK)})
        context.set_default_timeout(1000 * PATIENCE)  # pages pause for up to 22.5 s
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


@pytest.fixture
def seat(visit: Callable[..., Visitor], site: Site) -> Callable[..., dict[str, Visitor]]:
    """Pair two visitors, one on a desktop and one on a phone; return them by role.

    They meet through sockets, since two pages of the lobby cost as much as the match itself.
    """

    def sit(slug: str) -> dict[str, Visitor]:
        match_id, roles = pair(Person(site).be_guest(), Person(site).be_guest(), slug)
        found = {}
        for (role, person), how in zip(roles.items(), (DESK, PHONE), strict=True):
            found[role] = take_session(visit(**how), person).open(f"/match/{match_id}/")
        for role, visitor in found.items():
            visitor.page.wait_for_selector(f'#match[data-role="{role}"]')
            visitor.see_ply(0)
        assert set(found) == set(GAMES[slug].roles)
        return found

    return sit


@pytest.fixture
def seat_one(visit: Callable[..., Visitor], site: Site) -> Callable[..., Visitor]:
    """Seat a visitor who moves first. Their opponent has no browser."""

    def sit(slug: str, **how: Any) -> Visitor:
        match_id, roles = pair(Person(site).be_guest(), Person(site).be_guest(), slug)
        first = str(GAMES[slug].start.turn)
        visitor = take_session(visit(**how), roles[first]).open(f"/match/{match_id}/")
        visitor.page.wait_for_selector(f'#match[data-role="{first}"] .table [data-open]')
        return visitor

    return sit


@pytest.fixture
def seat_facing(visit: Callable[..., Visitor], site: Site) -> Callable[..., tuple[Visitor, Socket]]:
    """Seat a visitor opposite a player without a browser. Return the visitor and a socket.

    The visitor moves first, unless `role` says otherwise. `script` runs when the page loads.
    """

    def sit(
        slug: str, role: str = "", clock: str | None = None, script: str = "", **how: Any
    ) -> tuple[Visitor, Socket]:
        match_id, roles = pair(Person(site).be_guest(), Person(site).be_guest(), slug, clock)
        role = role or str(GAMES[slug].start.turn)
        (other,) = set(roles) - {role}
        socket = roles[other].match(match_id)
        socket.next("state")
        visitor = take_session(visit(**how), roles[role])
        if script:
            visitor.page.add_init_script(script)
        visitor.open(f"/match/{match_id}/").see_ply(0)
        assert visitor.role() == role
        return visitor, socket

    return sit


@pytest.fixture
def seat_in_lobby(visit: Callable[..., Visitor]) -> Callable[..., dict[str, Visitor]]:
    """Pair two visitors as `seat` does, but by clicks in the lobby."""

    def sit(slug: str) -> dict[str, Visitor]:
        alice, bob = visit(**DESK).open(), visit(**PHONE).open()
        alice.page.click(f'[data-seek="{slug}"]')
        alice.page.wait_for_selector("#waiting:not([hidden])")
        seek = alice.page.locator("#seeks li", has_text="(you)").get_attribute("data-seek")
        bob.page.locator(f'#seeks [data-seek="{seek}"]').get_by_role("button", name="Join").click()
        for visitor in (alice, bob):
            visitor.wait_to_be_seated()
        found = {alice.role(): alice, bob.role(): bob}
        assert set(found) == set(GAMES[slug].roles)
        return found

    return sit
