"""The TV wall follows people's matches in small frames."""

from typing import Any

import pytest
from django.test import Client

from tests.builders.sites import Person, Site, Socket, pair

Frame = dict[str, Any]

IS_ALONE = True  # the wall shows all matches


def with_match(match_id: str) -> Any:
    return lambda frame: match_id in [match["match"] for match in frame.get("matches", ())]


def told(wall: Socket, match_id: str) -> Frame:
    frame = wall.next("wall", with_match(match_id))
    found: Frame = next(match for match in frame["matches"] if match["match"] == match_id)
    return found


def test_the_wall_follows_what_people_play_to_its_end(
    people: tuple[Person, Person], places: list[Site]
) -> None:
    alice, bob = people
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    with Person(places[1]).socket("/ws/lobby/?shows=wall") as wall:
        match = told(wall, match_id)
        assert match["watchers"] == 0
        assert match["verdict"] is None
        with roles["xplayer"].match(match_id) as x, roles["oplayer"].match(match_id) as o:
            assert x.next("state")["watchers"] == 0  # the wall does not count as a watcher
            x.play("mark 2 2")
            drawn = wall.next("wall", lambda f: any(b["match"] == match_id for b in f["boards"]))
            assert "matches" not in drawn  # only the new mark
            assert [b["marks"] for b in drawn["boards"]] == [{"4": "x"}]
            with Person(places[0]).match(match_id) as watcher:
                watcher.next("state")
                wall.next("wall", lambda f: [m["watchers"] for m in f.get("matches", ())] == [1])
            o.ply(1)
            o.send("resign")
            over = wall.next(
                "wall", lambda f: [m["verdict"] for m in f.get("matches", ())] != [None]
            )
            assert over["matches"][0]["verdict"]["winner"] == "xplayer"
            wall.next(
                "wall", lambda f: f.get("matches") == []
            )  # then it makes room for another match


def test_games_with_the_computer_are_not_on_the_wall(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    alice_online.post("/computer/", b"game=tic-tac-toe&level=1")
    match_id, _ = pair(alice_online, bob_online, "six-in-a-row")
    with Person(site).socket("/ws/lobby/?shows=wall") as wall:
        frame = wall.next("wall", with_match(match_id))
        assert [match["game"] for match in frame["matches"]] == ["six-in-a-row"]
        wall.send("ping", t=1)  # nothing else is sent: no list of seeks and no counts
        while (heard := wall.frame())["type"] != "pong":
            assert heard["type"] == "wall"
    status, page = Person(site).get("/tv/")
    assert status == 200
    assert f'data-match="{match_id}"' in page
    assert page.count("data-match=") == 1


@pytest.mark.django_db
def test_the_page_says_so_when_nobody_plays(client: Client) -> None:
    page = client.get("/tv/").content.decode()
    assert 'id="nobody"' in page
    assert 'id="nobody" hidden' not in page
    assert "Start a game" in page
