"""Limits on new matches hold for every way to open one, and across two servers."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request as HttpRequest

import pytest

from games.engine import analysis
from games.journal.opening import WITH_COMPUTER, open_match
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Play, Rematch, Resign
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Analysis, Caller, Match
from games.runtime.fair_queue import Requester
from games.store.client_networks import store_caller
from games.store.records import read_states
from lobby.accounts.guests import new_guest
from lobby.seeks import matchmaking
from lobby.seeks.computer import get_computer, play_computer
from tests.builders.retention import delete_old
from tests.builders.sites import PATIENCE, Person, Site, pair

LIMITS = {
    "RATE_LIMITS": "on",
    "BOT_MATCHES_PER_PLAYER": "3",
    "MATCHES_PER_MINUTE": "6",
    "SEEKS_PER_MINUTE": "100",
    "QUEUED_ANALYSES_PER_PLAYER": "2",
    "DB_POLL_SECONDS": "1",  # without Redis, each server finds what the other did by polling
    "SECRET_KEY": "k" * 50,
}
AT_ONCE = 12


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def two(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Site, Site]]:
    """Two servers with rate limits on one database."""
    folder = tmp_path_factory.mktemp("two")
    env = dict(LIMITS)
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
    servers: list[Site] = []
    try:
        for _ in range(2):  # one after the other: the first prepares the database
            servers.append(Site(folder, env).wait())
        yield servers[0], servers[1]
    finally:
        for server in servers:
            server.stop()


def computers_matches(site: Site) -> int:
    """The live matches against the computer."""
    found = site.manage(
        "shell", "-v0", "-c",
        "from games.journal.opening import WITH_COMPUTER as w; from games.models import Match as M;"
        "print(M.objects.filter(w).count())",
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    return int(found.stdout)


def page_after(person: Person, path: str, form: bytes) -> str:
    """The page that a form leads to."""
    person.get("/")
    token = next(cookie.value for cookie in person.cookies if cookie.name == "csrftoken")
    headers = {"X-CSRFToken": str(token), "Origin": person.site.url}
    with person._http.open(
        HttpRequest(person.site.url + path, form, headers), timeout=PATIENCE
    ) as answer:
        return str(answer.read().decode())


def test_two_servers_let_a_player_open_so_many_matches_with_the_computer(
    two: tuple[Site, Site],
) -> None:
    first, second = two
    alice = Person(first).be_guest()
    homes = [alice, alice.at(second)]
    for home in homes:
        home.get("/")
    before = computers_matches(first)
    form = urlencode({"game": "tic-tac-toe", "level": "1", "clock": ""}).encode()
    barrier = threading.Barrier(AT_ONCE)

    def ask(number: int) -> str:
        barrier.wait()
        return homes[number % 2].post("/computer/", form)[1]

    with ThreadPoolExecutor(AT_ONCE) as pool:
        led_to = list(pool.map(ask, range(AT_ONCE)))
    made = [url for url in led_to if "/match/" in url]
    assert len(made) == 3
    assert computers_matches(first) - before == 3
    assert "too many unfinished games" in page_after(alice, "/computer/", form)


def test_a_rematch_is_one_more_match_with_the_computer(two: tuple[Site, Site]) -> None:
    alice = Person(two[0]).be_guest()
    alice.get("/")
    form = urlencode({"game": "tic-tac-toe", "level": "1", "clock": ""}).encode()
    urls = [alice.post("/computer/", form)[1] for _ in range(3)]
    over = [url.split("/")[-2] for url in urls]
    with alice.match(over[0]) as socket:
        socket.next("state")
        socket.send("resign")
        socket.next("state", lambda state: state["status"] == "over")
        assert "/match/" in alice.post("/computer/", form)[1]  # there are three again
        socket.send("rematch")
        error = socket.refused("too-many")
        assert "Finish or resign" in error["detail"]
        assert socket.next("state")["rematch"] is None


def test_two_servers_let_two_people_make_so_many_rematches_in_a_minute(
    two: tuple[Site, Site],
) -> None:
    first, second = two
    alice, bob = Person(first).be_guest(), Person(first).be_guest()
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    made = 1
    for _ in range(10):
        x, o = roles["xplayer"].match(match_id), roles["oplayer"].at(second).match(match_id)
        with x, o:
            x.next("state")
            x.send("resign")
            o.next("state", lambda state: state["status"] == "over")
            x.send("rematch")
            o.next("state", lambda state: state["rematch"])
            o.send("rematch")
            frame = o.frame()
            while frame["type"] != "error" and not (frame.get("rematch") or {}).get("match"):
                frame = o.frame()
            if frame["type"] == "error":
                assert frame["code"] == "too-fast"
                assert "too many games" in frame["detail"]
                break
            match_id, made = frame["rematch"]["match"], made + 1
            roles = {"xplayer": roles["oplayer"], "oplayer": roles["xplayer"]}
    assert made == 6
    # Nor in any other way.
    with alice.lobby() as lobby:
        lobby.send("seek", game="tic-tac-toe", clock=None)
        assert "too many games" in lobby.refused("too-fast")["detail"]
    form = urlencode({"game": "tic-tac-toe"}).encode()
    assert "too many games" in page_after(alice, "/seek/", form)


def test_two_servers_share_the_limit_on_analyses(two: tuple[Site, Site]) -> None:
    first, second = two
    alice = Person(first).be_guest()
    homes = [alice, alice.at(second)]
    for home in homes:
        home.get("/")
    ids = []
    for _ in range(20):  # chance decides who begins
        player = Person(first).be_guest()
        form = urlencode({"game": "tic-tac-toe", "level": "1", "clock": ""}).encode()
        match_id = player.post("/computer/", form)[1].split("/")[-2]
        with player.match(match_id) as socket:
            socket.next("state")
            if socket.state["turn"] == socket.state["you"]:
                socket.play("mark 1 1")
                ids.append(match_id)
            socket.send("resign")
            socket.next("state", lambda state: state["status"] != "live")
        if len(ids) == 3:
            break
    barrier = threading.Barrier(len(ids) * 2)

    def ask(number: int) -> None:
        barrier.wait()
        homes[number % 2].post(f"/match/{ids[number // 2]}/analysis/")

    with ThreadPoolExecutor(len(ids) * 2) as pool:
        list(pool.map(ask, range(len(ids) * 2)))
    states = [alice.get(f"/match/{match_id}/analysis.json")[0] for match_id in ids]
    assert states.count(200) == min(2, len(ids))


@pytest.fixture
def limits(settings: Any) -> Any:
    settings.RATE_LIMITS = True
    return settings


def resigned(first: int, second: int, levels: tuple[int | None, int | None] = (None, None)) -> Any:
    """A match that the first player has resigned."""
    match = open_match(Setup("tic-tac-toe"), first, second, levels=levels)
    commit_requests(
        [Request(match.pk, first, Play(0, "mark 1 1")), Request(match.pk, first, Resign())]
    )
    return read_states([match.pk])[match.pk]


@pytest.mark.django_db(transaction=True)
def test_matches_per_day_are_limited(limits: Any) -> None:
    limits.MATCHES_PER_DAY = 4
    alice, bob, carol = new_guest(), new_guest(), new_guest()
    for _ in range(4):
        open_match(Setup("tic-tac-toe"), alice.pk, bob.pk)
    with pytest.raises(Refused) as refusal:
        matchmaking.create_seek(alice.pk, Setup("tic-tac-toe"))
    assert refusal.value.code == "many-matches"
    theirs = matchmaking.create_seek(carol.pk, Setup("tic-tac-toe"))
    with pytest.raises(Refused) as refusal:
        matchmaking.join_seek(alice.pk, theirs.pk)
    assert refusal.value.code == "many-matches"
    with pytest.raises(Refused):
        play_computer(alice.pk, Setup("tic-tac-toe"), 1)
    with pytest.raises(Refused):
        open_match(Setup("tic-tac-toe"), carol.pk, alice.pk)
    open_match(Setup("tic-tac-toe"), carol.pk, new_guest().pk)


@pytest.mark.django_db(transaction=True)
def test_a_seeker_over_the_limit_is_not_paired(limits: Any) -> None:
    limits.MATCHES_PER_MINUTE = 2
    alice, bob, carol = new_guest(), new_guest(), new_guest()
    hers = matchmaking.create_seek(alice.pk, Setup("tic-tac-toe"))
    for _ in range(2):
        open_match(Setup("dots-and-boxes"), alice.pk, new_guest().pk)
    own = matchmaking.create_seek(bob.pk, Setup("tic-tac-toe"))
    assert matchmaking.pair_seeks(own.pk, hers.pk) is None
    pairing = matchmaking.pair_seeks(
        matchmaking.create_seek(carol.pk, Setup("tic-tac-toe")).pk, own.pk
    )
    assert pairing is not None
    assert set(pairing.roles) == {bob.pk, carol.pk}


@pytest.mark.django_db(transaction=True)
def test_a_client_network_has_so_many_matches_with_the_computer(limits: Any) -> None:
    limits.BOT_MATCHES_PER_ADDRESS = 3
    for _ in range(3):
        play_computer(new_guest().pk, Setup("tic-tac-toe"), 1, "203.0.113.1")
    with pytest.raises(Refused) as refusal:
        play_computer(new_guest().pk, Setup("tic-tac-toe"), 1, "203.0.113.1")
    assert refusal.value.code == "many-open"
    play_computer(new_guest().pk, Setup("tic-tac-toe"), 1, "203.0.113.2")
    assert Match.objects.filter(WITH_COMPUTER).count() == 4
    # A rematch counts for the network of the player who asks for it.
    late = new_guest()
    state = resigned(late.pk, get_computer(1).pk, (None, 1))
    asked = Request(state.id, late.pk, Rematch(), requester=Requester("203.0.113.1", late.pk))
    (answer,), _ = commit_requests([asked])
    assert answer.refused == "many-open"
    assert answer.state is not None and answer.state.rematch_id is None


@pytest.mark.django_db(transaction=True)
def test_a_client_network_waits_for_so_many_matches_to_be_looked_through(limits: Any) -> None:
    limits.QUEUED_ANALYSES_PER_ADDRESS, limits.MATCHES_PER_MINUTE = 2, 100
    states = [resigned(new_guest().pk, new_guest().pk) for _ in range(4)]
    for state in states[:2]:
        analysis.request_analysis(state, state.first_id, "203.0.113.1")
    with pytest.raises(Refused) as refused:
        analysis.request_analysis(states[2], states[2].first_id, "203.0.113.1")
    assert refused.value.code == "too-fast"
    analysis.request_analysis(states[2], states[2].first_id, "203.0.113.2")
    assert Analysis.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_from_where_the_computer_was_called_is_kept_hashed_and_not_for_ever(settings: Any) -> None:
    person = new_guest()
    play_computer(person.pk, Setup("tic-tac-toe"), 1, "203.0.113.1")
    caller = Caller.objects.get(player=person)
    assert "203" not in caller.address
    settings.CONNECTION_LOG_DAYS = 1
    delete_old(Caller)
    assert Caller.objects.count() == 1
    Caller.objects.update(at=caller.at.replace(year=2020))
    delete_old(Caller)
    assert Caller.objects.count() == 0
    store_caller(person.pk, "203.0.113.2", caller.at)
    store_caller(person.pk, "203.0.113.3", caller.at)
    assert Caller.objects.get(player=person).address != caller.address
