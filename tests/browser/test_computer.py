"""Playing the computer in a browser, and analysing the game afterwards."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.builders.visitors import (
    DESK,
    PHONE,
    SMALL_PHONE,
    Visitor,
    get_box,
    wait_for_analysis,
)

Visit = Callable[..., Visitor]

SITE = {"BOT_PROCESSES": "1", "ANALYSIS_MS_PER_MOVE": "50"}


def sit_against(visitor: Visitor, slug: str, level: str) -> None:
    visitor.open().play_computer(slug, level)


def play_anything(visitor: Visitor) -> None:
    """Click the first free cell of each grid until the match is over."""
    page = visitor.page
    while True:
        page.wait_for_function(
            "() => { const {status, turn, role} = document.getElementById('match').dataset;"
            " return status !== 'live' || turn === role; }"
        )
        if page.get_attribute("#match", "data-status") != "live":
            return
        ply = page.get_attribute("#match", "data-ply")
        grids = page.locator(".table [data-grid]").count() and (1, 2)
        for where in [f'[data-grid="{grid}"]' for grid in grids or ()] or [""]:
            page.locator(f".table {where}[data-open]").first.click()
        visitor.confirm()
        page.wait_for_function(
            f"() => document.getElementById('match').dataset.ply !== '{ply}'"
            " || document.getElementById('match').dataset.status !== 'live'"
        )


def test_a_visitor_plays_the_computer_and_sees_what_was_lost(visit: Visit) -> None:
    visitor = visit(**SMALL_PHONE)
    sit_against(visitor, "tic-tac-toe", "Strong")
    page = visitor.page
    expect(page.get_by_text("Computer (strong)").first).to_be_visible()
    expect(page.locator("#analyse")).to_be_hidden()
    play_anything(visitor)
    page.reload()
    page.get_by_role("button", name="Analyse this game").click()
    wait_for_analysis(page, "#analysis")
    expect(page.locator("#verdict")).to_contain_text("(certain)")
    verdict = get_box(page, "#verdict")
    assert verdict["y"] + verdict["height"] <= get_box(page, ".hand")["y"]  # not covered
    page.set_viewport_size(DESK["viewport"])
    expect(page.locator(".standings")).to_be_visible()
    expect(page.locator("#analysis figcaption")).to_contain_text("All verdicts are certain.")

    verdicts = page.locator("#moves [class^='verdict-']")
    assert verdicts.count() == int(page.get_attribute("#match", "data-ply") or "")
    for index in range(verdicts.count()):
        label = verdicts.nth(index).inner_text()
        is_lost = label != "good"
        page.locator("#moves li").nth(index).locator("a").click()
        expect(page.locator("#verdict")).to_contain_text(label.capitalize())
        expect(page.locator(".table [data-better]")).to_have_count(1 if is_lost else 0)
    page.locator("#moves li").first.locator("a").click()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#verdict")).to_contain_text("before the first move")


def test_it_can_be_read_without_scripts(visit: Visit) -> None:
    visitor = visit(**DESK)
    sit_against(visitor, "parallel-tic-tac-toe", "Beginner")
    play_anything(visitor)
    visitor.page.reload()
    visitor.page.get_by_role("button", name="Analyse this game").click()
    wait_for_analysis(visitor.page, "#analysis")
    path = "/" + visitor.page.url.split("/", 3)[3]
    plain = visit(**DESK, java_script_enabled=False).open(f"{path}?ply=1").page
    expect(plain.locator("#verdict")).to_contain_text("(certain)")
    assert plain.locator("#moves [class^='verdict-']").count() >= 3


@pytest.mark.parametrize("how", [DESK, PHONE], ids=["desk", "phone"])
def test_the_dialog_moves_nothing_and_needs_no_mouse(visit: Visit, how: object) -> None:
    visitor = visit(**how).open()  # type: ignore[arg-type]
    page = visitor.page
    visitor.choose_clock("10+5")
    before = page.locator(".games").bounding_box()
    more = page.get_by_role("button", name="More ways to play Tic-Tac-Toe", exact=True)
    more.focus()
    page.keyboard.press("Enter")
    page.locator("#game-menu [data-dialog=computer]").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Play Tic-Tac-Toe against the computer")
    levels = dialog.locator(".levels label")
    expect(levels).to_have_count(5)
    assert len(set(levels.locator(".quiet").all_inner_texts())) == 5
    expect(dialog.get_by_label("Time per player")).to_have_value("10+5")
    start = dialog.get_by_role("button", name="Start")
    for target in (start, *levels.all(), *dialog.locator(".sides label").all()):
        box = target.bounding_box()
        assert box is not None
        assert round(min(box["width"], box["height"]), 2) >= 44  # the browser computes with floats
    expect(start).to_be_in_viewport()
    assert page.locator(".games").bounding_box() == before
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(more).to_be_focused()


def test_the_opening_is_explained_once_and_not_to_beginners(visit: Visit) -> None:
    visitor = visit(**PHONE).open()
    note = visitor.page.locator("#opening")
    visitor.play_computer("six-in-a-row", "Casual", "Me")
    expect(visitor.page.locator("#choices")).to_be_attached()
    expect(note).to_have_count(0)
    visitor.open().play_computer("six-in-a-row", "Steady", "Me")
    expect(note).to_contain_text("one player places three stones")
    far, box = visitor.page.locator(".seat.far").bounding_box(), note.bounding_box()
    assert far and box and box["y"] + box["height"] <= far["y"]  # nothing of the match is covered
    before = visitor.page.locator(".table").bounding_box()
    note.get_by_role("button", name="Got it").click()
    expect(note).to_be_hidden()
    assert visitor.page.locator(".table").bounding_box() == before
    visitor.page.reload()
    expect(visitor.page.locator("#status")).to_contain_text("Opening, 1 of 3")
    expect(note).to_be_hidden()
