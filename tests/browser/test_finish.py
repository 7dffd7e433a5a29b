"""The winning stroke, the sound of each event, and layout stability."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.sites import Person, pair
from tests.builders.visitors import (
    DESK,
    MOVING,
    NOTE_SOUNDS,
    PHONE,
    Visitor,
    get_box,
    get_sounds,
    take_session,
)

Seat = Callable[..., dict[str, Visitor]]
Visit = Callable[..., Visitor]

X_WINS = ["mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3"]
SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput) shifted += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}"""


def listening(visitor: Visitor) -> Visitor:
    visitor.page.add_init_script(f"({NOTE_SOUNDS})()")
    return visitor


def meet(one: Visitor, other: Visitor, control: str | None = None) -> dict[str, Visitor]:
    people = Person(one.site).be_guest(), Person(one.site).be_guest()
    match_id, roles = pair(*people, "tic-tac-toe", control)
    found = dict(zip(roles, (one, other), strict=True))
    for role, visitor in found.items():
        take_session(visitor, roles[role]).open(f"/match/{match_id}/").see_ply(0)
    return found


def play_on(people: dict[str, Visitor], actions: list[str]) -> None:
    for ply, action in enumerate(actions):
        mover = people[("xplayer", "oplayer")[ply % 2]]
        mover.see_ply(ply)
        mover.click_action(action)
    for visitor in people.values():
        visitor.see_ply(len(actions))


def test_each_event_has_its_sound(visit: Visit) -> None:
    people = meet(listening(visit()), listening(visit()))
    watcher = visit()
    watcher.page.add_init_script(f"({NOTE_SOUNDS})()")
    watcher.open("/" + people["xplayer"].page.url.split("/", 3)[3]).see_ply(0)
    play_on(people, X_WINS)
    watcher.page.wait_for_selector('#match[data-status="over"]')
    assert get_sounds(people["xplayer"]) == ["start", "move", "theirs", "move", "theirs", "won"]
    assert get_sounds(people["oplayer"]) == ["start", "theirs", "move", "theirs", "move", "lost"]
    assert get_sounds(watcher) == ["theirs"] * 4 + ["won"]


def test_a_clock_that_runs_low_is_heard(visit: Visit) -> None:
    people = meet(listening(visit()), listening(visit()), "0+3")
    play_on(people, ["mark 2 2"])
    for visitor in people.values():
        visitor.page.wait_for_selector('#match[data-status="over"]')
    assert get_sounds(people["oplayer"]) == ["start", "theirs", "low", "lost"]
    # On a slow machine X's clock may run low before the first click.
    assert [e for e in get_sounds(people["xplayer"]) if e != "low"] == ["start", "move", "won"]


def test_a_draw_is_heard(visit: Visit) -> None:
    people = meet(listening(visit()), listening(visit()))
    cells = "1 1", "1 2", "1 3", "2 2", "2 1", "2 3", "3 2", "3 1", "3 3"
    play_on(people, [f"mark {cell}" for cell in cells])
    for visitor in people.values():
        visitor.page.wait_for_selector('#match[data-status="over"]')
        assert get_sounds(visitor)[-1] == "drawn"


def test_a_click_elsewhere_on_the_site_lets_a_tab_be_heard(visit: Visit) -> None:
    """Nobody clicks on the match page itself, as its tab may be in the background."""
    one, other = visit(), visit()
    states = "window.states = []; const Real = AudioContext; window.AudioContext = class extends Real {constructor() { super(); states.push(this) } }"  # noqa: E501
    for visitor in (one, other):
        visitor.page.add_init_script(states)
        visitor.open().page.click('[data-seek="tic-tac-toe"]')
    for visitor in (one, other):
        visitor.wait_to_be_seated()
        visitor.page.wait_for_function("() => states[0]?.state === 'running'")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_winning_stroke_is_drawn_unless_motion_is_unwanted(motion: str, visit: Visit) -> None:
    still = visit(**DESK, reduced_motion=motion)
    people = meet(still, visit())
    expect(still.page.locator(".table .strokes")).to_have_count(0)
    still.page.evaluate(
        "() => { window.moved = 0; const was = Element.prototype.animate;"
        "Element.prototype.animate = function (...a) { moved += 1; return was.apply(this, a) } }"
    )
    play_on(people, X_WINS)
    stroke = still.page.locator(".table .strokes .core")
    expect(stroke).to_have_count(1)
    assert still.page.evaluate("moved > 0") == (motion != "reduce")
    ends = [float(stroke.get_attribute(name) or 0) for name in ("x1", "y1", "x2", "y2")]
    first, last = (
        still.page.locator(f'[data-action="mark 1 {column}"]').evaluate(
            "(e) => { const m = e.transform.baseVal.getItem(0).matrix; return [m.e, m.f] }"
        )
        for column in (1, 3)
    )
    assert ends == [first[0] - 45, first[1], last[0] + 45, last[1]]  # beyond the marks
    still.page.locator('[data-step="back"]').click()
    expect(stroke).to_have_count(0)


@pytest.mark.parametrize("how", [{**DESK, **MOVING}, {**PHONE, **MOVING}], ids=["desk", "phone"])
def test_nothing_shifts_during_a_game_and_at_its_end(how: dict[str, Any], visit: Visit) -> None:
    one, other = visit(**how), visit(**how)
    for visitor in (one, other):
        visitor.page.add_init_script(f"({SHIFTS})()")
    people = meet(one, other)
    places = [get_box(visitor.page, ".table") for visitor in people.values()]
    play_on(people, X_WINS)
    for visitor in people.values():
        visitor.page.wait_for_selector('#match[data-status="over"]')
        visitor.page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
        )
        assert visitor.page.evaluate("shifted") < 0.05
    assert [get_box(visitor.page, ".table") for visitor in people.values()] == places


def test_a_double_tap_on_the_answer_hits_nothing_else(visit: Visit) -> None:
    people = meet(visit(**PHONE), visit(**PHONE))
    x = people["xplayer"]
    page = x.page
    page.locator('[data-action="mark 2 2"]').tap()
    before = get_box(page, "#commands button >> nth=0")
    box = get_box(page, "#confirm-yes")
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(*middle)
    under = page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).closest('button, a, input, summary') !== null",
        middle,
    )
    assert not under
    page.touchscreen.tap(*middle)
    people["oplayer"].see_ply(1)
    x.see_ply(1)
    assert get_box(page, "#commands button >> nth=0") == before
    assert page.locator("[data-confirm]").count() == 0
    assert page.get_attribute("#match", "data-status") == "live"
