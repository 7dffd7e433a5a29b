"""OAuth requests of an application, in the test's own process and at a site."""

import base64
import http.client
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Barrier
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.test import Client

from tests.builders.api import send_request
from tests.builders.sites import PATIENCE, Person, Site

VERIFIER = "v" * 20 + "-._~" + "A1" * 20
CHALLENGE = base64.urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
REDIRECT_URI = "https://example.org/back"
REQUEST = {
    "response_type": "code",
    "client_id": "chess-club",
    "redirect_uri": REDIRECT_URI,
    "state": "s&=ü",
    "scope": "games:read challenges",
    "code_challenge": CHALLENGE,
    "code_challenge_method": "S256",
}


def get_address(**changed: str) -> str:
    return f"/oauth?{urlencode(REQUEST | changed)}"


def post_answer(browser: Client, address: str, answer: str = "allow") -> dict[str, str]:
    """Submit the authorization page. Return the parameters that the application receives."""
    given = browser.post(address, {"answer": answer})
    assert given.status_code == 303, given.content.decode()
    where = urlsplit(given.headers["Location"])
    assert not where.fragment
    return {key: one for key, (one,) in parse_qs(where.query).items()}


def exchange_code(given: str, **changed: str) -> Any:
    """Exchange a code for a token, as a client without cookies. An empty value omits a field."""
    form = {
        "grant_type": "authorization_code", "code": given, "client_id": "chess-club",
        "redirect_uri": REDIRECT_URI, "code_verifier": VERIFIER,
    } | changed  # fmt: skip
    kept = urlencode({key: value for key, value in form.items() if value})
    client = Client(enforce_csrf_checks=True)
    return client.post("/api/token", kept, content_type="application/x-www-form-urlencoded")


def get_error(given: Any) -> str:
    assert given.status_code in {400, 401}, given.content
    assert given.headers["Cache-Control"] == "no-store"
    return str(given.json()["error"])


def allow_at_site(person: Person) -> str:
    """Allow the application at a site. Return the code."""
    connection = http.client.HTTPConnection("127.0.0.1", person.site.port, timeout=PATIENCE)
    headers = {
        "Cookie": person.cookie_header(), "X-CSRFToken": person.token() or "",
        "Origin": person.site.url, "Content-Type": "application/x-www-form-urlencoded",
    }  # fmt: skip
    connection.request("POST", get_address(), "answer=allow", headers)
    answer = connection.getresponse()
    where = answer.getheader("Location") or ""
    connection.close()
    assert where.startswith(f"{REDIRECT_URI}?"), (answer.status, where)
    return parse_qs(urlsplit(where).query)["code"][0]


def exchange_code_at_once(sites: list[Site], code: str) -> list[tuple[int, Any]]:
    body = urlencode({
        "grant_type": "authorization_code", "code": code, "client_id": REQUEST["client_id"],
        "redirect_uri": REDIRECT_URI, "code_verifier": VERIFIER,
    }).encode()  # fmt: skip
    start = Barrier(len(sites))

    def one(site: Site) -> tuple[int, Any]:
        start.wait(10)
        return send_request(site, "POST", "/api/token", data=body)[:2]

    with ThreadPoolExecutor(len(sites)) as threads:
        return list(threads.map(one, sites))
