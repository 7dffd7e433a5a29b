"""Accounts with tokens, and programs that use them, for the tests beside this."""

import json
import urllib.error
import urllib.request
from typing import Any

import berserk

from lobby.accounts.scopes import SCOPES
from tests.live import Site

HUMAN = tuple(scope for scope in SCOPES if scope != "bot")


def token(site: Site, name: str, *scopes: str, **more: str) -> str:
    """A token of the account of that name, made on the server."""
    asked = [part for scope in scopes or HUMAN for part in ("--scope", scope)]
    options = [part for key, value in more.items() for part in (f"--{key}", value)]
    done = site.manage("token", name, "--create", *asked, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def client(site: Site, text: str) -> berserk.Client:
    """lichess' own client, with our address."""
    return berserk.Client(berserk.TokenSession(text), base_url=site.url)


def ask(
    site: Site,
    method: str,
    path: str,
    text: str | None = None,
    data: bytes | None = None,
    **headers: str,
) -> tuple[int, Any, dict[str, str]]:
    """The status of an answer, its value, and its headers."""
    request = urllib.request.Request(f"{site.url}{path}", data=data, method=method)
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    if text is not None:
        request.add_header("Authorization", f"Bearer {text}")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, _value(answer.read()), dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, _value(error.read()), dict(error.headers)


def _value(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")
