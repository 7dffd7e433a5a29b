"""The background process of `serve`: hints to the server without Redis, restarts, and its end."""

import os
import signal
import sqlite3
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.commands import run_program
from tests.builders.people import create_accounts
from tests.builders.players import PASSWORD
from tests.builders.ports import free_port
from tests.builders.sites import Person, Site, pair, until
from tests.builders.sockets import open_sockets, play_actions

# Only hints can be seen: the next read of the database is too late.
ENV = {
    "DB_POLL_SECONDS": "600",
    "LAG_ALLOWANCE_MS": "100",
    "METRICS_TOKEN": "token",
    "RATED_ON_SAME_NETWORK": "on",
}
SOON = 2.0  # seconds in which a change is seen; half a second on an idle machine
GAME = "tic-tac-toe"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    server = Site(tmp_path_factory.mktemp("site"), ENV)
    try:
        yield server.wait()
        server.must_be_calm()
    finally:
        server.stop()


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_flag_is_seen_at_once_by_open_pages(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, GAME, "0+2")
    x, o = (roles[role].match(match_id) for role in ("xplayer", "oplayer"))
    with x, o, alice_online.socket("/ws/lobby/?shows=own") as own:
        own.next("own", lambda frame: match_id in str(frame))
        x.next("state")
        x.play("mark 1 1")
        deadline = o.ply(1)["clock"]["deadline"]
        state = o.next("state", lambda state: state["status"] != "live", 30)
        assert time.time() - deadline < SOON
        assert (state["ended"], state["goals"]) == ("time", {"xplayer": 100, "oplayer": 0})
        own.next("own", lambda frame: match_id not in str(frame), 30)
        assert time.time() - deadline < 2 * SOON


_OPEN = """
from games.journal.opening import open_match
from games.match.setup import Setup
from lobby.models import Player
ann, ben = (Player.objects.get(username=name).pk for name in ("Ann", "Ben"))
print(open_match(Setup("dots-and-boxes", "3+2", rated=True), ann, ben).pk)
"""


def test_a_match_that_is_over_is_rated_within_a_second(site: Site) -> None:
    create_accounts(site, "Ann", "Ben")
    match_id = site.manage("shell", "-c", _OPEN).stdout.split()[-1]
    people = [Person(site).log_in(name, PASSWORD) for name in ("Ann", "Ben")]
    with people[0].match(match_id) as ann, people[1].match(match_id) as ben:
        roles = {socket.next("state")["you"]: socket for socket in (ann, ben)}
        play_actions(roles, "draw 1 1 1 2", "draw 2 2 2 3")
        roles["xplayer"].send("resign")
        began = time.monotonic()
        database = sqlite3.connect(f"file:{site.folder / 'site.sqlite3'}?mode=ro", uri=True)
        asked = "SELECT count(*) FROM lobby_ratedgame WHERE key = ?"
        until(lambda: database.execute(asked, [match_id]).fetchone()[0], "the match rated")
        assert time.monotonic() - began < SOON
        database.close()


def test_the_server_shows_the_metrics_and_the_status_of_both(site: Site) -> None:
    request = urllib.request.Request(f"{site.url}/metrics")
    request.add_header("Authorization", "Bearer token")

    def read() -> str:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return str(answer.read().decode())

    rounds = 'parlour_rounds_total{part="%s",process="background",to="done"}'
    until(lambda: rounds % "referee" in read(), "the referee's rounds")
    lines = read().splitlines()
    for part in ("events", "tournaments", "chores"):
        assert any(line.startswith(rounds % part) for line in lines), part
    assert any(
        line.startswith('parlour_rounds_total{part="heartbeat",to="done"}') for line in lines
    )
    assert lines.count("# TYPE parlour_rounds_total counter") == 1
    database = sqlite3.connect(f"file:{site.folder / 'site.sqlite3'}?mode=ro", uri=True)
    beats = {row[0] for row in database.execute("SELECT command FROM games_processbeat")}
    database.close()
    assert {"serve", "referee"} <= beats
    assert Person(site).json("/readyz")["referee"] == "ok"


def test_a_worker_that_is_killed_is_replaced(site: Site, alice_online: Person) -> None:
    supervisor, worker = site.background_pids()
    os.kill(worker, signal.SIGKILL)
    until(lambda: not is_running(worker), "the end of the worker", 10)
    bob = Person(site).be_guest()
    match_id, roles = pair(alice_online, bob, GAME, "0+2")
    sockets = open_sockets(roles, match_id)
    sockets["xplayer"].play("mark 1 1")
    deadline = sockets["oplayer"].ply(1)["clock"]["deadline"]
    sockets["oplayer"].next("state", lambda state: state["status"] != "live", 30)
    assert time.time() - deadline < 2 * SOON
    assert site.background_pids()[0] == supervisor
    assert site.background_pids()[1] != worker
    assert "background process ended" in site.output()
    for socket in sockets.values():
        socket.close()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_all_processes_end_with_the_server(how: signal.Signals, tmp_path: Path) -> None:
    site = Site(tmp_path, ENV).wait()
    others = site.background_pids()
    if how == signal.SIGINT:  # as Ctrl+C does
        for pid in others:
            os.kill(pid, how)
        time.sleep(0.3)
        assert all(map(is_running, others)), "they wait for the server"
    site.process.send_signal(how)
    assert site.process.wait(30) == (-how if how == signal.SIGKILL else 0)
    if how != signal.SIGKILL:
        assert not any(map(is_running, others)), "the server waits for them"
    until(lambda: not any(map(is_running, others)), "the end of all processes", 5)
    site.must_be_calm()


_SERVE = """
import django
django.setup()
from django.core.management import call_command
from config import wiring

async def fail(bot_processes):
    raise LookupError("why")

wiring.BACKGROUND_TASKS["referee"] = (fail,)
call_command("serve", "--port", "{port}")
"""


def test_the_server_ends_if_the_background_tasks_cannot_start(tmp_path: Path) -> None:
    env = {"DATA_DIR": str(tmp_path), "BOT_PROCESSES": "0"}
    done = run_program(_SERVE.format(port=free_port()), **env)
    assert done.returncode == 1
    assert "LookupError: why" in done.stderr
    assert done.stderr.count("background process ended") == 1
