"""A match on a phone or a tablet: board, seats and bar are on the screen at any moment."""

import itertools
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.match.offers import DRAW_FROM_PLY
from games.rules import GAMES, Position
from tests.builders.sites import Person, Site, pair
from tests.builders.sockets import open_sockets, play_actions
from tests.builders.visitors import DESK, MOVING, PHONE, SMALL_PHONE, Visitor, get_box, take_session

Visit = Callable[..., Visitor]

TABLET: dict[str, Any] = {**PHONE, "viewport": {"width": 768, "height": 1024}}
WIDE: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}
DEVICES = {"upright": SMALL_PHONE, "tablet": TABLET, "landscape": WIDE}


def choose_actions(slug: str) -> tuple[list[str], Position]:
    """Return actions until draws can be offered, or two in a game that is over before that."""
    position: Position = GAMES[slug].start
    chance = random.Random(3)
    actions = []
    for _ in range(DRAW_FROM_PLY if len(position.diagram) > 50 else 2):
        legal = position.legal()
        action = "pick black" if "pick black" in legal else chance.choice(legal)
        actions.append(action)
        position = position.play(action)
    return actions, position


PLACES = """(names) => ({
  scrollY,
  boxes: Object.fromEntries(names.map((name) => {
    const { x, y, width, height } = document.querySelector(name)?.getBoundingClientRect() ?? {};
    return [name, height ? { x, y, width, height } : null];
  })),
})"""
SHOWN = (".seat.far", ".table", ".seat.near", ".hand")
ROWS = (".record .moves", ".record .replay")


def must_fit_screen(page: Page, moment: str) -> dict[str, Any]:
    """Check that board, seats and bar are on the screen, and that none covers another.

    Return their places. One script reads them all, as each question takes as long as a script.
    """
    size = page.viewport_size
    assert size is not None
    found = page.evaluate(PLACES, [".masthead", *SHOWN, *ROWS])
    boxes: dict[str, Any] = found["boxes"]
    assert found["scrollY"] == 0
    for name in SHOWN:
        assert boxes[name], f"{name} is missing: {moment}"
        is_clear = boxes[name]["y"] >= boxes[".masthead"]["height"] - 1
        assert is_clear, f"{name} is covered: {moment}"
        end = boxes[name]["y"] + boxes[name]["height"]
        assert end <= size["height"] + 1, f"{name} is too low: {moment}"
    for above, below in itertools.pairwise(SHOWN if size["width"] < size["height"] else ()):
        end = boxes[above]["y"] + boxes[above]["height"]
        assert end <= boxes[below]["y"] + 1, f"{below} covers {above}: {moment}"
    return boxes


def must_show_whole_rows(boxes: dict[str, Any], moment: str) -> None:
    """Check that the bar covers no part of a row of the record that is visible above it."""
    bar = boxes[".hand"]["y"]
    for name in ROWS:
        row = boxes[name]
        covered = row is not None and row["y"] < bar < row["y"] + row["height"] - 1
        assert not covered, f"the bar covers a part of {name}: {moment}"


def must_fit_each_screen(page: Page, moment: str) -> dict[str, dict[str, Any]]:
    """Check the page on each device. Return the places of its parts on which."""
    found = {}
    for name, device in DEVICES.items():
        page.set_viewport_size(device["viewport"])
        found[name] = must_fit_screen(page, f"{moment}, {name}")
        if device is SMALL_PHONE and moment in {"to move", "over"}:
            must_show_whole_rows(found[name], moment)
    return found


@pytest.mark.parametrize("slug", list(GAMES))
def test_board_seats_and_bar_are_on_the_screen(
    slug: str, visit: Visit, site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, slug)
    sockets = open_sockets(roles, match_id)
    actions, position = choose_actions(slug)
    play_actions(sockets, *actions)
    mine = str(position.turn)
    (other,) = set(roles) - {mine}
    page = take_session(visit(**SMALL_PHONE), roles[mine]).open(f"/match/{match_id}/").page
    page.wait_for_selector(".table [data-open]", state="attached")
    before = must_fit_each_screen(page, "to move")
    grids = page.locator(".table [data-grid='2']").count()
    for selector in ("[data-grid='1']", "[data-grid='2']") if grids else ("[data-action]",):
        page.locator(f".table {selector}[data-open]").first.dispatch_event("click")
    expect(page.locator("#confirm-yes")).to_be_visible()
    must_fit_each_screen(page, "confirming")
    page.locator("#confirm-yes").click()
    page.wait_for_selector(f'#match[data-ply="{len(actions) + 1}"]')
    must_fit_each_screen(page, "moved")
    if len(actions) == DRAW_FROM_PLY:
        turn = page.get_attribute("#match", "data-turn")
        if turn == mine:  # a box was closed
            pytest.fail("the actions should leave the turn to the opponent")
        sockets[other].send("offer-draw")
        expect(page.get_by_role("button", name="Accept the draw")).to_be_visible()
        must_fit_each_screen(page, "draw offered")
    sockets[other].send("resign")
    expect(page.locator("#status .result")).to_have_text("You won")
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_visible()
    over = must_fit_each_screen(page, "over")
    for name in ("upright", "tablet"):
        assert over[name][".hand"] == before[name][".hand"]
    sockets[other].send("rematch")
    expect(page.get_by_role("button", name="Accept the rematch")).to_be_visible()
    after = must_fit_each_screen(page, "rematch offered")
    for name in DEVICES:
        assert after[name][".table"] == before[name][".table"]


def test_the_list_of_moves_on_a_desk_has_eight_rows(
    visit: Visit, site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "dots-and-boxes")
    sockets = open_sockets(roles, match_id)
    actions, position = choose_actions("dots-and-boxes")
    play_actions(sockets, *actions)
    (other,) = set(roles) - {str(position.turn)}
    page = take_session(visit(**DESK), roles[str(position.turn)]).open(f"/match/{match_id}/").page
    row = get_box(page, "#moves li >> nth=0")["height"]
    fixed = (".table", ".seat.far", ".seat.near", "#moves-title", "#menu")
    before = [get_box(page, name) for name in fixed]
    assert get_box(page, "#moves")["height"] >= 8 * row
    sockets[other].send("resign")
    expect(page.locator("#status .result")).to_have_text("You won")
    expect(page.locator("#replay")).to_be_visible()
    assert get_box(page, "#moves")["height"] >= 8 * row
    assert [get_box(page, name) for name in fixed[:4]] == before[:4]
    assert get_box(page, "#menu")["y"] == before[4]["y"]


def test_a_result_arrives_with_an_animation_and_is_shared(
    visit: Visit, site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
    sockets = open_sockets(roles, match_id)
    visitor = take_session(visit(**DESK, **MOVING), roles["xplayer"]).open(f"/match/{match_id}/")
    page = visitor.page
    page.wait_for_selector('[data-here="true"]')
    play_actions(sockets, "mark 2 2", "mark 1 1")
    sockets["oplayer"].send("resign")
    animation = "(e) => getComputedStyle(e).animationName"
    result = page.locator("#status .result")
    expect(result).to_have_text("You won")
    assert result.evaluate(animation) == "result-arrives"
    page.get_by_role("button", name="Share", exact=True).click()
    sheet = page.get_by_role("dialog", name="Share this game")
    expect(sheet.get_by_label("Link", exact=True)).to_have_value(page.url)
    expect(sheet.get_by_label("Embed")).to_have_value(
        re.compile(f"^<iframe .*/embed/match/{match_id}/")
    )
    for name in ("Picture", "Animation", "Record", "Signed record"):
        address = sheet.get_by_role("link", name=name, exact=True).get_attribute("href")
        assert page.request.get(f"{site.url}{address}").ok
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sheet.get_by_role("button", name="Copy").first.click()
    expect(sheet.locator("#share-status")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.locator("#menu > summary").click()
    page.locator("#menu").get_by_role("link", name="Analysis board").click()
    page.wait_for_url("**/analysis/tic-tac-toe/game/**")
    page.go_back()
    expect(result).to_have_text("You won")
    page.reload()
    assert result.evaluate(animation) == "none"


def test_the_countdown_in_the_seat_of_an_absent_player_is_shown_in_full(
    visit: Visit, site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe", "10+5")
    sockets = open_sockets(roles, match_id)
    play_actions(sockets, "mark 2 2", "mark 1 1")
    phone, desk = (
        take_session(visit(**how), roles["oplayer"]).open(f"/match/{match_id}/").page
        for how in (SMALL_PHONE, DESK)
    )
    for page in (phone, desk):
        page.wait_for_selector('.seat.far[data-here="true"]')
    sockets["xplayer"].close()
    for page in (phone, desk):
        countdown = page.locator(".seat.far .claim")
        expect(countdown).to_have_text(re.compile(r"0:\d\d$"))
        assert countdown.locator("..").evaluate("(e) => e.scrollWidth <= e.clientWidth")
