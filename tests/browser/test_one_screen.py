"""Games at one screen and against the computer, started from the lobby's cards."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.builders.visitors import (
    DESK,
    NOTE_SOUNDS,
    PHONE,
    Visitor,
    get_sounds,
)

Visit = Callable[..., Visitor]

X_WINS = ["mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3"]


def test_two_play_at_one_screen_to_the_end_and_again(visit: Visit) -> None:
    host = visit(**PHONE)
    host.page.add_init_script(f"({NOTE_SOUNDS})()")
    page = host.open().page
    host.open_menu("tic-tac-toe").locator(".beside").click()
    host.wait_to_be_seated()
    names = {
        role: page.inner_text(f'[data-seat="{role}"] .name') for role in ("xplayer", "oplayer")
    }
    assert sum(name.startswith("Friend of ") for name in names.values()) == 1
    expect(page.locator("#phrases")).to_be_hidden()
    for ply, action in enumerate(X_WINS):
        role = ("xplayer", "oplayer")[ply % 2]
        host.see_ply(ply)
        assert host.role() == role
        expect(page.locator("#status")).to_have_text(f"{names[role]} to move")
        expect(page.locator(".seat.near")).to_have_attribute("data-seat", role)
        board = page.locator(".table .board").bounding_box()
        near = page.locator(".seat.near").bounding_box()
        assert board and near and near["y"] > board["y"] + board["height"] - 1
        expect(page.locator('[data-here="true"]')).to_have_count(2)
        host.click_action(action)
    page.wait_for_selector('#match[data-status="over"]')
    words = f"{names['xplayer']} won: three in a row"
    expect(page.locator("#status")).to_have_text(words)
    expect(page).to_have_title(f"{words} · Tic-Tac-Toe")
    assert get_sounds(host) == ["start", *["move"] * 4, "won"]
    offered = page.locator(".after :is(button, a):visible")
    assert offered.all_inner_texts() == ["Rematch", "Analyse", "Share"]
    before = page.url
    page.locator('[data-command="rematch"]').click()
    page.wait_for_url(lambda url: url != before)
    host.see_ply(0)
    expect(page.locator('[data-seat="oplayer"] .name')).to_have_text(names["xplayer"])
    host.click_action("mark 2 2")
    host.see_ply(1)
    assert host.role() == "oplayer"


@pytest.mark.parametrize("how", [DESK, PHONE], ids=["desk", "phone"])
def test_a_click_on_the_board_of_a_card_plays_the_computer(visit: Visit, how: object) -> None:
    visitor = visit(**how)  # type: ignore[arg-type]
    page = visitor.open().page
    sample = page.locator('.game[data-game="dots-and-boxes"] .sample')
    sample.scroll_into_view_if_needed()
    box = sample.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 3, box["y"] + box["height"] / 3)
    visitor.wait_to_be_seated()
    expect(page.get_by_text("Computer (casual)").first).to_be_visible()
    assert page.get_attribute("#match", "data-game") == "dots-and-boxes"


def test_one_chooses_who_begins_against_the_computer(visit: Visit) -> None:
    visitor = visit()
    for side, role in (("Me", "xplayer"), ("Computer", "oplayer")):
        visitor.open().play_computer("tic-tac-toe", "Steady", side)
        assert visitor.role() == role
