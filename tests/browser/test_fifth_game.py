"""A fifth game needs only a rules module and a board to be checked, listed and played."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.builders.gdl_sheets import SHIPPED
from tests.builders.sites import Person, Site, run_with_more_files
from tests.builders.visitors import Visitor

Visit = Callable[..., Visitor]

RULES = '''
"""Last Stone: ten stones in a row; take the leftmost one or two; who takes the last wins."""
from games.rules.position import Game, IllegalAction, Position, put

ROLES = ("left", "right")

class LastStone(Position):
    __slots__ = ("taken", "turn", "last")
    roles = ROLES
    def __init__(self, taken, last):
        put(self, "taken", taken)
        put(self, "last", last)
        put(self, "turn", None if taken == 10 else ROLES[1 - last])
    @property
    def diagram(self):
        return "x" * self.taken + "." * (10 - self.taken)
    @property
    def notation(self):
        return f"{self.taken} {self.last}"
    @property
    def goals(self):
        if self.turn is not None:
            return None
        return {ROLES[self.last]: 100, ROLES[1 - self.last]: 0}
    @property
    def line(self):
        return ()
    def actions(self):
        return tuple(f"take {n}" for n in range(self.taken + 1, min(self.taken + 2, 10) + 1))
    def may(self, action):
        return action in self.actions()
    def play(self, action):
        if not isinstance(action, str) or action not in self.actions():
            raise IllegalAction(action)
        return LastStone(int(action.split()[1]), ROLES.index(self.turn))

def read(notation):
    for taken in range(11):
        for last in (0, 1):
            if notation == f"{taken} {last}":
                return LastStone(taken, last)
    raise ValueError("no position of Last Stone")

GAME = Game("last-stone", "Last Stone", ROLES, LastStone(0, 1), read)
'''
BOARD = '''
"""The board of Last Stone: ten cells in a row."""
from games.boards.board import Board, Element

BOARD = Board(
    slug="last-stone",
    summary="Who takes the last stone wins.",
    width=1000,
    height=100,
    elements=tuple(
        Element("cell", 100 * i - 50, 50, 100, str(i), action=f"take {i}") for i in range(1, 11)
    ),
    words={".": "there", "x": "taken"},
    badge=lambda position, role: "x",
)
'''


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    files = {"games/rules/last_stone.py": RULES, "games/boards/last_stone.py": BOARD}
    for number in (2, 3, 4):  # the same under other names: with eight games it is a catalogue
        for part, text in (("rules", RULES), ("boards", BOARD)):
            renamed = text.replace("last-stone", f"last-stone-{number}")
            renamed = renamed.replace('"Last Stone"', f'"Last Stone {number}"')
            files[f"games/{part}/last_stone_{number}.py"] = renamed
    with run_with_more_files(tmp_path_factory.mktemp("fifth"), files) as found:
        yield found


def test_it_passes_the_checks_and_is_played_to_its_end(site: Site, visit: Visit) -> None:
    checked = site.manage("check")
    assert checked.returncode == 0, checked.stderr
    visitor = visit().open()
    page = visitor.page
    page.click('[data-seek="last-stone"]')
    page.wait_for_selector("#waiting:not([hidden])")
    other = Person(site).be_guest()
    with other.lobby() as lobby:
        lobby.send("seek", game="last-stone", clock=None)
        paired = lobby.next("paired")
    visitor.wait_to_be_seated()
    assert {visitor.role(), paired["role"]} == {"left", "right"}
    with other.match(paired["match"]) as socket:
        for ply, stone in enumerate((2, 4, 6, 8, 10)):
            if paired["role"] == ("left", "right")[ply % 2]:
                socket.ply(ply)
                socket.play(f"take {stone}")
                continue
            visitor.see_ply(ply)
            # The page offers the two stones that can be taken, although no script knows this rule.
            page.wait_for_selector(f'[data-open][data-action="take {stone}"]')
            assert page.locator("[data-open]").count() == 2
            visitor.click_action(f"take {stone}")
        page.wait_for_selector('#match[data-status="over"]')
    assert page.get_attribute('[data-seat="left"]', "data-won") == "true"
    assert "10" in page.inner_text("#moves")


def test_a_catalogue_has_a_filter_and_favourites_that_come_first(visit: Visit) -> None:
    page = visit().open().page
    cards = page.locator(".game:visible h2")
    expect(cards).to_have_count(8 + len(SHIPPED))
    field = page.get_by_label("Find a game")
    field.fill("stone 3")
    expect(cards).to_have_text(["Last Stone 3"])
    field.fill("chess")
    expect(cards).to_have_count(0)
    expect(page.locator("#no-game")).to_be_visible()
    field.fill("")
    expect(cards).to_have_count(8 + len(SHIPPED))
    star = page.get_by_role("button", name="Favourite: Six in a Row")
    before = cards.all_inner_texts()
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    assert cards.all_inner_texts() == before  # nothing jumps under the pointer
    page.reload()
    expect(cards.first).to_have_text("Six in a Row")
    star.click()
    page.reload()
    assert cards.all_inner_texts() == before
