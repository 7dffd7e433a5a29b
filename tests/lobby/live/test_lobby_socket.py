"""The lobby through a real server: seeking, joining and pairing."""

import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.builders.sites import PATIENCE, Person, Site, Socket

AWAY = 5  # seconds
SITE = {"PRESENCE_TIMEOUT_SECONDS": str(AWAY)}
GAME = "tic-tac-toe"


def listed(socket: Socket, seek: str, patience: float = PATIENCE) -> dict[str, object]:
    """Wait for a lobby frame that lists the seek."""
    return socket.next(
        "lobby", lambda f: any(entry["seek"] == seek for entry in f["seeks"]), patience
    )


def not_listed(socket: Socket, seek: str, patience: float = PATIENCE) -> dict[str, object]:
    return socket.next(
        "lobby", lambda f: all(entry["seek"] != seek for entry in f["seeks"]), patience
    )


@pytest.fixture
def outsider(site: Site) -> Person:
    return Person(site).be_guest()


def test_the_first_frame_is_the_lobby(charlie_online: Person) -> None:
    with charlie_online.lobby() as socket:
        frame = socket.frame()
    assert frame["type"] == "lobby"
    assert frame["you"] is None
    assert isinstance(frame["seeks"], list)
    assert isinstance(frame["matches"], list)
    assert isinstance(frame["online"], int)


def test_a_seek_is_listed_until_somebody_takes_it(alice_online: Person, bob_online: Person) -> None:
    with alice_online.lobby() as a, bob_online.lobby() as b:
        a.send("seek", game=GAME, clock=None)
        seek = a.next("seeking")["seek"]
        frame = listed(b, seek)
        (entry,) = [e for e in frame["seeks"] if e["seek"] == seek]  # type: ignore[attr-defined]
        assert entry["game"] == GAME
        assert entry["clock"] is None
        assert entry["player"] == a.see("lobby", bool)["you"]
        b.send("join", seek=seek)
        at_a, at_b = a.next("paired"), b.next("paired")
        assert at_a["match"] == at_b["match"]
        assert {at_a["role"], at_b["role"]} == {"xplayer", "oplayer"}
        assert at_a["url"] == f"/match/{at_a['match']}/"
        # A frame that was read during the pairing may have neither of the two.
        shown = b.next("lobby", lambda f: at_a["match"] in [m["match"] for m in f["matches"]])
        assert seek not in [entry["seek"] for entry in shown["seeks"]]


def test_two_who_seek_the_same_are_paired_at_once_and_others_are_not(
    alice_online: Person, bob_online: Person, outsider: Person
) -> None:
    with alice_online.lobby() as a, bob_online.lobby() as b, outsider.lobby() as c:
        a.send("seek", game=GAME, clock=None)
        a.next("seeking")
        c.send("seek", game="dots-and-boxes", clock=None)
        other = c.next("seeking")["seek"]
        b.send("seek", game=GAME, clock=None)
        assert a.next("paired")["match"] == b.next("paired")["match"]
        listed(b, other)
        c.send("cancel")
        assert c.next("cancelled")["seek"] == other


def test_one_players_two_tabs_do_not_pair_with_each_other(
    alice_online: Person, bob_online: Person
) -> None:
    with alice_online.lobby() as one, alice_online.lobby() as two:
        one.send("seek", game=GAME, clock=None)
        seek = one.next("seeking")["seek"]
        two.send("seek", game=GAME, clock=None)
        assert two.next("seeking")["seek"] == seek
        two.send("join", seek=seek)
        two.next("error", lambda e: e["code"] == "not-allowed")
        two.send("cancel", seek=seek)
        one.next("cancelled")


def test_only_the_tab_that_asked_is_sent_to_the_match(
    alice_online: Person, bob_online: Person
) -> None:
    with alice_online.lobby() as asking, alice_online.lobby() as reading, bob_online.lobby() as b:
        asking.send("seek", game=GAME, clock=None)
        seek = asking.next("seeking")["seek"]
        b.send("join", seek=seek)
        asking.next("paired")
        reading.send("ping", t=1)
        while (frame := reading.frame())["type"] != "pong":
            assert frame["type"] != "paired"


def test_a_taken_seek_says_taken(
    alice_online: Person, bob_online: Person, outsider: Person
) -> None:
    with alice_online.lobby() as a, bob_online.lobby() as b, outsider.lobby() as c:
        a.send("seek", game=GAME, clock=None)
        seek = a.next("seeking")["seek"]
        b.send("join", seek=seek)
        b.next("paired")
        c.send("join", seek=seek)
        error = c.next("error")
        assert error["code"] == "taken"
        assert error["detail"]


def test_of_many_who_join_one_seek_one_is_paired(site: Site, alice_online: Person) -> None:
    people = [Person(site).be_guest() for _ in range(8)]
    with alice_online.lobby() as a:
        a.send("seek", game=GAME, clock=None)
        seek = a.next("seeking")["seek"]
        sockets = [person.lobby() for person in people]
        for socket in sockets:
            socket.send("join", seek=seek)
        ends = []
        for socket in sockets:
            while (frame := socket.frame())["type"] not in {"paired", "error"}:
                pass
            ends.append(frame)
            socket.close()
        paired = [frame["match"] for frame in ends if frame["type"] == "paired"]
        assert paired == [a.next("paired")["match"]]
        assert {f["code"] for f in ends if f["type"] == "error"} == {"taken"}


def test_a_seek_ends_seconds_after_its_players_last_socket(
    alice_online: Person, bob_online: Person
) -> None:
    with bob_online.lobby() as b:
        one, two = alice_online.lobby(), alice_online.lobby()
        one.send("seek", game=GAME, clock=None)
        seek = one.next("seeking")["seek"]
        listed(b, seek)
        one.close()
        end = time.monotonic() + AWAY + 2
        while time.monotonic() < end:  # the other tab keeps the seek alive
            two.send("ping", t=1)
            two.next("pong")
            b.send("ping", t=1)
            while (frame := b.frame())["type"] != "pong":
                if frame["type"] == "lobby":
                    assert any(entry["seek"] == seek for entry in frame["seeks"])
            time.sleep(0.2)
        two.close()
        gone_at = time.monotonic()
        not_listed(b, seek, patience=AWAY + 8)
        assert time.monotonic() - gone_at > 0.6 * AWAY
        b.send("join", seek=seek)
        b.next("error", lambda e: e["code"] == "taken")


def test_a_tab_that_reconnects_keeps_waiting(alice_online: Person, bob_online: Person) -> None:
    with bob_online.lobby() as b:
        first = alice_online.lobby()
        first.send("seek", game=GAME, clock=None)
        seek = first.next("seeking")["seek"]
        first.close()
        with alice_online.lobby() as again:
            again.send("resume", seek=seek)
            again.next("seeking")
            b.send("join", seek=seek)
            match_id = b.next("paired")["match"]
            assert again.next("paired")["match"] == match_id
        with alice_online.lobby() as later:  # the seek was paired while the tab was away
            later.send("resume", seek=seek)
            assert later.next("paired")["match"] == match_id
            later.send("resume", seek="neverwas")
            assert later.next("cancelled")["seek"] == "neverwas"


def test_visitors_without_a_session_can_watch_but_not_seek(charlie_online: Person) -> None:
    with charlie_online.lobby() as socket:
        for message in (
            {"type_": "seek", "game": GAME, "clock": None},
            {"type_": "join", "seek": "x"},
            {"type_": "cancel"},
        ):
            socket.send(**message)  # type: ignore[arg-type]
            assert socket.next("error")["code"] == "not-a-player"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"type":"seek","game":"chess","clock":null}', "malformed"),
        ('{"type":"seek","game":"tic-tac-toe","clock":"soon"}', "malformed"),
        ('{"type":"seek","game":"tic-tac-toe","clock":"0+0"}', "malformed"),
        ('{"type":"seek","game":"tic-tac-toe","clock":"181+0"}', "malformed"),
        ('{"type":"seek","game":["tic-tac-toe"]}', "malformed"),
        ('{"type":"join","seek":"\\u0000"}', "malformed"),
        ('{"type":"join","seek":"<script>"}', "malformed"),
        ('{"type":"join"}', "malformed"),
        ('{"type":"join","seek":"nosuchseek"}', "taken"),
        ('{"type":"resign"}', "unknown-type"),
        ("[]", "malformed"),
    ],
)
def test_bad_messages_get_their_code_and_the_socket_stays(
    alice_online: Person, text: str, code: str
) -> None:
    with alice_online.lobby() as socket:
        socket.connection.send(text)
        error = socket.next("error")
        assert error["code"] == code
        assert error["detail"]
        socket.send("ping", t="still here")
        assert socket.next("pong")["t"] == "still here"


def test_online_counts_players_and_not_sockets(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    """If sockets were counted, neither number could arrive: there is always a second tab."""
    with alice_online.lobby() as one, alice_online.lobby(), bob_online.lobby():
        one.next("lobby", lambda frame: frame["online"] == 2)
        more = [Person(site).be_guest() for _ in range(3)]
        sockets = [person.lobby() for person in more for _ in range(2)]
        one.next("lobby", lambda frame: frame["online"] == 5)
        for socket in sockets:
            socket.close()
        one.next("lobby", lambda frame: frame["online"] == 2)


def test_a_lobby_frame_comes_at_most_once_a_second(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    with alice_online.lobby() as a, bob_online.lobby() as b:
        start = time.monotonic()
        b.next("lobby")
        for _ in range(12):
            a.send("seek", game=GAME, clock=None)
            a.next("seeking")
            a.send("cancel")
            a.next("cancelled")
        a.send("seek", game=GAME, clock=None)
        seek = a.next("seeking")["seek"]
        frames, is_listed = 0, False
        while time.monotonic() - start < 3 or not is_listed:
            try:
                frame = b.frame(0.3)
            except TimeoutError:
                assert time.monotonic() - start < PATIENCE, "the last seek was never listed"
                continue
            if frame["type"] == "lobby":
                frames += 1
                is_listed = seek in [entry["seek"] for entry in frame["seeks"]]
        passed = time.monotonic() - start
        assert 1 <= frames <= passed + 1


def test_no_frame_comes_while_nothing_changes(tmp_path: Path) -> None:
    """The lobby is read every DB_POLL_SECONDS, but a read alone must not cause a frame."""
    quiet = Site(tmp_path, {"DB_POLL_SECONDS": "1"}).wait()
    try:
        charlie = Person(quiet)
        with charlie.lobby() as whole, charlie.socket("/ws/lobby/?shows=changes") as changes:
            for socket in (whole, changes):
                socket.next("lobby")
            for socket in (whole, changes):
                with pytest.raises(TimeoutError):
                    print("a frame without news:", socket.frame(3.5))
    finally:
        quiet.stop()


def test_an_oversized_frame_does_not_stop_the_lobby(site: Site, alice_online: Person) -> None:
    with alice_online.lobby() as socket:
        socket.connection.send('{"type":"ping","t":"' + "x" * 9000 + '"}')
        with pytest.raises(ConnectionClosed):
            while True:
                socket.frame()
    with alice_online.lobby() as socket:
        assert socket.next("lobby")
    site.must_be_calm()
