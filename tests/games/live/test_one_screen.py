"""Two people at one screen, through a real server: the seats for which each may act."""

from tests.builders.sites import Person, Site, Socket
from tests.builders.sites import until as seen_until

SITE = {"PRESENCE_TIMEOUT_SECONDS": "5"}
WON = ("mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")


def begin(host: Person, **more: str) -> str:
    sent = {"game": "tic-tac-toe", "clock": "", "side": "mine"} | more
    body = "&".join(f"{key}={value.replace('+', '%2B')}" for key, value in sent.items())
    status, where = host.post("/one-screen/", body.encode())
    assert status == 200, status
    return where.split("/match/")[1].strip("/")


def test_one_socket_plays_both_and_nobody_else_does(
    alice_online: Person, bob_online: Person, charlie_online: Person
) -> None:
    match_id = begin(alice_online)
    watcher = charlie_online.match(match_id)
    with alice_online.match(match_id) as screen, bob_online.match(match_id) as other, watcher:
        state = screen.next("state")
        assert (state["you"], state["yours"]) == ("xplayer", ["xplayer", "oplayer"])
        assert all(seat["here"] for seat in state["seats"].values())
        for ply, action in enumerate(WON):
            for outsider in (other, watcher):
                outsider.ply(ply)
                outsider.send("play", ply=ply, action="mark 3 3")
                outsider.refused("not-a-player")
                outsider.send("resign")
                outsider.refused("not-a-player")
            assert screen.state["you"] == screen.state["turn"] == ("xplayer", "oplayer")[ply % 2]
            screen.play(action)
        assert other.ply(5)["yours"] == []
        over = screen.state
        assert (over["status"], over["you"], over["can"]) == ("over", None, ["rematch"])
        assert over["verdict"]["winner"] == "xplayer"
        other.send("rematch")
        other.refused("not-a-player")


def test_an_action_of_either_that_is_sent_again_is_no_second_move(alice_online: Person) -> None:
    match_id = begin(alice_online)
    with alice_online.match(match_id) as screen:
        screen.next("state")
        for action in WON[:3]:
            screen.play(action)
    with alice_online.match(match_id) as again:
        again.next("state")
        for ply in (1, 2, 0):
            again.send("play", ply=ply, action=WON[ply])
            assert again.frame()["type"] == "state"
        again.send("play", ply=1, action="mark 3 3")
        again.refused("stale")
    assert len(alice_online.json(f"/match/{match_id}/record.json")["moves"]) == 3


def test_two_tabs_that_act_for_the_same_ply_make_one_move(alice_online: Person) -> None:
    match_id = begin(alice_online)
    with alice_online.match(match_id) as one, alice_online.match(match_id) as other:
        one.next("state")
        other.next("state")
        one.send("play", ply=0, action="mark 1 1")
        other.send("play", ply=0, action="mark 3 3")
        assert one.ply(1)["diagram"] == other.ply(1)["diagram"]
    assert len(alice_online.json(f"/match/{match_id}/record.json")["moves"]) == 1


def test_a_rematch_stays_at_the_screen_with_the_seats_swapped(
    alice_online: Person, bob_online: Person
) -> None:
    match_id = begin(alice_online)
    with alice_online.match(match_id) as screen:
        first = screen.next("state")
        screen.send("resign")
        screen.next("state", lambda state: state["status"] == "over")
        screen.send("rematch")
        after = screen.next("state", lambda state: state["rematch"] and state["rematch"]["match"])
        screen.send("rematch")  # again: the same one
        screen.next("state")
        assert screen.state["rematch"] == after["rematch"]
    match_id = after["rematch"]["match"]
    with alice_online.match(match_id) as screen, bob_online.match(match_id) as other:
        state = screen.next("state")
        assert state["yours"] == ["xplayer", "oplayer"]
        names = [state["seats"][role]["name"] for role in ("oplayer", "xplayer")]
        assert names == [first["seats"][role]["name"] for role in ("xplayer", "oplayer")]
        other.next("state")
        other.send("play", ply=0, action="mark 1 1")
        other.refused("not-a-player")
        screen.play("mark 2 2")
        screen.play("mark 1 1")


def test_a_clock_runs_for_whose_turn_it_is_and_its_flag_falls(
    site: Site, alice_online: Person
) -> None:
    match_id = begin(alice_online, clock="0+1")
    with alice_online.match(match_id) as screen:
        state = screen.next("state")
        assert state["clock"]["running"] == "xplayer"
        assert screen.play("mark 1 1")["clock"]["running"] == "oplayer"
        over = screen.next("state", lambda state: state["status"] == "over")
        assert (over["ended"], over["goals"]) == ("time", {"xplayer": 100, "oplayer": 0})


def test_leaving_removes_both_players(
    site: Site, alice_online: Person, charlie_online: Person
) -> None:
    match_id = begin(alice_online)

    def here(socket: Socket) -> set[bool]:
        return {seat["here"] for seat in socket.state["seats"].values()}

    with charlie_online.match(match_id) as watcher:
        with alice_online.match(match_id) as screen:
            screen.next("state")
            seen_until(lambda: watcher.frame() and here(watcher) == {True}, "both are here")
            assert watcher.state["watchers"] == 1
        watcher.next("state", lambda _: here(watcher) == {False})
