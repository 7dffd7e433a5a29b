"""The site as an app: manifest, icons, service worker, offline page and errors."""

import json
import re
import struct
import urllib.request
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError
from django.http import Http404
from django.test import Client, RequestFactory, override_settings
from django.utils.functional import SimpleLazyObject

from config import pwa
from config.errors import broken, missing
from lobby.models import Player
from tests.builders.sites import PATIENCE, ROOT, Person, Site


def fetch(site: Site, path: str) -> tuple[bytes, dict[str, str]]:
    with urllib.request.urlopen(f"{site.url}{path}", timeout=PATIENCE) as answer:
        return answer.read(), {name.lower(): value for name, value in answer.headers.items()}


def test_the_manifest_names_the_site_and_icons_of_the_sizes_it_says(site: Site) -> None:
    text, headers = fetch(site, "/manifest.webmanifest")
    found = json.loads(text)
    assert headers["content-type"] == "application/manifest+json"
    assert found["name"] == "Parlour"
    assert found["start_url"] == "/"
    for icon in found["icons"]:
        picture, _ = fetch(site, icon["src"])
        width, height = struct.unpack(">II", picture[16:24])
        assert icon["sizes"] == f"{width}x{height}"


def test_every_page_names_the_manifest_and_a_touch_icon(site: Site, charlie_online: Person) -> None:
    for path in ("/", "/rules/", "/nowhere/"):
        page = charlie_online.get(path)[1]
        assert 'rel="manifest" href="/manifest.webmanifest"' in page
        touch = re.search(r'rel="apple-touch-icon" href="([^"]+)"', page)
        assert touch
        assert fetch(site, touch[1])[0][16:24] == struct.pack(">II", 180, 180)


def test_the_worker_keeps_static_files_and_the_offline_page_alone(site: Site) -> None:
    script, headers = fetch(site, "/service-worker.js")
    assert headers["cache-control"] == "no-cache"
    assert "worker-src 'self'" in headers["content-security-policy"]
    assert "manifest-src 'self'" in headers["content-security-policy"]
    found = re.search(r"= (\{.*?\});", script.decode())
    assert found
    kept = json.loads(found[1])
    assert kept["offline"] == "/offline/"
    assert all(re.fullmatch(r"/static/.+\.[0-9a-f]{12}\.\w+", path) for path in kept["files"])
    assert any(path.endswith(".woff2") for path in kept["files"])
    for path in kept["files"]:
        assert fetch(site, path)[0]


def test_no_name_of_a_file_can_write_into_the_workers_script() -> None:
    name = "/static/</script>&'\"\\\u2028.js"
    script = pwa._as_script([name])
    assert not set("<>&") & set(script)
    assert script.isascii()
    assert json.loads(script) == [name]


def test_no_template_takes_a_text_as_it_is() -> None:
    for path in (ROOT / "templates").rglob("*.*"):
        text = path.read_text()
        mail = path.suffix == ".txt"  # plain text: none of it is HTML
        assert not re.search(r"\|\s*safe\b" if mail else r"\|\s*safe\b|autoescape off", text), path


def test_no_line_of_a_template_is_longer_than_120_characters() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in (ROOT / "templates").rglob("*.html")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 120
    ]
    assert long == []


def test_the_offline_page_is_the_same_for_everybody(
    alice_online: Person, charlie_online: Person
) -> None:
    assert alice_online.get("/offline/") == charlie_online.get("/offline/")
    page = alice_online.get("/offline/")[1]
    assert "You are" not in page
    assert "csrf" not in page


def test_the_colours_are_those_of_the_sheet() -> None:
    light = (ROOT / "static/css/colours.css").read_text().split("@media", 1)[0]
    assert f"--page: {pwa.PAGE_COLOUR};" in light
    assert f"--bar: {pwa.BAR_COLOUR};" in light
    assert f'content="{pwa.BAR_COLOUR}"' in (ROOT / "templates/base.html").read_text()


def test_what_broke_shows_a_page_with_ways_on() -> None:
    page = broken(RequestFactory().get("/")).content.decode()
    assert "Try again" in page
    assert 'href="/"' in page
    with override_settings(TEMPLATES=[]):  # not even the error page can be rendered
        answer = broken(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert b"href='/'" in answer.content


@pytest.mark.django_db
def test_a_missing_page_names_who_has_a_session_and_asks_nothing_for_others(
    client: Client, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        assert "Log in" in client.get("/nowhere/").content.decode()
    client.force_login(Player.objects.create(username="Anna Berg"))
    shown = client.get("/nowhere/")
    assert shown.status_code == 404
    assert re.search(r"<bdi>Anna Berg</bdi>\s*</summary>", shown.content.decode())
    assert 'name="csrfmiddlewaretoken"' in shown.content.decode()  # so that logging out works
    assert "Log in" not in shown.content.decode()


def test_a_missing_page_is_shown_while_the_database_fails() -> None:
    request = RequestFactory().get("/nowhere/")
    request.COOKIES[settings.SESSION_COOKIE_NAME] = "x"

    def fails() -> Player:
        raise OperationalError("disk I/O error")

    request.user = SimpleLazyObject(fails)  # type: ignore[assignment]
    answer = missing(request, Http404())
    assert answer.status_code == 404 and b"There is no page at" in answer.content
