"""Matches on other sites: pictures of each position, the animated game, frames."""

import gzip
import re
import struct
import urllib.request
import xml.etree.ElementTree as ET
from base64 import b64encode
from hashlib import sha256
from typing import Any
from urllib.parse import urljoin

import pytest
from django.test import Client, override_settings

from games.boards import BOARDS
from games.boards.animation import animate
from games.rules import GAMES
from games.runtime.limiter import limiter
from tests.builders.matches import create_finished_match, create_match
from tests.builders.sites import PATIENCE, Person, Site, pair, until

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
def test_each_position_is_a_picture(alice: Any, bob: Any, slug: str) -> None:
    match = create_finished_match(slug, alice, bob)
    shown = set()
    for ply in (0, 1, match.ply):
        png = Client().get(f"/match/{match.pk}/position/{ply}.png")
        assert png.status_code == 200 and png.content[:8] == b"\x89PNG\r\n\x1a\n"
        assert max(struct.unpack(">II", png.content[16:24])) == 600
        svg = Client().get(f"/match/{match.pk}/position/{ply}.svg")
        assert svg.headers["Content-Type"] == "image/svg+xml"
        ET.fromstring(svg.content)
        shown.add(svg.content)
        for answer in (png, svg):
            assert "max-age=86400" in answer.headers["Cache-Control"]
            path = answer.request["PATH_INFO"]
            again = Client().get(path, headers={"If-None-Match": answer.headers["ETag"]})
            assert again.status_code == 304
    assert len(shown) == 3
    for wrong in (f"{match.ply + 1}.png", f"{10**30}.svg", "-1.png", "x.png"):
        assert Client().get(f"/match/{match.pk}/position/{wrong}").status_code == 404


@pytest.mark.django_db
def test_pictures_are_bounded_for_an_address(alice: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob, plies=3)
    with override_settings(RATE_LIMITS=True, PICTURES_PER_MINUTE=2):
        found = [
            Client().get(f"/match/{match.pk}/position/{ply}.svg", REMOTE_ADDR="203.0.113.9")
            for ply in (0, 1, 2)
        ]
    assert [answer.status_code for answer in found] == [200, 200, 429]


@pytest.mark.django_db
def test_what_costs_a_query_is_bounded_for_an_address(alice: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob, plies=3)
    here = f"/match/{match.pk}/"
    records = (
        *("record.json", "replay.json", "signed.json", "game.svg"),
        *("position/1.png", "position/1.svg"),
    )
    for each in (*(here + name for name in records), "/oembed"):
        limiter.cache_clear()
        _bounded(each, RECORDS_PER_MINUTE=2)
    for each in ("checkpoint", "tile/entries/000", "tile/0/000"):
        limiter.cache_clear()
        _bounded(f"/log/2/{each}", LOG_FILES_PER_MINUTE=2)


def _bounded(path: str, **limit: int) -> None:
    """The third request of one address is refused, another address's is not."""
    with override_settings(RATE_LIMITS=True, **limit):
        for _ in range(2):
            assert Client().get(path, REMOTE_ADDR="203.0.113.9").status_code != 429, path
        refused = Client().get(path, REMOTE_ADDR="203.0.113.9")
        assert refused.status_code == 429, path
        assert refused.headers["Retry-After"] == "60"
        assert refused.headers["Access-Control-Allow-Origin"] == "*"
        assert refused.json()["error"]["code"] == "too-often"
        assert Client().get(path, REMOTE_ADDR="203.0.113.10").status_code != 429, path


@pytest.mark.django_db
def test_the_style_of_an_svg_is_allowed_by_its_own_policy_and_nothing_else(
    alice: Any, bob: Any
) -> None:
    match = create_match("six-in-a-row", alice, bob, plies=2)
    for name in ("position/1.svg", "game.svg"):
        answer = Client().get(f"/match/{match.pk}/{name}")
        (style,) = [e.text or "" for e in ET.fromstring(answer.content).iter(f"{SVG}style")]
        digest = b64encode(sha256(style.encode()).digest()).decode()
        assert answer.headers["Content-Security-Policy"] == (
            f"default-src 'none'; style-src 'sha256-{digest}'"
        )
        assert "<script" not in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
def test_a_game_moves_as_it_was_played(alice: Any, bob: Any, slug: str) -> None:
    match = create_finished_match(slug, alice, bob)
    answer = Client().get(f"/match/{match.pk}/game.svg")
    assert answer.status_code == 200 and len(answer.content) < 300_000
    drawn = ET.fromstring(answer.content)
    last = match.rules.read(match.notation).diagram
    kept = [e for e in drawn.iter(f"{SVG}g") if "last " in e.get("class", "")]
    marks = [e.get("data-mark") for e in kept if "strokes" not in e.get("class", "")]
    assert sorted(map(str, marks)) == sorted(last.replace(".", ""))
    begins = [float(e.get("keyTimes", "").split(";")[1]) for e in drawn.iter(f"{SVG}animate")]
    assert begins and all(0 < begin < 1 for begin in begins)


def test_a_mark_that_changes_is_seen_until_then() -> None:
    board = BOARDS["tic-tac-toe"]
    drawn = ET.fromstring(animate(board, ["." * 9, "x" + "." * 8, "o" + "." * 8]))
    times = {
        e.get("data-mark"): (a.get("values"), str(a.get("keyTimes")).count(";"))
        for e in drawn.iter("g") if (a := e.find("animate")) is not None
    }  # fmt: skip
    assert times == {"x": ("0;1;0", 2), "o": ("0;1", 1)}


# -- frames


@pytest.mark.django_db
def test_a_frame_has_no_cookies_and_may_stand_anywhere(alice: Any, bob: Any) -> None:
    matches = [
        create_match("tic-tac-toe", alice, bob, plies=2),
        create_finished_match("six-in-a-row", alice, bob),
    ]
    known = Client()
    known.force_login(alice)
    for path in [f"/embed/match/{match.pk}/" for match in matches] + ["/embed/tv/"]:
        for client in (Client(), known):
            answer = client.get(path)
            assert answer.status_code == 200
            assert not answer.cookies, path
            assert "no-store" not in answer.headers.get("Cache-Control", "")  # no session is read
            assert "X-Frame-Options" not in answer.headers
            policy = answer.headers["Content-Security-Policy"]
            assert "frame-ancestors *" in policy and "unsafe" not in policy
            text = answer.content.decode()
            assert not re.search(r"<style|style=|<script(?![^>]* src=)", text)
    over_page = Client().get(f"/embed/match/{matches[1].pk}/").content.decode()
    assert re.search(r'role="status">\w', over_page) and "embed.js" not in over_page
    assert Client().get("/embed/match/nosuch/").status_code == 404
    # Other pages stay out of frames.
    page = Client().get(f"/match/{matches[0].pk}/")
    assert page.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


def fetched(url: str, seen: dict[str, int]) -> str:
    """The text at an address; its bytes as they were sent are noted."""
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        body = answer.read()
        seen[url] = len(body) + sum(len(k) + len(v) + 4 for k, v in answer.headers.items())
        packed = answer.headers.get("Content-Encoding") == "gzip"
    return (gzip.decompress(body) if packed else body).decode()


@pytest.mark.parametrize("slug", GAMES)
def test_a_frame_takes_less_than_40_kb(site: Site, slug: str) -> None:
    match_id, _ = pair(Person(site).be_guest(), Person(site).be_guest(), slug)
    seen: dict[str, int] = {}
    page = fetched(f"{site.url}/embed/match/{match_id}/", seen)
    for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', page):
        text = fetched(f"{site.url}{path}", seen)
        for other in re.findall(r'from ?"([^"]+)"|url\("([^"#)]+\.css)"\)', text):
            fetched(urljoin(f"{site.url}{path}", other[0] or other[1]), seen)
    assert len(seen) >= 6
    assert sum(seen.values()) < 40_000, seen


def test_a_watcher_without_a_name_only_watches(site: Site) -> None:
    match_id, roles = pair(Person(site).be_guest(), Person(site).be_guest(), "tic-tac-toe")
    mover = roles["xplayer"]
    watching = mover.socket(f"/ws/match/{match_id}/?as=watcher")
    assert watching.ply(0)["you"] is None
    watching.send("play", ply=0, action="mark 1 1")
    watching.refused("not-a-player")
    with mover.match(match_id) as own:
        assert own.ply(0)["you"] == "xplayer"
        own.play("mark 1 1")
    assert watching.ply(1)["diagram"] == "x........"
    watching.close()


def test_the_wall_s_frame_shows_a_match_that_is_being_played(site: Site) -> None:
    match_id, roles = pair(Person(site).be_guest(), Person(site).be_guest(), "tic-tac-toe")
    with roles["xplayer"].match(match_id) as x, roles["oplayer"].match(match_id) as o:
        x.ply(0)
        x.play("mark 1 1")
        o.ply(1)
        until(lambda: "data-tv" in Person(site).get("/embed/tv/")[1], "a match on the wall")
        page = Person(site).get("/embed/tv/")[1]
    assert 'id="match"' in page and "/embed/" not in page


@pytest.mark.django_db
def test_oembed(alice: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob, plies=2)
    page = Client().get(f"/match/{match.pk}/", headers={"Host": "localhost:8000"})
    (link,) = re.findall(r'json\+oembed"[^>]* href="([^"]+)"', page.content.decode())
    answer = Client().get(link.removeprefix("http://localhost:8000"))
    told = answer.json()
    assert (told["version"], told["type"]) == ("1.0", "rich")
    assert f'src="http://localhost:8000/embed/match/{match.pk}/"' in told["html"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    small = Client().get("/oembed", {"url": "http://localhost:8000/tv/", "maxwidth": "300"}).json()
    assert small["width"] == 300 and "/embed/tv/" in small["html"]
    for wrong in (
        "", "x", "http://elsewhere.example/match/a/", "http://localhost:8000/match/nosuch/",
        "http://localhost:8000/", "http://[", "javascript:alert(1)",
    ):  # fmt: skip
        assert Client().get("/oembed", {"url": wrong}).status_code == 404, wrong
    assert Client().get("/oembed", {"url": "x", "format": "xml"}).status_code == 501
