"""Importing a position that belongs to no match, playing on from it, and analysing it."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.builders.sites import PATIENCE
from tests.builders.visitors import DESK, PHONE, Visitor

SITE = {"BOT_PROCESSES": "1", "ANALYSIS_MS_PER_MOVE": "50"}


def test_a_game_is_brought_played_on_and_looked_at(visit: Callable[..., Visitor]) -> None:
    page = visit(**DESK).open("/analysis/").page
    page.fill("#text", '{"game":"tic-tac-toe","moves":["mark 1 1","mark 2 2"]}')
    page.click(".bring .primary")
    page.wait_for_url("**/analysis/tic-tac-toe/game/1-1.2-2/")
    page.click(".steps a >> nth=1")
    page.wait_for_url("**/game/1-1.2-2/?ply=1")
    expect(page.locator('#position .board [data-mark="x"]')).to_have_count(1)
    page.click('#position [data-action="mark 1 2"]')
    page.wait_for_url("**/analysis/tic-tac-toe/xo......./**")
    page.locator('#position [data-action="mark 3 3"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/analysis/tic-tac-toe/xo......x/**")
    page.go_back()
    expect(page.locator('#position .board [data-mark="x"]')).to_have_count(1)
    page.click("#ask button")
    expect(page.locator("#look")).to_contain_text("Best move:", timeout=1_000 * PATIENCE)
    assert page.locator("#position .board [data-better]").count() == 1
    for how in (DESK, PHONE):
        page.set_viewport_size(how["viewport"])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
