"""The page describes each half-step to every viewer, and boards preview clicks."""

# ruff: noqa: RUF001  # coordinates are written with a dash

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.builders.visitors import PHONE, Visitor

Seat = Callable[..., dict[str, Visitor]]
Visit = Callable[..., Visitor]


def says(visitor: Visitor, text: str) -> None:
    expect(visitor.page.locator("#status")).to_contain_text(text)


def name(visitor: Visitor, role: str) -> str:
    return visitor.page.inner_text(f'[data-seat="{role}"] .name')


def test_the_opening_is_said_step_by_step_to_each(seat: Seat, visit: Visit) -> None:
    people = seat("six-in-a-row")
    one, two = people["player1"], people["player2"]
    watcher = visit().open("/" + one.page.url.split("/", 3)[3])
    for ply, stone in enumerate(("black", "white", "black")):
        for visitor in (one, two, watcher):
            visitor.see_ply(ply)
        says(one, f"Opening, {ply + 1} of 3: place a {stone} stone; your opponent then chooses")
        says(two, f"Opening, {ply + 1} of 3: they place a {stone} stone; you then choose")
        says(watcher, f"places a {stone} stone; {name(watcher, 'player2')} then chooses")
        one.click_action(f"place {8 + ply} {8 + ply}")
    two.see_ply(3)
    says(two, "Pick your colour, or place a white and a black stone")
    says(one, "They pick a colour, or place two stones and leave the pick to you")
    pick = two.page.locator('[data-action="pick black"]')
    expect(pick.locator(".mark .stone")).to_be_visible()
    pick.click()
    if two.page.evaluate("matchMedia('(pointer: coarse)').matches"):
        expect(two.page.locator("#confirm-words")).to_have_text("Play as black?")
        expect(two.page.locator('#confirm-words .mark[data-mark="b"] .stone')).to_be_visible()
        expect(pick).to_have_attribute("aria-pressed", "true")
    two.confirm()
    one.see_ply(4)
    says(one, "They chose black: you are white, and white begins")
    says(two, f"You chose black: {name(two, 'player1')} is white, and white begins")
    says(watcher, f"{name(watcher, 'player2')} chose black")
    expect(one.page.locator("#moves li").first).to_contain_text("H8")


def test_the_grid_that_is_left_is_said(seat_one: Visit) -> None:
    x = seat_one("parallel-tic-tac-toe")
    says(x, "Choose a cell on each grid")
    x.page.locator('[data-grid="1"][data-cell="2 2"]').click()
    says(x, "Now a cell on the right grid")
    x.page.locator('[data-grid="1"][data-cell="2 2"]').click()  # taken back
    says(x, "Choose a cell on each grid")
    x.page.locator('[data-grid="2"][data-cell="1 1"]').click()
    says(x, "Now a cell on the left grid")


@pytest.mark.parametrize("slug", ["tic-tac-toe", "six-in-a-row", "dots-and-boxes"])
def test_hover_and_focus_show_what_a_click_would_do(slug: str, seat_one: Visit) -> None:
    page = seat_one(slug).page
    target = page.locator(".table [data-open]").nth(4)
    shape = {"tic-tac-toe": ".cross", "six-in-a-row": ".stone", "dots-and-boxes": ".hint"}[slug]
    style = "(e) => { const s = getComputedStyle(e); return [s.visibility, s.fill, s.stroke] }"
    ghost = target.locator(f"> {shape}")
    before = ghost.evaluate(style)
    target.hover()
    expect(ghost).not_to_have_css("stroke" if slug == "dots-and-boxes" else "opacity", "1")
    assert ghost.evaluate(style) != before
    page.mouse.move(1, 1)
    page.locator(".table [tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    focused = page.locator(f".table [tabindex='0'] > {shape}")
    assert focused.evaluate(style) != before


def test_a_box_that_a_line_would_close_is_shown_and_said(seat: Seat) -> None:
    people = seat("dots-and-boxes")
    x, o = people["xplayer"], people["oplayer"]
    sides = ["draw 1 1 2 1", "draw 1 1 1 2", "draw 2 1 2 2"]
    for ply, action in enumerate(sides):
        mover = (x, o)[ply % 2]
        mover.see_ply(ply)
        mover.page.locator(f'[data-action="{action}"]').focus()
        mover.page.keyboard.press("Enter")
        mover.confirm()
    o.see_ply(3)
    closing = o.page.locator('[data-action="draw 1 2 2 2"]')
    expect(o.page.locator("[data-ghost]")).to_have_count(0)
    closing.focus()
    expect(o.page.locator(".box[data-ghost]")).to_have_count(1)
    expect(o.page.locator(".box[data-ghost] .ring")).to_be_visible()
    o.page.keyboard.press("Enter")
    o.confirm()
    x.see_ply(4)
    says(o, "Box! Go again")
    says(x, "They closed a box and go again")
    expect(x.page.locator("#moves li").last).to_contain_text("A2–B2")


def test_every_board_shows_its_coordinates(visit: Visit) -> None:
    page = visit(**PHONE).open().page
    for slug, places in {
        "tic-tac-toe": 6, "parallel-tic-tac-toe": 12, "dots-and-boxes": 12, "six-in-a-row": 30,
    }.items():  # fmt: skip
        drawn = page.locator(f'.game[data-game="{slug}"] .sample .place')
        expect(drawn).to_have_count(places)
