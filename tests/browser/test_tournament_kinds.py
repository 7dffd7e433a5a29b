"""Arenas on a desktop and a phone, the bracket of a knockout, and wide crosstables."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Page, expect

from tests.builders.people import find_tournament_game, resign_tournament_games
from tests.builders.sites import Person, Site, until
from tests.builders.visitors import (
    DESK,
    PHONE,
    Visitor,
    create_logged_in,
    must_fit_window,
    resign,
    take_session,
)

Visit = Callable[..., Any]
MAKE = """
from datetime import timedelta
from django.db import transaction
from django.utils import timezone
from games.match.setup import Setup
from lobby.models import Player
from lobby.tournaments.registration import join_tournament
from lobby.tournaments.draft import Draft, create_tournament
olga = Player.objects.get(username={organiser!r})
players = [Player.objects.get(username=name) for name in {players!r}]
with transaction.atomic():  # otherwise the server would run the steps that `played` expects to run
    made = create_tournament(olga, Draft({name!r}, {kind!r}, Setup("tic-tac-toe", "3+2"),
                            timezone.now() + timedelta(hours=1), **{more!r}))
    for each in players:
        join_tournament(each, made.pk)
    {played}
print(made.get_absolute_url())
"""
START = """
    from tests.builders.tournaments import start_tournament
    start_tournament(made)
"""
PLAY_ARENA = """
    from lobby.tournaments import presence
    from tests.builders import tournaments
    presence.record_present(made.pk, [each.pk for each in players])
    tournaments.start_tournament(made)
    tournaments.pair_wave(made)
    for _ in range({games}):
        tournaments.end_live_matches(made)
        tournaments.pair_wave(made)
    presence.record_absent(made.pk, [each.pk for each in players])
"""
"""Plays games that the first player wins, and starts another. The players have left the page."""


def make(
    site: Site,
    organiser: str,
    kind: str,
    players: Sequence[str] = (),
    others: Sequence[str] = (),
    played: str = "pass",
    **more: Any,
) -> tuple[str, dict[str, Person]]:
    """Create accounts, and a tournament of theirs with open registration, and run Python.

    Return its path and the people.
    """
    script = MAKE.format(
        name=f"The {kind} of the club",
        kind=kind,
        organiser=organiser,
        players=players,
        more=more,
        played=played,
    )
    people, output = create_logged_in(site, organiser, *players, *others, then=script)
    return output.split()[-1], people


def goes_to_a_game(*visitors: Visitor) -> None:
    for visitor in visitors:
        visitor.wait_to_be_seated()


def leave(visitor: Visitor) -> None:
    visitor.page.wait_for_selector('#match[data-status="over"]')
    visitor.page.get_by_role("link", name="Back to the tournament").click()


def back(*visitors: Visitor) -> None:
    for visitor in visitors:
        leave(visitor)
        visitor.page.wait_for_selector("#standings")


def points(page: Page, name: str) -> Any:
    return page.locator("#standings tbody tr", has_text=name).locator(".sum")


def test_players_join_an_arena_on_its_page(visit: Visit, site: Site) -> None:
    names = ["Arne Berg", "Bea Berg"]
    path, people = make(site, "Otto Berg", "arena", others=names, minutes=20)
    desk = take_session(visit(**DESK), people[names[0]]).open(path)
    phone = take_session(visit(**PHONE), people[names[1]]).open(path)
    must_fit_window(desk.page, "arena-empty-desk")
    for visitor in (desk, phone):
        visitor.page.get_by_role("button", name="Join").click()
        expect(visitor.page.locator(".own-place")).to_contain_text("You are registered.")
    must_fit_window(phone.page, "arena-open-phone")


def test_players_on_the_page_of_an_arena_are_paired_and_one_halves_their_time(
    visit: Visit, site: Site
) -> None:
    names = ["Arne Cole", "Bea Cole"]
    path, people = make(site, "Otto Cole", "arena", names, minutes=20)
    desk = take_session(visit(**DESK), people[names[0]]).open(path)
    phone = take_session(visit(**PHONE), people[names[1]]).open(path)
    organiser = take_session(visit(**DESK), people["Otto Cole"]).open(path)
    organiser.page.get_by_role("button", name="Start now").click()
    goes_to_a_game(desk, phone)
    berserk = desk.page.get_by_role("button", name="Berserk: half the time, one extra point")
    berserk.click()
    expect(berserk).to_have_count(0)
    resign(phone)
    must_fit_window(organiser.page, "arena-running-desk")
    expect(points(organiser.page, names[0])).to_have_text("3")
    expect(organiser.page.locator("#pairs")).to_be_hidden()  # the page shows the boards instead


def test_players_of_an_arena_are_paired_again_and_a_third_win_counts_double(
    visit: Visit, site: Site
) -> None:
    arne, bea = names = ["Arne Diaz", "Bea Diaz"]
    played = PLAY_ARENA.format(games=1)
    path, people = make(site, "Otto Diaz", "arena", names, played=played, minutes=20)
    shows = f"/ws/lobby/?shows=tournament&tournament={path.split('/')[2]}"
    people[arne].socket(shows).next("tournament")  # a page of the winner would show nothing new
    organiser = take_session(visit(**DESK), people["Otto Diaz"]).open(path)
    phone = take_session(visit(**PHONE), people[bea])
    phone.open(f"/match/{find_tournament_game(people[bea], path)}/")
    resign(phone)
    expect(points(organiser.page, arne)).to_have_text("4")

    # Both are paired again without a click.
    former = phone.page.url
    leave(phone)  # the next game may begin before the page of the tournament is seen
    phone.page.wait_for_url(lambda url: "/match/" in url and url != former)
    goes_to_a_game(phone)
    status, _ = people[arne].post(f"{path}do/withdraw/")
    assert status == 200
    resign(phone)
    expect(points(organiser.page, arne)).to_have_text("8")
    row = organiser.page.locator("#standings tbody tr").first
    expect(row).to_contain_text("3-win streak")
    back(phone)  # and waits, because Arne has withdrawn
    expect(phone.page.locator(".own-place")).to_contain_text("to be paired again")
    must_fit_window(phone.page, "arena-running-phone")


def test_every_viewer_sees_the_final_table_when_the_organiser_ends_an_arena(
    visit: Visit, site: Site
) -> None:
    arne, bea = names = ["Arne Evans", "Bea Evans"]
    played = PLAY_ARENA.format(games=2)
    path, people = make(site, "Otto Evans", "arena", names, played=played, minutes=20)
    people[arne].post(f"{path}do/withdraw/")
    resign_tournament_games(path, people[bea])
    organiser = take_session(visit(**DESK), people["Otto Evans"]).open(path)
    phone = take_session(visit(**PHONE), people[bea]).open(path)
    organiser.page.locator("#tool-end summary").click()
    must_fit_window(organiser.page, "arena-tools-desk")
    organiser.page.locator("#tool-end").get_by_role("button").click()
    for visitor in (organiser, phone):
        expect(visitor.page.locator("#standings-title")).to_contain_text("Final standings")
        expect(visitor.page.locator(".podium > li")).to_have_count(2)
    expect(organiser.page.locator("#pairs .pair")).to_have_count(3)
    must_fit_window(phone.page, "arena-over-phone")
    must_fit_window(organiser.page, "arena-over-desk")
    phone.page.locator("#standings tbody th a").first.click()
    expect(phone.page.locator(".card")).to_contain_text("4 (doubled)")
    must_fit_window(phone.page, "arena-card-phone")


def bracket(page: Page, stage: str) -> Any:
    return page.locator(f'.bracket section[aria-label="{stage}"]')


def test_a_knockout_as_it_is_drawn(visit: Visit, site: Site) -> None:
    names = [f"{name} Junior" for name in ("Anna Berg", "Ben Cole", "Cleo Diaz", "Dan Evans")]
    path, people = make(site, "Olaf Brook", "knockout", names, third_place=True)
    desk = take_session(visit(**DESK), people["Olaf Brook"]).open(path)
    phone = visit(**PHONE).open(path)
    expect(phone.page.locator(".bracket")).to_have_count(0)
    desk.page.get_by_role("button", name="Start now").click()
    anna, ben, cleo, dan = names
    for visitor, where in ((desk, "desk"), (phone, "phone")):
        expect(bracket(visitor.page, "Semi-finals").locator(".tie")).to_have_count(2)
        for stage in ("Final", "Third place"):
            expect(bracket(visitor.page, stage)).to_contain_text("to be decided")
        must_fit_window(visitor.page, f"knockout-running-{where}")

    # Winners advance and losers play for third place; open pages update.
    resign_tournament_games(path, people[cleo], people[dan])
    for visitor in (desk, phone):
        for stage, two in (("Final", (anna, ben)), ("Third place", (cleo, dan))):
            for name in two:
                expect(bracket(visitor.page, stage)).to_contain_text(name)
        won = bracket(visitor.page, "Semi-finals").locator(".won")
        expect(won).to_have_count(2)
    resign_tournament_games(path, people[ben], people[dan])
    for visitor, where in ((desk, "desk"), (phone, "phone")):
        expect(bracket(visitor.page, "Final").locator(".won")).to_contain_text(anna)
        expect(bracket(visitor.page, "Third place").locator(".won")).to_contain_text(cleo)
        rows = visitor.page.locator("#standings tbody th")
        expect(rows).to_have_text([anna, ben, cleo, dan])
        must_fit_window(visitor.page, f"knockout-over-{where}")
    scrolls_by_keyboard(phone.page, ".table-box:has(.bracket)")


def scrolls_by_keyboard(page: Page, box: str) -> None:
    """Check that the keyboard can focus and scroll a box wider than the page.

    An update of the page may replace the box between two of these lines.
    """
    found = page.locator(box)
    expect(found).to_have_attribute("tabindex", "0")  # Chromium could focus it without

    def is_wide() -> bool:
        page.wait_for_timeout(50)
        return bool(found.evaluate("box => box.scrollWidth > box.clientWidth"))

    def is_scrolled() -> bool:
        found.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(50)
        return bool(found.evaluate("box => box.scrollLeft > 0"))

    until(is_wide, "a box wider than the page")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    until(is_scrolled, "the box scrolled")


def test_a_crosstable_of_sixteen_scrolls_on_a_phone(visit: Visit, site: Site) -> None:
    names = [f"Club member No. {number:02}" for number in range(16)]
    path, people = make(site, "Oleg Brook", "round-robin", names, played=START)
    phone = visit(**PHONE)
    phone.page.clock.install()
    phone.open(path)
    expect(phone.page.locator(".crosstable tbody tr")).to_have_count(16)
    must_fit_window(phone.page, "crosstable-phone")
    scrolls_by_keyboard(phone.page, ".table-box:has(.crosstable)")
    must_fit_window(visit(**DESK).open(path).page, "crosstable-desk")

    # A result appears in the table of an open page, some seconds after it appears among the pairs.
    assert phone.page.locator(".crosstable td a", has_text="1").count() == 0
    resign_tournament_games(path, people[names[0]])
    expect(phone.page.locator("#pairs .score", has_text=re.compile("^[01].[01]$"))).to_have_count(1)
    phone.page.clock.fast_forward(6000)
    expect(phone.page.locator(".crosstable td a", has_text="1")).to_have_count(1)


def test_the_table_never_mixes_its_head_with_other_cells(site: Site, visit: Visit) -> None:
    names = ["Olga Start", "Sam Start", "Sue Start"]
    path, people = make(site, names[0], "swiss", names[1:], rounds=1)
    olga = take_session(visit(**DESK), people[names[0]])
    page = olga.open(path).page
    expect(page.locator("#standings tbody tr")).to_have_count(2)
    page.evaluate("""() => {
        window.mixed = [];
        const look = () => {
            const table = document.getElementById("standings");
            const counts = [...table.rows].map((row) => row.cells.length);
            const points = table.querySelector("tbody .sum")?.textContent;
            const isOn = table.tHead.textContent.includes("Points");
            if (new Set(counts).size > 1 || Boolean(points) !== isOn) window.mixed.push(counts);
        };
        new MutationObserver(look).observe(document.getElementById("tournament"),
            { childList: true, subtree: true, characterData: true });
        look();
        window.fetch = new Proxy(window.fetch, { async apply(target, self, args) {
            await new Promise((then) => setTimeout(then, 1500)); // a slow connection
            return Reflect.apply(target, self, args);
        } });
    }""")
    people[names[0]].post(f"{path}do/start/")  # as from another tab of the organiser
    expect(page.locator("#standings thead")).to_contain_text("Points")
    expect(page.locator("#standings tbody tr")).to_have_count(2)
    assert page.evaluate("mixed") == []
