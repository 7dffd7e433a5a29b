"""The match socket through a real server: every message of the contract, and every refusal."""

import urllib.request

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from games.rules import GAMES
from tests.builders.second_factors import GIVE_TO_STAFF
from tests.builders.sites import Person, Site, Socket, pair, sit
from tests.builders.sockets import send_at_once, wait_until_closed

SITE = {"PRESENCE_TIMEOUT_SECONDS": "5"}
STATE = {
    "type", "match", "game", "ply", "turn", "diagram", "last", "status", "ended", "goals",
    "seats", "you", "clock", "watchers", "now",
}  # fmt: skip


def test_the_first_frame_is_the_whole_state(
    alice_online: Person, bob_online: Person, charlie_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
    with roles["xplayer"].match(match_id) as x, charlie_online.match(match_id) as watcher:
        state = x.frame()
        assert set(state) >= STATE
        assert state["match"] == match_id
        assert state["game"] == "tic-tac-toe"
        assert (state["ply"], state["turn"], state["last"]) == (0, "xplayer", None)
        assert (state["status"], state["ended"], state["goals"]) == ("live", None, None)
        assert state["diagram"] == "........."
        assert state["you"] == "xplayer"
        assert set(state["seats"]) == {"xplayer", "oplayer"}
        assert state["seats"]["xplayer"]["here"] is True
        assert state["clock"] is None
        seen = watcher.frame()
        assert seen["you"] is None
        assert seen["can"] == []
        x.next("state", lambda state: state["watchers"] == 1)


@pytest.mark.parametrize("slug", list(GAMES))
def test_each_game_is_played_to_its_end_as_the_rules_have_it(
    alice_online: Person, bob_online: Person, charlie_online: Person, slug: str
) -> None:
    match_id, sockets = sit(alice_online, bob_online, slug)
    position = GAMES[slug].start
    step = 0
    with charlie_online.match(match_id) as watcher:
        while not position.is_over:
            legal = position.legal()
            action = legal[7 * step % len(legal)]
            mover = sockets[str(position.turn)]
            mover.ply(step)
            mover.play(action)
            position = position.play(action)
            step += 1
        for socket in (*sockets.values(), watcher):
            state = socket.ply(step)
            assert state["diagram"] == position.diagram
            assert (state["status"], state["ended"]) == ("over", "rules")
            assert state["goals"] == position.goals
            assert state["turn"] is None
            assert state["verdict"]
    record = charlie_online.json(f"/match/{match_id}/record.json")
    assert record["game"] == slug
    assert record["goals"] == position.goals
    assert (record["status"], record["ended"]) == ("over", "rules")
    assert [move["ply"] for move in record["moves"]] == list(range(step))
    again = GAMES[slug].start
    for move in record["moves"]:
        assert move["role"] == again.turn
        assert move["spent_ms"] >= 0
        again = again.play(move["action"])
    assert again == position


def test_an_accepted_action_sent_again_gets_the_state_and_no_second_move(
    alice_online: Person, bob_online: Person
) -> None:
    match_id, sockets = sit(alice_online, bob_online, "tic-tac-toe")
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.play("mark 1 1")
    for _ in range(3):
        x.send("play", ply=0, action="mark 1 1")
        assert x.frame()["type"] == "state"
    o.ply(1)
    o.play("mark 2 2")
    x.ply(2)
    x.send("play", ply=0, action="mark 1 1")  # accepted two actions ago
    assert x.frame()["ply"] == 2
    assert len(alice_online.json(f"/match/{match_id}/record.json")["moves"]) == 2


def test_another_action_for_a_ply_that_was_played_is_stale(
    alice_online: Person, bob_online: Person
) -> None:
    _, sockets = sit(alice_online, bob_online, "tic-tac-toe")
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.play("mark 1 1")
    x.send("play", ply=0, action="mark 1 2")
    assert x.refused("stale")["ply"] == 1
    assert x.frame()["diagram"] == "x........"
    o.ply(1)
    o.send("play", ply=0, action="mark 1 1")  # the other's action is not mine
    o.refused("stale")
    o.send("play", ply=2, action="mark 2 2")
    o.refused("stale")


def test_each_refusal_has_its_code_and_the_state_follows(
    alice_online: Person, bob_online: Person, charlie_online: Person
) -> None:
    match_id, sockets = sit(alice_online, bob_online, "tic-tac-toe")
    x, o = sockets["xplayer"], sockets["oplayer"]

    def refused(socket: Socket, code: str) -> None:
        error = socket.refused(code)
        assert error["ply"] == 0
        state = socket.frame()
        assert (state["type"], state["ply"]) == ("state", 0)

    o.send("play", ply=0, action="mark 1 1")
    refused(o, "not-your-turn")
    for illegal in ("mark 4 1", "noop", "", "MARK 1 1", "mark 1 1 "):
        x.send("play", ply=0, action=illegal)
        refused(x, "illegal-action")
    with charlie_online.match(match_id) as watcher:
        watcher.next("state")
        for type_ in ("resign", "abort", "offer-draw", "accept-draw", "decline-draw", "rematch"):
            watcher.send(type_)
            refused(watcher, "not-a-player")
        watcher.send("play", ply=0, action="mark 1 1")
        refused(watcher, "not-a-player")
    x.send("offer-draw")  # a short game
    refused(x, "not-allowed")
    x.send("accept-draw")
    refused(x, "not-allowed")
    x.send("decline-draw")
    refused(x, "not-allowed")
    x.send("rematch")
    refused(x, "not-allowed")
    x.send("fly")
    refused(x, "unknown-type")
    assert alice_online.json(f"/match/{match_id}/record.json")["moves"] == []


def test_the_waiting_roles_noop_gets_the_state_and_nothing_is_stored(
    alice_online: Person, bob_online: Person
) -> None:
    match_id, sockets = sit(alice_online, bob_online, "tic-tac-toe")
    o = sockets["oplayer"]
    o.send("play", ply=0, action="noop")
    o.send("ping", t=1)
    frames = [o.frame()]
    while frames[-1]["type"] != "pong":
        frames.append(o.frame())
    assert {frame["type"] for frame in frames} == {"state", "pong"}
    assert alice_online.json(f"/match/{match_id}/record.json")["moves"] == []


MALFORMED = [
    "", "nonsense", "null", "[]", "7", '"play"', "{}", '{"type":7}', '{"type":null}',
    '{"type":"play"}', '{"type":"play","ply":"0","action":"mark 1 1"}',
    '{"type":"play","ply":-1,"action":"mark 1 1"}', '{"type":"play","ply":0,"action":7}',
    '{"type":"play","ply":0.5,"action":"mark 1 1"}', '{"type":"play","ply":true,"action":""}',
    '{"type":"play","ply":1e999,"action":""}',
    '{"type":"play","ply":0,"action":"' + "x" * 99 + '"}',
    '{"type":"play","ply":0,"action":"\\ud800"}', "[" * 4000, '{"type":' * 1000,
    '{"type":"ping","t":{"a":[1]}}', '{"type":"play","ply":9' + "9" * 3000 + ',"action":""}',
]  # fmt: skip


def test_frames_of_another_shape_are_malformed_and_lose_nothing(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    _, sockets = sit(alice_online, bob_online, "tic-tac-toe")
    x = sockets["xplayer"]
    for text in MALFORMED:
        x.connection.send(text)
        error = x.next("error")
        assert error["code"] == "malformed", (text[:60], error)
        assert x.frame()["type"] == "state"
    x.connection.send(b'{"type":"ping"}')  # binary
    x.refused("malformed")
    x.play("mark 1 1")
    site.must_be_calm()


def test_a_frame_over_8_kb_closes_the_socket_and_no_other(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    _, sockets = sit(alice_online, bob_online, "tic-tac-toe")
    x, o = sockets["xplayer"], sockets["oplayer"]
    o.connection.send('{"type":"ping","t":"' + "x" * 9000 + '"}')
    with pytest.raises(ConnectionClosed):
        while True:
            o.frame()
    x.play("mark 1 1")
    site.must_be_calm()


def test_a_ping_is_answered_with_the_servers_time_and_ply(
    alice_online: Person, bob_online: Person
) -> None:
    _, sockets = sit(alice_online, bob_online, "tic-tac-toe")
    x = sockets["xplayer"]
    x.play("mark 1 1")
    x.send("ping", t=12.5)
    pong = x.next("pong")
    assert (pong["t"], pong["ply"]) == (12.5, 1)
    assert pong["now"] > 1_700_000_000


def test_who_leaves_is_shown_away_after_some_seconds(
    alice_online: Person, bob_online: Person
) -> None:
    _, sockets = sit(alice_online, bob_online, "tic-tac-toe")
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.next("state", lambda state: state["seats"]["oplayer"]["here"])
    o.close()
    x.next("state", lambda state: not state["seats"]["oplayer"]["here"])


def test_two_tabs_of_one_player_are_both_live(alice_online: Person, bob_online: Person) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
    with roles["xplayer"].match(match_id) as one, roles["xplayer"].match(match_id) as two:
        one.next("state")
        two.next("state")
        two.play("mark 3 3")
        assert one.ply(1)["last"] == "mark 3 3"


def test_an_unknown_match_is_a_404_page_and_a_socket_closed_with_4404(
    alice_online: Person, charlie_online: Person
) -> None:
    for match_id in ("nosuchone", "x" * 60, "%00", "a-b", "1' OR '1'='1"):
        address = urllib.request.quote(match_id)
        status, page = charlie_online.get(f"/match/{address}/")
        assert status == 404
        assert "Page not found" in page
        with alice_online.socket(f"/ws/match/{address}/") as socket:
            with pytest.raises(ConnectionClosed) as closed:
                socket.frame()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4404
    assert charlie_online.get("/match/nosuchone/record.json")[0] == 404
    with alice_online.socket("/ws/nowhere/") as socket, pytest.raises(ConnectionClosed) as closed:
        socket.frame()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "https://localhost:{port}", "http://localhost:1", "null", None],
)
def test_a_socket_of_another_origin_is_not_opened(
    site: Site, alice_online: Person, origin: str | None
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        alice_online.socket("/ws/lobby/", origin=origin.format(port=site.port) if origin else None)
    assert refused.value.response.status_code == 403


def test_logging_out_closes_the_sockets_of_the_session(site: Site, alice_online: Person) -> None:
    made = site.manage(
        "createsuperuser", "--noinput", "--username", "staff", "--email", "staff@example.org",
        DJANGO_SUPERUSER_PASSWORD="a-long-enough-one",
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert site.manage("shell", "-c", GIVE_TO_STAFF).returncode == 0
    staff = Person(site).log_in("staff", "a-long-enough-one", "/admin/")
    with staff.lobby() as socket, alice_online.lobby() as other:
        assert socket.next("lobby")["you"] == "staff"
        other.next("lobby")
        staff.post("/accounts/logout/")
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.frame()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
        other.send("ping", t=1)
        other.next("pong")


def test_frames_that_come_too_fast_are_refused_and_a_flood_is_closed(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    server = Site(tmp_path_factory.mktemp("limited"), {"RATE_LIMITS": "on"})
    try:
        alice, bob = Person(server.wait()).be_guest(), Person(server).be_guest()
        match_id, sockets = sit(alice, bob, "tic-tac-toe")
        x, o = sockets["xplayer"], sockets["oplayer"]
        send_at_once(o, 80, "ping")
        o.refused("too-fast")
        send_at_once(o, 220, "ping")
        assert wait_until_closed(o) == 4429
        x.play("mark 1 1")  # the other player plays on
        assert alice.json(f"/match/{match_id}/record.json")["status"] == "live"
    finally:
        server.stop()


def test_two_servers_on_one_database_show_one_match(
    site: Site, alice_online: Person, bob_online: Person, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Without Redis each server looks at the database every two seconds."""
    key = (site.folder / "secret-key").read_text()
    other = Site(
        tmp_path_factory.mktemp("other"),
        {"DATABASE_URL": f"sqlite:///{site.folder / 'site.sqlite3'}", "SECRET_KEY": key},
    )
    try:
        other.wait()
        match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
        x = roles["xplayer"].match(match_id)
        o = roles["oplayer"].at(other).match(match_id)
        for socket in (x, o):
            socket.next("state")
        # Each learns that the other is here, although at another server.
        x.next("state", lambda state: state["seats"]["oplayer"]["here"])
        o.next("state", lambda state: state["seats"]["xplayer"]["here"])
        for ply, (socket, action) in enumerate(
            [(x, "mark 1 1"), (o, "mark 2 2"), (x, "mark 1 2"), (o, "mark 2 3"), (x, "mark 1 3")]
        ):
            socket.ply(ply)
            socket.play(action)
        assert o.ply(5)["goals"] == {"xplayer": 100, "oplayer": 0}
        other.must_be_calm()
    finally:
        other.stop()
