"""The end of a game: what the page offers each viewer immediately, without a reload."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.builders.sites import Person
from tests.builders.sockets import play_new_match
from tests.builders.visitors import Visitor, get_box, take_session, wait_for_analysis

Seat = Callable[..., dict[str, Visitor]]
Visit = Callable[..., Visitor]

X_WINS = ["mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3"]


SITE = {
    "BOT_PROCESSES": "1",
    "ANALYSIS_MS_PER_MOVE": "50",
}  # one server that also analyses games


def play_out(people: dict[str, Visitor], actions: list[str]) -> None:
    """Play Tic-Tac-Toe with clicks."""
    for ply, action in enumerate(actions):
        mover = people[("xplayer", "oplayer")[ply % 2]]
        mover.see_ply(ply)
        mover.click_action(action)
    for visitor in people.values():
        visitor.page.wait_for_selector('#match[data-status="over"]')


def mark_page(page: Page) -> None:
    """Leave a mark in the page that a reload would remove."""
    page.evaluate("window.isSamePage = true")


def must_be_same_page(page: Page) -> None:
    assert page.evaluate("window.isSamePage === true")


def must_offer(page: Page, *labels: str) -> None:
    """Wait until the page offers exactly these buttons and links."""
    expect(page.locator(".after :is(button, a):visible")).to_have_text(labels, use_inner_text=True)


def test_each_is_offered_what_comes_next_without_a_reload(seat: Seat, visit: Visit) -> None:
    people = seat("tic-tac-toe")
    x, o = people["xplayer"], people["oplayer"]
    watcher = visit().open("/" + x.page.url.split("/", 3)[3])
    watcher.see_ply(0)
    for visitor in (x, o, watcher):
        mark_page(visitor.page)
        expect(visitor.page.locator("#ends")).to_be_hidden()
    play_out(people, X_WINS)
    watcher.page.wait_for_selector('#match[data-status="over"]')
    must_offer(x.page, "Rematch", "New opponent", "Analyse", "Share")
    must_offer(o.page, "Rematch", "New opponent", "Analyse", "Share")
    must_offer(watcher.page, "Analyse", "Share")
    for visitor in (x, watcher):  # the watcher is anonymous so far
        visitor.page.get_by_role("button", name="Analyse this game").click()
        wait_for_analysis(visitor.page, "#analysis")
        expect(visitor.page.locator("#verdict")).to_contain_text("Good (certain)")
        expect(visitor.page.locator("#moves [class^='verdict-']")).to_have_count(5)
        expect(visitor.page.get_by_role("button", name="Analyse this game")).to_be_enabled()
        visitor.page.locator("#moves li").first.locator("a").click()
        visitor.see_ply(5)
        expect(visitor.page.locator('#moves [aria-current="step"]')).to_contain_text("1.")
        must_be_same_page(visitor.page)
    must_be_same_page(o.page)


def test_who_resigns_or_cancels_is_offered_it_too(seat: Seat) -> None:
    people = seat("tic-tac-toe")
    x, o = people["xplayer"], people["oplayer"]
    for visitor in (x, o):
        mark_page(visitor.page)
    x.click_action("mark 2 2")
    o.see_ply(1)
    o.click_action("mark 1 1")
    x.see_ply(2)
    x.page.locator('[data-command="resign"]').click()
    x.page.locator('[data-confirm="resign"]').click()
    for visitor in (x, o):
        visitor.page.wait_for_selector('#match[data-status="over"]')
        must_offer(visitor.page, "Rematch", "New opponent", "Analyse", "Share")
        must_be_same_page(visitor.page)
    x.page.locator('[data-command="rematch"]').click()
    # Otherwise the offer may replace the button between the press and the release of the mouse.
    expect(o.page.locator("#rematch-banner")).to_be_visible()
    o.page.locator('[data-command="rematch"]').click()
    for visitor in (x, o):
        visitor.see_ply(0)
        mark_page(visitor.page)
    x.page.locator('[data-command="abort"]').click()
    x.page.locator('[data-confirm="abort"]').click()
    for visitor in (x, o):
        visitor.page.wait_for_selector('#match[data-status="aborted"]')
        must_offer(visitor.page, "New opponent", "Share")
        must_be_same_page(visitor.page)


def test_a_new_opponent_is_searched_with_the_same_setup(visit: Visit, bob_online: Person) -> None:
    alice = visit().open()
    alice.choose_clock("5+3")
    alice.page.click('[data-seek="tic-tac-toe"]')
    alice.page.wait_for_selector("#waiting:not([hidden])")
    with bob_online.lobby() as lobby:
        lobby.send("seek", game="tic-tac-toe", clock="5+3")
        match_id = lobby.next("paired")["match"]
    alice.wait_to_be_seated()
    bob = bob_online.match(match_id)
    bob.next("state")
    bob.send("resign")
    alice.page.wait_for_selector('#match[data-status="over"]')
    alice.page.get_by_role("link", name="New opponent").click()
    alice.page.wait_for_selector("#waiting:not([hidden])")
    charlie = visit().open()
    charlie.page.wait_for_selector("#seeks li")
    expect(charlie.page.locator("#seeks li")).to_contain_text("5 + 3")
    alice.page.reload()  # does not create a second seek
    expect(alice.page.locator("#waiting-list > *")).to_have_count(1)
    charlie.page.locator("#seeks li button").click()
    for visitor in (alice, charlie):
        visitor.wait_to_be_seated()
        expect(visitor.page.locator(".clock").first).to_be_visible()
    expect(alice.page.locator(".clock.stopped")).to_have_count(0)
    alice.page.locator('[data-command="abort"]').click()
    alice.page.locator('[data-confirm="abort"]').click()
    clocks = alice.page.get_by_role("timer", name=re.compile("^Clock of .*, stopped$"))
    expect(clocks).to_have_count(2)
    sign = "(e) => getComputedStyle(e, '::before').content"
    assert all("■" in clock.evaluate(sign) for clock in clocks.all())


def test_the_board_stays_while_the_moves_are_read(
    visit: Visit, alice_online: Person, bob_online: Person
) -> None:
    match_id, _ = play_new_match(alice_online, bob_online, "tic-tac-toe", *X_WINS)
    # In this window the column of the moves is higher than the board.
    visitor = visit(viewport={"width": 1024, "height": 768})
    desk = take_session(visitor, alice_online).open(f"/match/{match_id}/").page
    expect(desk.locator("#replay")).to_be_visible()
    desk.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    assert desk.evaluate("scrollY") > 0
    box = get_box(desk, ".table-area")
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 768
