"""Texts for the winner, the loser and a watcher at the end of a match."""

from collections.abc import Callable

from playwright.sync_api import expect

from games.rules import GAMES
from tests.builders.sites import Person, Site, pair
from tests.builders.sockets import play_at, play_new_match
from tests.builders.visitors import Visitor

Visit = Callable[..., Visitor]

DASH = "\N{EN DASH}"
# X has a line on the first grid; the second is open.
MOVES = (
    "mark 1 1 1 1", "mark 1 2 2 1", "mark 2 1 3 3", "mark 2 2 3 1", "mark 3 1 1 2",
)  # fmt: skip


def as_person(visit: Visit, person: Person) -> Visitor:
    visitor = visit()
    pairs = [part.split("=", 1) for part in person.cookie_header().split("; ")]
    visitor.page.context.add_cookies(
        [{"name": name, "value": value, "url": person.site.url} for name, value in pairs]  # type: ignore[attr-defined]
    )
    return visitor


def reads(visitor: Visitor, match_id: str, text: str) -> None:
    """Expect the text under the board and its beginning in the tab's title."""
    visitor.open(f"/match/{match_id}/")
    expect(visitor.page.locator("#status")).to_have_text(text)
    game = visitor.page.get_attribute("#match", "data-name")
    expect(visitor.page).to_have_title(f"{text.split('. ', maxsplit=1)[0]} · {game}")


def test_two_grids_say_what_each_gave(site: Site, visit: Visit) -> None:
    match_id, roles = play_new_match(
        Person(site).be_guest(), Person(site).be_guest(), "parallel-tic-tac-toe", *MOVES
    )
    winner, loser = (as_person(visit, roles[role]) for role in ("xplayer", "oplayer"))
    watcher = visit().open(f"/match/{match_id}/")
    x = watcher.page.inner_text('[data-seat="xplayer"] .name')
    reads(winner, match_id, "You won: three in a row. 50 to 0")
    reads(loser, match_id, "You lost: three in a row. 0 to 50")
    reads(watcher, match_id, f"{x} won: three in a row. 50 to 0")


def test_boxes_are_counted_to_each(site: Site, visit: Visit) -> None:
    match_id, roles = pair(Person(site).be_guest(), Person(site).be_guest(), "dots-and-boxes")
    people = {role: as_person(visit, person) for role, person in roles.items()}
    watcher, o = visit(), people["oplayer"]
    for visitor in (*people.values(), watcher):
        visitor.open(f"/match/{match_id}/")
    position, actions = GAMES["dots-and-boxes"].start, []
    while not position.is_over:
        actions.append(position.legal()[0])
        position = position.play(actions[-1])
    play_at(roles, match_id, *actions)
    for visitor in (*people.values(), watcher):
        visitor.page.wait_for_selector('#match[data-status="over"]')
    scores = {
        role: watcher.page.locator(f'.table .box[data-mark="{mark}"]').count()
        for role, mark in (("xplayer", "x"), ("oplayer", "o"))
    }
    assert sum(scores.values()) == 25
    for role, score in scores.items():  # counted up until the end
        expect(o.page.locator(f'[data-seat="{role}"] .score')).to_have_text(str(score))
    winner = max(scores, key=scores.__getitem__)
    loser = min(scores, key=scores.__getitem__)
    won, lost = scores[winner], scores[loser]
    name = watcher.page.inner_text(f'[data-seat="{winner}"] .name')
    expect(people[winner].page.locator("#status")).to_have_text(f"You won {won}{DASH}{lost}")
    expect(people[loser].page.locator("#status")).to_have_text(f"You lost {lost}{DASH}{won}")
    expect(watcher.page.locator("#status")).to_have_text(f"{name} won {won}{DASH}{lost}")
    expect(people[winner].page).to_have_title(f"You won {won}{DASH}{lost} · Dots and Boxes")
