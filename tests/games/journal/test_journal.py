"""The journal under concurrent requests, on SQLite and PostgreSQL, in one process and in two."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.builders.sites import Person, Site, pair

PLAYS = 50


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    env = {"SECRET_KEY": "k" * 50}
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
    server = Site(tmp_path_factory.mktemp(request.param), env)
    try:
        yield server.wait()
    finally:
        server.stop()


@pytest.fixture(scope="module")
def second(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Another server on the same database."""
    env = {key: site.env[key] for key in ("SECRET_KEY", "DATABASE_URL") if key in site.env}
    env.setdefault("DATABASE_URL", f"sqlite:///{site.folder / 'site.sqlite3'}")
    server = Site(tmp_path_factory.mktemp("second"), env)
    try:
        yield server.wait()
    finally:
        server.stop()


def test_of_fifty_simultaneous_plays_of_one_ply_one_wins_and_none_is_lost(
    site: Site, second: Site
) -> None:
    alice, bob = Person(site).be_guest(), Person(site).be_guest()
    match_id, roles = pair(alice, bob, "six-in-a-row")
    player1 = roles["player1"]
    homes = [player1, player1.at(second)]
    sockets = [homes[i % 2].match(match_id) for i in range(PLAYS)]
    for socket in sockets:
        socket.next("state")
    barrier = threading.Barrier(PLAYS)

    def play(i: int) -> str:
        barrier.wait()
        sockets[i].send("play", ply=0, action=f"place {i % 15 + 1} {i // 15 + 1}")
        frame = sockets[i].next("state", lambda state: state["ply"] >= 1)
        return str(frame["last"])

    with ThreadPoolExecutor(PLAYS) as pool:
        seen = Counter(pool.map(play, range(PLAYS)))
    for socket in sockets:
        socket.close()
    assert len(seen) == 1, f"different sockets were told different actions: {seen}"
    record = alice.json(f"/match/{match_id}/record.json")
    assert [move["ply"] for move in record["moves"]] == [0]
    assert record["moves"][0]["action"] == next(iter(seen))


def test_fifty_repeats_of_one_action_are_all_accepted_and_stored_once(
    site: Site, second: Site
) -> None:
    alice, bob = Person(site).be_guest(), Person(site).be_guest()
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    xplayer = roles["xplayer"]
    homes = [xplayer, xplayer.at(second)]
    sockets = [homes[i % 2].match(match_id) for i in range(PLAYS)]
    barrier = threading.Barrier(PLAYS)

    def play(i: int) -> list[str]:
        sockets[i].next("state")
        barrier.wait()
        sockets[i].send("play", ply=0, action="mark 2 2")
        sockets[i].send("ping", t=i)
        codes = []
        while True:
            frame = sockets[i].frame()
            if frame["type"] == "error":
                codes.append(frame["code"])
            if frame["type"] == "pong":
                return codes

    with ThreadPoolExecutor(PLAYS) as pool:
        refusals = [code for codes in pool.map(play, range(PLAYS)) for code in codes]
    for socket in sockets:
        socket.close()
    assert refusals == []
    moves = alice.json(f"/match/{match_id}/record.json")["moves"]
    assert [(move["ply"], move["action"]) for move in moves] == [(0, "mark 2 2")]


def test_fifty_resignations_and_plays_at_once_end_the_match_once(site: Site, second: Site) -> None:
    alice, bob = Person(site).be_guest(), Person(site).be_guest()
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    people = [roles["xplayer"], roles["oplayer"]]
    sockets = []
    for i in range(PLAYS):
        person = people[i % 2]
        sockets.append((person if i % 4 < 2 else person.at(second)).match(match_id))
    barrier = threading.Barrier(PLAYS)

    def finish(i: int) -> tuple[str, str]:
        sockets[i].next("state")
        barrier.wait()
        if i % 3:
            sockets[i].send("resign")
        else:
            sockets[i].send("play", ply=0, action="mark 1 1")
        state = sockets[i].next("state", lambda state: state["status"] != "live")
        return state["ended"], json.dumps(state["goals"])

    with ThreadPoolExecutor(PLAYS) as pool:
        ends = set(pool.map(finish, range(PLAYS)))
    for socket in sockets:
        socket.close()
    assert len(ends) == 1, ends
    ended, goals = ends.pop()
    record = alice.json(f"/match/{match_id}/record.json")
    assert record["ended"] == ended == "resignation"
    assert record["goals"] == json.loads(goals)
    assert len(record["moves"]) <= 1


def test_stored_matches_replay_to_their_notation(site: Site) -> None:
    """In all matches of the tests above, the moves lead to the stored position."""
    script = """
from games.models import Match
for match in Match.objects.all():
    position = match.rules.start
    for ply, move in enumerate(match.moves.order_by("ply")):
        assert move.ply == ply and move.role == position.turn
        position = position.play(move.action)
    assert match.ply == match.moves.count() and match.notation == position.notation
print("sound")
"""
    done = site.manage("shell", "-v0", "-c", script)
    assert done.stdout.strip() == "sound", done.stderr
