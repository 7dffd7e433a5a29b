"""The TV wall follows people's matches in small frames."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from msgspec import UNSET
from msgspec.structs import replace

from games.match.state import BOTH
from games.models import Match
from lobby.live.live_matches import clear_cache
from lobby.live.protocol import WallClock, WallFrame
from lobby.live.tv import build_changes, build_entry
from lobby.models import Player
from tests.builders.matches import (
    create_finished_match,
    create_match,
    create_rated_match,
    create_rated_win,
    deliver_events,
    get_state,
)
from tests.builders.players import create_player
from tests.builders.sites import Person, Site, Socket, pair

Frame = dict[str, Any]

IS_ALONE = True  # the wall shows all matches


def lists(match_id: str, where: Callable[[Frame], Any] = bool) -> Callable[[Frame], bool]:
    """Match frames with that match. On two servers, there may be matches of other modules."""
    return lambda frame: any(
        match["match"] == match_id and where(match) for match in frame.get("matches", ())
    )


def told(wall: Socket, match_id: str) -> Frame:
    frame = wall.next("wall", lists(match_id))
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
                wall.next("wall", lists(match_id, lambda match: match["watchers"] == 1))
            o.ply(1)
            o.send("resign")
            over = wall.next("wall", lists(match_id, lambda match: match["verdict"]))
            (ended,) = (match for match in over["matches"] if match["match"] == match_id)
            assert ended["verdict"]["winner"] == "xplayer"
            # Then it makes room for another match.
            wall.next("wall", lambda f: "matches" in f and not lists(match_id)(f))


def test_games_with_the_computer_come_after_those_of_people(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    alice_online.post("/computer/", b"game=tic-tac-toe&level=1")
    match_id, _ = pair(alice_online, bob_online, "six-in-a-row")
    with Person(site).socket("/ws/lobby/?shows=wall") as wall:
        frame = wall.next("wall", lists(match_id))
        assert [match["game"] for match in frame["matches"]] == ["six-in-a-row", "tic-tac-toe"]
        wall.send("ping", t=1)  # nothing else is sent: no list of seeks and no counts
        while (heard := wall.frame())["type"] != "pong":
            assert heard["type"] == "wall"
    status, page = Person(site).get("/tv/")
    assert status == 200
    assert f'data-match="{match_id}"' in page
    assert page.count("data-match=") == 2


@pytest.mark.django_db
def test_a_move_sends_the_changed_clocks_alone() -> None:
    match = create_match("tic-tac-toe", create_player("alice"), create_player("bob"), clock="3+2")
    state, names = get_state(match), ("alice", "bob")
    before = {match.pk: build_entry(state, names)}
    assert build_changes(None, before).clocks == {
        match.pk: WallClock({"xplayer": 180, "oplayer": 180})  # nobody has acted yet
    }
    deadline = datetime(2026, 1, 1, tzinfo=UTC)
    running = replace(state, acted=BOTH, deadline=deadline, second_ms=170_900)
    changed = build_changes(before, {match.pk: build_entry(running, names)})
    assert changed.matches is UNSET and changed.boards == ()
    assert changed.clocks == {
        match.pk: WallClock({"xplayer": 180, "oplayer": 170}, "xplayer", int(deadline.timestamp()))
    }
    assert build_changes(before, before) == WallFrame()


@pytest.mark.django_db
def test_the_page_shows_clocks_and_ratings(client: Client) -> None:
    alice, bob = create_player("alice"), create_player("bob")
    create_rated_win(alice, bob)
    deliver_events()
    clear_cache()
    create_rated_match(alice, bob, plies=0)
    page = client.get("/tv/").content.decode()
    assert page.count('<span class="left">3:00</span>') == 2
    winner, loser = re.findall(r'<span class="rating quiet" dir="ltr">(\d+)\?</span>', page)[:2]
    assert winner > loser


@pytest.mark.django_db
def test_the_page_shows_the_best_finished_games_of_the_last_day(client: Client) -> None:
    alice, bob, nora = (create_player(name) for name in ("alice", "bob", "nora"))
    shown = create_finished_match("dots-and-boxes", alice, bob)
    old = create_finished_match("dots-and-boxes", alice, bob)
    Match.objects.filter(pk=old.pk).update(ended_at=timezone.now() - timedelta(days=2))
    hers = create_finished_match("dots-and-boxes", alice, nora)
    Player.objects.filter(pk=nora.pk).update(is_protected=True)
    page = client.get("/tv/").content.decode()
    assert f"/match/{shown.pk}/" in page
    assert old.pk not in page and hers.pk not in page and "nora" not in page


@pytest.mark.django_db
def test_the_page_says_so_when_nobody_plays(client: Client) -> None:
    page = client.get("/tv/").content.decode()
    assert 'id="nobody"' in page
    assert 'id="nobody" hidden' not in page
    assert "Start a game" in page
