"""A club tournament of eight, from the announcement to the printed table.

The organiser uses a desktop browser, one player uses a phone, and the others play over sockets.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocket, expect

from tests.builders.people import find_tournament_game, resign_tournament_games
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

FIRST_NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gia", "Hugo"]
Visit = Callable[..., Any]
CREATE = """
from django.db import transaction
from games.match.setup import Setup
from tests.builders.tournaments import *
olga, *players = (Player.objects.get(username=name) for name in {names!r})
with transaction.atomic():  # otherwise the server would run the steps that `played` expects to run
    made = create_tournament(olga, name="Evening of eight", setup=Setup("tic-tac-toe"), rounds=2)
    join_players(made, players)
    {played}
print(made.get_absolute_url())
"""
JOIN = """
from lobby.models import Player
from lobby.tournaments.registration import join_tournament
for name in {names!r}:
    join_tournament(Player.objects.get(username=name), "{path}".split("/")[2])
"""


def name_people(family: str) -> list[str]:
    """Return the names of an organiser and eight players of a test."""
    return [f"{name} {family}" for name in ("Olga", *FIRST_NAMES)]


def create_evening(
    site: Site, family: str, played: str = "pass"
) -> tuple[str, Person, dict[str, Person]]:
    """Create the tournament with its players, and run Python that plays it.

    Return its path, the organiser and the players.
    """
    names = name_people(family)
    script = CREATE.format(names=names, played=played)
    people, output = create_logged_in(site, *names, then=script)
    return output.split()[-1], people.pop(names[0]), people


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


def must_open_in_one(tabs: tuple[Page, Page]) -> None:
    """Check that one of two tabs opens the game, and that the other has a link to it."""

    def list_opened() -> list[Page]:
        return [tab for tab in tabs if "/match/" in tab.url]

    until(lambda: list_opened() or tabs[0].wait_for_timeout(50), "a game")
    tabs[0].wait_for_timeout(1000)  # longer than a tab in the background leaves it to another
    opened = list_opened()
    assert len(opened) == 1
    for tab in tabs:
        if tab not in opened:
            expect(tab.locator("a.go")).to_be_visible()


def test_an_organiser_announces_a_tournament_and_players_join(visit: Visit, site: Site) -> None:
    names = name_people("Berg")
    people, _ = create_logged_in(site, *names)
    organiser = take_session(visit(**DESK), people[names[0]])
    path = announced(organiser)
    organiser.forgive_refusal()  # the form without a name

    # Seven register elsewhere and one on the phone; the organiser's page updates.
    done = site.manage("shell", "-c", JOIN.format(names=names[2:], path=path))
    assert done.returncode == 0, done.stderr
    phone = take_session(visit(**PHONE), people[names[1]]).open(path)
    must_fit_window(phone.page, "open-phone")
    phone.page.get_by_role("button", name="Join").click()
    expect(phone.page.locator(".own-place")).to_contain_text("You are registered.")
    expect(organiser.page.locator("#standings tbody tr")).to_have_count(8)
    expect(organiser.page.locator("#director .status")).to_contain_text("8 players")
    must_fit_window(organiser.page, "open-desk")


def test_one_tab_opens_the_game_and_another_page_has_a_notice_of_it(
    visit: Visit, site: Site
) -> None:
    path, olga, people = create_evening(site, "Cole")
    anna = take_session(visit(**PHONE), people["Anna Cole"]).open(path)

    # A tab with another page gets a notice with a sound and stays on its page.
    elsewhere = anna.page.context.new_page()
    kinds: list[str] = []

    def note_kinds(socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: kinds.append(json.loads(text)["type"]))

    def has_first_frame() -> bool:
        elsewhere.wait_for_timeout(50)
        return "own" in kinds

    elsewhere.on("websocket", note_kinds)
    elsewhere.goto(f"{site.url}/ratings/")
    # A game in the first frame would be no news.
    until(has_first_frame, "the first frame")
    elsewhere.evaluate("document.addEventListener('sound', (e) => { window.heard = e.detail; })")
    twin = anna.page.context.new_page()  # one of two tournament tabs opens the game
    twin.goto(f"{site.url}{path}")
    expect(twin.locator("#standings tbody tr")).to_have_count(8)
    olga.post(f"{path}do/start/")
    must_open_in_one((anna.page, twin))
    expect(elsewhere.locator("#waiting")).to_contain_text("Evening of eight: your")
    assert elsewhere.evaluate("window.heard") == "start"
    assert elsewhere.url.endswith("/ratings/")


def test_a_player_waits_on_the_page_for_the_next_round_and_is_taken_to_its_game(
    visit: Visit, site: Site
) -> None:
    path, _, people = create_evening(site, "Diaz", "start_tournament(made)")
    anna = people["Anna Diaz"]
    phone = take_session(visit(**PHONE), anna).open(f"/match/{find_tournament_game(anna, path)}/")
    phone.page.get_by_role("button", name="Resign").click()
    phone.page.get_by_role("button", name="Yes").click()
    phone.page.wait_for_selector('#match[data-status="over"]')
    expect(phone.page.get_by_role("button", name="Rematch")).to_have_count(0)
    phone.page.get_by_role("link", name="Back to the tournament").click()
    expect(phone.page.locator(".own-place")).to_contain_text("when your next game starts")
    must_fit_window(phone.page, "running-phone")
    resign_tournament_games(path, *(people[f"{name} Diaz"] for name in ("Ben", "Cleo", "Dan")))
    phone.page.wait_for_url("**/match/**")


def test_the_organiser_sees_a_round_and_its_results_as_they_arrive(
    visit: Visit, site: Site
) -> None:
    path, olga, people = create_evening(site, "Holt")
    page = take_session(visit(**DESK), olga).open(path).page
    page.get_by_role("button", name="Start now").click()
    expect(page.locator("#pairs .pair")).to_have_count(4)
    expect(page.locator("#matches li")).to_have_count(4)
    must_fit_window(page, "running-desk")
    assert page.locator("#announcer").inner_text() == "Running. Round 1 of 2"
    assert resign_all(page, people, most=3) == 3
    expect(page.locator("#pairs .score", has_text=re.compile("^[01].[01]$"))).to_have_count(3)
    assert resign_all(page, people) == 1
    expect(page.locator("#pairs-title")).to_have_text("Round 2 of 2")


def test_after_the_last_game_the_final_table_is_shown_and_printed(visit: Visit, site: Site) -> None:
    path, olga, people = create_evening(site, "Evans", "start_tournament(made), play_round(made)")
    organiser = take_session(visit(**DESK), olga)
    page = organiser.page
    page.clock.install()
    organiser.open(path)
    expect(page.locator("#matches li")).to_have_count(4)
    losers = [f"{name} Evans" for name in ("Cleo", "Dan", "Finn", "Hugo")]  # no places are shared
    assert resign_all(page, {name: people[name] for name in losers}) == 4
    expect(page.locator("#standings-title")).to_contain_text("Final standings")
    expect(page.locator(".podium > li")).to_have_count(3)
    expect(page.locator("#standings .sum").first).to_have_text("2")
    page.clock.fast_forward(3000)  # the time for which the page keeps ended games
    expect(page.locator("#boards")).to_be_hidden()
    must_fit_window(page, "over-desk")
    printed(organiser)


def test_a_finished_tournament_has_a_card_a_wall_display_and_pages_without_scripts(
    visit: Visit, site: Site
) -> None:
    played = "start_tournament(made), play_tournament(made)"
    path, olga, people = create_evening(site, "Fink", played)
    phone = take_session(visit(**PHONE), people["Anna Fink"]).open(path)
    must_fit_window(phone.page, "over-phone")
    phone.page.locator("#standings tbody th a").first.click()
    expect(phone.page.get_by_role("heading", name="Tie-breaks explained")).to_be_visible()
    expect(phone.page.locator(".reckoned")).to_contain_text("1 + 1 = 2")
    must_fit_window(phone.page, "card-phone")
    wall(take_session(visit(**DESK), olga), path)
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
