"""A room shows the newest state to everybody, and a damaged match affects no other."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from websockets.exceptions import ConnectionClosed

from tests.builders.sites import PATIENCE, Person, Site, Socket, pair, servers

SLOW = {"DB_POLL_SECONDS": "600", "PRESENCE_TIMEOUT_SECONDS": "2", "SECRET_KEY": "k" * 50}


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Site]]:
    """Two servers on one SQLite file, without hints and without polling."""
    folder = tmp_path_factory.mktemp("one")
    env = {**SLOW, "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}"}
    with servers(env, folder, tmp_path_factory.mktemp("two"), may_fail=True) as found:
        yield found
        failed = ("upkeep failed", "frame failed", "hint failed", "Exception inside")
        assert [words for words in failed for site in found if words in site.output()] == []


@pytest.fixture
def site(sites: list[Site]) -> Site:
    return sites[0]


def sit(alice: Person, bob: Person) -> tuple[str, dict[str, Person], Socket]:
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    socket = roles["xplayer"].match(match_id)
    socket.next("state")
    return match_id, roles, socket


def test_who_comes_with_news_brings_it_to_all_who_are_there(
    sites: list[Site], alice_online: Person, bob_online: Person
) -> None:
    match_id, roles, behind = sit(alice_online, bob_online)
    behind.next("state")  # the upkeep's first
    with roles["xplayer"].at(sites[1]).match(match_id) as ahead:
        ahead.next("state")
        ahead.play("mark 1 1")
    with roles["xplayer"].match(match_id) as second_tab:  # nobody else is there for it
        assert second_tab.next("state")["ply"] == 1
        behind.next("state", lambda state: state["ply"] == 1, patience=10)
    behind.close()


def test_a_pong_says_what_is_newest_and_a_look_is_answered_with_the_state(
    alice_online: Person, bob_online: Person
) -> None:
    _, _, x = sit(alice_online, bob_online)
    x.play("mark 1 1")
    x.send("ping", t=1)
    pong = x.next("pong")
    assert (pong["ply"], pong["version"]) == (1, x.state["version"])
    assert pong["epoch"] == x.state["epoch"] != ""
    x.send("look")
    assert x.next("state")["ply"] == 1
    x.close()


@pytest.mark.parametrize(
    "damage", ["notation = 'nonsense'", "game = 'no-such-game'", "clock = '9+9+9', first_ms = 1"]
)
def test_a_damaged_match_is_closed_and_touches_no_other(
    sites: list[Site], alice_online: Person, bob_online: Person, charlie_online: Person, damage: str
) -> None:
    """A match is damaged in the database, and a command makes the server read it."""
    site = sites[0]
    bad_id, _, bad = sit(alice_online, bob_online)
    good_id, roles, good = sit(alice_online, bob_online)
    other = roles["oplayer"].match(good_id)
    other.next("state")
    watcher = charlie_online.match(bad_id)
    watcher.next("state")
    with closing(sqlite3.connect(site.folder / "site.sqlite3", timeout=PATIENCE)) as database:
        database.execute(
            f"UPDATE games_match SET {damage}, version = version + 5 WHERE id = ?", [bad_id]
        )
        database.commit()
    bad.send("play", ply=0, action="mark 1 1")
    good.send("play", ply=0, action="mark 1 1")
    # The others are shown, although the bad match was to be shown in the same round.
    assert other.ply(1)["ply"] == good.ply(1)["ply"] == 1
    for socket in (bad, watcher):
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.frame()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404  # as for anybody who opens it now
    # The server goes on: it tells presence and plays moves.
    good.close()
    away = time.monotonic()
    other.next("state", lambda state: not state["seats"]["xplayer"]["here"])
    assert time.monotonic() - away < 20
    other.play("mark 2 2")
    other.close()
