"""Rated games in the lobby: permissions, pairing, and the reasons for refusals."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.builders.people import sign_up
from tests.builders.sites import Person, Site
from tests.builders.visitors import (
    DESK,
    PHONE,
    SMALL_PHONE,
    Visitor,
    choose_rated,
    open_tab,
    resign,
    take_session,
)

Visit = Callable[..., Visitor]

SOLVED = "This game cannot be rated"


def note(page: Page) -> str:
    return page.locator("#rated-note").inner_text()


@pytest.mark.parametrize("how", [DESK, PHONE], ids=["desk", "phone"])
def test_a_guest_is_told_to_sign_up(visit: Visit, how: dict[str, object]) -> None:
    page = visit(**how).open().page
    expect(page.locator("#wants-rated")).to_be_disabled()
    assert "need an account" in note(page)
    link = page.locator("#ratedness").get_by_role("link", name="Sign up")
    expect(link).to_have_attribute("href", re.compile("/accounts/signup/"))


@pytest.mark.parametrize("how", [DESK, SMALL_PHONE], ids=["desk", "phone"])
def test_the_page_says_what_is_rated_and_remembers_it(
    visit: Visit, how: dict[str, Any], site: Site
) -> None:
    alice = take_session(visit(**how), sign_up(site)).open()
    page = alice.page
    assert note(page) == "Games without a time limit are not rated."
    expect(page.locator("#wants-rated")).to_be_disabled()
    alice.choose_clock("3+2")
    assert "not affect ratings" in note(page)
    expect(page.locator("#rating-range")).to_be_hidden()
    cards = page.locator(".game")
    places = [card.bounding_box() for card in cards.all()]
    with page.expect_response("**/preferences/"):
        page.locator("#wants-rated").check(force=True)
    assert "similar strength" in note(page)
    assert [card.bounding_box() for card in cards.all()] == places
    alice.choose_clock()
    expect(page.locator("#wants-rated")).not_to_be_checked()  # but the wish is remembered
    alice.choose_clock("3+2")
    expect(page.locator("#wants-rated")).to_be_checked()
    card = page.locator('.game[data-game="tic-tac-toe"]')
    expect(card).to_contain_text(SOLVED)
    expect(page.locator('.game[data-game="dots-and-boxes"]')).not_to_contain_text(SOLVED)
    choose_range(page, lowest="1400")
    card.get_by_role("button", name="Play Tic-Tac-Toe", exact=True).click()
    expect(page.locator("#waiting")).to_contain_text("Tic-Tac-Toe")
    expect(page.locator("#waiting")).not_to_contain_text("rated")
    again = open_tab(alice)
    expect(again.locator("#wants-rated")).to_be_checked()
    expect(again.locator("#lowest")).to_have_value("1400")
    page.get_by_role("button", name="Cancel the seek for Tic-Tac-Toe").click()
    other_device = take_session(visit(**PHONE), _same(alice, site)).open().page
    expect(other_device.locator("#wants-rated")).to_be_checked()


def choose_range(page: Page, **bounds: str) -> None:
    page.locator("#rating-range").click()
    for name, value in bounds.items():
        page.fill(f"#{name}", value)
    page.get_by_role("button", name="Done").click()


def _same(visitor: Visitor, site: Site) -> Person:
    """Return the same player in another browser."""
    person = Person(site)
    jar = {c["name"]: c["value"] for c in visitor.page.context.cookies()}
    person.cookies = _Jar(jar)  # type: ignore[assignment]
    return person


class _Jar(list):  # type: ignore[type-arg]
    def __init__(self, values: dict[str, str]) -> None:
        super().__init__(_Cookie(name, value) for name, value in values.items())


class _Cookie:
    def __init__(self, name: str, value: str) -> None:
        self.name, self.value = name, value


def test_two_accounts_meet_in_a_wave(visit: Visit, site: Site) -> None:
    alice, bob = (take_session(visit(**how), sign_up(site)).open() for how in (DESK, PHONE))
    beside = open_tab(alice)
    for visitor in (alice, bob):
        choose_rated(visitor, "10+5")
    alice.page.get_by_role("button", name="Play Six in a Row", exact=True).click()
    row = bob.page.locator("#seeks li", has_text="Six in a Row").filter(has_text="rated")
    expect(row).to_be_visible()  # others may be listed too
    expect(beside.locator("#waiting")).to_contain_text("rated")
    bob.page.get_by_role("button", name="Play Six in a Row", exact=True).click()
    for visitor in (alice, bob):
        visitor.wait_to_be_seated()
        expect(visitor.page.locator("#rated")).to_have_text("rated")
        assert visitor.page.get_attribute("#match", "data-rated") == "yes"
    link = beside.locator("#waiting").get_by_role("link", name=re.compile("Play Six in a Row"))
    expect(link).to_have_attribute("href", re.compile("/match/"))
    alice.page.clock.install()
    resign(alice)
    alice.page.wait_for_selector('#match[data-status="over"]')
    said = alice.page.locator("#unrated")  # both play from one address
    expect(said).to_be_hidden()
    alice.page.clock.fast_forward(61_000)
    expect(said).to_contain_text("This game did not change any rating.")


def test_a_range_is_shown_and_a_join_out_of_it_says_why(visit: Visit, site: Site) -> None:
    alice, bob = (take_session(visit(), sign_up(site)).open() for _ in range(2))
    guest = visit().open()
    choose_rated(alice, "5+5")
    choose_range(alice.page, lowest="1600", highest="1800")
    alice.page.get_by_role("button", name="Play Dots and Boxes", exact=True).click()
    for visitor, why in ((bob, "from 1600 to 1800; yours is 1500"), (guest, "need an account")):
        row = visitor.page.locator("#seeks li", has_text="rated, 1600 to 1800")
        row.get_by_role("button", name="Join").click()
        expect(row.locator(".error")).to_contain_text(why)
    expect(row.get_by_role("link", name="Sign up")).to_be_visible()


def test_an_invitation_and_a_challenge_are_rated(visit: Visit, site: Site) -> None:
    alice, bob = (take_session(visit(), sign_up(site)) for _ in range(2))
    guest = visit()
    choose_rated(alice.open(), "3+2")
    alice.invite_friend("dots-and-boxes")
    address = alice.page.input_value("#address")
    guest.page.goto(address)
    expect(guest.page.locator("#invitation")).to_contain_text("Rated games need an account")
    expect(guest.page.locator("#invitation").get_by_role("link", name="Sign up")).to_be_visible()
    bob.page.goto(address)
    expect(bob.page.locator("#invitation")).to_contain_text("Rated")
    bob.page.get_by_role("button", name="Accept").click()
    for visitor in (alice, bob):
        visitor.wait_to_be_seated()  # her tab opens the match without a click
    name = bob.page.locator(".near bdi.name").inner_text()
    alice.open(f"/player/{name}/challenge/")
    expect(alice.page.get_by_label("Rated")).to_be_checked()  # as in the lobby
    expect(alice.page.get_by_label("Time limit")).to_have_value("3+2")
    alice.page.get_by_role("radio", name="Six in a Row").check(force=True)
    alice.page.get_by_label("Time limit").select_option("")
    alice.page.get_by_role("button", name="Send challenge").click()
    expect(alice.page.locator("body")).to_contain_text("without a time limit are not rated")
    expect(alice.page.get_by_role("radio", name="Six in a Row")).to_be_checked()
    expect(alice.page.get_by_label("Rated")).to_be_checked()
    alice.page.get_by_label("Time limit").select_option("3+2")
    alice.page.get_by_role("button", name="Send challenge").click()
    expect(alice.page.locator("#challenge")).to_contain_text("Rated")
    guest.open(f"/player/{name}/challenge/")
    expect(guest.page.locator("form.sheet")).to_contain_text("Rated games need an account")
