"""An older copy of the database comes back: pages and servers take its states, and play goes on."""

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from games.journal.opening import open_match
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Play
from games.match.setup import Setup
from games.models import Match, Move
from games.store.epoch import begin_epoch, end_epoch, get_epoch
from games.store.heartbeat import RESTART, store_beat
from games.store.records import find_unsound_matches, read_states
from lobby.accounts.guests import new_guest
from tests.builders.sites import Person, Site, Socket, pair, servers, until
from tests.builders.sockets import open_sockets

KEY = "k" * 50
OPENING = ["mark 1 1", "mark 2 2"]
FIRST_WAY = ["mark 1 2", "mark 1 3", "mark 3 1"]
OTHER_WAY = ["mark 3 3", "mark 2 1", "mark 2 3"]


# -- in the database


def test_an_epoch_begins_once_however_many_notice(db: None) -> None:
    store_beat()
    first = get_epoch()
    assert first
    end_epoch(first)
    second = get_epoch()
    end_epoch(first)  # another server noticed the same
    assert get_epoch() == second != first
    begin_epoch()
    assert get_epoch() not in {first, second}


def test_what_is_known_from_another_history_is_not_built_upon(db: None) -> None:
    """Both histories have reached the same version, by different moves."""
    players = [new_guest().pk, new_guest().pk]
    match_id = open_match(Setup("tic-tac-toe"), *players).pk

    def play(ply: int, action: str, known: Any = None) -> str | None:
        command = Play(ply, action)
        (answer,), _ = commit_requests([Request(match_id, players[ply % 2], command, known=known)])
        return answer.refused

    play(0, "mark 1 1")
    older = read_states([match_id])[match_id]
    play(1, "mark 2 2")
    known = read_states([match_id])[match_id]  # what a server remembers
    Move.objects.filter(match_id=match_id, ply=1).delete()
    kept = {"ply": older.ply, "version": older.version, "notation": older.notation}
    Match.objects.filter(pk=match_id).update(**kept, last=older.last, chain=older.chain, acted=1)
    play(1, "mark 3 3")
    assert read_states([match_id])[match_id].version == known.version
    assert play(2, "mark 2 2", known) is None  # it was taken in what the server remembers
    assert find_unsound_matches([match_id]) == {}
    assert read_states([match_id])[match_id].position.diagram == "x...x...o"


# -- through real servers


def play_from(sockets: dict[str, Socket], actions: list[str], ply: int) -> None:
    """Play these actions from this ply on; both players see each of them."""
    for at, action in enumerate(actions, start=ply):
        mover = sockets[("xplayer", "oplayer")[at % 2]]
        mover.send("play", ply=at, action=action)
        for socket in sockets.values():
            while (socket.state["ply"], socket.state["last"]) != (at + 1, action):
                socket.next("state")


def went_back(sockets: dict[str, Socket], epoch: str) -> None:
    """Both players learn on their open sockets how the match stands now."""
    for socket in sockets.values():
        state = socket.next("state", lambda s: s["epoch"] != epoch and s["ply"] == len(OPENING))
        assert state["diagram"] == "x...o...."


def copied(database: Path, to: Path) -> None:
    """Copy the database by SQLite's own backup while the site runs."""
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)


def test_a_file_that_is_put_back_begins_another_epoch(tmp_path: Path) -> None:
    """Somebody puts the file back by hand while the server is stopped."""
    site = Site(tmp_path, {"SECRET_KEY": KEY}).wait()
    database = tmp_path / "site.sqlite3"
    try:
        alice, bob = Person(site).be_guest(), Person(site).be_guest()
        match_id, roles = pair(alice, bob, "tic-tac-toe", "10+5")
        sockets = open_sockets(roles, match_id)
        play_from(sockets, OPENING, 0)
        copied(database, tmp_path / "copy.sqlite3")
        play_from(sockets, FIRST_WAY[:2], 2)
        before = sockets["xplayer"].state
        site.stop()
        for left in tmp_path.glob("site.sqlite3*"):
            left.unlink()
        shutil.copy(tmp_path / "copy.sqlite3", database)
        time.sleep(RESTART.total_seconds())  # a shorter stop is no outage
        site = Site(tmp_path, {"SECRET_KEY": KEY}, port=site.port).wait()
        sockets = {role: person.match(match_id) for role, person in roles.items()}
        went_back(sockets, before["epoch"])
        play_from(sockets, OTHER_WAY, 2)
        assert site.manage("verify_matches").returncode == 0
        site.must_be_calm()
    finally:
        site.stop()


@pytest.fixture(scope="module")
def sites(
    postgres_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Site]]:
    env = {
        "DATABASE_URL": postgres_url,
        "REDIS_URL": redis_url,
        "SECRET_KEY": KEY,
        "PRESENCE_TIMEOUT_SECONDS": "2",
    }
    with servers(env, *(tmp_path_factory.mktemp(f"server{i}") for i in range(2))) as found:
        yield found


@pytest.fixture
def site(sites: list[Site]) -> Site:
    return sites[0]


def stored(url: str, match_id: str) -> dict[str, Any]:
    with psycopg.connect(url, row_factory=dict_row) as database:
        found = database.execute("SELECT * FROM games_match WHERE id = %s", [match_id]).fetchone()
    assert found is not None
    return found


_WAITING = """
    SELECT 1 FROM pg_stat_activity
    WHERE query = 'COMMIT' AND %s = ANY(pg_blocking_pids(pid))
"""


def set_back(url: str, row: dict[str, Any] | None, match_id: str) -> None:
    """Set only this match back (None: delete it). The heartbeat goes on."""
    tables = ("move", "attendance", "connection", "event")
    with psycopg.connect(url) as database:
        if row is None:
            # A server that has found the match stores who is there, and waits at the end of its
            # transaction: the match that its row refers to is being deleted.
            database.execute("DELETE FROM games_match WHERE id = %s", [match_id])
            # A transaction would go on seeing the activity that it has seen first.
            with psycopg.connect(url, autocommit=True) as another:
                another.execute("DELETE FROM games_attendance WHERE match_id = %s", [match_id])
                pid = database.info.backend_pid
                until(lambda: another.execute(_WAITING, [pid]).fetchone(), "a server that waits")
            for table in tables:
                database.execute(f"DELETE FROM games_{table} WHERE match_id = %s", [match_id])  # type: ignore[arg-type]
            database.execute(
                "UPDATE lobby_seek SET match_id = NULL WHERE match_id = %s", [match_id]
            )
            return
        database.execute(
            "DELETE FROM games_move WHERE match_id = %s AND ply >= %s", [match_id, row["ply"]]
        )
        settings = ", ".join(f"{name} = %({name})s" for name in row)
        database.execute(f"UPDATE games_match SET {settings} WHERE id = %(id)s", row)  # type: ignore[arg-type]


def test_servers_that_run_on_notice_that_the_database_went_back(
    sites: list[Site], alice_online: Person, bob_online: Person, charlie_online: Person
) -> None:
    url = sites[0].env["DATABASE_URL"]
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe", "10+5")
    with (
        roles["xplayer"].match(match_id) as x,
        roles["oplayer"].at(sites[1]).match(match_id) as o,
        charlie_online.match(pair(alice_online, bob_online, "six-in-a-row")[0]) as other,
    ):
        sockets = {"xplayer": x, "oplayer": o}
        for socket in (x, o, other):
            socket.next("state")
        play_from(sockets, OPENING, 0)
        row = stored(url, match_id)
        play_from(sockets, FIRST_WAY, 2)
        assert o.state["status"] == "live"
        epoch = o.state["epoch"]
        set_back(url, row, match_id)
        went_back(sockets, epoch)
        assert x.state["epoch"] == o.state["epoch"]
        play_from(sockets, OTHER_WAY, 2)
        other.next("state", lambda s: s["epoch"] == x.state["epoch"])  # whatever is shown here
    assert sites[0].manage("verify_matches", match_id).returncode == 0


def test_a_match_that_is_no_more_is_closed_and_the_others_are_played_on(
    sites: list[Site], alice_online: Person, bob_online: Person
) -> None:
    url = sites[0].env["DATABASE_URL"]
    gone_id, _ = pair(alice_online, bob_online, "tic-tac-toe")
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
    with roles["xplayer"].match(match_id) as x, roles["oplayer"].at(sites[1]).match(match_id) as o:
        sockets = {"xplayer": x, "oplayer": o}
        for socket in sockets.values():
            socket.next("state")
        with alice_online.match(gone_id) as gone:
            gone.next("state")
            set_back(url, None, gone_id)
            with pytest.raises(Exception, match="4404"):
                while True:
                    gone.frame()
        play_from(sockets, OPENING, 0)
        o.close()
        x.next("state", lambda s: not s["seats"]["oplayer"]["here"])  # presence is written still
    sites[0].must_be_calm()


def test_another_epoch_is_begun_by_command_and_every_server_learns_of_it(
    sites: list[Site], alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
    with roles["xplayer"].match(match_id) as x, roles["oplayer"].at(sites[1]).match(match_id) as o:
        x.next("state")
        epoch = o.next("state")["epoch"]
        done = sites[0].manage(
            "shell", "-c", "from games.store.epoch import begin_epoch; begin_epoch()"
        )
        assert done.returncode == 0, done.stderr
        told = [s.next("state", lambda s: s["epoch"] != epoch) for s in (x, o)]
        assert told[0]["epoch"] == told[1]["epoch"]
        x.play("mark 1 1")
        o.ply(1)
