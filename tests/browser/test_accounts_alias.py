"""Guests who sign up or log in to an account keep their games on every device."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.builders.sites import Person, pair
from tests.builders.visitors import DESK, PHONE, Visitor, take_session

Visit = Callable[..., Visitor]
PASSWORD = "correct horse 7"


def sign_in(visitor: Visitor, name: str) -> None:
    visitor.open("/accounts/login/")
    visitor.page.fill('[name="login"]', name)
    visitor.page.fill('[name="password"]', PASSWORD)
    visitor.page.click('.account-form button:not([type="button"])')
    visitor.page.wait_for_url("**/")


def test_the_games_of_a_guest_go_on_as_the_accounts(
    visit: Visit, alice_online: Person, bob_online: Person, charlie_online: Person
) -> None:
    guest = take_session(visit(**DESK), alice_online)
    bob = take_session(visit(**PHONE), bob_online)
    match_id, _ = pair(alice_online, bob_online, "tic-tac-toe")
    for visitor in (guest, bob):
        visitor.open(f"/match/{match_id}/").wait_to_be_seated()
    role = guest.role()
    mover, other = (guest, bob) if role == "xplayer" else (bob, guest)
    mover.click_action("mark 1 1")
    other.see_ply(1)

    # The guest signs up in this browser and logs in from a second one, which shows the game.
    guest.open("/accounts/signup/")
    guest.page.fill('[name="username"]', "Anna Abel")
    guest.page.fill('[name="password1"]', PASSWORD)
    guest.page.click('.account-form button:not([type="button"])')
    guest.page.click("text=I have written them down")
    guest.page.wait_for_selector(".account-menu")
    second = visit(**DESK)
    sign_in(second, "Anna Abel")
    second.page.click(f'a[href="/match/{match_id}/"]')
    second.wait_to_be_seated()
    assert second.role() == role
    (second if other is guest else bob).click_action("mark 2 2")
    for visitor in (second, bob):
        visitor.see_ply(2)

    # A guest in a third browser plays Bob, then logs in as Anna in another tab.
    third = take_session(visit(**DESK), charlie_online.be_guest())
    later, _ = pair(charlie_online, bob_online, "tic-tac-toe")
    third.open(f"/match/{later}/").wait_to_be_seated()
    bob.open(f"/match/{later}/").wait_to_be_seated()
    tab = Visitor(third.page.context.new_page(), third.site)
    with third.page.expect_event("load"):  # the first tab reloads itself with Anna's name
        sign_in(tab, "Anna Abel")
        expect(tab.page.locator("body")).to_contain_text("are now yours")
    expect(third.page.locator("body")).to_contain_text("Anna Abel")
    third.wait_to_be_seated()
    mover = third if third.role() == "xplayer" else bob
    mover.click_action("mark 1 1")
    for visitor in (third, bob):
        visitor.see_ply(1)
    expect(bob.page.locator(".seat .name", has_text="Anna Abel")).to_be_visible()
