"""Without a referee, a server itself ends the matches that it shows and that are due."""

from collections.abc import Iterator

import pytest

from tests.builders.ports import free_port
from tests.builders.sites import Person, Site, pair

ENV = {
    "FIRST_MOVE_SECONDS": "8",
    "LAG_ALLOWANCE_MS": "100",
    "DB_POLL_SECONDS": "1",
    "SECRET_KEY": "k" * 50,
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    port = free_port()
    env = {**ENV, "ALLOWED_ORIGINS": f"http://127.0.0.1:{port}"}
    server = Site(tmp_path_factory.mktemp("alone"), env, port, command="listen")
    try:
        yield server.wait()
        server.must_be_calm()
    finally:
        server.stop()


def test_a_flag_falls_some_seconds_later(alice_online: Person, bob_online: Person) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe", "0+1")
    with roles["xplayer"].match(match_id) as x, roles["oplayer"].match(match_id) as o:
        x.next("state")
        o.next("state")
        x.play("mark 1 1")
        deadline = o.ply(1)["clock"]["deadline"]
        state = x.next("state", lambda state: state["status"] != "live")
    assert (state["ended"], state["goals"]) == ("time", {"xplayer": 100, "oplayer": 0})
    ended_at = alice_online.json(f"/match/{match_id}/record.json")["ended_at"]
    assert 2 < ended_at - deadline < 10  # the referee would have had time to end it first


def test_a_match_that_nobody_starts_is_aborted_some_seconds_later(
    alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe", "3+2")
    with roles["xplayer"].match(match_id) as x:
        state = x.next("state", lambda state: state["status"] != "live")
    assert state["ended"] == "aborted"
