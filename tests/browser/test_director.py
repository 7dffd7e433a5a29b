"""The organiser's bar on a phone: answers at once, lost connections, a server that is killed."""

import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, expect

from tests.builders.people import create_accounts
from tests.builders.sites import Site
from tests.builders.visitors import (
    PHONE,
    Visitor,
    be_account,
    create_logged_in,
    must_fit_window,
    take_session,
    watch,
)

FIRST_NAMES = ["Olga", "Ada", "Ben", "Cem", "Dua"]
MAKE = """
from datetime import timedelta
from django.utils import timezone
from games.models import Notice
from games.match.setup import Setup
from lobby.models import Player
from lobby.tournaments.registration import join_tournament
from lobby.tournaments.draft import Draft, create_tournament
olga, *others = (Player.objects.get(username=name) for name in {names!r})
made = create_tournament(olga, Draft("Club", "swiss", Setup("tic-tac-toe", "3+2"),
                        timezone.now() + timedelta(hours=1), rounds=2))
for each in others:
    join_tournament(each, made.pk)
Notice.objects.create(player=olga, words="An old notice")
print(made.get_absolute_url())
"""
START = """
from django.db import transaction
from tests.builders.tournaments import start_tournament
with transaction.atomic():  # the server must not run the same steps
    start_tournament(made)
"""
PAUSE = """
from lobby.tournaments.organiser_actions import pause_tournament
pause_tournament(olga, made.pk)
"""
# Presses a button, and returns what it says immediately afterwards.
PRESS = """name => {
    const button = [...document.querySelectorAll("#director button")]
        .find((each) => each.textContent.trim() === name && each.checkVisibility());
    button.click();
    return button.textContent;
}"""


def press(page: Page, name: str, doing: str) -> None:
    """Press a button of the bar, and check that it says what it does before the server answers."""
    assert page.evaluate(PRESS, name) == doing


def open_bar(olga: Visitor, family: str, then: str = "") -> Page:
    """Create a tournament of four and run more Python. Open its page, and mark the page."""
    names = [f"{name} {family}" for name in FIRST_NAMES]
    script = MAKE.format(names=names) + then
    people, output = create_logged_in(olga.site, *names, then=script)
    page = take_session(olga, people[names[0]]).open(output.split()[-1]).page
    page.evaluate("window.isSamePage = true")
    return page


def test_the_bar_answers_at_once(visit: Callable[..., Visitor]) -> None:
    olga = visit(**PHONE)
    page = open_bar(olga, "Bar")
    press(page, "Start now", "Starting…")
    expect(page.locator("#director .status span").first).to_have_text("Round 1 of 2")
    must_fit_window(page, "director-phone")
    box = page.locator("#director").bounding_box()
    assert box is not None and box["y"] + box["height"] < PHONE["viewport"]["height"] / 2
    expect(page.locator(".waiting-list li")).to_have_count(2)
    expect(page.locator(".waiting-list")).to_contain_text("Neither has opened the game")
    read_only_the_answer(olga)
    assert page.evaluate("window.isSamePage")


def test_the_bar_follows_when_a_player_does_not_come_and_pairs_the_next_round(
    visit: Callable[..., Visitor],
) -> None:
    olga = visit(**PHONE)
    page = open_bar(olga, "Next", START)
    page.locator(".waiting-list summary").first.click()
    page.locator(".waiting-list button").first.click()
    expect(page.get_by_role("link", name="1 result missing")).to_be_visible()
    press_in_place(page, "#tool-close-round")
    press(page, "Next round", "Pairing round 2…")
    expect(page.locator("#director .status span").first).to_have_text("Round 2 of 2")
    expect(page.locator("#pairs-title")).to_have_text("Round 2 of 2")
    assert page.evaluate("window.isSamePage")


def test_the_bar_refuses_without_a_connection_and_repeats_what_was_lost(
    visit: Callable[..., Visitor],
) -> None:
    olga = visit(**PHONE)
    page = open_bar(olga, "Link", START)
    refuse_without_a_connection(olga)
    repeat_what_was_lost(olga)
    assert page.evaluate("window.isSamePage")
    olga.forgive_network()


def test_the_bar_survives_a_server_that_is_killed(browser: Browser, tmp_path: Path) -> None:
    site = Site(tmp_path).wait()
    context = browser.new_context(**PHONE)
    olga = Visitor(context.new_page(), site)
    watch(olga.page, olga.complaints)
    again = None
    try:
        page = open_bar(olga, "Kill", START + PAUSE)
        path = page.url
        expect(page.locator("#director button", has_text="Resume")).to_be_enabled()

        # No button works, no link leads to an error page.
        site.stop(signal.SIGKILL)
        expect(page.locator("#director button", has_text="Resume")).to_be_disabled()
        page.get_by_role("link", name="Tournaments").last.click()
        expect(page.locator("#action-notice")).to_contain_text("No connection")
        assert page.url == path

        # The server returns.
        again = Site(tmp_path, port=site.port).wait()
        expect(page.locator("#director button", has_text="Resume")).to_be_enabled()
        expect(page.locator("#action-notice")).to_be_hidden()
        press(page, "Resume", "Resuming…")
        expect(page.locator("#director button", has_text="Pause")).to_be_visible()
        assert page.evaluate("window.isSamePage")
        olga.forgive_network()
        assert olga.complaints == []
    finally:
        context.close()
        (again or site).stop()


def press_in_place(page: Page, tool: str) -> None:
    """Open a tool of the bar, and check that no other button is now under the finger."""
    # In one step, because the bar may be redrawn at any time.
    measure = "name => JSON.stringify(document.querySelector(name).getBoundingClientRect())"
    summary = f"{tool} > summary"
    before = page.evaluate(measure, summary)
    page.click(summary)
    expect(page.locator(f"{tool} form")).to_be_visible()
    assert page.evaluate(measure, summary) == before


def refuse_without_a_connection(olga: Visitor) -> None:
    """Check that the bar is disabled without a connection, and works again when it is back."""
    page = olga.page
    page.context.set_offline(True)
    expect(page.locator("#director button", has_text="Pause")).to_be_disabled()
    expect(page.locator("#action-notice")).to_contain_text("No connection")
    page.locator("#pairs a").first.click()
    assert "/tournaments/" in page.url
    page.context.set_offline(False)
    expect(page.locator("#director button", has_text="Pause")).to_be_enabled()
    expect(page.locator("#action-notice")).to_be_hidden()


def read_only_the_answer(olga: Visitor) -> None:
    """Check that a refusal is shown without the notices that Olga has not marked as read."""
    page = olga.page
    expect(page.locator("ul.notices")).to_contain_text("An old notice")
    press_in_place(page, "#tool-add")
    page.fill("#tool-add [name=player]", "Nobody")
    page.locator("#tool-add button").click()
    expect(page.locator("#action-notice")).to_have_text("There is no player with this name.")
    page.locator("#tool-add > summary").click()


def repeat_what_was_lost(olga: Visitor) -> None:
    """Check that an action whose answer is lost is repeated, and carried out once."""
    page = olga.page

    def lose(route: Route) -> None:
        route.fetch()  # it reaches the server
        route.abort()

    page.route(re.compile("/do/pause/"), lose, times=1)
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#director button", has_text="Resume")).to_be_visible()
    expect(page.locator(".state-pill")).to_have_text("Paused")
    page.locator("#log summary").click()
    expect(page.locator("#log li", has_text="Paused.")).to_have_count(1)


def test_a_visitor_who_joins_as_a_guest_is_taken_to_their_game(
    site: Site, visit: Callable[..., Any]
) -> None:
    names = ["Olga Guests", "Ada Guests"]
    made = MAKE.replace("rounds=2)", "rounds=1, guests=True)").format(names=names)
    path = create_accounts(site, *names, then=made).split()[-1]
    guest = visit(**PHONE).open(path)
    guest.page.get_by_role("button", name="Join").click()
    expect(guest.page.locator(".own-place")).to_contain_text("You are registered.")
    expect(guest.page.locator("#standings tbody tr.me")).to_have_count(1)
    olga = be_account(visit(**PHONE), names[0]).open(path)
    olga.page.get_by_role("button", name="Start now").click()
    guest.wait_to_be_seated()


def test_an_action_from_before_a_long_interruption_is_refused(
    site: Site, visit: Callable[..., Any]
) -> None:
    names = ["Olga Late", "Ada Late", "Ben Late"]
    path = create_accounts(site, *names, then=MAKE.format(names=names)).split()[-1]
    olga = be_account(visit(**PHONE), names[0]).open(path)
    page = olga.page
    pk = path.split("/")[2]
    page.evaluate(
        """([pk, url]) => sessionStorage.setItem(`unanswered-${pk}`, JSON.stringify(
            { url, body: "", label: "Start now", at: Date.now() - 120000 }))""",
        [pk, f"{path}do/start/"],
    )
    page.reload()
    expect(page.locator("#action-notice")).to_contain_text("“Start now” was not repeated")
    expect(page.get_by_role("button", name="Start now")).to_be_enabled()
    page.reload()
    expect(page.get_by_role("button", name="Start now")).to_be_enabled()
    expect(page.locator("#action-notice")).to_be_hidden()
