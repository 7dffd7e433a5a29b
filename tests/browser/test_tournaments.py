"""A club tournament of eight, from the announcement to the printed table.

The organiser uses a desktop browser, one player uses a phone, and seven play over sockets.
"""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.builders.sites import Person, Site, until
from tests.builders.visitors import (
    DESK,
    PHONE,
    Visitor,
    create_logged_in,
    must_fit_window,
    save_picture,
    take_session,
)

NAMES = ["Anna Berg", "Ben Cole", "Cleo Diaz", "Dan Evans",
         "Eva Fink", "Finn Gray", "Gia Holt", "Hugo Ives"]  # fmt: skip
Visit = Callable[..., Any]
JOIN = """
from lobby.models import Player
from lobby.tournaments.registration import join_tournament
for name in {names!r}:
    join_tournament(Player.objects.get(username=name), "{path}".split("/")[2])
"""


def announced(organiser: Visitor) -> str:
    """Create the tournament with the form and return its path."""
    page = organiser.open("/tournaments/").page
    must_fit_window(page, "list")
    page.get_by_role("link", name="Create a tournament").click()
    expect(page.get_by_label("Minutes", exact=True)).to_be_hidden()
    page.get_by_role("radio", name="Arena").check()
    expect(page.get_by_label("Minutes", exact=True)).to_be_visible()
    page.get_by_role("radio", name="Swiss").check()
    page.get_by_label("Name").fill("")
    page.get_by_role("button", name="Create tournament").click()
    expect(page.locator("#about-name")).to_have_text("Enter a name.")
    must_fit_window(page, "form")
    page.get_by_label("Name").fill("Evening of eight")
    page.get_by_role("radio", name="Tic-Tac-Toe", exact=True).check()
    page.get_by_label("Rounds", exact=True).fill("2")
    page.get_by_role("button", name="Create tournament").click()
    expect(page.get_by_role("heading", name="Evening of eight")).to_be_visible()
    return "/" + page.url.split("/", 3)[3]


def resign_all(page: Page, people: dict[str, Person], most: int = 4) -> int:
    """Resign up to `most` live games of the round that a page shows; return their number.

    One of the people plays in each of the games.
    """
    lost = 0
    for pair in page.locator("#pairs .pair").all():
        game = pair.locator("a.score").get_attribute("href") or ""
        names = pair.locator("bdi").all_inner_texts()
        person = next(people[name] for name in names if name in people)
        with person.match(game.split("/")[2]) as socket:
            if socket.next("state")["status"] == "live" and lost < most:
                lost += 1
                socket.send("resign")
                socket.next("state", lambda state: state["status"] == "over")
    return lost


def went(one: Page, other: Page) -> Page:
    """Return the one of two tabs that has opened the game, and close the other."""
    two = (one, other)
    until(lambda: any("/match/" in each.url for each in two) or one.wait_for_timeout(50), "a game")
    one.wait_for_timeout(1500)
    gone = [each for each in two if "/match/" in each.url]
    assert len(gone) == 1
    for each in two:
        if each not in gone:
            expect(each.locator("a.go")).to_be_visible()
            each.close()
    return gone[0]


def test_an_evening_of_eight_from_the_announcement_to_the_printed_table(
    visit: Visit, site: Site
) -> None:
    people, _ = create_logged_in(site, "Olga Brook", *NAMES)
    organiser = take_session(visit(**DESK), people.pop("Olga Brook"))
    path = announced(organiser)
    organiser.forgive_refusal()  # the form without a name

    # Seven register elsewhere and one on the phone; the organiser's page updates.
    done = site.manage("shell", "-c", JOIN.format(names=NAMES[1:], path=path))
    assert done.returncode == 0, done.stderr
    phone = take_session(visit(**PHONE), people.pop(NAMES[0])).open(path)
    must_fit_window(phone.page, "open-phone")
    phone.page.get_by_role("button", name="Join").click()
    expect(phone.page.locator(".own-place")).to_contain_text("You are registered.")
    expect(organiser.page.locator("#standings tbody tr")).to_have_count(8)
    expect(organiser.page.locator("#director .status")).to_contain_text("8 players")
    must_fit_window(organiser.page, "open-desk")

    # Another tab of the phone's player gets a notice with a sound and stays on its page.
    elsewhere = phone.page.context.new_page()
    elsewhere.goto(f"{site.url}/ratings/")
    elsewhere.evaluate("document.addEventListener('sound', (e) => { window.heard = e.detail; })")
    elsewhere.wait_for_timeout(500)
    twin = phone.page.context.new_page()  # one of two tournament tabs opens the game
    twin.goto(f"{site.url}{path}")
    expect(twin.locator("#standings tbody tr")).to_have_count(8)
    organiser.page.get_by_role("button", name="Start now").click()
    phone.page = went(phone.page, twin)
    expect(elsewhere.locator("#waiting")).to_contain_text("Evening of eight: your")
    assert elsewhere.evaluate("window.heard") == "start"
    assert elsewhere.url.endswith("/ratings/")

    # The organiser's page shows the round, its boards, and results as they arrive.
    page = organiser.page
    expect(page.locator("#pairs .pair")).to_have_count(4)
    expect(page.locator("#matches li")).to_have_count(4)
    must_fit_window(page, "running-desk")
    assert page.locator("#announcer").inner_text() == "Running. Round 1 of 2"

    # The player on the phone loses and returns to wait for the next round.
    phone.page.get_by_role("button", name="Resign").click()
    phone.page.get_by_role("button", name="Yes").click()
    phone.page.wait_for_selector('#match[data-status="over"]')
    expect(phone.page.get_by_role("button", name="Rematch")).to_have_count(0)
    phone.page.get_by_role("link", name="Back to the tournament").click()
    expect(phone.page.locator(".own-place")).to_contain_text("when your next game starts")
    must_fit_window(phone.page, "running-phone")
    assert resign_all(page, people, most=2) == 2
    expect(page.locator("#pairs .score", has_text=re.compile("^[01].[01]$"))).to_have_count(3)
    resign_all(page, people)
    phone.page.wait_for_url("**/match/**")
    expect(page.locator("#pairs-title")).to_have_text("Round 2 of 2")
    assert resign_all(page, people) == 4

    # After the end: the table, a player's card, the wall display, and the printed sheet.
    expect(page.locator("#standings-title")).to_contain_text("Final standings")
    expect(page.locator(".podium > li")).to_have_count(3)
    expect(page.locator("#standings .sum").first).to_have_text("2")
    expect(page.locator("#boards")).to_be_hidden(timeout=10_000)
    must_fit_window(page, "over-desk")
    phone.open(path)
    must_fit_window(phone.page, "over-phone")
    phone.page.locator("#standings tbody th a").first.click()
    expect(phone.page.get_by_role("heading", name="Tie-breaks explained")).to_be_visible()
    expect(phone.page.locator(".reckoned")).to_contain_text("1 + 1 = 2")
    must_fit_window(phone.page, "card-phone")
    printed(organiser)
    wall(organiser, path)
    without_scripts(visit, path)


def printed(organiser: Visitor) -> None:
    """Check the print of the open page: both tables, no controls, in black, one or two sheets."""
    page = organiser.page
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 718, "height": 1040})  # A4 without its margins, at 96 dpi
    save_picture(page, "print")
    for hidden in (".masthead", ".footer", "#log", "#boards", ".rounds"):
        expect(page.locator(hidden).first).to_be_hidden()
    for seen in ("#standings", ".crosstable", "#pairs"):
        expect(page.locator(seen)).to_be_visible()
    assert page.locator("#standings .wide").first.is_visible()
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 2
    page.emulate_media(media="screen", color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 800})


def wall(organiser: Visitor, path: str) -> None:
    """Check that the wall display shows one panel at a time and has no controls."""
    page = organiser.open(f"{path}?display").page
    expect(page.locator("#panels > section:visible")).to_have_count(1)
    assert page.locator("a:visible, button:visible, input:visible").count() == 0
    expect(page.locator(".display")).to_contain_text("Evening of eight")
    must_fit_window(page, "wall")


def without_scripts(visit: Visit, path: str) -> None:
    """Check that the pages are complete without scripts."""
    reader = visit(**DESK, java_script_enabled=False).open(path)
    expect(reader.page.locator("#standings tbody tr")).to_have_count(8)
    expect(reader.page.locator(".crosstable")).to_be_visible()
    expect(reader.page.locator("#pairs .pair")).to_have_count(4)
    assert not reader.page.locator("#print").is_visible()
    reader.page.locator("#log summary").click()
    expect(reader.page.locator("#log")).to_contain_text("Started with 8 players.")
    save_picture(reader.page, "without-scripts")
