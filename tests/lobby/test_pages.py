"""The lobby's pages, requested as a visitor's browser does."""

import re
from urllib.parse import urlencode

import pytest

from games.rules import GAMES
from tests.builders.sites import Person, Site, pair, until

HOSTILE = "<img src=x onerror=alert(1)>\"'&{{7*7}}"


def test_the_lobby_offers_every_game(charlie_online: Person) -> None:
    status, page = charlie_online.get("/")
    assert status == 200
    for game in GAMES.values():
        assert f'data-seek="{game.slug}"' in page
        assert game.name in page


def test_a_visitor_becomes_a_guest_once(site: Site, charlie_online: Person) -> None:
    charlie_online.be_guest()
    page = charlie_online.get("/")[1]
    found = re.search(r"You are <b><bdi>([A-Z][\w ]+)</bdi></b>", page)
    assert found
    charlie_online.be_guest()
    assert found[0] in charlie_online.get("/")[1]


def test_a_post_without_the_token_is_refused_in_words(charlie_online: Person) -> None:
    assert charlie_online.post("/guest/", token="x" * 32)[0] == 403
    assert "You are" not in charlie_online.get("/")[1]


def test_pages_carry_a_strict_policy_and_no_inline_script(
    alice_online: Person, bob_online: Person
) -> None:
    match_id, _ = pair(alice_online, bob_online, "six-in-a-row")
    opener = alice_online._http
    for path in ("/", f"/match/{match_id}/", "/nowhere/", "/accounts/login/"):
        try:
            answer = opener.open(f"{alice_online.site.url}{path}")
        except Exception as error:
            answer = error
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        page = answer.read().decode()
        inline = re.findall(r"<script(?![^>]*(?:src=|application/json))[^>]*>", page)
        assert inline == []
        assert not re.search(r"\son\w+=|<style|\sstyle=", page)


def test_playing_with_a_friend(
    site: Site, alice_online: Person, charlie_online: Person, bob_online: Person
) -> None:
    form = urlencode({"game": "dots-and-boxes"}).encode()
    status, address = alice_online.post("/seek/", form)
    assert status == 200
    path = address.removeprefix(site.url)
    seek = path.split("/")[2]
    assert address in alice_online.get(path)[1]
    page = charlie_online.get(path)[1]
    assert "invited you to play Dots and Boxes" in page
    with alice_online.lobby() as waiting:
        assert all(entry["seek"] != seek for entry in waiting.next("lobby")["seeks"])
        waiting.send("resume", seek=seek)
        waiting.next("seeking")
        assert (
            alice_online.post(f"{path}accept/")[1] == address
        )  # her own seek: redirects to the page
        status, landed = charlie_online.post(f"{path}accept/")  # becomes a guest
        assert status == 200
        assert waiting.next("paired")["url"] == landed.removeprefix(site.url)
    assert "has been accepted" in bob_online.get(path)[1]
    assert bob_online.post(f"{path}accept/")[1] == address
    assert 'data-role=""' in bob_online.get(landed.removeprefix(site.url))[1]
    record = bob_online.json(f"{landed.removeprefix(site.url)}record.json")
    assert record["game"] == "dots-and-boxes"


def test_an_invitation_can_be_withdrawn_by_its_owner_alone(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    _, address = alice_online.post("/seek/", b"game=tic-tac-toe")
    path = address.removeprefix(site.url)
    bob_online.post(f"{path}cancel/")
    assert bob_online.get(path)[0] == 200
    alice_online.post(f"{path}cancel/")
    assert bob_online.get(path)[0] == 404


def test_cancelling_a_seek_by_form_stays_on_the_page(site: Site, alice_online: Person) -> None:
    _, address = alice_online.post("/seek/", b"game=tic-tac-toe")
    page = alice_online.get("/rules/")[1]
    form = re.search(
        r'<form method="post" action="(/seek/\w+/cancel/)">(.*?)</form>', page, re.DOTALL
    )
    assert form and form[1] == f"{address.removeprefix(site.url)}cancel/"
    fields = re.findall(r'name="(next)" value="([^"]*)"', form[2])
    assert alice_online.post(form[1], urlencode(fields).encode()) == (200, f"{site.url}/rules/")
    assert form[1] not in alice_online.get("/rules/")[1]


@pytest.mark.parametrize("game", ["chess", "", "<script>", "tic-tac-toe\x00"])
def test_a_seek_for_no_game_is_a_400_page(alice_online: Person, game: str) -> None:
    assert alice_online.post("/seek/", urlencode({"game": game}).encode())[0] == 400


def test_names_and_addresses_made_to_break_html_stay_words(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    renamed = site.manage(
        "shell", "-c",
        "from lobby.models import Player; import os;"
        "p = Player.objects.order_by('-pk').first(); p.username = os.environ['HOSTILE'];"
        "p.save(); print(p.pk)",
        HOSTILE=HOSTILE,
    )  # fmt: skip
    assert renamed.returncode == 0, renamed.stderr
    match_id, _ = pair(alice_online, bob_online, "tic-tac-toe")
    for path in ("/", f"/match/{match_id}/", f"/match/{match_id}/?ply=<script>"):
        page = alice_online.get(path)[1]
        assert "<img src=x" not in page
        assert "<script>" not in page.replace('<script id="', "")
    assert alice_online.get("/match/<script>alert(1)</script>/")[0] == 404
    assert alice_online.get("/?next=//evil.example")[0] == 200


def test_a_finished_match_is_stepped_through_without_scripts(
    alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
    with roles["xplayer"].match(match_id) as x:
        x.next("state")
        x.play("mark 2 2")
        x.send("resign")
        x.next("state", lambda state: state["status"] == "over")
    start = alice_online.get(f"/match/{match_id}/?ply=0")[1]
    end = alice_online.get(f"/match/{match_id}/")[1]
    assert start.count('data-mark="x" role="button"') == 0
    assert end.count('data-mark="x"') > start.count('data-mark="x"')
    for strange in ("-1", "999999999999", "x", "٣", ""):
        assert alice_online.get(f"/match/{match_id}/?ply={urlencode({'': strange})[1:]}")[0] == 200


def test_health_and_readiness(charlie_online: Person) -> None:
    assert charlie_online.get("/healthz")[0] == 200
    ready = {"database": "ok", "channel_layer": "ok", "referee": "ok"}
    until(lambda: charlie_online.json("/readyz") == ready, "the referee seen")


def test_guests_from_one_address_are_limited(tmp_path_factory: pytest.TempPathFactory) -> None:
    server = Site(tmp_path_factory.mktemp("few"), {"RATE_LIMITS": "on", "GUESTS_PER_MINUTE": "3"})
    try:
        server.wait()
        answers = [Person(server).post("/guest/")[0] for _ in range(5)]
        assert answers == [204, 204, 204, 429, 429]
    finally:
        server.stop()
