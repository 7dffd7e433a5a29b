"""Ratings beside the board, on the player's page and on the leaderboards."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.builders.people import sign_up
from tests.builders.sites import Site
from tests.builders.visitors import (
    DESK,
    PHONE,
    Visitor,
    choose_rated,
    resign,
    take_session,
)

Visit = Callable[..., Visitor]


SITE = {"RATED_ON_SAME_NETWORK": "on"}  # all players of the test share one address


def test_a_rated_game_changes_what_everybody_sees(visit: Visit, site: Site) -> None:
    alice, bob = (take_session(visit(**how), sign_up(site)).open() for how in (DESK, PHONE))
    for visitor in (alice, bob):
        choose_rated(visitor, "10+5")
    alice.page.get_by_role("button", name="Play Dots and Boxes", exact=True).click()
    expect(bob.page.locator("#seeks li .rating")).to_have_text("1500?")
    bob.page.get_by_role("button", name="Play Dots and Boxes", exact=True).click()
    for visitor in (alice, bob):
        visitor.wait_to_be_seated()
        expect(visitor.page.locator(".seat .rating").first).to_have_text("1500?")
    watcher = visit().open()
    expect(watcher.page.locator("#matches .rating").first).to_have_text("1500?")
    for ply in range(2):
        mover = next(
            v for v in (alice, bob) if v.page.get_attribute(".near", "data-moves") == "true"
        )
        mover.page.locator('.board [data-action]:not([data-mark="x"])').nth(5 + ply).click()
        mover.confirm()
        for visitor in (alice, bob):
            visitor.see_ply(ply + 1)
    resign(alice)
    for visitor, change in ((alice, "−241"), (bob, "+241")):  # noqa: RUF001  # without a reload
        expect(visitor.page.locator("#gain")).to_have_text(f"1500?{change}")
        ratings = visitor.page.locator(".seat .rating")
        expect(ratings.filter(has_text=re.compile(r"^1500\? [+−]241$"))).to_have_count(1)  # noqa: RUF001
        expect(ratings.filter(has_text=re.compile(r"^(1741|1259)\?$"))).to_have_count(1)
    name = bob.page.locator(".near bdi.name").inner_text()
    for visitor, paths in (
        (alice, ["/ratings/", "/ratings/dots-and-boxes/", f"/player/{name}/"]),
        (bob, ["/ratings/", "/ratings/dots-and-boxes/", f"/player/{name}/"]),
        (watcher, [f"/player/{name}/"]),
    ):
        for path in paths:
            visitor.open(path)
            wide = visitor.page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not wide, path
        expect(visitor.page.locator(".profile")).to_contain_text("1741?")
