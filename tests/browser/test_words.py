"""Every word on a page is marked for translation, and scripts and templates agree.

The site runs in a language that wraps every marked sentence in ⟦ ⟧, so text outside these brackets
is not marked.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.match.outcome import Outcome, get_outcome_for
from games.messages import Counted, Message, build_message, render_english
from games.messages.table import TABLE
from tests.builders.pseudo_language import get_unmarked_text
from tests.builders.sites import ROOT, Site
from tests.builders.visitors import DESK, Visitor, wait_for_analysis, watch

ROLES = {"xplayer": "Sly Fox", "oplayer": "Kind Otter"}

# The texts and labels of a page, including hidden ones but not names of players.
TEXTS = """() => {
  const found = [document.title];
  const shown = []; // as one text: a sentence may have an element in it
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement: parent, data } = walk.currentNode;
    if (!parent.closest("script, style, bdi, noscript, title, .brand, .place")) shown.push(data);
  }
  found.push(shown.join("\\n"));
  for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext"]) {
    for (const e of document.querySelectorAll(`[${name}]`)) found.push(e.getAttribute(name));
  }
  found.push(document.querySelector('meta[name="description"]').content);
  return found;
}"""
NAMES = """() => [...document.querySelectorAll("bdi")].map((e) => e.textContent)"""


def must_be_marked(page: Page) -> None:
    """Check that the page has only names, numbers and signs outside marked sentences."""
    names = [name for name in page.evaluate(NAMES) if name]
    faults = []
    for text in page.evaluate(TEXTS):
        rest = get_unmarked_text(text).replace("Parlour", "")
        for name in names:
            rest = rest.replace(name, "")
        if any(character.isalpha() for character in rest):
            faults += [line.strip() for line in rest.split("\n") if line.strip()]
    assert faults == []


@pytest.fixture(scope="module")
def wrapped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run a copy of the project whose only language wraps marked sentences."""
    copy: Path = tmp_path_factory.mktemp("wrapped") / "project"
    copy.mkdir()
    for file in ("manage.py", "pyproject.toml"):
        shutil.copy(ROOT / file, copy)
    for part in ("config", "games", "lobby", "templates", "static"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / part, copy / part, ignore=ignored)
    shutil.copy(ROOT / "tests/builders/pseudo_language.py", copy / "pseudo_language.py")
    with (copy / "config/settings.py").open("a") as settings:
        settings.write("\nimport pseudo_language\n\npseudo_language.install()\n")
    env = {"BOT_PROCESSES": "2", "ANALYSIS_MS_PER_MOVE": "50"}
    server = Site(tmp_path_factory.mktemp("wrapped-data"), env, root=copy)
    try:
        yield server.wait()
    finally:
        server.stop()


@pytest.fixture
def people(wrapped: Site, browser: Browser) -> Iterator[Callable[[], Visitor]]:
    """Yield a function that creates visitors to that site."""
    contexts, complaints = [], list[str]()

    def new() -> Visitor:
        context = browser.new_context(**DESK)
        contexts.append(context)
        visitor = Visitor(context.new_page(), wrapped, complaints)
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
                expect(visitor.page.locator("#status")).to_contain_text("⟦")
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
    expect(alice.page.locator("#rematch-banner")).to_contain_text("⟦")
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


# -- one table


def sample(code: str, count: int) -> Message:
    """Return the message for a code, with a value for each possible parameter."""
    name = "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}"
    inner = build_message("dots-and-boxes.box", place="B3")
    return build_message(
        code, count=count, name="Sly Fox", winner=name, loser="Kind Otter", won=19, lost=6,
        said=inner, better=inner, one=inner, other="b", who=build_message("status.yours"),
        prompt=build_message("six-in-a-row.pick"), game=build_message("six-in-a-row.name"),
        clock=build_message("clock.none"), minutes=3, seconds=2, title="A title",
        row=1, column=2, grid=1, x1=1, y1=2, x2=1, y2=3, ply=4, last=9,
    )  # fmt: skip


SAY = """async ([all]) => {
  const { renderMessage } = await import("/static/js/shared/messages.js");
  return all.map(renderMessage);
}"""
TOLD = """async ([outcomes, names]) => {
  const { outcomeMessage, renderMessage } = await import("/static/js/shared/messages.js");
  const roles = Object.keys(names);
  const nameOf = (role) => names[role];
  return outcomes.map(([found, you]) =>
    renderMessage(outcomeMessage(found, { you, roles, nameOf })));
}"""


@pytest.fixture
def lobby(site: Site, browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.goto(site.url)
    yield page
    page.close()


def test_scripts_make_the_same_sentences_as_templates(lobby: Page) -> None:
    all_words = [
        sample(code, count)
        for code, sentence in TABLE.items()
        for count in ((0, 1, 2, 7) if isinstance(sentence, Counted) else (2,))
    ]
    assert lobby.evaluate(SAY, [all_words]) == [render_english(each) for each in all_words]


def test_scripts_say_the_same_of_an_end_as_templates(lobby: Page) -> None:
    found: list[tuple[dict[str, Any], str | None]] = []
    wanted = []
    stems = {code.rsplit(".", 1)[0] for code in TABLE if code.endswith((".won", ".seen"))}
    for stem in sorted(stems):
        for winner in ROLES:
            for you in (*ROLES, None):
                ended = Outcome(stem, winner, 19, 6)
                found.append(({"code": stem, "winner": winner, "won": 19, "lost": 6}, you))
                wanted.append(render_english(get_outcome_for(ended, ROLES, you)))
    for code in ("end.agreement", "end.cancelled", "tic-tac-toe.full", "end.damaged"):
        found.append(({"code": code, "winner": None, "won": None, "lost": None}, None))
        wanted.append(render_english(get_outcome_for(Outcome(code), ROLES)))
    assert lobby.evaluate(TOLD, [found, ROLES]) == wanted
    assert "Sly Fox won on time" in wanted
