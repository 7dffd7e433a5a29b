"""The winning stroke, the sound of each event, and layout stability."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.builders.sites import Person, Socket, pair
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

Face = Callable[..., tuple[Visitor, Socket]]
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


LISTEN = f"({NOTE_SOUNDS})()"


def meet(one: Visitor, other: Visitor) -> dict[str, Visitor]:
    people = Person(one.site).be_guest(), Person(one.site).be_guest()
    match_id, roles = pair(*people, "tic-tac-toe")
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


def play_facing(x: Visitor, o: Socket, actions: list[str]) -> None:
    """Let X play with clicks, and O through a socket."""
    for ply, action in enumerate(actions):
        if ply % 2:
            o.ply(ply)
            o.play(action)
        else:
            x.see_ply(ply)
            x.click_action(action)
    x.see_ply(len(actions))


def test_each_event_has_its_sound(visit: Visit) -> None:
    one, other, watcher = visit(), visit(), visit()
    for visitor in (one, other, watcher):
        visitor.page.add_init_script(LISTEN)
    people = meet(one, other)
    watcher.open("/" + people["xplayer"].page.url.split("/", 3)[3])
    # The watcher hears only the moves that follow the first state of its socket.
    expect(people["xplayer"].page.locator("#watchers")).to_contain_text("1 watching")
    play_on(people, X_WINS)
    watcher.page.wait_for_selector('#match[data-status="over"]')
    assert get_sounds(people["xplayer"]) == ["start", "move", "theirs", "move", "theirs", "won"]
    assert get_sounds(people["oplayer"]) == ["start", "theirs", "move", "theirs", "move", "lost"]
    assert get_sounds(watcher) == ["theirs"] * 4 + ["won"]


def test_a_clock_that_runs_low_is_heard(seat_facing: Face) -> None:
    o, x = seat_facing("tic-tac-toe", "oplayer", "0+3", LISTEN)
    x.play("mark 2 2")
    o.page.wait_for_selector('#match[data-status="over"]')
    assert get_sounds(o) == ["start", "theirs", "low", "lost"]


def test_a_draw_is_heard(seat_facing: Face) -> None:
    x, o = seat_facing("tic-tac-toe", script=LISTEN)
    cells = "1 1", "1 2", "1 3", "2 2", "2 1", "2 3", "3 2", "3 1", "3 3"
    play_facing(x, o, [f"mark {cell}" for cell in cells])
    x.page.wait_for_selector('#match[data-status="over"]')
    assert get_sounds(x)[-1] == "drawn"


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
def test_the_winning_stroke_is_drawn_unless_motion_is_unwanted(
    motion: str, seat_facing: Face
) -> None:
    still, other = seat_facing("tic-tac-toe", **DESK, reduced_motion=motion)
    expect(still.page.locator(".table .strokes")).to_have_count(0)
    still.page.evaluate(
        "() => { window.moved = 0; const was = Element.prototype.animate;"
        "Element.prototype.animate = function (...a) { moved += 1; return was.apply(this, a) } }"
    )
    play_facing(still, other, X_WINS)
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


def test_nothing_shifts_during_a_game_and_at_its_end(visit: Visit) -> None:
    one, other = visit(**DESK, **MOVING), visit(**PHONE, **MOVING)
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


def test_a_double_tap_on_the_answer_hits_nothing_else(seat_facing: Face) -> None:
    x, o = seat_facing("tic-tac-toe", **PHONE)
    page = x.page
    page.evaluate("window.setTimeout = () => 0")  # it may take long until the second tap
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
    o.ply(1)
    x.see_ply(1)
    assert get_box(page, "#commands button >> nth=0") == before
    assert page.locator("[data-confirm]").count() == 0
    assert page.get_attribute("#match", "data-status") == "live"
