"""Boards of rule sheets are played with the pointer and with the keyboard."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.builders import board_sheets
from tests.builders.sites import Person, Site, Socket, run_with_more_files
from tests.builders.visitors import PHONE, SMALL_PHONE, Visitor, get_box

SeatFacing = Callable[..., tuple[Visitor, Socket]]

SHEETS = {"crossing": board_sheets.CROSSING, "drop": board_sheets.DROP}
RULES = '''
"""A game from a rule sheet."""
from games.gdl.admission import admit
from games.gdl.checks import read_sheet
from games.gdl.grounding import build_network
from games.gdl.layout import infer_layout
from games.gdl.sheet_position import LoadedSheet

SHEET = read_sheet("""{text}""")
NETWORK = admit(build_network(SHEET))
LAYOUT = infer_layout(SHEET, NETWORK)
LOADED = LoadedSheet("{slug}", "{name}", "0" * 64, NETWORK, LAYOUT)
GAME = LOADED.game
'''
BOARD = '''
"""The board of a game from a rule sheet."""
from games.boards.sheets import make_board
from games.rules.{module} import LOADED

BOARD = make_board(LOADED)
'''


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    files = {}
    for slug, text in SHEETS.items():
        module = f"sheet_{slug}"
        rules = RULES.format(text=text, slug=slug, name=slug.title())
        files[f"games/rules/{module}.py"] = rules
        files[f"games/boards/{module}.py"] = BOARD.format(module=module)
    with run_with_more_files(tmp_path_factory.mktemp("sheets"), files) as found:
        yield found


@pytest.fixture
def seat(seat_facing: SeatFacing) -> tuple[Visitor, Socket]:
    """Seat White in a match of Crossing. Return the visitor and Black's socket."""
    return seat_facing("crossing", "white")


def cell(page: Page, name: str) -> str:
    return f'.table .element[data-name="{name}"]'


def marks(page: Page) -> str:
    elements = page.locator(".table .element")
    return "".join(elements.evaluate_all("all => all.map((each) => each.dataset.mark)"))


def test_a_move_takes_two_clicks(seat: tuple[Visitor, Socket]) -> None:
    visitor, black = seat
    white = visitor.page
    pawn = white.locator(cell(white, "A1"))
    expect(white.locator("[data-open]")).to_have_count(3)
    pawn.click()
    expect(pawn).to_have_attribute("aria-pressed", "true")
    expect(white.locator("[data-target]")).to_have_count(1)
    expect(white.locator("#announcer")).to_have_text("Now the next place")
    expect(white.locator("#status")).to_have_text("Your turn. Now the next place.")
    pawn.click()  # takes it back
    expect(pawn).to_have_attribute("aria-pressed", "false")
    expect(white.locator("[data-target]")).to_have_count(0)
    pawn.click()
    white.locator(cell(white, "B1")).click()  # another pawn instead
    expect(white.locator("[data-target]")).to_have_attribute("data-name", "B2")
    white.keyboard.press("Escape")
    expect(white.locator("[data-chosen]")).to_have_count(0)
    pawn.click()
    white.locator(cell(white, "A2")).click()
    visitor.see_ply(1)
    assert marks(white) == "ppp...P...PP"
    assert black.ply(1)["diagram"] == "ppp...P...PP"
    expect(white.locator("#moves")).to_contain_text("A1–A2")  # noqa: RUF001


def test_a_move_is_made_with_the_keyboard_alone(seat: tuple[Visitor, Socket]) -> None:
    visitor, _ = seat
    white = visitor.page
    pawn = white.locator(cell(white, "B1"))
    expect(pawn).to_have_attribute("role", "button")
    expect(pawn).to_have_attribute("aria-disabled", "false")
    assert pawn.get_attribute("aria-label") == "B1, white pawn"
    white.locator('.table .element[tabindex="0"]').focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"):
        white.keyboard.press(key)
    expect(pawn).to_be_focused()
    white.keyboard.press("Enter")
    expect(pawn).to_have_attribute("aria-pressed", "true")
    white.keyboard.press("ArrowUp")
    white.keyboard.press("Enter")
    visitor.see_ply(1)
    assert marks(white) == "ppp....P.P.P"


def test_actions_without_places_and_choices_are_buttons(seat: tuple[Visitor, Socket]) -> None:
    visitor, black = seat
    white = visitor.page
    answers = ["c 4 c 3", "c 3 c 2", "c 2 b 1"]
    for turn, (move, answer) in enumerate(zip(["A1 A2", "A2 A3", "A3 B4"], answers, strict=True)):
        for name in move.split():
            white.locator(cell(white, name)).click()
        black.ply(2 * turn + 1)
        black.play(f"move bp {answer}")
        visitor.see_ply(2 * turn + 2)
    crown = white.locator('#choices [data-action="crown b queen"]')
    expect(white.get_by_role("button", name="Resign").first).to_be_visible()
    expect(crown).to_be_hidden()
    white.locator(cell(white, "B4")).click()
    expect(crown).to_be_visible()
    expect(white.locator('#choices [data-action="crown b knight"]')).to_be_visible()
    crown.click()
    white.wait_for_selector('#match[data-status="over"]')
    expect(white.locator("#status .result")).to_have_text("Draw")


def test_a_disc_is_dropped_anywhere_in_its_column(site: Site, seat_facing: SeatFacing) -> None:
    visitor, yellow = seat_facing("drop", "red")
    red = visitor.page
    ghost = red.locator("[data-ghost]")
    red.locator(cell(red, "B3")).hover()
    expect(ghost).to_have_attribute("data-name", "B1")
    Person(site).match(red.url.split("/")[-2])
    expect(red.locator("#watchers")).to_contain_text("1 watching")
    expect(ghost).to_have_attribute("data-name", "B1")  # no frame takes it away
    red.locator(cell(red, "B3")).click()
    visitor.see_ply(1)
    assert marks(red) == ".........r.."
    yellow.ply(1)
    yellow.play("drop 2")
    visitor.see_ply(2)
    assert marks(red) == ".....y...r.."
    expect(red.locator(".table [data-fresh]")).to_have_attribute("data-name", "B2")


def test_a_phone_asks_before_it_sends_a_move(seat_facing: SeatFacing) -> None:
    visitor, _ = seat_facing("crossing", "white", **PHONE)
    white = visitor.page
    for answer in ("no", "yes"):
        white.locator(cell(white, "A1")).tap()
        white.locator(cell(white, "A2")).tap()
        expect(white.locator("#confirm-words")).to_contain_text("A1–A2")  # noqa: RUF001
        expect(white.locator("[data-chosen]")).to_have_count(2)
        white.locator(f"#confirm-{answer}").tap()
        if answer == "no":
            expect(white.locator("[data-chosen]")).to_have_count(0)
    visitor.see_ply(1)
    assert marks(white) == "ppp...P...PP"


def test_the_analysis_board_is_played_by_two_clicks(visit: Callable[..., Visitor]) -> None:
    page = visit(**PHONE).open("/analysis/crossing/").page
    page.locator(cell(page, "A1")).tap()
    expect(page.locator("[data-target]")).to_have_count(1)
    page.locator(cell(page, "A2")).tap()
    expect(page.locator(cell(page, "A2"))).to_have_attribute("data-mark", "P")
    box = page.locator(cell(page, "A2")).bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44


def test_many_choices_leave_the_board_of_a_phone_visible(seat_facing: SeatFacing) -> None:
    visitor, black = seat_facing("pentago", "white", **SMALL_PHONE)
    page = visitor.page
    page.locator(cell(page, "A1")).tap()
    page.locator("#confirm-yes").tap()
    visitor.see_ply(1)
    choices = page.locator("#choices [data-action]:visible")
    expect(choices).to_have_count(8)
    seat = get_box(page, ".seat.near")
    assert seat["y"] + seat["height"] <= get_box(page, ".hand")["y"] + 1
    for box in [each.bounding_box() for each in choices.all()]:
        assert box and min(box["width"], box["height"]) >= 44
    expect(page.get_by_role("button", name="Cancel the game")).to_be_visible()
    page.locator('[data-action="turn 4 right"]').tap()
    expect(page.locator("#confirm-words")).to_have_text("↘ ↻")
    page.locator("#confirm-yes").tap()
    black.ply(2)


def test_men_to_take_are_marked_and_so_is_the_point_that_they_leave(
    seat_facing: SeatFacing,
) -> None:
    visitor, black = seat_facing("nine-mens-morris", "white", **PHONE)
    page = visitor.page
    answers = ["place b 2", "place b 4"]
    for turn, name in enumerate(["A1", "A4", "A7"]):
        page.locator(cell(page, name)).tap()
        expect(page.locator("#confirm-words")).to_have_text(f"Place {name}")
        page.locator("#confirm-yes").tap()
        black.ply(2 * turn + 1)
        if turn < 2:
            black.play(answers[turn])
            visitor.see_ply(2 * turn + 2)
    visitor.see_ply(5)
    expect(page.locator("[data-target]")).to_have_count(2)
    page.locator(cell(page, "B4")).tap()
    expect(page.locator("#confirm-words")).to_have_text("Take B4")
    page.locator("#confirm-yes").tap()
    visitor.see_ply(6)
    pip = page.locator(f"{cell(page, 'B4')} .pip")
    assert pip.evaluate("(pip) => getComputedStyle(pip).stroke") != "none"


def test_a_piece_to_give_is_named_with_its_verb(seat_facing: SeatFacing) -> None:
    visitor, _ = seat_facing("quarto", "red", **PHONE)
    page = visitor.page
    page.locator(cell(page, "small hollow white disc")).tap()
    expect(page.locator("#confirm-words")).to_have_text("Give small hollow white disc")
