"""Pages with large text, without scripts, for screen readers and with right-to-left names."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from games.boards import BOARDS
from games.match.offers import DRAW_FROM_PLY
from games.messages import render_english as english
from games.rules import GAMES
from tests.builders.sites import Person, Site, Socket, pair
from tests.builders.visitors import DESK, PHONE, Visitor, create_logged_in, take_session

Seat = Callable[..., dict[str, Visitor]]
Face = Callable[..., tuple[Visitor, Socket]]
Visit = Callable[..., Visitor]
HEBREW = "שרה כהן"
ONE_FULL_STOP = re.compile(r"^Your turn\. (Box! Go again\. )?You offered a draw\.$")


def enlarge(page: Page) -> None:
    """Enlarge the text to 200%."""
    page.evaluate("document.documentElement.style.fontSize = '200%'")


def must_fit(page: Page) -> None:
    """Check that the page and its controls fit in the window.

    A card cuts a long name of somebody who waits. The list of seeks has it in full.
    """
    width = page.evaluate("document.documentElement.scrollWidth")
    window = page.evaluate("document.documentElement.clientWidth")
    wide = page.evaluate(
        "(width) => [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility()"
        " && !e.closest('svg, .unseen, .skip') && !e.parentElement.closest('.waits .name')"
        " && e.getBoundingClientRect().right > width + 1)"
        ".map((e) => e.outerHTML.slice(0, 120))",
        window,
    )
    assert not wide, "\n".join(wide)
    assert width == window


def must_fit_both(page: Page) -> None:
    """Check the page in the windows of a phone and of a desktop."""
    for how in (PHONE, DESK):
        page.set_viewport_size(how["viewport"])
        must_fit(page)


def test_the_lobby_fits_with_text_of_double_size(visit: Visit, site: Site) -> None:
    people, _ = create_logged_in(site, "Thoughtful Albatross")
    with people.popitem()[1].lobby() as other:
        other.send("seek", game="six-in-a-row", clock=None)
        other.next("seeking")
        visitor = visit(**PHONE).open()
        page = visitor.page
        expect(page.locator("#seeks li").first).to_be_visible()
        enlarge(page)
        must_fit_both(page)
        page.locator('input[name="control"][value="other"]').check()
        must_fit_both(page)
        visitor.open_menu("six-in-a-row")
        must_fit_both(page)
        page.locator("#game-menu [data-dialog=computer]").click()
        must_fit_both(page)
        page.keyboard.press("Escape")
        page.click('[data-seek="tic-tac-toe"]')
        page.wait_for_selector("#waiting:not([hidden])")
        must_fit_both(page)
        page.click("#waiting-cancel")


@pytest.mark.parametrize("slug", list(GAMES))
def test_a_match_fits_with_text_of_double_size(slug: str, seat_facing: Face) -> None:
    visitor, other = seat_facing(slug, **PHONE)
    page = visitor.page
    if slug == "six-in-a-row":
        page.locator("#opening-read").click()  # it lies over the page until it is read
    enlarge(page)
    for how in (PHONE, DESK):
        page.set_viewport_size(how["viewport"])
        for summary in page.locator(".extras summary:visible").all():
            summary.click()
        must_fit(page)
        for name in page.locator(".seat .name, .own-menu").all():
            box = name.bounding_box()
            assert box is not None
            assert box["width"] > 150, "a name is broken letter by letter"
        for fold in page.locator(".extras details[open] > summary").all():
            fold.click()
    other.send("resign")
    page.wait_for_selector('#match[data-status="over"]')
    must_fit_both(page)


def test_an_invitation_fits_with_text_of_double_size(visit: Visit) -> None:
    alice, bob = visit(**PHONE).open(), visit(**PHONE)
    alice.invite_friend("six-in-a-row")
    bob.page.goto(alice.page.input_value("#address"))
    for visitor in (alice, bob):
        enlarge(visitor.page)
        must_fit_both(visitor.page)


# -- without scripts


@pytest.fixture
def plain(browser: Browser, site: Site) -> Iterator[Page]:
    """Yield a page with scripts disabled."""
    context = browser.new_context(**DESK, java_script_enabled=False)
    yield context.new_page()
    context.close()


FOLDS = "xpath=ancestor::details[@id='menu' or @id='report' or @id='how-to-play']"


def must_offer_nothing_but_links(page: Page, *forms: str) -> None:
    """Check that the page hides elements that need a script and that its forms work."""
    for kind in ("button", "select", "input", "summary", "[role=button]", "[tabindex='0']"):
        shown = [e for e in page.locator(f"main {kind}").all() if e.is_visible()]
        for element in shown:
            form = element.locator("xpath=ancestor::form")
            path = form.get_attribute("action") if form.count() else ""
            inside = any(re.search(wanted, path or "") for wanted in forms)
            is_list = element.get_attribute("id") == "moves"
            in_fold = element.locator(FOLDS).count() > 0  # folds need no script
            assert inside or is_list or in_fold, element.evaluate("e => e.outerHTML")


def test_the_lobby_without_scripts_offers_what_works(
    plain: Page, site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, _ = pair(alice_online, bob_online, "dots-and-boxes")
    with alice_online.lobby() as waiting:
        waiting.send("seek", game="tic-tac-toe", clock=None)
        waiting.next("seeking")
        plain.goto(site.url)
        must_offer_nothing_but_links(plain)
        expect(plain.get_by_text("Playing needs JavaScript")).to_be_visible()
        expect(plain.get_by_text("Nobody is waiting")).to_be_hidden()
        waiting.send("cancel")
        waiting.next("lobby", lambda frame: frame["seeks"] == [])
    plain.locator(f'[data-match="{match_id}"] a').click()
    expect(plain.locator("#match")).to_be_visible()
    must_offer_nothing_but_links(plain)
    expect(plain.locator(".presence").first).to_be_hidden()  # presence needs a socket


def test_a_finished_match_without_scripts_is_stepped_through_by_links(
    plain: Page, site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
    with roles["xplayer"].match(match_id) as x:
        x.next("state")
        x.play("mark 2 2")
        x.send("resign")
        x.next("state", lambda state: state["status"] == "over")
    take_session(Visitor(plain, site), alice_online)
    plain.goto(f"{site.url}/match/{match_id}/")
    must_offer_nothing_but_links(plain, "analysis", "report")
    plain.get_by_label("First move").click()
    plain.wait_for_url("**?ply=0")
    assert plain.locator('.table [data-mark="x"]').count() == 0
    plain.get_by_label("Next move").click()
    expect(plain.locator('.table [data-mark="x"]')).to_have_count(1)


def test_an_invitation_without_scripts_says_what_is_needed(
    plain: Page, site: Site, alice_online: Person
) -> None:
    _, address = alice_online.post("/seek/", b"game=tic-tac-toe")
    plain.goto(address)
    must_offer_nothing_but_links(plain)
    expect(plain.get_by_text("Playing needs JavaScript")).to_be_visible()


# -- for a screen reader


def test_a_draw_offer_and_its_refusal_are_announced(
    visit: Visit, site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "dots-and-boxes")
    position = GAMES["dots-and-boxes"].start
    sockets = {role: person.match(match_id) for role, person in roles.items()}
    for ply in range(DRAW_FROM_PLY):
        action = position.legal()[0]
        sockets[str(position.turn)].ply(ply)
        sockets[str(position.turn)].play(action)
        position = position.play(action)
    offers = str(position.turn)
    (other,) = set(roles) - {offers}
    people = {role: take_session(visit(), person) for role, person in roles.items()}
    heard = {}
    for role, visitor in people.items():
        visitor.open(f"/match/{match_id}/")
        heard[role] = visitor.page.locator('#announcer[role="status"]')
    people[offers].page.get_by_role("button", name="Offer a draw").click()
    expect(heard[offers]).to_have_text("You offered a draw.")
    expect(heard[other]).to_contain_text("offered a draw.")
    expect(people[offers].page.locator("#status")).to_have_text(ONE_FULL_STOP)
    people[other].page.get_by_role("button", name="Decline").click()
    expect(heard[offers]).to_contain_text("declined the draw.")
    expect(heard[other]).to_have_text("You declined the draw.")
    people[offers].click_action(position.legal()[0])
    expect(heard[other]).to_contain_text(english(BOARDS["dots-and-boxes"].say(position.legal()[0])))


# -- names written from right to left


def test_names_keep_to_themselves_wherever_they_stand(site: Site, seat: Seat, visit: Visit) -> None:
    people = seat("tic-tac-toe")
    x, o = people["xplayer"], people["oplayer"]
    name = x.page.inner_text('[data-seat="xplayer"] .name')
    renamed = site.manage(
        "shell", "-c",
        "from lobby.models import Player; import os;"
        "p = Player.objects.get(username=os.environ['OLD']); p.username = os.environ['NEW'];"
        "p.save()",
        OLD=name, NEW=HEBREW,
    )  # fmt: skip
    assert renamed.returncode == 0, renamed.stderr
    for visitor in (x, o):
        visitor.page.reload()
    watcher = visit().open("/" + x.page.url.split("/", 3)[3])
    for visitor in (x, o, watcher):
        visitor.page.wait_for_selector('[data-here="true"]')
        must_keep_apart(visitor.page)
    watcher.open()
    expect(watcher.page.locator("#matches li", has_text=HEBREW)).to_be_visible()
    must_keep_apart(watcher.page)
    x.open()
    expect(x.page.locator("#whoami")).to_contain_text("You are")
    expect(x.page.locator("bdi", has_text=HEBREW).first).to_be_visible()
    must_keep_apart(x.page)
    x.page.click('[data-seek="dots-and-boxes"]')
    expect(o.open().page.locator("#seeks bdi", has_text=HEBREW)).to_be_visible()
    must_keep_apart(o.page)
    x.page.click("#waiting-cancel")
    x.invite_friend("six-in-a-row")
    o.page.goto(x.page.input_value("#address"))
    must_keep_apart(o.page)


def must_keep_apart(page: Page) -> None:
    """Check that a bdi element or isolating characters surround each name."""
    loose = page.evaluate(
        """(name) => {
          const isolated = `\\u2068${name}\\u2069`;
          const bad = (text) => text.replaceAll(isolated, "").includes(name);
          const found = bad(document.title) ? [`title: ${document.title}`] : [];
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const { parentElement, data } = walker.currentNode;
            if (parentElement.closest("script, bdi, option")) continue;
            if (bad(data)) found.push(parentElement.outerHTML.slice(0, 200));
          }
          for (const e of document.querySelectorAll("[aria-label]")) {
            const label = e.getAttribute("aria-label");
            if (label !== name && bad(label)) found.push(label);
          }
          return found;
        }""",
        HEBREW,
    )
    assert loose == []
