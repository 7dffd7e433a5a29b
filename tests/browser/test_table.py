"""The panel beside the board: it scrolls separately, and its folds open over it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.rules import GAMES
from tests.builders.sites import Person, pair
from tests.builders.sockets import play_at
from tests.builders.visitors import DESK, PHONE, Visitor, get_box, take_session

Visit = Callable[..., Visitor]


def folds(page: Page) -> dict[str, dict[str, float]]:
    """Return the positions of the folds' buttons."""
    names = "#phrases > summary", "#how-to-play > summary", "#menu > summary"
    scrolled = page.evaluate("window.scrollY")
    boxes = {name: get_box(page, name) for name in names}
    return {name: {**box, "y": box["y"] + scrolled} for name, box in boxes.items()}


@pytest.mark.parametrize("how", [DESK, PHONE], ids=["desk", "phone"])
def test_folds_open_over_the_rest_and_nothing_moves(seat_one: Visit, how: dict[str, Any]) -> None:
    page = seat_one("tic-tac-toe", **how).page
    before = folds(page)
    for name in before:
        page.locator(name).click()
        assert folds(page) == before
        expect(page.locator(".extras > details[open]")).to_have_count(1)
        expect(page.locator(f"{name} + .fold")).to_be_visible()
    menu = page.locator("#menu .fold")
    for what in ("Sounds", "Colours"):
        expect(menu.get_by_label(what)).to_be_visible()
    for what in ("Share and download", "Report"):
        expect(menu.get_by_text(what, exact=True)).to_be_visible()
    assert page.url + "record.json" == page.locator("#download").evaluate("(link) => link.href")
    page.keyboard.press("Escape")
    expect(page.locator(".extras > details[open]")).to_have_count(0)
    page.locator("#phrases > summary").click()
    page.locator(".match-title").click()
    expect(page.locator(".extras > details[open]")).to_have_count(0)


def test_a_page_of_many_moves_is_no_longer_than_its_content_and_shows_the_last(
    visit: Visit, alice_online: Person, bob_online: Person
) -> None:
    """Text for screen readers is inside the scrolling list, not below it."""
    match_id, roles = pair(alice_online, bob_online, "dots-and-boxes")
    visitor = take_session(visit(**PHONE), alice_online).open(f"/match/{match_id}/")
    page = visitor.page
    page.wait_for_selector('[data-here="true"]')
    position = GAMES["dots-and-boxes"].start
    actions: list[str] = []
    while len(actions) < 30:
        actions.append(position.legal()[0])
        position = position.play(actions[-1])
    play_at(roles, match_id, *actions)
    visitor.see_ply(30)
    end = get_box(page, "main")
    bottom = page.evaluate("window.scrollY") + end["y"] + end["height"]
    assert page.evaluate("document.documentElement.scrollHeight") <= bottom + 1
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    page.wait_for_function("() => document.querySelector('#moves').scrollTop > 0")
    side, last = get_box(page, ".side"), get_box(page, "#moves [aria-current]")
    assert side["y"] < last["y"] < last["y"] + last["height"] <= side["y"] + side["height"]


@pytest.mark.parametrize("height", [600, 800])
def test_the_column_scrolls_and_the_board_is_whole(seat_one: Visit, height: int) -> None:
    page = seat_one("tic-tac-toe", **DESK).page
    page.set_viewport_size({"width": 1280, "height": height})
    page.locator("#moves").scroll_into_view_if_needed()
    for name in ("#moves", "#menu > summary", "#status"):
        page.locator(name).scroll_into_view_if_needed()
        box = get_box(page, ".table")
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
    assert page.evaluate("window.scrollY") == 0
    box = get_box(page, ".side")
    assert box["y"] + box["height"] <= height
