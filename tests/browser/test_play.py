"""Two people in two browsers play each game to its end."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games.rules import GAMES, Position
from tests.builders.sites import Person, Socket
from tests.builders.sockets import play_new_match
from tests.builders.visitors import DESK, PHONE, Visitor, take_session

Seat = Callable[..., dict[str, Visitor]]
Face = Callable[..., tuple[Visitor, Socket]]
Visit = Callable[..., Visitor]


def script(slug: str, seed: int) -> list[tuple[str, str]]:
    """Return (role, action) for a whole match. In Six in a Row one player quickly makes a line."""
    chance = random.Random(seed)
    position: Position = GAMES[slug].start
    found = []
    line = [f"place {x} 8" for x in range(3, 9)]
    while not position.is_over:
        legal = position.legal()
        action = chance.choice(legal)
        if slug == "six-in-a-row":
            if "pick black" in legal:
                action = "pick black"
            elif position.turn == "player2" and position.diagram.count("b") >= 2:
                action = next(a for a in line if position.may(a))
            else:
                action = next(
                    a for a in legal if a.endswith((" 1", " 15")) and chance.random() < 0.5
                )
        found.append((str(position.turn), action))
        position = position.play(action)
    return found


def test_tic_tac_toe_is_played_from_the_lobby_to_its_end_by_clicks(seat_in_lobby: Seat) -> None:
    play_to_the_end("tic-tac-toe", seat_in_lobby)


def test_six_in_a_row_is_played_to_its_end_by_clicks(seat_facing: Face) -> None:
    slug = "six-in-a-row"
    visitor, other = seat_facing(slug, "player2", **PHONE)
    face_to_the_end(visitor, other, script(slug, 5))
    the_end(slug, {"player2": visitor}, script(slug, 5))


def face_to_the_end(visitor: Visitor, other: Socket, moves: list[tuple[str, str]]) -> None:
    """Let the visitor click, and the other player answer through a socket."""
    for ply, (role, action) in list(enumerate(moves))[other.state["ply"] :]:
        if role == visitor.role():
            visitor.see_ply(ply)
            visitor.click_action(action)
        else:
            other.ply(ply)
            other.play(action)


def play_to_the_end(slug: str, seat: Seat) -> None:
    people = seat(slug)
    for ply, (role, action) in enumerate(script(slug, 5)):
        people[role].see_ply(ply)
        people[role].click_action(action)
    the_end(slug, people, script(slug, 5))


def test_dots_and_boxes_is_played_to_its_end_by_clicks(
    visit: Visit, alice_online: Person, bob_online: Person
) -> None:
    """Most of the 60 lines are drawn before one of the two opens the page."""
    slug = "dots-and-boxes"
    moves = script(slug, 5)
    actions = [action for _, action in moves[:-14]]
    match_id, roles = play_new_match(alice_online, bob_online, slug, *actions)
    visitor = take_session(visit(**DESK), roles["xplayer"]).open(f"/match/{match_id}/")
    with roles["oplayer"].match(match_id) as other:
        other.next("state")
        face_to_the_end(visitor, other, moves)
        the_end(slug, {"xplayer": visitor}, moves)


def test_parallel_tic_tac_toe_takes_two_clicks_in_either_order(seat: Seat) -> None:
    slug = "parallel-tic-tac-toe"
    people = seat(slug)
    for ply, (role, action) in enumerate(script(slug, 4)):
        people[role].see_ply(ply)
        people[role].click_cells(action, first=1 + ply % 2)
    the_end(slug, people, script(slug, 4))


def test_only_what_is_legal_is_offered(seat_facing: Face) -> None:
    """After five stones of Six in a Row a player picks a colour, and no crossing is open."""
    picker, other = seat_facing("six-in-a-row", "player1")
    for ply in range(5):
        picker.see_ply(ply)
        if ply < 3:
            picker.page.wait_for_selector("[data-open]")
            assert picker.page.locator("[data-open]").count() == 225 - ply
            picker.click_action(f"place {ply + 1} 8")
        else:
            assert picker.page.locator("[data-open]").count() == 0
            other.ply(ply)
            other.play(f"place {ply + 1} 8")
    picker.see_ply(5)
    picker.page.wait_for_selector('[data-action="pick black"]:visible')
    assert picker.page.locator("[data-open]").count() == 0
    assert picker.page.locator('.board [aria-disabled="false"]').count() == 0
    picker.page.locator('[data-action="place 8 8"]').click(force=True)
    assert picker.page.locator("#error").is_hidden()
    assert picker.page.locator("[data-chosen]").count() == 0
    picker.page.reload()
    assert picker.page.locator("[data-open]").count() == 0
    picker.click_action("pick white")
    other.ply(6)


def test_the_first_of_two_clicks_can_be_changed(seat_one: Visit) -> None:
    x = seat_one("parallel-tic-tac-toe")
    page = x.page
    one, other = (page.locator(f'[data-grid="1"][data-cell="{cell}"]') for cell in ("1 1", "2 2"))
    one.click()
    assert one.get_attribute("aria-pressed") == "true"
    other.click()
    assert one.get_attribute("aria-pressed") == "false"
    assert other.get_attribute("aria-pressed") == "true"
    other.click()  # taken back
    assert other.get_attribute("aria-pressed") == "false"
    other.click()
    page.locator('[data-grid="2"][data-cell="3 1"]').click()
    x.confirm()
    x.see_ply(1)
    assert "B2 + F1" in page.inner_text("#moves")


def the_end(slug: str, people: dict[str, Visitor], moves: list[tuple[str, str]]) -> None:
    position = GAMES[slug].start
    for _, action in moves:
        position = position.play(action)
    for visitor in people.values():
        visitor.see_ply(len(moves))
        page = visitor.page
        page.wait_for_selector('#match[data-status="over"][data-turn=""]')
        marks = page.eval_on_selector_all(
            ".table .element", "found => found.map((e) => e.dataset.mark).join('')"
        )
        assert marks == position.diagram
        lines = page.eval_on_selector_all(
            ".table .element", "found => found.flatMap((e, i) => 'line' in e.dataset ? [i] : [])"
        )
        assert lines == list(position.line)
        expect(page.locator("#moves li")).to_have_count(len(moves))  # missed ones are fetched
        goals = position.goals or {}
        mine = goals[visitor.role()]
        (theirs,) = (goals[role] for role in goals if role != visitor.role())
        how = "You won" if mine > theirs else "You lost" if mine < theirs else "Draw"
        assert page.inner_text("#status").startswith(how)
        assert page.get_by_role("button", name="Rematch").is_visible()


def press_towards(visitor: Visitor, action: str) -> None:
    """Move the focus to the action's element with arrow keys only, and activate it."""
    page = visitor.page
    place = """(e) => { const m = e.transform.baseVal.getItem(0).matrix; return [m.e, m.f] }"""
    goal = page.locator(f'.table [data-action="{action}"]').evaluate(place)
    for _ in range(40):
        at = page.evaluate(f"({place})(document.activeElement)")
        dx, dy = goal[0] - at[0], goal[1] - at[1]
        if abs(dx) < 1 and abs(dy) < 1:
            page.keyboard.press("Enter")
            return
        if abs(dx) >= abs(dy):
            page.keyboard.press("ArrowRight" if dx > 0 else "ArrowLeft")
        else:
            page.keyboard.press("ArrowDown" if dy > 0 else "ArrowUp")
    pytest.fail(f"the arrows do not lead to {action}")


def tab_to(visitor: Visitor, selector: str) -> None:
    for _ in range(40):
        if visitor.page.evaluate("(s) => document.activeElement.matches(s)", selector):
            return
        visitor.page.keyboard.press("Tab")
    pytest.fail(f"Tab does not lead to {selector}")


def test_tic_tac_toe_is_played_by_keyboard_alone_from_the_lobby_to_the_end(visit: Visit) -> None:
    alice, bob = visit().open(), visit().open()
    tab_to(alice, '[data-seek="tic-tac-toe"]')
    alice.page.keyboard.press("Enter")
    alice.page.wait_for_selector("#waiting:not([hidden])")
    tab_to(bob, '[data-seek="tic-tac-toe"]')
    bob.page.keyboard.press("Enter")
    for visitor in (alice, bob):
        visitor.wait_to_be_seated()
    people = {alice.role(): alice, bob.role(): bob}
    moves = ["mark 2 2", "mark 1 1", "mark 3 1", "mark 3 3", "mark 1 3"]
    for ply, action in enumerate(moves):
        mover = people[("xplayer", "oplayer")[ply % 2]]
        mover.see_ply(ply)
        tab_to(mover, ".table [data-action]")
        press_towards(mover, action)
    for visitor in people.values():
        visitor.see_ply(5)
        visitor.page.wait_for_selector('#match[data-status="over"]')
    said = people["oplayer"].page.inner_text("#announcer")
    assert "C1." in said
    assert "You lost: " in said
    label = people["oplayer"].page.get_attribute('[data-action="mark 2 2"]', "aria-label")
    assert label == "B2, X"


@pytest.mark.parametrize("slug", list(GAMES))
def test_the_arrows_lead_everywhere_on_the_board(slug: str, seat_one: Visit) -> None:
    page = seat_one(slug).page
    unreached = page.evaluate(
        """() => {
          const targets = [...document.querySelectorAll(".table [tabindex]")];
          const seen = new Set([targets[0]]);
          for (const from of seen) {
            for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
              from.focus();
              from.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
              seen.add(document.activeElement);
            }
          }
          return targets.filter((t) => !seen.has(t)).map((t) => t.dataset.name);
        }"""
    )
    assert unreached == []


def test_the_opening_of_six_in_a_row_says_what_it_expects(seat: Seat) -> None:
    people = seat("six-in-a-row")
    one, two = people["player1"], people["player2"]
    assert "Opening, 1 of 3: place a black stone" in one.page.inner_text("#status")
    picks = two.page.locator("#choices button")
    assert not picks.first.is_visible()
    for ply, action in enumerate(("place 8 8", "place 9 9", "place 10 8")):
        one.see_ply(ply)
        one.click_action(action)
    two.see_ply(3)
    assert "Pick your colour, or place a white" in two.page.inner_text("#status")
    assert [pick.inner_text() for pick in picks.all()] == ["Play black", "Play white"]
    assert all(pick.is_visible() for pick in picks.all())
    assert not one.page.locator("#choices button").first.is_visible()
    two.click_action("pick white")
    one.see_ply(4)
    assert one.page.get_attribute('[data-seat="player1"] .mark', "data-mark") == "b"
    assert one.page.get_attribute("#match", "data-turn") == "player2"


def test_a_third_person_watches_and_cannot_act(seat_one: Visit, visit: Visit) -> None:
    x = seat_one("tic-tac-toe")
    path = x.page.url.split("/", 3)[3]
    watcher = visit(**PHONE).open(f"/{path}")
    assert watcher.role() == ""
    watcher.page.locator('[data-action="mark 1 1"]').click(force=True)
    x.click_action("mark 2 2")
    watcher.see_ply(1)
    assert watcher.page.locator("#watching").is_visible()
    assert watcher.page.locator("#commands button").count() == 0
    expect(x.page.locator("#watchers")).to_contain_text("1 watching")


def test_resigning_takes_two_steps_and_the_rematch_swaps_the_roles(
    seat_facing: Face, visit: Visit
) -> None:
    x, o = seat_facing("tic-tac-toe")
    old = x.page.url
    watcher = visit().open("/" + old.split("/", 3)[3])
    watcher.see_ply(0)
    x.page.get_by_role("button", name="Resign").click()
    x.page.get_by_role("button", name="No").click()
    assert watcher.page.get_attribute("#match", "data-status") == "live"
    x.page.get_by_role("button", name="Resign").click()
    x.page.get_by_role("button", name="Yes").click()
    for visitor in (x, watcher):
        visitor.page.wait_for_selector('#match[data-status="over"]')
    x.page.get_by_role("button", name="Rematch").click()
    o.send("rematch")
    for visitor in (x, watcher):  # the player immediately, the watcher after a moment
        visitor.page.wait_for_url(lambda url: url != old)
        visitor.page.wait_for_selector('#match[data-status="live"]')
    assert (x.role(), watcher.role()) == ("oplayer", "")
