"""Live matches: clocks, title and icon, phrases, and lost connections."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.builders.sites import Person, Site, Socket, pair, until
from tests.builders.visitors import DESK, PHONE, Visitor, note_text, take_session

Seat = Callable[..., dict[str, Visitor]]
Face = Callable[..., tuple[Visitor, Socket]]
Visit = Callable[..., Visitor]


@pytest.fixture
def timed(
    visit: Visit, alice_online: Person, bob_online: Person
) -> Callable[[str], dict[str, Visitor]]:
    """Pair two visitors with a time control; return them by role."""

    def sit(control: str) -> dict[str, Visitor]:
        match_id, roles = pair(alice_online, bob_online, "tic-tac-toe", control)
        found = {}
        for (role, person), how in zip(roles.items(), (DESK, PHONE), strict=True):
            found[role] = take_session(visit(**how), person).open(f"/match/{match_id}/")
        for visitor in found.values():
            visitor.wait_to_be_seated()
        return found

    return sit


def seconds(text: str) -> float:
    minutes, _, rest = text.rpartition(":")
    return 60 * int(minutes or 0) + float(rest)


def test_the_clock_of_who_is_on_move_runs_and_the_other_stands(
    timed: Callable[[str], dict[str, Visitor]],
) -> None:
    people = timed("3+2")
    x, o = people["xplayer"], people["oplayer"]
    x.click_action("mark 2 2")
    o.see_ply(1)
    for visitor in (x, o):
        page = visitor.page
        mine, other = (page.locator(f'[data-seat="{r}"] .clock') for r in ("xplayer", "oplayer"))
        expect(mine).to_have_text(re.compile(r"^(3:0[0-2]|2:5\d)$"))
        expect(other).to_have_class(re.compile("running"))
        stood = mine.inner_text()
        began = seconds(other.inner_text())
        until(lambda other=other, began=began: seconds(other.inner_text()) <= began - 2, "ticking")  # type: ignore[misc]
        assert mine.inner_text() == stood


def test_time_shows_tenths_warns_and_runs_out(
    timed: Callable[[str], dict[str, Visitor]],
) -> None:
    people = timed("0+6")
    x, o = people["xplayer"], people["oplayer"]
    must_have_been_low = note_text(o.page, '[data-seat="oplayer"] .clock.low')
    x.click_action("mark 2 2")
    o.see_ply(1)
    face = o.page.locator('[data-seat="oplayer"] .clock')
    expect(face).to_have_text(re.compile(r"^\d\.\d$"))
    for visitor in (x, o):
        visitor.page.wait_for_selector('#match[data-status="over"]')
        expect(visitor.page.locator("#status")).to_contain_text("on time")
    expect(face).to_have_text("0.0")
    must_have_been_low(re.compile(r"^\d\.\d$"))  # for less than two seconds


def test_title_and_icon_tell_that_it_is_my_turn(seat_facing: Face) -> None:
    x, o = seat_facing("tic-tac-toe")
    icon = x.page.locator('link[rel="icon"]')
    for action, answer in (("mark 2 2", "mark 1 1"), ("mark 3 3", "mark 1 2")):
        expect(x.page).to_have_title(re.compile("Your turn"))
        expect(icon).to_have_attribute("href", re.compile("icon-turn"))
        x.click_action(action)
        expect(x.page).not_to_have_title(re.compile("Your turn"))
        expect(icon).not_to_have_attribute("href", re.compile("icon-turn"))
        o.next("state", lambda state: state["turn"] == "oplayer")
        o.play(answer)


def test_on_a_phone_a_move_is_asked_about_and_the_same_tap_again_means_yes(
    seat_facing: Face,
) -> None:
    phone, other = seat_facing("tic-tac-toe", "oplayer", **PHONE)
    other.play("mark 1 1")
    phone.see_ply(1)
    cell = phone.page.locator('[data-action="mark 2 2"]')
    cell.click()
    expect(phone.page.locator("#confirm-action")).to_be_visible()
    expect(cell).to_have_attribute("data-chosen", "")
    phone.page.locator("#confirm-no").click()
    expect(cell).not_to_have_attribute("data-chosen", "")
    assert phone.page.get_attribute("#match", "data-ply") == "1"
    phone.page.locator('[data-action="mark 3 3"]').click()
    cell.click()  # choose another cell instead
    cell.click()  # confirm
    assert other.ply(2)["diagram"] == "x...o...."
    expect(phone.page.locator("#confirm-action")).to_be_hidden()


def test_the_confirmation_can_be_turned_off_and_on(seat_one: Visit) -> None:
    x = seat_one("tic-tac-toe")
    x.page.locator("#menu > summary").click()
    box = x.page.get_by_label("Confirm moves")
    box.set_checked(True)
    x.page.locator('[data-action="mark 1 1"]').click()
    expect(x.page.locator("#confirm-action")).to_be_visible()
    x.page.locator("#confirm-no").click()  # the question is where the tools were
    expect(x.page.locator("#confirm-action")).to_be_hidden()
    x.page.locator("#menu > summary").click()  # the click on the board closed the menu
    box.set_checked(False)
    x.page.locator('[data-action="mark 1 1"]').click()
    x.see_ply(1)
    mark = "getComputedStyle(document.documentElement, '::before').content"
    assert x.page.evaluate(mark) == "none"  # the mark of the button is not on the page


def test_phrases_are_said_heard_and_muted(seat: Seat) -> None:
    people = seat("tic-tac-toe")
    x, o = people["xplayer"], people["oplayer"]
    x.page.locator("#phrases summary").click()
    x.page.get_by_role("button", name="Good luck!").click()
    expect(o.page.locator("#phrase")).to_contain_text("Good luck!")
    o.page.locator("#menu > summary").click()
    o.page.get_by_label("Show my opponent's phrases").set_checked(False)
    expect(o.page.locator("#phrase")).to_be_empty()
    x.page.locator("#phrases summary").click()
    x.page.get_by_role("button", name="Thanks!").click()
    expect(x.page.locator("#phrase")).to_contain_text("Thanks!")
    expect(o.page.locator("#phrase")).to_be_empty()


def test_a_short_cut_of_the_network_loses_nothing(seat_facing: Face) -> None:
    x, o = seat_facing("tic-tac-toe")
    x.click_action("mark 1 1")
    o.ply(1)
    x.page.context.set_offline(True)
    o.play("mark 2 2")
    x.page.context.set_offline(False)
    x.see_ply(2)
    x.click_action("mark 3 3")
    o.ply(3)
    x.forgive_network()


def test_a_long_cut_of_the_network_is_shown_to_the_other_and_loses_nothing(seat: Seat) -> None:
    people = seat("tic-tac-toe")
    x, o = people["xplayer"], people["oplayer"]
    x.click_action("mark 1 1")
    o.see_ply(1)
    x.page.context.set_offline(True)
    o.click_action("mark 2 2")
    o.see_ply(2)
    seat_of_x = o.page.locator('[data-seat="xplayer"]')
    expect(seat_of_x).to_have_attribute("data-here", "true")
    expect(seat_of_x).to_have_attribute("data-here", "false")  # after 10 s
    x.page.context.set_offline(False)
    x.see_ply(2)
    x.click_action("mark 3 3")
    o.see_ply(3)
    expect(seat_of_x).to_have_attribute("data-here", "true")
    x.forgive_network()


def test_a_server_that_is_killed_and_started_again_is_found_by_itself(
    seat: Seat, site: Site
) -> None:
    people = seat("tic-tac-toe")
    x, o = people["xplayer"], people["oplayer"]
    x.click_action("mark 1 1")
    o.see_ply(1)
    site.process.kill()
    site.process.wait()
    expect(o.page.locator("#connection")).to_contain_text("Reconnecting")
    o.click_action("mark 2 2")  # the page keeps it until the server is back
    again = Site(site.folder, port=site.port)
    try:
        again.wait()
        for visitor in (x, o):
            visitor.see_ply(2)
        x.click_action("mark 3 3")
        o.see_ply(3)
    finally:
        again.stop()
        site.process = Site(site.folder, port=site.port).wait().process
    for visitor in (x, o):
        expect(visitor.page.locator("#connection")).to_be_hidden()
        visitor.forgive_network()
