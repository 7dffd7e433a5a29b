"""A player authorises an application and revokes its access.

The content security policy must let the browser follow the redirect to the application.
"""

import json
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from lobby.accounts.tokens import PATTERN
from tests.builders.api import Lines, send_request
from tests.builders.oauth import REQUEST, VERIFIER
from tests.builders.players import PASSWORD
from tests.builders.sites import PATIENCE
from tests.builders.visitors import DESK, PHONE, Visitor, send_account_form


class _Application(BaseHTTPRequestHandler):
    """An application at another origin than the site's."""

    def do_GET(self) -> None:
        body = b"<!doctype html><link rel=icon href=data:,><title>It</title><h1>Back</h1>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Log nothing."""


@pytest.mark.parametrize("how", [DESK, PHONE], ids=["desk", "phone"])
def test_a_player_allows_an_application_and_revokes_it(
    visit: Callable[..., Visitor], how: dict[str, object]
) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Application)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        _allow_and_revoke(visit(**how), f"http://127.0.0.1:{server.server_port}/back")
    finally:
        server.shutdown()
        server.server_close()


def _allow_and_revoke(alice: Visitor, home: str) -> None:
    page = alice.open("/accounts/signup/").page
    name = "alice the desk" if page.viewport_size == DESK["viewport"] else "alice the phone"
    send_account_form(page, username=name, password1=PASSWORD)
    page.wait_for_url("**/accounts/words/**")
    asked = f"/oauth?{urlencode(REQUEST | {'redirect_uri': home})}"
    alice.open(asked)
    send_account_form(page, password=PASSWORD)  # the page asks for the password and goes on
    expect(page.locator("main")).to_contain_text("Read your games.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert min(box["height"] for box in _boxes(alice)) >= 44
    page.click("text=Deny")
    page.wait_for_url(f"{home}?**")
    assert parse_qs(urlsplit(page.url).query)["error"] == ["access_denied"]
    alice.open(asked)
    page.click("button >> text=/^Allow$/")
    page.wait_for_url(f"{home}?**")
    learnt = parse_qs(urlsplit(page.url).query)
    assert learnt["state"] == [REQUEST["state"]]
    text = _token(alice, learnt["code"][0], home)
    with Lines(alice.site, "/api/stream/event", text) as stream:
        assert stream.status == 200
        stream.blank()
        alice.open("/accounts/applications/")
        expect(page.locator(".account-parts li")).to_have_count(1)
        page.click(".account-parts >> text=Revoke")
        expect(page.locator("main")).to_contain_text("You have not authorized any applications.")
        stream.rest()
    assert send_request(alice.site, "GET", "/api/account", text)[0] == 401


def _boxes(visitor: Visitor) -> list[dict[str, float]]:
    buttons = visitor.page.locator(".account button").all()
    return [box for button in buttons if (box := button.bounding_box()) is not None]  # type: ignore[misc]


def _token(visitor: Visitor, code: str, home: str) -> str:
    form = {
        "grant_type": "authorization_code", "code": code, "client_id": REQUEST["client_id"],
        "redirect_uri": home, "code_verifier": VERIFIER,
    }  # fmt: skip
    url = f"{visitor.site.url}/api/token"
    with urllib.request.urlopen(url, data=urlencode(form).encode(), timeout=PATIENCE) as answer:
        text = str(json.loads(answer.read())["access_token"])
    assert PATTERN.fullmatch(text)
    return text
