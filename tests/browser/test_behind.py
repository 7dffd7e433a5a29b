"""Pages that missed a change catch up without a reload."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.builders.sites import Site
from tests.builders.visitors import DESK, Visitor

Seat = Callable[..., dict[str, Visitor]]
Visit = Callable[..., Visitor]


def losing(page: Page, lost: Callable[[str], bool]) -> list[WebSocketRoute]:
    """Drop messages of the match's sockets for which `lost` is true; return the sockets."""
    routes: list[WebSocketRoute] = []

    def carry(route: WebSocketRoute) -> None:
        routes.append(route)
        server = route.connect_to_server()
        route.on_message(server.send)
        server.on_message(lambda text: None if lost(str(text)) else route.send(text))

    page.route_web_socket("**/ws/match/**", carry)
    return routes


@pytest.mark.parametrize("lost", [1, 2])
def test_a_frame_that_was_lost_is_made_up_for_within_a_ping(
    seat: Seat, visit: Visit, lost: int
) -> None:
    """The page asks on the same connection; if it gets no answer, it opens another one."""
    people = seat("tic-tac-toe")
    x, o = people["xplayer"], people["oplayer"]
    watcher, left = visit(**DESK), [0]

    def falls(text: str) -> bool:
        if not left[0] or not text.startswith(('{"type":"state"', '{"type":"patch"')):
            return False
        left[0] -= 1
        return True

    routes = losing(watcher.page, falls)
    watcher.open(x.page.url.removeprefix(x.site.url))
    # The server announces the watcher to all; the others show that they received this.
    expect(x.page.locator("#watchers")).to_contain_text("1 watching")
    expect(watcher.page.locator("#watchers")).to_contain_text("1 watching")
    left[0] = lost
    x.click_action("mark 2 2")
    o.see_ply(1)
    expect(watcher.page.locator("#match")).to_have_attribute("data-ply", "1")
    assert left[0] == 0
    assert len(routes) == lost
    expect(watcher.page.locator("#moves li")).to_have_count(1)


def test_an_older_database_comes_back_and_the_open_pages_play_on(seat: Seat, site: Site) -> None:
    people = seat("tic-tac-toe")
    x, o = people["xplayer"], people["oplayer"]
    for visitor, ply, action in ((x, 1, "mark 2 2"), (o, 2, "mark 1 1")):
        visitor.click_action(action)
        for each in (x, o):
            each.see_ply(ply)
    database, copy = site.folder / "site.sqlite3", site.folder / "copy.sqlite3"
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    for visitor, ply, action in ((x, 3, "mark 1 2"), (o, 4, "mark 3 2")):
        visitor.click_action(action)
        for each in (x, o):
            each.see_ply(ply)
            each.page.evaluate("window.notLoadedAnew = true")
    site.stop()
    for left in site.folder.glob("site.sqlite3*"):
        left.unlink()
    shutil.copy(copy, database)
    again = Site(site.folder, port=site.port)
    site.process = again.process  # the fixture stops it
    again.wait()
    for visitor in (x, o):
        visitor.see_ply(2)
        expect(visitor.page.locator("#error")).to_contain_text("restored from a backup")
        expect(visitor.page.locator("#moves li")).to_have_count(2)
        expect(visitor.page.locator('[data-mark="."][data-action="mark 1 2"]')).to_be_visible()
    x.click_action("mark 3 3")
    o.see_ply(3)
    o.click_action("mark 1 2")
    for visitor in (x, o):
        visitor.see_ply(4)
        expect(visitor.page.locator("#moves li")).to_have_count(4)
        expect(visitor.page.locator("#error")).to_be_hidden()
        assert visitor.page.evaluate("window.notLoadedAnew") is True
        visitor.forgive_network()
    again.must_be_calm()
