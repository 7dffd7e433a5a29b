"""The computer as an opponent: it is seated like a person and answers each turn once."""

import os
import signal
from pathlib import Path
from urllib.parse import urlencode
from zlib import crc32

import pytest

from games.bots import LONGEST, get_bot, has_bot
from games.rules import GAMES
from tests.builders.computer import play_at_random, start_computer_match
from tests.builders.sites import Person, Site, pair, until

SITE = {"BOT_PROCESSES": "2", "BOT_PAUSE_MS": "0", "ANALYSIS_MS_PER_MOVE": "30"}


@pytest.mark.parametrize("level", [1, 3, 5])
def test_a_visitor_plays_the_computer_within_a_second(site: Site, level: int) -> None:
    person = Person(site)
    person.get("/")
    match_id = start_computer_match(person, "tic-tac-toe", level)
    with person.match(match_id) as socket:
        state = socket.next("state")
        other = next(seat for role, seat in state["seats"].items() if role != state["you"])
        assert other["name"].startswith("Computer (")
        assert other["here"] is True
        if state["turn"] != state["you"]:
            state = socket.ply(1)
        socket.play(next(a for a in GAMES["tic-tac-toe"].start.legal() if a != state["last"]))
        assert socket.ply(state["ply"] + 2)["ply"] == state["ply"] + 2
        over = play_at_random(person, socket, "tic-tac-toe")
    assert over["ended"] == "rules"
    moves = person.json(f"/match/{match_id}/record.json")["moves"]
    assert min(move["spent_ms"] for move in moves if move["role"] != state["you"]) < 1000


def test_master_never_loses_tic_tac_toe(site: Site) -> None:
    person = Person(site).be_guest()
    for seed in range(4):
        match_id = start_computer_match(person, "tic-tac-toe", 5)
        with person.match(match_id) as socket:
            state = socket.next("state")
            goals = play_at_random(person, socket, "tic-tac-toe", seed)["goals"]
            assert isinstance(goals, dict)
            assert goals[state["you"]] <= 50


@pytest.mark.parametrize("level", [1, 2, 4, 5])
def test_it_plays_as_its_level_does_whoever_thinks(site: Site, level: int) -> None:
    """The seed of the turn decides, so another process would choose the same action."""
    person = Person(site).be_guest()
    match_id = start_computer_match(person, "parallel-tic-tac-toe", level)
    with person.match(match_id) as socket:
        own = socket.next("state")["you"]
        play_at_random(person, socket, "parallel-tic-tac-toe")
    position = GAMES["parallel-tic-tac-toe"].start
    for move in person.json(f"/match/{match_id}/record.json")["moves"]:
        if move["role"] != own:
            seed = crc32(f"{match_id} {move['ply']}".encode())
            chosen = get_bot("parallel-tic-tac-toe").choose(position, level, LONGEST, seed)
            assert move["action"] == chosen
        position = position.play(move["action"])


def test_a_rematch_with_the_computer_begins_at_once_with_the_seats_swapped(site: Site) -> None:
    person = Person(site).be_guest()
    with person.match(start_computer_match(person, "tic-tac-toe", 1)) as socket:
        role = socket.next("state")["you"]
        play_at_random(person, socket, "tic-tac-toe")
        socket.send("rematch")
        url = socket.next("state", lambda state: state["rematch"])["rematch"]["match"]
    with person.match(url) as socket:
        assert socket.next("state")["you"] not in (None, role)
        assert play_at_random(person, socket, "tic-tac-toe")["ended"] == "rules"


def test_no_draw_is_offered_to_the_computer(site: Site) -> None:
    person = Person(site).be_guest()
    with person.match(start_computer_match(person, "dots-and-boxes", 1)) as socket:
        socket.next("state")
        play_at_random(person, socket, "dots-and-boxes", most=24)
        assert "offer-draw" not in socket.state["can"]
        socket.send("offer-draw")
        socket.refused("not-allowed")


def test_the_clock_of_the_computer_runs_too(site: Site) -> None:
    person = Person(site).be_guest()
    with person.match(start_computer_match(person, "tic-tac-toe", 2, "1+0")) as socket:
        state = socket.next("state")
        assert state["clock"]["control"] == "1+0"
        over = play_at_random(person, socket, "tic-tac-toe")
        assert over["ended"] == "rules"


def test_a_process_that_is_killed_while_it_thinks_is_replaced(site: Site) -> None:
    person = Person(site).be_guest()
    with person.match(start_computer_match(person, "tic-tac-toe", 5)) as socket:
        socket.next("state")
        killed = thinkers_of(site.process.pid)
        assert killed
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        assert play_at_random(person, socket, "tic-tac-toe")["ended"] == "rules"
    # They run at a low priority, so a busy machine may take a while to end them.
    until(lambda: not set(thinkers_of(site.process.pid)) & set(killed), "the killed ones ended")


@pytest.mark.parametrize(
    "form",
    [
        {"game": "chess", "level": "1"},
        {"game": "tic-tac-toe", "level": "0"},
        {"game": "tic-tac-toe", "level": "6"},
        {"game": "tic-tac-toe", "level": "²"},
        {"game": "tic-tac-toe", "level": ""},
        {"game": "tic-tac-toe", "level": "1", "clock": "0+0"},
    ],
)
def test_a_senseless_wish_is_refused(site: Site, form: dict[str, str]) -> None:
    status, _ = Person(site).be_guest().post("/computer/", urlencode(form).encode())
    assert status == 400


def test_a_match_is_looked_through_once_it_is_over_and_never_before(site: Site) -> None:
    person = Person(site).be_guest()
    match_id = start_computer_match(person, "tic-tac-toe", 1)
    with person.match(match_id) as socket:
        socket.next("state")
        if socket.state["turn"] != socket.state["you"]:
            socket.ply(1)
        person.post(f"/match/{match_id}/analysis/")
        for who in (person, Person(site)):
            assert who.get(f"/match/{match_id}/analysis.json")[0] == 404
            assert 'id="verdict"' not in who.get(f"/match/{match_id}/")[1]
        play_at_random(person, socket, "tic-tac-toe")
    charlie = Person(site)
    assert 'id="verdict"' not in charlie.get(f"/match/{match_id}/")[1]
    assert charlie.post(f"/match/{match_id}/analysis/")[0] == 403  # only the players may ask
    assert 'data-state="none"' in person.get(f"/match/{match_id}/")[1]
    person.post(f"/match/{match_id}/analysis/")
    found = until(lambda: ready(charlie, match_id), "the match looked through")
    record = charlie.json(f"/match/{match_id}/record.json")
    assert len(found["looks"]) == len(record["moves"])
    assert all(look["proved"] for look in found["looks"])
    position = GAMES["tic-tac-toe"].start
    for look, move in zip(found["looks"], record["moves"], strict=True):
        judged = look["best"], look["after"]
        exact = get_bot("tic-tac-toe").look(position, move["action"], 0.1)
        assert judged == (exact.best, exact.after), "each move has its own"
        position = position.play(move["action"])
    frames = charlie.json(f"/match/{match_id}/replay.json")["frames"]
    lost = [look["value"] > look["after"] for look in found["looks"]]
    assert [frame["verdict"]["kind"] == "lost" for frame in frames[1:]] == lost
    assert [frame["verdict"]["kind"] for frame in frames[1:]] == found["kinds"]
    assert all(
        bool(frame["better"]) == is_lost for frame, is_lost in zip(frames[1:], lost, strict=True)
    )
    page = charlie.get(f"/match/{match_id}/")[1]
    assert 'data-state="ready"' in page and "(certain)" in page


def test_a_match_of_two_people_is_none_of_the_computers(site: Site) -> None:
    alice, bob = Person(site).be_guest(), Person(site).be_guest()
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    with roles["xplayer"].match(match_id) as x:
        x.next("state")
        x.play("mark 1 1")
        with pytest.raises(AssertionError):
            x.next("state", lambda state: state["ply"] > 1, patience=1.5)


@pytest.mark.parametrize("game", sorted(filter(has_bot, GAMES)))
def test_each_game_is_played_to_its_end(site: Site, game: str) -> None:
    """This is the last test, because a worker with a heavy game gives way to all other programs."""
    person = Person(site).be_guest()
    match_id = start_computer_match(person, game, 1)
    with person.match(match_id) as socket:
        socket.next("state")
        assert play_at_random(person, socket, game, most=80)["ply"] >= 3


def ready(person: Person, match_id: str) -> dict[str, list[dict[str, object]]] | None:
    found = person.json(f"/match/{match_id}/analysis.json")
    return found if found["state"] == "ready" else None


def thinkers_of(pid: int) -> list[int]:
    """The worker processes of this server."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rsplit(")", 1)[1].split()[1])
            command = (status.parent / "cmdline").read_text()
        except OSError:
            continue
        if parent == pid and "games.bots" in command:
            found.append(int(status.parent.name))
    return found
