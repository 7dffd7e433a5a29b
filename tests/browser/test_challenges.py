"""Answering challenges on any page, and preferences that follow the account."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.builders.sites import Person
from tests.builders.visitors import DESK, PHONE, Visitor, take_session


def name_of(visitor: Visitor) -> str:
    return str(visitor.page.locator("#whoami bdi").inner_text())


def be_guest(visitor: Visitor) -> str:
    """Become a guest, and open the lobby."""
    return name_of(take_session(visitor, Person(visitor.site).be_guest()).open())


MEMBER = """
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from lobby.models import Player
member, _ = Player.objects.get_or_create(username="member")
session = import_module(settings.SESSION_ENGINE).SessionStore()
session[SESSION_KEY] = str(member.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = member.get_session_auth_hash()
session.save()
print("key", session.session_key)
"""


def sign_in(visitor: Visitor) -> None:
    """Log the visitor in as `member`."""
    done = visitor.site.manage("shell", "-c", MEMBER)
    key = done.stdout.split("key ")[1].split()[0]
    cookie = {"name": "sessionid", "value": key, "url": visitor.site.url}
    visitor.page.context.add_cookies([cookie])  # type: ignore[list-item]


def looks(visitor: Visitor) -> list[str]:
    return list(visitor.page.evaluate(
        """() => [document.documentElement.dataset.board,
                  document.getElementById("dark-colours").media]"""
    ))  # fmt: skip


def test_preferences_of_a_guest_are_taken_along_and_follow_the_account(
    visit: Callable[..., Any],
) -> None:
    alice, elsewhere = visit(**DESK), visit(**DESK)
    be_guest(alice)
    alice.open("/preferences/")
    alice.page.get_by_label("Boards").select_option("slate")
    alice.page.get_by_label("Colours").select_option("dark")
    alice.page.get_by_label("Sounds").uncheck()
    assert looks(alice) == ["slate", "all"]
    sign_in(alice)
    with alice.page.expect_response("**/preferences/") as taken:
        alice.open("/rules/")
    assert taken.value.status == 204
    sign_in(elsewhere)
    elsewhere.open("/preferences/")
    assert looks(elsewhere) == ["slate", "all"]
    expect(elsewhere.page.get_by_label("Sounds")).to_have_value("no")
    with elsewhere.page.expect_response("**/preferences/") as changed:
        elsewhere.page.get_by_label("Confirm moves").select_option("yes")
    assert changed.value.status == 204
    expect(elsewhere.page.locator("#kept-status")).to_have_text("Saved.")
    with elsewhere.page.expect_response("**/preferences/"):
        elsewhere.page.get_by_label("Boards").select_option("wood")  # shown at once
        assert looks(elsewhere) == ["wood", "all"]
    elsewhere.page.reload()
    assert looks(elsewhere) == ["wood", "all"]
    expect(elsewhere.page.get_by_label("Confirm moves")).to_have_value("yes")
    # Preferences chosen in the other browser apply here from the next page on.
    elsewhere.open("/rules/").page.locator(".looks summary").click()
    with elsewhere.page.expect_response("**/preferences/"):
        elsewhere.page.locator('[data-looks="board"]').select_option("paper")
    alice.open("/rules/")
    assert looks(alice) == ["paper", "all"]


def test_a_challenge_is_seen_on_another_page_and_answered(visit: Callable[..., Any]) -> None:
    alice, bob = visit(**DESK), visit(**PHONE)
    mine, theirs = be_guest(alice), be_guest(bob)
    bob.open("/rules/six-in-a-row/")
    for word in ("Another game, please.", None):
        alice.open(f"/player/{theirs}/")
        alice.page.get_by_role("link", name="Challenge", exact=True).click()
        alice.page.get_by_text("Six in a Row", exact=True).click()
        alice.page.get_by_label("First player").select_option("first")
        alice.page.get_by_role("button", name="Send challenge").click()
        expect(alice.page.locator("h1")).to_contain_text(f"You challenged {theirs}")
        row = bob.page.locator("#waiting li", has_text=f"{mine} challenged you: Six in a Row")
        expect(row).to_be_visible()
        if word:
            row.locator("summary").click()
            row.get_by_role("button", name=word).click()
            expect(bob.page.locator("#waiting")).to_be_hidden()
            expect(alice.page.locator("article .notice")).to_contain_text(word)  # without a reload
        else:
            row.get_by_role("button", name="Accept").click()
            for visitor in (alice, bob):
                visitor.wait_to_be_seated()
    assert alice.role() == "player1"
    # The names beside the board link to the players.
    alice.page.locator(".seat a.player", has_text=theirs).click()
    expect(alice.page.locator("h1")).to_contain_text(theirs)
    expect(alice.page.get_by_role("heading", name="Current games")).to_be_visible()


def test_a_challenge_by_name_suggests_names_and_says_which_are_unknown(
    visit: Callable[..., Any],
) -> None:
    alice, bob = visit(**PHONE), visit(**DESK)
    theirs = be_guest(bob)
    page = alice.open().page
    field = alice.open_menu("six-in-a-row").get_by_label("Challenge by name")
    field.press_sequentially(theirs[:6])
    expect(page.locator("#known-names option", has_text=theirs)).to_have_count(1)
    field.fill("Nobody at all")
    field.press("Enter")
    error = page.locator("#by-name-error")
    expect(error).to_have_text("No player is called “Nobody at all”. Check the spelling.")
    expect(field).to_have_attribute("aria-invalid", "true")
    alice.complaints[:] = [c for c in alice.complaints if "404" not in c]
    field.fill(theirs)
    expect(error).to_be_hidden()
    field.press("Enter")
    page.wait_for_url("**/challenge/?game=six-in-a-row")
    expect(page.locator("h1")).to_have_text(f"Challenge {theirs}")
