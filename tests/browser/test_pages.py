"""Replays, lost connections and invitations."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.builders.sites import Person, Socket
from tests.builders.sockets import open_sockets, play_new_match
from tests.builders.visitors import PHONE, Visitor, note_text

Seat = Callable[..., dict[str, Visitor]]
Face = Callable[..., tuple[Visitor, Socket]]
Visit = Callable[..., Visitor]


def marks(page: Page) -> str:
    return str(
        page.eval_on_selector_all(
            ".table .element", "found => found.map((e) => e.dataset.mark).join('')"
        )
    )


def test_a_finished_match_is_stepped_through_with_buttons_keys_slider_and_list(
    visit: Visit, alice_online: Person, bob_online: Person
) -> None:
    actions = "mark 1 1", "mark 2 2", "mark 3 3"
    match_id, roles = play_new_match(alice_online, bob_online, "tic-tac-toe", *actions)
    open_sockets(roles, match_id)["oplayer"].send("resign")
    page = visit().open(f"/match/{match_id}/").page
    board = page.locator(".table .board")
    plies = ["." * 9, "x........", "x...o....", "x...o...x"]

    def shows(ply: int) -> None:
        expect(page.locator("#slider")).to_have_value(str(ply))
        page.wait_for_function(
            "(marks) => [...document.querySelectorAll('.table .element')]"
            ".map((e) => e.dataset.mark).join('') === marks",
            arg=plies[ply],
        )

    page.wait_for_selector("#replay:not([hidden])")
    shows(3)
    page.get_by_label("Previous move").click()
    shows(2)
    page.get_by_label("First move").click()
    shows(0)
    page.get_by_label("Next move").click()
    shows(1)
    page.get_by_label("Last move").click()
    shows(3)
    page.locator("#moves").focus()
    for key, ply in (("ArrowLeft", 2), ("Home", 0), ("ArrowRight", 1), ("End", 3)):
        page.keyboard.press(key)
        shows(ply)
    page.locator("#slider").fill("1")
    shows(1)
    page.locator('#moves [data-ply="2"]').click()
    shows(2)
    assert page.url.endswith("?ply=2")
    page.reload()
    shows(2)
    assert board.is_visible()


def test_a_move_made_without_a_connection_is_kept_and_sent_again(seat_facing: Face) -> None:
    x, o = seat_facing("tic-tac-toe")
    x.page.context.set_offline(True)
    expect(x.page.locator("#connection")).to_contain_text("Reconnecting")
    x.click_action("mark 2 2")
    expect(x.page.locator('[data-action="mark 2 2"]')).to_have_attribute("data-chosen", "")
    assert x.page.get_attribute("#match", "data-ply") == "0"
    x.page.context.set_offline(False)
    o.ply(1)
    x.see_ply(1)
    expect(x.page.locator("#connection")).to_be_hidden()
    x.forgive_network()


def test_reloading_and_going_back_and_forward_finds_the_match_again(seat_facing: Face) -> None:
    o, x = seat_facing("tic-tac-toe", "oplayer", **PHONE)
    x.play("mark 1 1")
    o.see_ply(1)
    o.page.reload()
    o.see_ply(1)
    o.page.goto(o.site.url)
    mine = o.page.locator("#my-games").get_by_role("link", name="Your turn: Tic-Tac-Toe")
    expect(mine.or_(o.page.locator("#waiting a")).first).to_be_visible()
    o.page.go_back()
    o.see_ply(1)
    o.click_action("mark 2 2")
    x.ply(2)


def test_a_refusal_is_told_at_the_board_and_the_board_is_right_again(seat_one: Visit) -> None:
    x = seat_one("tic-tac-toe")
    twin = x.page.context.new_page()
    twin.goto(x.page.url)
    twin.wait_for_selector('#match[data-ply="0"]')
    cell = x.page.locator('[data-action="mark 1 1"]')
    cell.evaluate("(cell) => cell.setAttribute('data-action', 'mark 9 9')")
    x.page.locator('[data-action="mark 9 9"]').click()
    x.confirm()
    expect(x.page.locator("#error")).to_have_text("The rules do not allow that here.")
    Visitor(twin, x.site).click_action("mark 2 2")
    x.see_ply(1)
    expect(x.page.locator("#error")).to_be_hidden()


def test_only_the_tab_that_asked_goes_to_the_match(visit: Visit, bob_online: Person) -> None:
    alice = visit().open()
    alice.page.click('[data-seek="tic-tac-toe"]')
    alice.page.wait_for_selector("#waiting:not([hidden])")
    second = alice.page.context.new_page()
    second.goto(alice.site.url)
    expect(second.locator("#seeks")).to_contain_text("(you)")
    with bob_online.lobby() as bob:
        bob.send("seek", game="tic-tac-toe", clock=None)
        bob.next("paired")
    alice.wait_to_be_seated()
    expect(second.locator("#matches li").first).to_be_visible()
    assert "/match/" not in second.url


def test_waiting_can_be_ended_and_survives_a_reload(visit: Visit) -> None:
    alice, bob = visit().open(), visit(**PHONE).open()
    alice.page.click('[data-seek="dots-and-boxes"]')
    expect(alice.page.locator("#waiting-text")).to_contain_text("Dots and Boxes")
    alice.page.reload()
    expect(alice.page.locator("#waiting")).to_be_visible()
    seek = alice.page.locator("#seeks li", has_text="(you)").get_attribute("data-seek")
    row = bob.page.locator(f'#seeks [data-seek="{seek}"]')  # others may be listed too
    expect(row).to_be_visible()
    must_have_said = note_text(bob.page, f'#seeks [data-seek="{seek}"].gone button:disabled')
    alice.page.click("#waiting-cancel")
    expect(alice.page.locator("#waiting")).to_be_hidden()
    must_have_said("Gone")  # for three seconds
    expect(row).to_have_count(0)


def test_a_friend_is_invited_by_address(visit: Visit) -> None:
    alice, bob = visit().open(), visit(**PHONE)
    alice.invite_friend("six-in-a-row")
    address = alice.page.input_value("#address")
    bob.page.goto(address)
    bob.page.get_by_role("button", name="Accept").click()
    for visitor in (alice, bob):
        visitor.wait_to_be_seated()


def test_an_error_page_says_what_is_wrong(visit: Visit) -> None:
    visitor = visit().open("/match/nosuchone/")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Page not found")
    visitor.complaints[:] = [c for c in visitor.complaints if "404" not in c]


def test_tap_targets_are_44_pixels_where_the_board_allows(seat: Seat) -> None:
    people = seat("parallel-tic-tac-toe")
    for visitor in people.values():
        for selector in (".table [data-grid]", "button:visible", ".brand"):
            for box in [e.bounding_box() for e in visitor.page.locator(selector).all()]:
                assert box is not None
                assert min(box["width"], box["height"]) >= 44, (selector, box)
