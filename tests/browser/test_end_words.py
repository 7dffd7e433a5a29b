"""What the winner, the loser and a watcher read at every kind of end."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.builders.sockets import play_new_match
from tests.live import Person, Site

Visit = Callable[..., Visitor]

DASH = "\N{EN DASH}"
MOVES = {
    "tic-tac-toe": ["mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3"],
    "parallel-tic-tac-toe": [
        "mark 1 1 1 1", "mark 1 2 2 1", "mark 2 1 3 3", "mark 2 2 3 1", "mark 3 1 1 2",
    ],
}  # fmt: skip
# By the columns status, ended, first_goal: what winner, loser and watcher read. {x}, {o}: names.
ENDS = {
    ("over", "rules", 100): ("You won: three in a row", "You lost: {x} has three in a row",
                             "{x} won: three in a row"),
    ("over", "resignation", 100): ("You won: {o} resigned", "You lost: you resigned",
                                   "{x} won: {o} resigned"),
    ("over", "time", 100): ("You won on time", "You lost on time", "{x} won on time"),
    ("over", "agreement", 50): ("Draw by agreement",) * 3,
    ("over", "abandoned", 100): ("You won: {o} did not play on", "You lost: you did not play on",
                                 "{x} won: {o} did not play on"),
    ("over", "adjudicated", 100): (
        "You won by decision of the moderators", "You lost by decision of the moderators",
        "{x} won by decision of the moderators"),
    ("aborted", "aborted", None): ("Game cancelled. It doesn't count.",) * 3,
    ("over", "voided", None): ("The moderators voided this game. It doesn't count.",) * 3,
}  # fmt: skip


def as_person(visit: Visit, person: Person) -> Visitor:
    visitor = visit()
    pairs = [part.split("=", 1) for part in person.cookie_header().split("; ")]
    visitor.page.context.add_cookies(
        [{"name": name, "value": value, "url": person.site.url} for name, value in pairs]  # type: ignore[attr-defined]
    )
    return visitor


def ended(site: Site, match_id: str, status: str, how: str, goal: int | None) -> None:
    """Store another end of the match, so that its page shows that."""
    other = None if goal is None else 100 - goal
    (path,) = Path(site.folder).glob("*.sqlite3")
    with sqlite3.connect(path, timeout=30) as database:
        database.execute(
            "UPDATE games_match SET status=?, ended=?, first_goal=?, second_goal=?,"
            " ended_by=CASE WHEN ?='voided' THEN NULL ELSE ended_by END, version=version+1"
            " WHERE id=?",
            (status, how, goal, other, how, match_id),
        )


def reads(visitor: Visitor, match_id: str, text: str) -> None:
    """Under the board, and the first of it in the tab's title."""
    visitor.open(f"/match/{match_id}/")
    expect(visitor.page.locator("#status")).to_have_text(text)
    game = visitor.page.get_attribute("#match", "data-name")
    expect(visitor.page).to_have_title(f"{text.split('. Left', maxsplit=1)[0]} · {game}")


@pytest.fixture
def game(site: Site, visit: Visit) -> Callable[[str], tuple[str, list[Visitor], dict[str, str]]]:
    """A finished match of a game: its id; winner, loser, watcher; the players' names."""

    def make(slug: str) -> tuple[str, list[Visitor], dict[str, str]]:
        match_id, roles = play_new_match(
            Person(site).be_guest(), Person(site).be_guest(), slug, *MOVES[slug]
        )
        first, second = roles["xplayer"], roles["oplayer"]
        people = [as_person(visit, first), as_person(visit, second), visit()]
        people[2].open(f"/match/{match_id}/")
        names = {
            key: people[2].page.inner_text(f'[data-seat="{role}"] .name')
            for key, role in (("x", "xplayer"), ("o", "oplayer"))
        }
        return match_id, people, names

    return make


def test_every_kind_of_end_is_said_to_each(
    site: Site, game: Callable[[str], tuple[str, list[Visitor], dict[str, str]]]
) -> None:
    match_id, people, names = game("tic-tac-toe")
    for (status, how, goal), wanted in ENDS.items():
        ended(site, match_id, status, how, goal)
        for visitor, text in zip(people, wanted, strict=True):
            reads(visitor, match_id, text.format(**names))


def test_two_grids_say_what_each_gave(
    game: Callable[[str], tuple[str, list[Visitor], dict[str, str]]],
) -> None:
    match_id, (winner, loser, watcher), names = game("parallel-tic-tac-toe")
    x = names["x"]
    line = "three in a row on a grid"
    reads(winner, match_id, f"You won: {line}. Left: your line. Right: still open. 50 to 0")
    reads(
        loser, match_id,
        f"You lost: {x} has {line}. Left: the line of {x}. Right: still open. 0 to 50",
    )  # fmt: skip
    reads(
        watcher, match_id,
        f"{x} won: {line}. Left: the line of {x}. Right: still open. 50 to 0",
    )  # fmt: skip


def test_boxes_are_counted_to_each(seat: Callable[..., dict[str, Visitor]], visit: Visit) -> None:
    people = seat("dots-and-boxes")
    x, o = people["xplayer"], people["oplayer"]
    watcher = visit().open("/" + x.page.url.split("/", 3)[3])
    while x.page.get_attribute("#match", "data-status") == "live":
        mover = people[x.page.get_attribute("#match", "data-turn") or ""]
        ply = int(x.page.get_attribute("#match", "data-ply") or 0)
        mover.see_ply(ply)
        mover.page.locator(".table [data-open]").first.evaluate(
            "(e) => e.dispatchEvent(new MouseEvent('click', { bubbles: true }))"
        )
        mover.confirm()
        x.see_ply(ply + 1)
    for visitor in (o, watcher):
        visitor.page.wait_for_selector('#match[data-status="over"]')
    scores = {
        role: watcher.page.locator(f'.table .box[data-mark="{mark}"]').count()
        for role, mark in (("xplayer", "x"), ("oplayer", "o"))
    }
    assert sum(scores.values()) == 25
    for role, score in scores.items():  # counted up, to the end
        expect(o.page.locator(f'[data-seat="{role}"] .score')).to_have_text(str(score))
    winner = max(scores, key=scores.__getitem__)
    loser = min(scores, key=scores.__getitem__)
    won, lost = scores[winner], scores[loser]
    name = watcher.page.inner_text(f'[data-seat="{winner}"] .name')
    expect(people[winner].page.locator("#status")).to_have_text(f"You won {won}{DASH}{lost}")
    expect(people[loser].page.locator("#status")).to_have_text(f"You lost {lost}{DASH}{won}")
    expect(watcher.page.locator("#status")).to_have_text(f"{name} won {won}{DASH}{lost}")
    expect(people[winner].page).to_have_title(f"You won {won}{DASH}{lost} · Dots and Boxes")
