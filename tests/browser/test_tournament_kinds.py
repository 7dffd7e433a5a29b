"""Arenas on a desktop and a phone, the bracket of a knockout, and wide crosstables."""

from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Page, expect

from tests.builders.people import resign_tournament_games
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
from django.utils import timezone
from games.match.setup import Setup
from lobby.models import Player
from lobby.tournaments.registration import join_tournament
from lobby.tournaments.draft import Draft, create_tournament
olga = Player.objects.get(username={organiser!r})
made = create_tournament(olga, Draft({name!r}, {kind!r}, Setup("tic-tac-toe", "3+2"),
                        timezone.now() + timedelta(hours=1), **{more!r}))
for name in {players!r}:
    join_tournament(Player.objects.get(username=name), made.pk)
print(made.get_absolute_url())
"""


START = """
from lobby.models import Tournament
from lobby.tournaments.organiser_actions import start_early
made = Tournament.objects.get(pk="{path}".split("/")[2])
start_early(made.organiser, made.pk)
"""


def make(
    site: Site,
    organiser: str,
    kind: str,
    players: Sequence[str] = (),
    others: Sequence[str] = (),
    **more: Any,
) -> tuple[str, dict[str, Person]]:
    """Create accounts, and a tournament of theirs with open registration.

    Return its path and the people.
    """
    name = f"The {kind} of the club"
    script = MAKE.format(name=name, kind=kind, organiser=organiser, players=players, more=more)
    people, output = create_logged_in(site, organiser, *players, *others, then=script)
    return output.split()[-1], people


def start(site: Site, path: str) -> None:
    done = site.manage("shell", "-c", START.format(path=path))
    assert done.returncode == 0, done.stderr


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


def test_an_arena_from_joining_to_its_end(visit: Visit, site: Site) -> None:
    names = ["Arne Berg", "Bea Cole"]
    path, people = make(site, "Otto Brook", "arena", others=names, minutes=20)
    organiser = take_session(visit(**DESK), people["Otto Brook"]).open(path)
    desk = take_session(visit(**DESK), people["Arne Berg"])
    phone = take_session(visit(**PHONE), people["Bea Cole"])
    must_fit_window(desk.open(path).page, "arena-empty-desk")
    for visitor in (desk, phone):
        visitor.open(path).page.get_by_role("button", name="Join").click()
        expect(visitor.page.locator(".own-place")).to_contain_text("You are registered.")
    must_fit_window(phone.page, "arena-open-phone")

    # Players on the page are paired immediately. One halves their time for an extra point.
    organiser.page.get_by_role("button", name="Start now").click()
    goes_to_a_game(desk, phone)
    berserk = desk.page.get_by_role("button", name="Berserk: half the time, one extra point")
    berserk.click()
    expect(berserk).to_have_count(0)
    resign(phone)
    must_fit_window(organiser.page, "arena-running-desk")
    expect(points(organiser.page, "Arne Berg")).to_have_text("3")
    expect(organiser.page.locator("#pairs")).to_be_hidden()  # the page shows the boards instead

    # Both are paired again without a click; after two wins in a row points count double. The page
    # of the winner would show nothing new.
    shows = f"/ws/lobby/?shows=tournament&tournament={path.split('/')[2]}"
    desk.page.close()
    people["Arne Berg"].socket(shows).next("tournament")
    for total in ("5", "9"):
        former = phone.page.url
        leave(phone)  # the next game may begin before the page of the tournament is seen
        phone.page.wait_for_url(lambda url, old=former: "/match/" in url and url != old)
        goes_to_a_game(phone)
        if total == "9":
            status, _ = people["Arne Berg"].post(f"{path}do/withdraw/")
            assert status == 200
        resign(phone)
        expect(points(organiser.page, "Arne Berg")).to_have_text(total)
    row = organiser.page.locator("#standings tbody tr").first
    expect(row).to_contain_text("3-win streak")
    back(phone)  # and waits, because Arne has withdrawn
    expect(phone.page.locator(".own-place")).to_contain_text("to be paired again")
    must_fit_window(phone.page, "arena-running-phone")

    # At the end every viewer sees the final table.
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
                expect(bracket(visitor.page, stage)).to_contain_text(name, timeout=20_000)
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
    """Check that the keyboard can focus and scroll a box wider than the page."""
    found = page.locator(box)
    assert found.evaluate("box => box.scrollWidth > box.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    until(lambda: found.evaluate("box => box.scrollLeft > 0") or page.wait_for_timeout(50), "it")


def test_a_crosstable_of_sixteen_scrolls_on_a_phone(visit: Visit, site: Site) -> None:
    names = [f"Club member No. {number:02}" for number in range(16)]
    path, people = make(site, "Oleg Brook", "round-robin", names)
    start(site, path)
    phone = visit(**PHONE).open(path)
    expect(phone.page.locator(".crosstable tbody tr")).to_have_count(16)
    must_fit_window(phone.page, "crosstable-phone")
    scrolls_by_keyboard(phone.page, ".table-box:has(.crosstable)")
    must_fit_window(visit(**DESK).open(path).page, "crosstable-desk")

    # A result appears in the table of an open page.
    assert phone.page.locator(".crosstable td a", has_text="1").count() == 0
    resign_tournament_games(path, people[names[0]])
    expect(phone.page.locator(".crosstable td a", has_text="1")).to_have_count(1, timeout=20_000)


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
    start(site, path)  # as from another tab of the organiser
    expect(page.locator("#standings thead")).to_contain_text("Points")
    expect(page.locator("#standings tbody tr")).to_have_count(2)
    assert page.evaluate("mixed") == []
