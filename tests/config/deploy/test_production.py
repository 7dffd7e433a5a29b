"""nginx, two servers, a referee, PostgreSQL and Redis, run from the files in `config/deploy`."""

import asyncio
import http.client
import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from websockets.exceptions import ConnectionClosed

from tests.bench.drills.strangers import Target, ask, pages, target
from tests.bench.drills.trouble import Direct, metrics
from tests.builders import nursery
from tests.builders.computer import play_at_random, start_computer_match
from tests.builders.databases import database_of_its_own
from tests.builders.ports import free_port, listens
from tests.builders.production import (
    DEPLOY,
    Production,
    Server,
    Unit,
    figures_at,
    thought_at,
    turns_at,
)
from tests.builders.sites import ROOT, Person, Program, pair, until
from tests.builders.sockets import wait_until_closed

# `tests.settings` are the same settings, with which the programs start sooner.
ENVIRONMENT = {"DJANGO_SETTINGS_MODULE": "tests.settings", "GUESTS_PER_MINUTE": "40"}


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Production]:
    with Production(tmp_path_factory.mktemp("production"), **ENVIRONMENT) as found:
        yield found


@pytest.fixture
def alice_online(production: Production) -> Person:
    return Person(production).be_guest()


@pytest.fixture
def bob_online(production: Production) -> Person:
    return Person(production).be_guest()


def test_a_match_is_played_through_nginx_while_a_server_is_killed(
    production: Production, alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
    x, o = roles["xplayer"].match(match_id), roles["oplayer"].match(match_id)
    for socket in (x, o):
        socket.next("state")
    x.play("mark 1 1")
    o.ply(1)
    # The address of the match led both players to one server. It dies while processing the next
    # action.
    (there,) = [s for s in production.servers if 'kind="match"} 2.0' in metrics(production, s)]
    o.send("play", ply=1, action="mark 2 2")
    there.kill()
    for socket in (x, o):
        with pytest.raises(ConnectionClosed):
            while True:
                socket.frame()
    began = time.monotonic()
    x, o = roles["xplayer"].match(match_id), roles["oplayer"].match(match_id)
    assert time.monotonic() - began < 10, "the other server takes over at once"
    for socket in (x, o):
        socket.next("state")
    if o.state["ply"] == 1:  # a client may send an action again; the server never plays it twice
        o.send("play", ply=1, action="mark 2 2")
    x.ply(2)
    there.start()
    for ply, action in enumerate(("mark 1 2", "mark 2 3", "mark 1 3"), start=2):
        (x if ply % 2 == 0 else o).ply(ply)
        (x if ply % 2 == 0 else o).play(action)
    assert o.ply(5)["goals"] == {"xplayer": 100, "oplayer": 0}
    record = alice_online.json(f"/match/{match_id}/record.json")
    assert [move["ply"] for move in record["moves"]] == list(range(5))
    for socket in (x, o):
        socket.close()


def test_a_server_that_is_told_to_end_sends_its_sockets_to_the_others(
    production: Production, alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
    first, second = production.servers
    x = roles["xplayer"].at(Direct(production, first)).match(match_id)
    x.next("state")
    x.play("mark 1 1")
    first.program.process.send_signal(signal.SIGTERM)
    assert wait_until_closed(x) == 1012
    assert first.program.process.wait(10) == 0
    with roles["xplayer"].match(match_id) as again:
        assert again.next("state")["ply"] == 1
    first.start()
    assert first.ready()[0] == second.ready()[0] == 200


def test_nginx_is_what_the_public_sees(production: Production, alice_online: Person) -> None:
    page = alice_online.get("/")[1]
    (script,) = set(re.findall(r'src="(/static/js/lobby/lobby\.[0-9a-f]{12}\.js)"', page))
    request = urllib.request.Request(f"{production.url}{script}")
    request.add_header("Accept-Encoding", "gzip")
    with urllib.request.urlopen(request, context=production.tls, timeout=10) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "max-age=315360000" in answer.headers["Cache-Control"]
    request = urllib.request.Request(f"{production.url}/")
    request.add_header("Accept-Encoding", "gzip")
    with urllib.request.urlopen(request, context=production.tls, timeout=10) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "no-store" in answer.headers["Cache-Control"]
        assert len(answer.read()) < len(page) / 4
    assert alice_online.get("/metrics")[0] == 404
    for path in ("/healthz", "/readyz"):
        assert alice_online.get(path)[0] == 200
    cookies = {cookie.name: cookie for cookie in alice_online.cookies}
    assert cookies["__Host-sessionid"].secure
    assert cookies["__Host-sessionid"].has_nonstandard_attr("HttpOnly")


@pytest.mark.parametrize("claimed", ["127.0.0.1", "evil.example", "localhost:81"])
def test_plain_http_is_sent_to_the_name_that_is_configured(
    production: Production, claimed: str
) -> None:
    plain = http.client.HTTPConnection("127.0.0.1", production.http_port, timeout=10)
    plain.request("GET", "/x?y", headers={"Host": claimed})
    answer = plain.getresponse()
    assert (answer.status, answer.getheader("Location")) == (301, "https://127.0.0.1/x?y")
    plain.close()


def test_static_files_are_everybodys_and_what_the_servers_write_is_theirs_alone(
    production: Production,
) -> None:
    static = production.folder / "data" / "static"
    for path in (static, *static.rglob("*")):
        needed = 0o005 if path.is_dir() else 0o004
        assert path.stat().st_mode & needed == needed, path
    for name in ("parlour@.service", "parlour-referee.service", "parlour-bots.service"):
        assert Unit(name).one("UMask") == "0077"


def test_a_client_cannot_speak_as_a_proxy(production: Production, alice_online: Person) -> None:
    said = {
        "Daphne-Root-Path": "/evil",
        "X-Forwarded-For": "10.0.0.1",
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Port": "1",
        "X-Forwarded-Prefix": "/evil",
        "X-Forwarded-Proto": "http",
        "Forwarded": "for=10.0.0.1;host=evil.example",
    }
    alice_online._http.addheaders = list(said.items())
    alice_online.headers = said
    status, page = alice_online.get("/")
    assert status == 200
    assert 'action="/seek/"' in page
    assert "evil" not in page
    with alice_online.lobby() as lobby:
        lobby.next("lobby")


def test_one_client_network_gets_so_many_sockets_and_pages(production: Production) -> None:
    found = asyncio.run(ask_until_refused(target(production, "127.0.0.9")))
    assert set(found) == {"404", "429"}, found
    assert found["404"] >= 200, "what a school does at once"
    assert asyncio.run(pages(target(production, "127.0.0.10"), "", "/nowhere/", 1, 1)) == {"404": 1}
    text = (DEPLOY / "nginx" / "nginx.conf").read_text()
    assert int(re.findall(r"worker_connections (\d+);", text)[0]) > 64_511, (
        "the ports of an address"
    )
    assert int(re.findall(r"worker_rlimit_nofile (\d+);", text)[0]) >= 2 * 65_536


async def ask_until_refused(there: Target) -> Counter[str]:
    """Request a page 600 times at once. Return the statuses, up to the 200th of those wanted."""
    head = there.head("GET", "/nowhere/", Connection="close")
    asked = [asyncio.create_task(ask(there, head)) for _ in range(600)]
    found: Counter[str] = Counter()
    for answer in asyncio.as_completed(asked):
        found[await answer] += 1
        if found["404"] >= 200 and found["429"]:
            break
    for task in asked:
        task.cancel()
    return found


def test_the_figures_are_there_for_who_has_the_token(
    production: Production, tmp_path: Path
) -> None:
    for server in production.servers:
        text = metrics(production, server)
        for name in ("sockets", "actions_total", "commit_size_count", "commit_seconds_sum",
                     "publish_seconds_bucket", "database_errors_total",
                     "redis_errors_total"):  # fmt: skip
            assert f"parlour_{name}" in text or f"# TYPE parlour_{name[:-6]}" in text, name
        for given in (None, "Bearer wrong", "Bearer ", production.env["METRICS_TOKEN"]):
            request = urllib.request.Request(f"http://127.0.0.1:{server.port}/metrics")
            if given is not None:
                request.add_header("Authorization", given)
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=10)
            assert refused.value.code == 404
    assert "parlour_referee_seconds_count" in figures_at(production.referee_port)


def test_the_log_is_one_json_object_a_line_and_knows_nobody(
    production: Production, alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
    with roles["xplayer"].match(match_id) as x:
        x.send("bogus", secret="something private")
        x.next("error")
    alice_online.get("/private/address/")
    until(lambda: '"kind": "unknown-type"' in production.logs(), "the refusal logged")
    name = next(iter(seat["name"] for seat in x.state["seats"].values()))
    log = production.logs()
    for line in log.splitlines():
        if not line.startswith(("Listening at", "The referee")):
            assert {"event", "level", "timestamp", "logger"} <= set(json.loads(line)), line
    for personal in (
        name,
        match_id,
        "private",
        alice_online.cookie_header().split("__Host-sessionid=")[1][:20],
    ):
        assert personal not in log


def test_of_two_who_think_one_answers_each_turn_and_one_that_is_killed_is_replaced(
    production: Production, alice_online: Person, tmp_path: Path
) -> None:
    ports = [free_port(), free_port()]
    # The pause is part of the turn, and long enough to kill a process during it.
    env = {**production.env, "BOT_PROCESSES": "1", "BOT_PAUSE_MS": "2000"}
    thinkers = []
    try:
        for index, port in enumerate(ports):
            (tmp_path / str(index)).mkdir()
            unit = Unit("parlour-bots.service", metrics=port)
            thinkers.append(unit.start(env, tmp_path / str(index)))
        turns = turns_of_the_computer(alice_online)
        assert sum(thought_at(port) for port in ports) == turns

        match_id = start_computer_match(alice_online, "tic-tac-toe", 2)
        with alice_online.match(match_id) as socket:
            state = socket.next("state")
            if state["turn"] == state["you"]:
                most = state["ply"] + 1
                state = play_at_random(alice_online, socket, "tic-tac-toe", most=most)
            ply = state["ply"]
            thinking = until(lambda: [p for p in ports if turns_at(p)], "one who thinks")
            (other,) = set(ports) - set(thinking)
            before = thought_at(other)
            thinkers[ports.index(thinking[0])].stop(signal.SIGKILL)
            began = time.monotonic()
            assert socket.ply(ply + 1)["status"] == "live"
            # The lease of the killed process, on a busy machine.
            assert time.monotonic() - began < 60
        assert thought_at(other) == before + 1
        record = alice_online.json(f"/match/{match_id}/record.json")
        assert [move["ply"] for move in record["moves"]] == list(range(len(record["moves"])))
    finally:
        for thinker in thinkers:
            thinker.stop()


def turns_of_the_computer(person: Person) -> int:
    """Play a whole match against the computer. Return the number of its actions."""
    match_id = start_computer_match(person, "tic-tac-toe", 2)
    with person.match(match_id) as socket:
        own = socket.next("state")["you"]
        play_at_random(person, socket, "tic-tac-toe")
    moves = person.json(f"/match/{match_id}/record.json")["moves"]
    return sum(move["role"] != own for move in moves)


def test_a_server_does_not_start_before_its_migrations(production: Production) -> None:
    env = dict(production.env)
    database_of_its_own(env, empty=True)
    for words in (["listen", "--port", str(free_port())], ["referee"], ["bots"]):
        done = _manage(env, *words)
        assert done.returncode == 1
        assert "run `manage.py migrate` first" in done.stderr
        assert "Traceback" not in done.stderr
    env["DATABASE_URL"] = f"postgres://site@127.0.0.1:{free_port()}/site"
    done = _manage(env, "listen", "--port", str(free_port()))
    assert "The database cannot be reached" in done.stderr
    assert "Traceback" not in done.stderr


def _manage(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return nursery.run(["manage.py", *words], env)


def test_the_compose_file_starts_what_there_is(production: Production, tmp_path: Path) -> None:
    found = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = found["services"]
    upstream = (DEPLOY / "nginx" / "upstream-compose.conf").read_text()
    servers = re.findall(r"server (\S+):(\d+) ", upstream)
    assert [name for name, _ in servers] == ["server-1", "server-2"]
    hosts = {"postgres": production.postgres.port, "redis": production.redis.port}
    port = free_port()
    (tmp_path / "state").mkdir()
    assert services["server-1"] == services["server-2"]
    started: dict[str, Program] = {}
    try:
        for name in ("migrate", "server-1", "referee", "bots"):
            service = services[name]
            assert (ROOT / "config/deploy" / service["build"]["context"]).resolve() == ROOT
            assert (ROOT / service["build"]["dockerfile"]).is_file()
            env = {**production.env, **_resolved(service["environment"], production, hosts)}
            env["DATA_DIR"] = str(tmp_path / "state")
            command = [sys.executable if part == "python" else part for part in service["command"]]
            command = [part.replace("python ", f"{sys.executable} ") for part in command]
            if "--port" in command:
                assert command[-1] == servers[0][1]
                command[-1] = str(port)
            started[name] = Program(command, tmp_path / f"{name}.log", env=env)
            if name == "migrate":
                assert started[name].process.wait(60) == 0, started[name].output()
        until(lambda: started["server-1"].must_run() or listens(port), "server-1")
        for name, said in {"referee": "watches", "bots": "ready to play"}.items():
            program = started[name]
            until(lambda p=program, s=said: p.must_run() or s in p.output(), name)
            program.must_run()
        started["server-1"].must_run()
    finally:
        for program in started.values():
            program.stop()
    mounted = {volume.split(":")[0] for volume in services["nginx"]["volumes"]}
    for place in mounted - {"state", "./certificates"}:
        assert (DEPLOY / place).is_file(), place


def _resolved(
    environment: dict[str, str], production: Production, hosts: dict[str, int]
) -> dict[str, str]:
    """Resolve the environment as compose would, but with the databases of the tests."""
    known = {**production.env, "POSTGRES_PASSWORD": "unused"}
    found = {}
    for key, value in environment.items():
        text = re.sub(r"\$\{(\w+)[^}]*\}", lambda match: known.get(match[1], ""), value)
        text = text.replace("@postgres/parlour", f"@127.0.0.1:{hosts['postgres']}/site")
        text = text.replace("//redis:6379", f"//127.0.0.1:{hosts['redis']}")
        found[key] = text.replace("//parlour:unused@", "//site@")
    return found


def test_a_redis_that_does_not_answer_is_told_and_seen(
    production: Production, tmp_path: Path
) -> None:
    env = {**production.env, "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    server = Server(env, tmp_path)
    try:
        assert "Redis does not answer" in server.output()
        status, body = server.ready()
        assert status == 503
        assert json.loads(body)["database"] == "ok"
        assert json.loads(body)["channel_layer"] != "ok"
    finally:
        server.stop()


def test_guests_are_limited_by_where_they_come_from_not_by_what_they_say(
    production: Production,
) -> None:
    answers = []
    for number in range(45):
        person = Person(production)
        person.headers = {"X-Forwarded-For": f"203.0.113.{number}", "X-Forwarded-Proto": "http"}
        answers.append(person.post("/guest/")[0])
    # All servers share the limits, so the choice of server does not matter. On a slow machine some
    # requests may be allowed again.
    assert set(answers) == {204, 429}
