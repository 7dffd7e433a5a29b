"""Sessions and their cookies, forgetting a guest, and the headers of pages."""

import gzip
import http.client
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPMessage

import pytest
from django.utils import timezone
from websockets.exceptions import ConnectionClosed

from games.store.sessions import SessionStore
from tests.builders.sites import PATIENCE, Person, Site, pair

ORIGIN = "https://play.example.org"


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Settings of a site behind a proxy that serves HTTPS."""
    env = {"ALLOWED_ORIGINS": ORIGIN, "BEHIND_PROXY": "on"}
    server = Site(tmp_path_factory.mktemp("secure"), env)
    try:
        yield server.wait()
    finally:
        server.stop()


def ask(
    site: Site, method: str, path: str, cookies: dict[str, str], **more: str
) -> tuple[int, HTTPMessage, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    headers = {name.replace("_", "-"): value for name, value in more.items()}
    if cookies:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.headers, body


def https(
    site: Site, method: str, path: str, cookies: dict[str, str], **more: str
) -> tuple[int, HTTPMessage, bytes]:
    proxied = {"Host": "play.example.org", "X_Forwarded_Proto": "https", "Referer": f"{ORIGIN}/"}
    return ask(site, method, path, cookies, **proxied, **more)


def taken(headers: HTTPMessage) -> dict[str, str]:
    """Return the cookies that a response sets, each with its attributes."""
    return dict(cookie.split("=", 1) for cookie in headers.get_all("Set-Cookie", []))


def test_cookies_under_https_are_of_this_host_alone(secure: Site) -> None:
    status, headers, _ = https(secure, "GET", "/", {})
    assert status == 200
    assert headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    given = taken(headers)
    assert set(given) == {"__Host-csrftoken"}
    token = given["__Host-csrftoken"].split(";")[0]
    cookies = {"__Host-csrftoken": token}
    status, headers, _ = https(secure, "POST", "/guest/", cookies, X_CSRFToken=token)
    assert status == 204
    session = taken(headers)["__Host-sessionid"]
    assert {"Secure", "Path=/", "HttpOnly", "SameSite=Lax"} <= set(session.split("; "))
    assert "Domain" not in session
    assert f"Max-Age={30 * 86400}" in session
    key = session.split(";")[0]
    _, _, page = https(secure, "GET", "/", {"__Host-sessionid": key})
    assert b"You are <b>" in page
    for name in ("sessionid", "__Secure-sessionid"):
        assert b"You are <b>" not in https(secure, "GET", "/", {name: key})[2]


def test_what_is_personal_is_not_stored_and_nothing_is_permitted(
    site: Site, alice_online: Person
) -> None:
    cookies = {cookie.name: str(cookie.value) for cookie in alice_online.cookies}
    for path in ("/", "/forget/", "/accounts/login/", "/nowhere/"):
        _, headers, _ = ask(site, "GET", path, cookies)
        assert "camera=()" in headers["Permissions-Policy"]
        if path != "/nowhere/":
            assert "no-store" in headers["Cache-Control"], path
    _, _, page = ask(site, "GET", "/", cookies)
    (icon,) = set(re.findall(rb'rel="icon"\s+href="(\S+)"', page))
    _, headers, _ = ask(site, "GET", icon.decode(), cookies)
    assert "immutable" in headers["Cache-Control"]


def test_pages_are_compressed_each_to_another_length(site: Site, alice_online: Person) -> None:
    cookies = {cookie.name: str(cookie.value) for cookie in alice_online.cookies}
    _, headers, plain = ask(site, "GET", "/", cookies)
    assert headers["Content-Encoding"] is None
    lengths = set()
    for _ in range(8):
        _, headers, body = ask(site, "GET", "/", cookies, Accept_Encoding="gzip")
        assert headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in headers["Vary"]
        assert len(body) < len(plain) / 4
        lengths.add(len(body))
        assert b"</html>" in gzip.decompress(body)
    assert len(lengths) > 1, "padded at random, so that a length tells nothing (BREACH)"
    tokens = {
        re.findall(rb'csrfmiddlewaretoken" value="(\w+)"', ask(site, "GET", "/", cookies)[2])[0]
        for _ in range(2)
    }
    assert len(tokens) == 2, "masked anew each time"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("left", "renewed"),
    [(timedelta(days=29), False), (timedelta(days=20), True), (timedelta(days=80), True)],
)
def test_a_session_that_is_used_lasts_on(left: timedelta, renewed: bool) -> None:
    session = SessionStore()
    session["a"] = 1
    session.save()
    session.model.objects.update(expire_date=timezone.now() + left)
    again = SessionStore(session.session_key)
    again.renew()
    assert not again.modified, "was not used"
    assert again["a"] == 1
    again.renew()
    assert again.modified is renewed
    again.save()
    kept = session.model.objects.get().expire_date - timezone.now()
    assert renewed is (kept > timedelta(days=29.9)) or not renewed


@pytest.mark.django_db
@pytest.mark.parametrize(("seconds", "renewed"), [(3600, False), (1800, True)])
def test_a_session_with_a_fixed_end_is_not_renewed_by_each_page(
    seconds: float, renewed: bool
) -> None:
    session = SessionStore()
    session["a"] = 1
    session.end_within(seconds)
    session.save()
    began = datetime.fromtimestamp(session["_ends_at"] - seconds, UTC)
    for part in (0.0, 0.3, 0.6, 0.9):  # of a second: the age is rounded down
        end = began + timedelta(seconds=3599 + part)
        session.model.objects.update(expire_date=end)
        again = SessionStore(session.session_key)
        assert again["a"] == 1
        again.renew()
        assert again.modified is renewed, part


def test_staff_are_logged_out_after_a_working_day(site: Site, charlie_online: Person) -> None:
    made = site.manage(
        "shell", "-c",
        "from lobby.models import Player;"
        "Player.objects.create_superuser('chief', password='a long password')",
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    charlie_online.log_in("chief", "a long password", "/accounts/2fa/")
    (cookie,) = [c for c in charlie_online.cookies if c.name == "sessionid"]
    assert cookie.expires is not None
    left = cookie.expires - timezone.now().timestamp()
    assert 7.9 * 3600 < left < 8.1 * 3600
    asked = site.manage(
        "shell", "-c",
        "from django.contrib.sessions.models import Session; from django.utils import timezone;"
        f"s = Session.objects.get(pk={cookie.value!r});"
        "print((s.expire_date - timezone.now()).total_seconds())",
    )  # fmt: skip
    assert 7.9 * 3600 < float(asked.stdout.split()[-1]) < 8.1 * 3600, asked.stderr


def test_a_guest_is_forgotten_and_the_games_stay(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, _ = pair(alice_online, bob_online, "tic-tac-toe")
    name = re.findall(r"You are <b><bdi>([\w ]+)</bdi></b>", alice_online.get("/")[1])[0]
    assert "kept under your name" not in alice_online.get("/")[1]
    assert 'href="/forget/"' in alice_online.get("/")[1]
    page = alice_online.get("/forget/")[1]
    assert name in page
    assert "Your games are kept under your name" in page
    with alice_online.lobby() as lobby, alice_online.match(match_id) as match:
        lobby.next("lobby")
        match.next("state")
        assert alice_online.post("/forget/")[0] == 200
        for socket in (lobby, match):
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    socket.frame(10)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4401
    assert "You are" not in alice_online.get("/")[1]
    assert "You have been forgotten" not in alice_online.get("/")[1], "said once"
    assert name in bob_online.get(f"/match/{match_id}/")[1]
    assert name in str(bob_online.json(f"/match/{match_id}/record.json"))


def test_only_a_post_forgets(alice_online: Person, charlie_online: Person) -> None:
    alice_online.get("/forget/")
    assert alice_online.post("/forget/", token="x" * 32)[0] == 403
    assert "You are <b>" in alice_online.get("/")[1]
    assert "You are not logged in on this device" in charlie_online.get("/forget/")[1]
    assert charlie_online.post("/forget/")[1] == f"{charlie_online.site.url}/"
