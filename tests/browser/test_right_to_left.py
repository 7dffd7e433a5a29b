"""Pages that are written from right to left: the text turns round, but boards and moves do not."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.builders.sites import Person, pair
from tests.builders.visitors import DESK, PHONE, Visitor

Visit = Callable[..., Visitor]
MOVES = ("mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")


@pytest.fixture(params=[DESK, PHONE], ids=["desk", "phone"])
def how(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return the options of a browser whose user reads Arabic."""
    return {**request.param, "locale": "ar"}


def left_of(place: Locator) -> float:
    box = place.bounding_box()
    assert box
    return box["x"]


def must_stand_in_order(*places: Locator) -> None:
    """Check that the places stand side by side from left to right."""
    sides = [left_of(place) for place in places]
    assert sides == sorted(set(sides))


def must_fit(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_board_and_its_moves_are_not_mirrored(
    visit: Visit, how: dict[str, Any], alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
    with roles["xplayer"].match(match_id) as x, roles["oplayer"].match(match_id) as o:
        for ply, action in enumerate(MOVES):
            mover = (x, o)[ply % 2]
            mover.ply(ply)
            mover.play(action)
        x.ply(len(MOVES))
    page = visit(**how).open(f"/match/{match_id}/").page
    must_fit(page)
    board = page.locator(".table .board")
    cells = [board.locator(f'[data-action="mark 1 {column}"]') for column in (1, 2, 3)]
    must_stand_in_order(*cells)
    must_stand_in_order(*(board.locator("text", has_text=letter) for letter in "ABC"))
    replay = page.locator("#replay")
    must_stand_in_order(
        *(replay.locator(f'[data-step="{step}"]') for step in ("first", "back", "on", "last"))
    )
    move = page.locator('#moves [data-ply="5"]')
    must_stand_in_order(move.locator(".number"), move.locator("span").last)
    page.keyboard.press("ArrowLeft")
    expect(page.locator('#moves [data-ply="4"] a')).to_have_attribute("aria-current", "step")
    page.keyboard.press("ArrowRight")
    expect(page.locator('#moves [data-ply="5"] a')).to_have_attribute("aria-current", "step")
    seat = page.locator(".seat.near")
    must_stand_in_order(seat.locator(".name"), seat.locator(".avatar"), seat.locator("> .mark"))


def test_the_lobby_turns_round(visit: Visit, how: dict[str, Any]) -> None:
    page = visit(**how).open().page
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    must_fit(page)
    must_stand_in_order(page.locator(".brand span"), page.locator(".brand img"))
    first = page.locator(".game").first
    must_stand_in_order(first.locator(".more"), first.locator(".start .primary"))
    marker = "getComputedStyle(document.documentElement).getPropertyValue('--forward')"
    assert page.evaluate(marker) == '"◀"'
