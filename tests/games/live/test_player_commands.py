"""Players' commands other than actions: resigning, cancelling, draws, rematches."""

from games.rules import GAMES
from tests.builders.sites import Person, Socket, sit


def test_resigning_ends_the_match_for_everyone_and_later_actions_are_not_live(
    alice_online: Person, bob_online: Person, charlie_online: Person
) -> None:
    match_id, sockets = sit(alice_online, bob_online, "six-in-a-row")
    p1, p2 = sockets["player1"], sockets["player2"]
    with charlie_online.match(match_id) as watcher:
        watcher.next("state")
        p1.play("place 8 8")
        p2.send("resign")
        for socket in (p1, p2, watcher):
            state = socket.next("state", lambda state: state["status"] == "over")
            assert state["ended"] == "resignation"
            assert state["goals"] == {"player1": 100, "player2": 0}
            assert state["verdict"]["code"] == "end.resignation"
    p1.send("play", ply=1, action="place 9 9")
    p1.refused("not-live")
    p1.send("resign")
    p1.refused("not-live")
    p1.send("play", ply=0, action="place 8 8")  # that one was accepted
    assert p1.next("state")["ply"] == 1


def test_a_match_is_aborted_only_before_both_have_acted(
    alice_online: Person, bob_online: Person
) -> None:
    _, sockets = sit(alice_online, bob_online, "six-in-a-row")
    p1, p2 = sockets["player1"], sockets["player2"]
    for i in range(3):  # all three are by one role: the other has not acted yet
        p1.play(f"place {i + 1} 1")
    assert "abort" in p2.ply(3)["can"]
    p2.send("abort")
    state = p1.next("state", lambda state: state["status"] == "aborted")
    assert state["ended"] == "aborted"
    assert state["goals"] == {"player1": 0, "player2": 0}
    assert state["can"] == []

    _, sockets = sit(alice_online, bob_online, "tic-tac-toe")
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.play("mark 1 1")
    o.ply(1)
    o.play("mark 2 2")
    o.send("abort")
    o.refused("not-allowed")
    assert o.frame()["can"] == ["resign"]


def long_match(alice: Person, bob: Person) -> tuple[str, Socket, Socket]:
    """A match of Six in a Row after twenty actions: its id, the player to move, and the other."""
    match_id, sockets = sit(alice, bob, "six-in-a-row")
    position = GAMES["six-in-a-row"].start
    places = [f"place {x} {y}" for y in (1, 3, 5) for x in range(1, 15, 2)]
    for ply in range(20):
        action = "pick black" if position.may("pick black") else places[ply]
        mover = sockets[str(position.turn)]
        mover.ply(ply)
        mover.play(action)
        position = position.play(action)
    for socket in sockets.values():
        socket.ply(20)
    mover = sockets[str(position.turn)]
    (other,) = set(sockets.values()) - {mover}
    return match_id, mover, other


def test_a_draw_is_offered_once_on_ones_own_turn_and_agreed_to(
    alice_online: Person, bob_online: Person
) -> None:
    _, mover, other = long_match(alice_online, bob_online)
    assert "offer-draw" in mover.state["can"]
    assert "offer-draw" not in other.state["can"]
    other.send("offer-draw")
    other.refused("not-allowed")
    mover.send("offer-draw")
    offered = other.next("state", lambda state: state["draw"])
    assert offered["draw"] == mover.state["you"]
    assert {"accept-draw", "decline-draw"} <= set(offered["can"])
    other.send("decline-draw")
    mover.next("state", lambda state: state["draw"] is None and state["version"] > 21)
    mover.send("offer-draw")  # a second time on the same turn
    mover.refused("not-allowed")
    mover.play("place 15 15")
    other.ply(21)
    other.send("offer-draw")
    mover.next("state", lambda state: state["draw"])
    mover.send("accept-draw")
    over = other.next("state", lambda state: state["status"] == "over")
    assert over["ended"] == "agreement"
    assert set(over["goals"].values()) == {50}


def test_acting_declines_the_others_offer(alice_online: Person, bob_online: Person) -> None:
    _, mover, other = long_match(alice_online, bob_online)
    mover.send("offer-draw")
    mover.play("place 15 15")
    assert other.next("state", lambda state: state["ply"] == 21)["draw"] == mover.state["you"]
    other.play("place 13 15")
    assert mover.ply(22)["draw"] is None
    other.send("accept-draw")
    other.refused("not-allowed")


def test_a_rematch_swaps_the_roles_once_and_tells_the_watchers(
    alice_online: Person, bob_online: Person, charlie_online: Person
) -> None:
    match_id, sockets = sit(alice_online, bob_online, "tic-tac-toe")
    x, o = sockets["xplayer"], sockets["oplayer"]
    with charlie_online.match(match_id) as watcher:
        watcher.next("state")
        x.send("resign")
        o.next("state", lambda state: state["status"] == "over")
        o.send("rematch")
        o.send("rematch")  # again: still one asking
        asked = x.next("state", lambda state: state["rematch"])
        assert asked["rematch"] == {"by": "oplayer", "match": None, "url": None}
        x.send("rematch")
        found = {
            socket.next("state", lambda s: s["rematch"] and s["rematch"]["match"])["rematch"]["url"]
            for socket in (x, o, watcher)
        }
    (url,) = found
    x.send("rematch")
    assert x.next("state")["rematch"]["url"] == url
    names = {role: seat["name"] for role, seat in x.state["seats"].items()}
    record = charlie_online.json(f"{url}record.json")
    assert record["seats"]["xplayer"]["name"] == names["oplayer"]
    assert record["seats"]["oplayer"]["name"] == names["xplayer"]
    assert record["status"] == "live"


def test_asking_for_a_rematch_and_leaving_withdraws_it(
    alice_online: Person, bob_online: Person
) -> None:
    _, sockets = sit(alice_online, bob_online, "tic-tac-toe")
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.send("resign")
    o.next("state", lambda state: state["status"] == "over")
    o.send("rematch")
    x.next("state", lambda state: state["rematch"])
    o.close()
    gone = x.next("state", lambda state: state["rematch"] is None)
    assert "rematch" in gone["can"]
