"""Appearance preferences."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.builders.visitors import DESK, Visitor

Visit = Callable[..., Visitor]
Seat = Callable[..., dict[str, Visitor]]


def colour(page: Page, selector: str, what: str = "background-color") -> str:
    return str(
        page.locator(selector).first.evaluate("(e, what) => getComputedStyle(e)[what]", what)
    )


def choose(page: Page, what: str, value: str) -> None:
    page.locator(".looks details").evaluate("(details) => { details.open = true; }")
    page.locator(f'[data-looks="{what}"]').select_option(value)


def test_light_and_dark_are_chosen_against_the_system_and_kept(visit: Visit) -> None:
    page = visit(**DESK).open().page
    by_day = colour(page, "body")
    choose(page, "scheme", "dark")
    by_night = colour(page, "body")
    assert by_night != by_day
    other = page.context.new_page()
    other.goto(page.url)
    assert colour(other, "body") == by_night
    assert other.locator('[data-looks="scheme"]').input_value() == "dark"
    choose(other, "scheme", "light")
    page.wait_for_function(
        "(day) => getComputedStyle(document.body).backgroundColor === day", arg=by_day
    )
    page.emulate_media(color_scheme="dark")
    assert colour(page, "body") == by_day
    choose(other, "scheme", "system")
    page.wait_for_function(
        "(night) => getComputedStyle(document.body).backgroundColor === night", arg=by_night
    )


@pytest.mark.parametrize("slug", ["dots-and-boxes", "six-in-a-row"])
def test_the_stuff_of_the_boards_is_chosen_beside_one(seat: Seat, slug: str) -> None:
    for visitor in seat(slug).values():
        page = visitor.page
        page.locator("#menu > summary").click()
        seen = set()
        for stuff in ("wood", "paper", "slate"):
            page.get_by_label("Boards").select_option(stuff)
            seen.add(colour(page, ".table"))
        assert len(seen) == 3
        page.reload()
        assert page.evaluate("document.documentElement.dataset.board") == "slate"
        assert colour(page, ".table") in seen


def test_a_chosen_stuff_that_nobody_knows_is_wood(visit: Visit) -> None:
    page = visit().open().page
    page.evaluate("localStorage.setItem('looks-board', 'lava')")
    page.reload()
    assert page.evaluate("document.documentElement.dataset.board") == "wood"
