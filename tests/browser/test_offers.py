"""The panel of open seeks offers what could be played instead of waiting."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, expect

from tests.builders.sites import Person, Socket
from tests.builders.visitors import DESK, PHONE, Visitor, note_text, open_tab, take_session

Visit = Callable[..., Visitor]

GAME = "dots-and-boxes"


def wait_for(visitor: Visitor, clock: str, game: str = GAME) -> Visitor:
    """Seek a match from the lobby."""
    visitor.open().choose_clock(clock)
    visitor.page.click(f'[data-seek="{game}"]')
    expect(visitor.page.locator("#waiting li")).to_have_count(1)
    return visitor


def wait_with_socket(person: Person, clock: str, game: str = GAME) -> tuple[Socket, str]:
    """Seek a match without a browser. Return the socket and the seek."""
    socket = person.lobby()
    socket.send("seek", game=game, clock=clock)
    return socket, socket.next("seeking")["seek"]


def offers(visitor: Visitor) -> Locator:
    return visitor.page.locator("#waiting [data-offer]:not(.gone)")


def test_two_with_different_clocks_are_offered_each_other(visit: Visit) -> None:
    alice = wait_for(visit(), "10+5")
    bob = wait_for(visit(**PHONE), "3+2")
    expect(offers(alice)).to_contain_text("is waiting for 3 + 2. Play that?")
    expect(offers(bob)).to_contain_text("is waiting for 10 + 5. Play that?")
    assert offers(alice).get_by_role("button").inner_text() == "Play 3 + 2"
    for visitor in (alice, bob):
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        box = offers(visitor).get_by_role("button").bounding_box()
        assert box is not None and box["height"] >= 44
    # It works on any page, from which only the tab that was used goes to the match.
    elsewhere = open_tab(bob, "/rules/")
    button = elsewhere.locator("#waiting [data-offer]").get_by_role("button")
    expect(button).to_have_accessible_name(
        re.compile(r"Play 10 \+ 5: Dots and Boxes, 10 minutes plus 5 seconds per move against")
    )
    button.click()
    elsewhere.wait_for_url("**/match/**")
    alice.wait_to_be_seated()
    assert elsewhere.url == alice.page.url
    expect(bob.page.locator("#waiting")).to_be_hidden()


def test_a_late_press_is_told_next_to_the_offer_and_the_search_goes_on(
    visit: Visit, alice_online: Person
) -> None:
    alice, seek = wait_with_socket(alice_online, "30+20")
    bob = visit(**PHONE)
    is_deaf = False

    def pass_on(message: str | bytes) -> None:
        if not (is_deaf and json.loads(message)["type"] == "own"):
            socket.send(message)

    def route(opened: Any) -> None:
        nonlocal socket
        socket = opened
        server = opened.connect_to_server()
        server.on_message(pass_on)

    socket: Any = None
    bob.page.route_web_socket("**/ws/lobby/**", route)
    wait_for(bob, "1+0")
    expect(offers(bob)).to_have_count(1)
    must_have_said = note_text(bob.page, "#waiting [data-offer] [role=alert]")
    is_deaf = True  # the news that she has stopped comes too late
    alice.send("cancel", seek=seek)
    alice.next("cancelled")
    offers(bob).get_by_role("button").click()
    line = bob.page.locator("#waiting [data-offer]")
    must_have_said("This seek is no longer open.")  # for three seconds
    expect(line).to_have_count(0)
    expect(bob.page.locator("#waiting li")).to_have_count(1)
    bob.page.locator("#waiting [data-stop]").click()
    expect(bob.page.locator("#waiting")).to_be_visible()  # only the server's frames remove it


def test_the_first_paint_has_the_offers_already(visit: Visit, alice_online: Person) -> None:
    wait_with_socket(alice_online, "10+5")
    bob = wait_for(visit(), "3+2")
    expect(offers(bob)).to_have_count(1)
    source = bob.page.request.get(f"{bob.site.url}/rules/").text()
    assert "is waiting for 10 + 5. Play that?" in source
    action = re.search(r'action="(/seek/\w+/accept/)"', source)
    assert action is not None


def test_who_waits_alone_is_offered_the_computer_and_goes_on_waiting(
    visit: Visit, alice_online: Person
) -> None:
    _, seek = wait_with_socket(alice_online, "7+3", "tic-tac-toe")
    desk, alice = (take_session(visit(**how), alice_online) for how in (DESK, PHONE))
    for visitor in (desk, alice):
        visitor.page.clock.install()
        visitor.open()
    said = re.compile(r"^(Nobody else is online right now|\d+ others? (is|are) online)\.$")
    for visitor in (desk, alice):
        expect(visitor.page.locator("#waiting li")).to_have_count(1)
        expect(visitor.page.locator("#waiting .alone")).to_have_count(0)
    for visitor in (desk, alice):
        visitor.page.clock.fast_forward(15_000)
        alone = visitor.page.locator("#waiting .alone")
        expect(alone).to_be_visible()
        expect(alone.locator("p")).to_have_text(said)
    alone.get_by_role("button", name="Play the computer while you wait").click()
    alice.wait_to_be_seated()
    expect(alice.page.locator("#waiting")).to_contain_text("Looking for an opponent for Tic-Tac-T")
    expect(alone).to_have_count(0)
    bob = Person(alice.site).be_guest()
    with bob.lobby() as socket:
        socket.send("join", seek=seek)
        socket.next("paired")
    expect(alice.page.locator("#waiting")).to_contain_text("Your Tic-Tac-Toe game against")
    alice.page.locator("#waiting").get_by_role("link", name="Play Tic-Tac-Toe").click()
    alice.wait_to_be_seated()
