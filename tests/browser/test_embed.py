"""A match in a frame on another site."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.builders.sites import Person, Site, pair
from tests.builders.visitors import DESK, Visitor


@pytest.fixture
def elsewhere() -> Iterator[Callable[[str], str]]:
    """Yield a function that serves a page from another origin and returns its address."""
    pages = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name that the base class requires
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(pages[-1].encode())

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()

    def serve(page: str) -> str:
        pages.append(f"<!doctype html><link rel=icon href=data:,><title>Elsewhere</title>{page}")
        return f"http://127.0.0.1:{server.server_port}/"

    yield serve
    server.shutdown()
    server.server_close()


def test_a_frame_elsewhere_follows_the_match(
    site: Site, visit: Callable[..., Visitor], elsewhere: Callable[[str], str]
) -> None:
    alice, bob = Person(site).be_guest(), Person(site).be_guest()
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    visitor = visit(**DESK, color_scheme="dark")
    page = visitor.page
    inner = f'<iframe title="A game" src="{site.url}/embed/match/{match_id}/" height="560">'
    page.goto(elsewhere(inner))
    frame = page.frame_locator("iframe")
    frame.locator('#match[data-ply="0"]').wait_for()
    sockets = {role: person.match(match_id) for role, person in roles.items()}
    for ply, action in enumerate(("mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")):
        mover = sockets[("xplayer", "oplayer")[ply % 2]]
        mover.ply(ply)
        mover.play(action)
        frame.locator(f'#match[data-ply="{ply + 1}"]').wait_for()
    frame.locator('#match[data-status="over"]').wait_for()
    assert "won" in frame.locator('[role="status"]').inner_text()
    assert frame.locator(".board [data-line]").count() == 3
    assert frame.locator(".board .strokes .core").count() == 1
    assert page.context.cookies() == []
    ground = frame.locator("body").evaluate("e => getComputedStyle(e).backgroundColor")
    assert ground == "rgb(25, 22, 19)"  # the dark scheme
