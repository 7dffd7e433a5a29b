"""Tokens of the API, and clients that use them at a site."""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import berserk
from django.test import Client

from lobby.accounts.tokens import SCOPES
from tests.builders.sites import PATIENCE, Site

HUMAN_SCOPES = tuple(scope for scope in SCOPES if scope != "bot")


def create_token(site: Site, name: str, *scopes: str, **more: str) -> str:
    """Create a token with a command of the site. The account is created if it is missing."""
    asked = [part for scope in scopes or HUMAN_SCOPES for part in ("--scope", scope)]
    options = [part for key, value in more.items() for part in (f"--{key}", value)]
    done = site.manage("token", name, "--create", *asked, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def create_client(site: Site, text: str) -> berserk.Client:
    """Return the client of lichess.org, connected to this site."""
    return berserk.Client(berserk.TokenSession(text), base_url=site.url)


def is_accepted(token: str) -> bool:
    """Return True if the site accepts the token, in the test's own process."""
    headers = {"Authorization": f"Bearer {token}"}
    return Client().get("/api/account", headers=headers).status_code == 200


def send_request(
    site: Site,
    method: str,
    path: str,
    text: str | None = None,
    data: bytes | None = None,
    **headers: str,
) -> tuple[int, Any, dict[str, str]]:
    """Send a request. Return the status, the decoded body and the headers."""
    request = urllib.request.Request(f"{site.url}{path}", data=data, method=method)
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    if text is not None:
        request.add_header("Authorization", f"Bearer {text}")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, _value(answer.read()), dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, _value(error.read()), dict(error.headers)


def _value(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")


def start_game(
    site: Site, one: str, other: str, slug: str = "tic-tac-toe", name: str = "bob"
) -> str:
    """Create a game in which `one` has the first seat. Return its id."""
    made = create_client(site, one).challenges.create(
        name, rated=False, variant=slug, color="white"
    )
    create_client(site, other).challenges.accept(made["id"])
    found = send_request(site, "GET", f"/api/challenge/{made['id']}/show", one)[1]
    return str(found["gameId"])


def send_move(site: Site, text: str, game: str, action: str, query: str = "") -> tuple[int, Any]:
    path = f"/api/board/game/{game}/move/{action.replace(' ', '%20')}{query}"
    return send_request(site, "POST", path, text)[:2]


class Lines:
    """The lines of a streamed response, read with time limits."""

    def __init__(
        self, site: Site, path: str, text: str | None = None, method: str = "GET", body: str = ""
    ) -> None:
        self._http = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json"}
        if text is not None:
            headers["Authorization"] = f"Bearer {text}"
        self._http.request(method, path, body, headers)
        self._answer = self._http.getresponse()
        self.status, self.headers = self._answer.status, dict(self._answer.headers)
        self.blanks: list[float] = []

    def line(self) -> dict[str, Any] | None:
        """Return the next line that is not blank, or None at the end."""
        while True:
            found = self._answer.readline()
            if not found:
                return None
            if found.strip():
                value: dict[str, Any] = json.loads(found)
                return value
            self.blanks.append(time.monotonic())

    def next(
        self, kind: str, where: Callable[[dict[str, Any]], Any] = lambda line: True
    ) -> dict[str, Any]:
        """Return the next line of that type."""
        while True:
            found = self.line()
            assert found is not None, f"ended without {kind}"
            if found.get("type", found.get("t")) == kind and where(found):
                return found

    def rest(self) -> list[dict[str, Any]]:
        """Return all lines until the end."""
        return list(iter(self.line, None))  # type: ignore[arg-type]  # None ends it

    def blank(self) -> float:
        """Wait for a blank line. Return the time of its arrival."""
        while True:
            found = self._answer.readline()
            assert found, "ended"
            if not found.strip():
                return time.monotonic()

    def close(self) -> None:
        self._answer.close()
        self._http.close()

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *args: object) -> None:
        self.close()
