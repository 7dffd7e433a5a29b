"""No page shows a text that is not marked for translation.

The site runs with the pseudo-language, whose catalog has accents in each marked sentence: whatever
has none is not marked.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from games.messages.guest_names import FRIENDS, MANNERS, SHADES
from tests.browser.page_table import TABLE, Entry, Visitors, open_entry, run_sample_site
from tests.builders.catalogs import PSEUDO, build_pseudo_catalog
from tests.builders.players import PASSWORD
from tests.builders.sample_site import MEMBER, ORGANISER, REVIEWER
from tests.builders.sites import Site
from tests.builders.visitors import (
    DESK,
    PHONE,
    Visitor,
    send_account_form,
    wait_for_analysis,
    watch,
)

Sample = tuple[Site, dict[str, str]]

MORE = [
    *(Entry(f"/rules/{slug}/") for slug in (
        "tic-tac-toe", "parallel-tic-tac-toe", "six-in-a-row",
    )),
    Entry("/ratings/bots/"),
    Entry("/nowhere/"),
    *(Entry(path, "guest") for path in ("/forget/", "/games/")),
    *(Entry(path, MEMBER) for path in (
        "/games/", "/preferences/", "/accounts/tokens/", "/accounts/webhooks/",
        "/accounts/appeal/", "/accounts/name/", "/tournaments/",
    )),
    Entry("/groups/", ORGANISER),
    *(Entry(path, REVIEWER) for path in ("/admin/", "/admin/status/")),
]  # fmt: skip
ENTRIES = [entry for entry in TABLE if not entry.page.startswith("/api/")] + MORE

TEXTS = r"""([attributes, skipped]) => {
  const found = [[document.title, "title"]];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement: parent, data } = walk.currentNode;
    if (!parent.closest(skipped)) found.push([data, parent.outerHTML]);
  }
  for (const name of attributes) {
    for (const e of document.querySelectorAll(`[${name}]`)) {
      if (!e.closest(skipped)) found.push([e.getAttribute(name), e.outerHTML]);
    }
  }
  return found;
}"""
# Names of players, code, names of languages and of programs, and the index of technical models.
SKIPPED = """script, style, noscript, code, pre, kbd, bdi, time, [lang]:not(html), [translate=no],
  #nav-sidebar, .app-list, [class^=app-]"""
ATTRIBUTES = ["aria-label", "title", "placeholder", "alt", "aria-valuetext", "aria-roledescription"]
NAMES = """() => [...document.querySelectorAll("bdi")].map((e) => e.textContent.trim())"""

ALLOWED = re.compile(
    r"""https?://\S* | 127\.0\.0\.1\S*          # addresses
    | \b(?:Parlour|Member\ \d+|Olga\ Brook|Rita\ Cole|Pupil\ (?:One|\d+)|Friend\ of)\b  # names
    | The\ (?:swiss|round-robin|knockout|arena),\ (?:open|running|over)
    | \b(?:CSV|TRF16|JSON|SGF|Little\ Golem|API|UTC|QR|GB|MB|kB|PDF|SVG|PNG)\b  # names of formats
    | \b[A-Z0-9]{4,5}-[A-Z0-9]{4,5}\b | \([0-9a-f]{8}\) | \?q=a | \b[a-z]+-[a-z]+-\d{3}\b  # codes
    """,
    re.VERBOSE,
)
GUEST = re.compile(
    rf"(?:{'|'.join(MANNERS)})(?: (?:{'|'.join(SHADES)}))? (?:{'|'.join(FRIENDS)})\b"
)
ACCENTED = re.compile("[áéíóú]")
WORD = re.compile(r"[A-Za-z]{2,}")


def list_unmarked(page: Page) -> list[str]:
    """Return the texts of the page that have words without accents, with their elements."""
    names = sorted({name for name in page.evaluate(NAMES) if name}, key=len, reverse=True)
    faults = []
    for text, element in page.evaluate(TEXTS, [ATTRIBUTES, SKIPPED]):
        rest = text
        for name in names:
            rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", rest)
        if WORD.search(ALLOWED.sub("", GUEST.sub("", rest))):
            faults.append(f"{' '.join(text.split())} in {' '.join(element.split())[:160]}")
    return faults


def must_be_marked(page: Page) -> None:
    assert "\n".join(list_unmarked(page)) == ""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    catalogs = str(build_pseudo_catalog())
    folder = tmp_path_factory.mktemp("pseudo")
    with run_sample_site(folder, PSEUDO_LANGUAGE=catalogs) as found:
        yield found


@pytest.fixture(scope="module")
def visitors(browser: Browser, sample: Sample) -> Iterator[Visitors]:
    found = Visitors(browser, sample[0], locale="en-XA")
    yield found
    found.close()


@pytest.mark.parametrize(
    "entry", ENTRIES, ids=[f"{e.who} {e.page} {e.name}".strip() for e in ENTRIES]
)
def test_every_text_of_a_page_is_marked(sample: Sample, visitors: Visitors, entry: Entry) -> None:
    site, pages = sample
    page = visitors.find(entry.who).page
    page.set_viewport_size(DESK["viewport"])
    open_entry(page, entry, site, pages)
    assert page.locator("html").get_attribute("lang") == PSEUDO
    must_be_marked(page)
    page.set_viewport_size(PHONE["viewport"])  # the texts are 40 % longer
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# -- a match from the lobby to its end


@pytest.fixture(scope="module")
def empty_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    env = {"BOT_PROCESSES": "2", "ANALYSIS_MS_PER_MOVE": "50"}
    env["PSEUDO_LANGUAGE"] = str(build_pseudo_catalog())
    server = Site(tmp_path_factory.mktemp("empty"), env)
    try:
        yield server.wait()
    finally:
        server.stop()


@pytest.fixture
def people(empty_site: Site, browser: Browser) -> Iterator[Callable[[], Visitor]]:
    """Yield a function that creates visitors to that site."""
    contexts, complaints = [], list[str]()

    def new() -> Visitor:
        context = browser.new_context(**DESK, locale="en-XA")
        contexts.append(context)
        visitor = Visitor(context.new_page(), empty_site, complaints)
        watch(visitor.page, complaints)
        return visitor

    yield new
    for context in contexts:
        context.close()
    assert complaints == []


def test_every_word_of_lobby_game_and_analysis_is_marked(people: Callable[[], Visitor]) -> None:
    alice, bob, charlie = people().open(), people().open(), people().open()
    must_be_marked(charlie.page)
    alice.page.click('[data-seek="tic-tac-toe"]')
    alice.page.wait_for_selector("#waiting:not([hidden])")
    bob.page.wait_for_selector("#seeks li")
    must_be_marked(alice.page)
    must_be_marked(bob.page)
    bob.page.locator("#seeks li button").click()
    for visitor in (alice, bob):
        visitor.wait_to_be_seated()
    seats = {alice.role(): alice, bob.role(): bob}
    charlie.page.wait_for_selector("#matches li")
    must_be_marked(charlie.page)
    charlie.open(alice.page.url.removeprefix(charlie.site.url))
    charlie.see_ply(0)
    moves = ["mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3"]
    for ply, action in enumerate(moves):
        seats[("xplayer", "oplayer")[ply % 2]].click_action(action)
        for visitor in (alice, bob, charlie):
            visitor.see_ply(ply + 1)
            if ply == 1:
                expect(visitor.page.locator("#status")).to_contain_text(ACCENTED)
                must_be_marked(visitor.page)
    for visitor in (alice, bob, charlie):
        visitor.page.wait_for_selector('#match[data-status="over"]')
        must_be_marked(visitor.page)
    alice.page.reload()
    must_be_marked(alice.page)
    alice.page.locator("#analyse button").click()
    alice.page.wait_for_selector('#analysis[data-state="waiting"]')
    must_be_marked(alice.page)
    wait_for_analysis(alice.page, "#analysis")
    must_be_marked(alice.page)
    alice.page.locator('[data-step="back"]').click()
    alice.page.wait_for_selector('#moves [aria-current="step"]')
    must_be_marked(alice.page)
    alice.page.locator("#commands button").first.click()  # asks for a rematch
    expect(alice.page.locator("#rematch-banner")).to_contain_text(ACCENTED)
    must_be_marked(alice.page)


def test_an_invitation_and_the_pages_of_what_went_wrong_are_marked(
    people: Callable[[], Visitor],
) -> None:
    alice, bob = people().open(), people()
    alice.open_menu("six-in-a-row").locator('[action^="/seek/"] button').click()
    alice.page.wait_for_selector("#address")
    must_be_marked(alice.page)
    bob.open(alice.page.url.removeprefix(bob.site.url))
    must_be_marked(bob.page)
    alice.open("/forget/")
    alice.page.wait_for_selector("#waiting:not([hidden])")
    must_be_marked(alice.page)
    for path in ("/tv/", "/rules/", "/rules/dots-and-boxes/"):
        bob.open(path)
        must_be_marked(bob.page)
    bob.open("/nothing/")
    must_be_marked(bob.page)
    bob.complaints[:] = [c for c in bob.complaints if "status of 404" not in c]


def test_every_word_from_sign_up_to_a_tournament_is_marked(
    sample: Sample, browser: Browser
) -> None:
    site, pages = sample
    page = browser.new_page(**DESK, locale="en-XA")
    page.goto(f"{site.url}/accounts/login/")
    send_account_form(page, login="Nobody Here", password="wrong")
    expect(page.locator(".error, .errorlist").first).to_contain_text(ACCENTED)
    must_be_marked(page)
    page.goto(f"{site.url}/accounts/signup/")
    send_account_form(page, username="Zelda", password1="short")
    expect(page.locator(".error, .errorlist").first).to_contain_text(ACCENTED)
    must_be_marked(page)
    send_account_form(page, username="Zelda", password1=PASSWORD)
    expect(page.locator("#words-list li")).to_have_count(8)
    must_be_marked(page)
    page.locator(".buttons .primary").click()
    expect(page.locator(".account-menu summary")).to_contain_text("Zelda")
    page.goto(f"{site.url}{pages['swiss open']}")
    page.locator("form .primary").first.click()
    expect(page.locator("main")).to_contain_text("Zelda")
    must_be_marked(page)
    page.goto(f"{site.url}{pages['swiss over']}")
    must_be_marked(page)
    page.context.close()


def test_the_switch_in_the_footer_works_without_scripts(empty_site: Site, browser: Browser) -> None:
    context = browser.new_context(**PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{empty_site.url}/players/?q=x")
    assert page.locator("html").get_attribute("lang") == "en"
    page.locator(".languages summary").click()
    for target in page.locator(".languages summary, .languages button").all():
        box = target.bounding_box()
        assert box and box["height"] >= 44 and box["width"] >= 44
    page.locator(f'.languages [value="{PSEUDO}"]').click()
    page.wait_for_url(f"{empty_site.url}/players/?q=x")
    assert page.locator("html").get_attribute("lang") == PSEUDO
    context.close()
