"""Every tab shows the player's searches and invitations, and a match that began."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.builders.sites import Person, Site, pair, sit
from tests.builders.sockets import play_actions
from tests.builders.visitors import DESK, PHONE, Visitor, get_box, open_tab

Visit = Callable[..., Visitor]

NOTE_GREY = """(line) => {
  new MutationObserver((_, observer) => {
    if (!line.querySelector("button:disabled")) return;
    observer.disconnect();
    line.dataset.wasGrey = "";
  }).observe(line, { subtree: true, attributes: true });
}"""
"""A script that notes whether the button of a line was disabled for a moment."""


def accept(person: Person, address: str) -> None:
    """Accept an invitation without a browser."""
    status, where = person.post(f"{address.removeprefix(person.site.url)}accept/")
    assert status == 200 and "/match/" in where


def test_each_search_is_shown_in_every_tab_and_stopped_by_itself(visit: Visit) -> None:
    alice = visit().open()
    alice.page.click('[data-seek="tic-tac-toe"]')
    expect(alice.page.locator("#waiting li")).to_have_count(1)
    alice.page.click('[data-seek="dots-and-boxes"]')
    expect(alice.page.locator("#waiting li")).to_have_count(2)
    second, elsewhere = open_tab(alice), open_tab(alice, "/nowhere/")
    alice.complaints[:] = [c for c in alice.complaints if "404" not in c]
    for page in (second, elsewhere):
        expect(page.locator("#waiting li")).to_have_count(2)
    elsewhere.get_by_role("button", name="Cancel the seek for Tic-Tac-Toe").click()
    for page in (alice.page, second, elsewhere):
        expect(page.locator("#waiting li")).to_have_count(1)
        expect(page.locator("#waiting")).to_contain_text("Dots and Boxes")
    own = alice.page.locator("#seeks li", has_text="(you)")
    expect(own.filter(has_text="Tic-Tac-Toe")).to_have_count(0)
    alice.page.get_by_role("button", name="Cancel the seek for Dots and Boxes").click()
    for page in (alice.page, second, elsewhere):
        expect(page.locator("#waiting")).to_be_hidden()


def test_a_match_ends_the_other_searches_and_one_tab_goes_there(
    visit: Visit, bob_online: Person
) -> None:
    alice = visit().open()
    alice.page.click('[data-seek="tic-tac-toe"]')
    alice.page.click('[data-seek="six-in-a-row"]')
    expect(alice.page.locator("#waiting li")).to_have_count(2)
    second, elsewhere = open_tab(alice), open_tab(alice, "/nowhere/")
    alice.complaints[:] = [c for c in alice.complaints if "404" not in c]
    for page in (second, elsewhere):
        expect(page.locator("#waiting li")).to_have_count(2)
    with bob_online.lobby() as lobby:
        lobby.send("seek", game="six-in-a-row", clock=None)
        lobby.next("paired")
    alice.wait_to_be_seated()
    expect(alice.page.locator("#waiting")).to_be_hidden()
    for page in (second, elsewhere):
        expect(page.locator("#waiting li")).to_have_count(1)
        link = page.locator("#waiting").get_by_role("link", name=re.compile("Play Six in a Row"))
        expect(link).to_have_attribute("href", re.compile("/match/"))
        assert "/match/" not in page.url
    elsewhere.locator("#waiting a").click()
    elsewhere.wait_for_selector('#match:not([data-role=""])')
    assert elsewhere.url == alice.page.url


def test_the_inviter_is_told_wherever_they_are(visit: Visit, bob_online: Person) -> None:
    alice = visit().open()
    alice.invite_friend("dots-and-boxes")
    address = alice.page.input_value("#address")
    # The tab that asked opens the match; other tabs show a link.
    second = open_tab(alice)
    expect(second.locator("#waiting")).to_contain_text("Your invitation to Dots and Boxes is open.")
    alice.page.get_by_role("link", name="Parlour").click()
    expect(alice.page.locator("#waiting li")).to_have_count(1)
    accept(bob_online, address)
    alice.wait_to_be_seated()
    expect(second.locator("#waiting")).to_contain_text("accepted: your")
    lobby = open_tab(alice)
    close = lobby.locator("#waiting").get_by_role("button", name="Dismiss")
    for how in (PHONE, DESK):
        lobby.set_viewport_size(how["viewport"])
        size = get_box(lobby, "#waiting button")
        assert min(size["width"], size["height"]) >= 44
    expect(lobby.locator("#my-games li")).to_have_count(0)
    close.click()
    expect(lobby.locator("#my-games li")).to_have_count(1)  # now it is a game like any other
    expect(lobby.locator("#waiting")).to_be_hidden()
    expect(open_tab(alice, "/rules/").locator("#waiting")).to_be_hidden()
    second.locator("#waiting a").click()
    second.wait_for_selector('#match:not([data-role=""])')
    assert second.url == alice.page.url


def test_who_has_just_become_a_guest_may_invite_from_the_same_page(visit: Visit) -> None:
    alice = visit().open()
    alice.page.click('[data-seek="tic-tac-toe"]')
    expect(alice.page.locator("#waiting li")).to_have_count(1)
    alice.invite_friend("six-in-a-row")
    expect(alice.page.locator("#address")).to_be_visible()
    expect(alice.page.locator("#waiting li")).to_have_count(
        1
    )  # only the search, as this page is the invitation
    expect(alice.page.locator("#waiting")).to_contain_text("Tic-Tac-Toe")
    alice.page.locator(
        "#waiting [data-stop]"
    ).first.click()  # else she is paired with players of the next test
    expect(alice.page.locator("#waiting li")).to_have_count(0)


def test_an_inviter_who_watches_another_match_is_shown_a_link(
    visit: Visit, site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, _ = pair(alice_online, bob_online, "tic-tac-toe")
    watched = f"{site.url}/match/{match_id}/"
    alice = visit().open()
    alice.invite_friend("dots-and-boxes")
    address = alice.page.input_value("#address")
    alice.page.goto(watched)
    expect(alice.page.locator("#waiting")).to_contain_text("Your invitation to Dots and Boxes")
    accept(Person(site).be_guest(), address)
    expect(alice.page.locator("#waiting")).to_contain_text("accepted: your")
    assert alice.page.url == watched


def test_a_fourth_search_is_refused_in_words(visit: Visit) -> None:
    alice = visit().open()
    games = ("tic-tac-toe", "dots-and-boxes", "six-in-a-row")
    for count, slug in enumerate(games, 1):
        alice.page.click(f'[data-seek="{slug}"]')
        expect(alice.page.locator("#waiting li")).to_have_count(count)
    alice.page.click('[data-seek="parallel-tic-tac-toe"]')
    error = alice.page.locator('[data-error="parallel-tic-tac-toe"]')
    expect(error).to_contain_text("Cancel one first")
    for left in (2, 1, 0):
        alice.page.locator("#waiting [data-stop]").first.click()
        expect(alice.page.locator("#waiting li")).to_have_count(left)


def test_the_lobbys_boards_follow_the_play(visit: Visit, site: Site) -> None:
    match_id, sockets = sit(Person(site).be_guest(), Person(site).be_guest(), "tic-tac-toe")
    board = visit().open().page.locator(f'#matches [data-match="{match_id}"]')
    expect(board.locator(".element")).to_have_count(9)
    for ply, action in enumerate(("mark 2 2", "mark 1 1"), 1):
        play_actions(sockets, action)
        expect(board.locator('.element:not([data-mark="."])')).to_have_count(ply)


def test_a_card_says_who_waits_and_the_second_seek_waits_its_turn(visit: Visit, site: Site) -> None:
    anna, boris = Person(site).be_guest(), Person(site).be_guest()
    with anna.lobby() as first, boris.lobby() as second:
        names = [socket.next("lobby")["you"] for socket in (first, second)]
        visitors = [visit(**how).open() for how in (DESK, PHONE)]
        cards = [each.page.locator('.game[data-game="dots-and-boxes"]') for each in visitors]
        for card in cards:
            expect(card.locator(".summary")).to_be_visible()
        before = [card.bounding_box() for card in cards]
        first.send("seek", game="dots-and-boxes", clock="10+5")
        seek = first.next("seeking")["seek"]
        lines = [card.locator(".waits") for card in cards]
        for line in lines:
            expect(line).to_contain_text(f"{names[0]} is waiting")
            expect(line).to_contain_text("10 + 5")
        second.send("seek", game="dots-and-boxes", clock="3+2")
        for line in lines:
            expect(line).to_contain_text("and 1 more")
            expect(line).to_contain_text(names[0])
        for line in lines:
            line.evaluate(NOTE_GREY)
        first.send("cancel", seek=seek)
        for line in lines:
            expect(line).to_contain_text(f"{names[1]} is waiting")
            assert line.get_attribute("data-was-grey") == ""  # a click joined nobody meanwhile
        assert [card.bounding_box() for card in cards] == before
        lines[1].get_by_role("button", name="Join").click()
        visitors[1].wait_to_be_seated()
    assert visitors[1].page.get_attribute("#match", "data-clock") == "3+2"


def test_the_first_play_button_is_on_the_first_screen_of_a_small_phone(visit: Visit) -> None:
    page = visit(**{**PHONE, "viewport": {"width": 390, "height": 664}}).open().page
    for card in page.locator(".game").all()[:2]:
        expect(card.locator(".primary")).to_be_in_viewport(ratio=1)
    boxes = [choice.bounding_box() for choice in page.locator(".pace").all()]
    assert len({round(box["y"]) for box in boxes if box}) == 2  # the times, and "Rated"
