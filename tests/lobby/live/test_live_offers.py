"""Waiting players are offered each other's seeks at once, and two presses open one match."""

import itertools
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlencode

from tests.builders.people import sign_up
from tests.builders.sites import Person, Site, Socket
from tests.builders.sockets import collect_frames, collect_from_all, get_seek_types

SITE = {"PRESENCE_TIMEOUT_SECONDS": "5"}
LONGEST = 20.0  # seconds in which two who want the same game must be offered each other
AT_ONCE = 5  # times that both press their button at the same moment

_games = itertools.cycle(["six-in-a-row", "dots-and-boxes", "parallel-tic-tac-toe"])


@contextmanager
def tab(person: Person) -> Iterator[Socket]:
    """Open a tab beside one that answers presence checks, which tests read only when they wait.

    At the end its player stops waiting, so that other tests are not offered this.
    """
    with person.lobby(), person.socket("/ws/lobby/?shows=own") as socket:
        yield socket
        socket.send("cancel")
        socket.send("ping", t="the end")
        socket.next("pong", lambda pong: pong["t"] == "the end")


def seek(socket: Socket, game: str, clock: str | None, **more: Any) -> str:
    socket.send("seek", game=game, clock=clock, **more)
    return str(socket.next("seeking")["seek"])


def offer_of(socket: Socket, seek_id: str, patience: float = LONGEST) -> dict[str, Any]:
    """Wait until the seek is offered, and return the offer."""
    own = socket.see("own", lambda own: _find(own, seek_id), patience)
    return _find(own, seek_id)[0]


def _find(own: dict[str, Any], seek_id: str) -> list[dict[str, Any]]:
    return [offer for offer in own["offers"] if offer["seek"] == seek_id]


def test_both_are_offered_the_other_seek_at_once(people: tuple[Person, Person]) -> None:
    game = next(_games)
    with tab(people[0]) as a, tab(people[1]) as b:
        mine = seek(a, game, "10+5")
        began = time.monotonic()
        theirs = seek(b, game, "3+2")
        at_a, at_b = offer_of(a, theirs), offer_of(b, mine)
        print(f"offered after {time.monotonic() - began:.2f} s")
        assert (at_a["mine"], at_a["clock"], at_a["game"]) == (mine, "3+2", game)
        assert (at_b["mine"], at_b["clock"], at_b["rated"]) == (theirs, "10+5", False)
        b.send("cancel", seek=theirs)
        a.see("own", lambda own: not _find(own, theirs), LONGEST)


def test_an_offer_comes_with_the_hint_and_not_only_with_the_poll(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    """In the same process, several offers and their ends together take less than one poll each."""
    game, times = next(_games), []
    with tab(alice_online) as a, tab(bob_online) as b:
        seek(a, game, "10+5")
        for _ in range(5):
            began = time.monotonic()
            theirs = seek(b, game, "3+2")
            offer_of(a, theirs)
            times.append(time.monotonic() - began)
            b.send("cancel", seek=theirs)
            a.see("own", lambda own, gone=theirs: not _find(own, gone), LONGEST)
    # The poll is 2 s apart, so without the hint the fastest of five would take a second or more
    # only by chance: on a busy machine, look at the fastest.
    assert min(times) < 1, times


def test_joining_an_offer_opens_the_match_for_both(people: tuple[Person, Person]) -> None:
    game = next(_games)
    with tab(people[0]) as a, tab(people[1]) as b, tab(people[1]) as elsewhere:
        mine, theirs = seek(a, game, "10+5"), seek(b, game, "3+2")
        offer_of(elsewhere, mine)
        elsewhere.send("join", seek=mine)  # any tab may join
        assert elsewhere.next("paired")["match"] == a.next("paired")["match"]
        assert b.next("cancelled")["seek"] == theirs
        own = b.see("own", lambda own: own["games"] and not own["seeks"])
        assert own["games"][0]["clock"] == "10+5"
        assert own["offers"] == []


def test_both_press_at_the_same_moment_and_one_match_begins(people: tuple[Person, Person]) -> None:
    for _ in range(AT_ONCE):
        game = next(_games)
        with tab(people[0]) as a, tab(people[1]) as b:
            mine, theirs = seek(a, game, "10+5"), seek(b, game, "3+2")
            offer_of(a, theirs)
            offer_of(b, mine)
            press_together((a, "join", theirs), (b, "join", mine))
            ends = ends_of(a, b, kinds=("paired",))
            matches = {frame["match"] for frames in ends for frame in frames["paired"]}
            assert len(matches) == 1, ends  # both were sent there, and only there
            assert all(len(frames["paired"]) == 1 for frames in ends), ends
            errors = [frame["code"] for frames in ends for frame in frames["error"]]
            assert set(errors) <= {"taken"} and len(errors) <= 1, ends


def test_a_join_and_a_cancel_at_the_same_moment(people: tuple[Person, Person]) -> None:
    for _ in range(AT_ONCE):
        game = next(_games)
        with tab(people[0]) as a, tab(people[1]) as b:
            mine, theirs = seek(a, game, "10+5"), seek(b, game, "3+2")
            offer_of(b, mine)
            press_together((a, "cancel", mine), (b, "join", mine))
            at_a, at_b = ends_of(a, b)
            assert len(at_a["paired"]) == len(at_b["paired"]), (at_a, at_b)
            if not at_b["paired"]:
                assert [frame["code"] for frame in at_b["error"]] == ["taken"]
                assert [frame["seek"] for frame in at_a["cancelled"]] == [mine]
                own = b.see("own", lambda own, gone=mine: not _find(own, gone))
                assert [seek["seek"] for seek in own["seeks"]] == [theirs]  # the search goes on
            b.send("cancel")


def test_two_tabs_press_the_same_offer_and_one_match_begins(people: tuple[Person, Person]) -> None:
    game = next(_games)
    with tab(people[0]) as a, tab(people[1]) as one, tab(people[1]) as two:
        mine = seek(a, game, "10+5")
        seek(one, game, "3+2")
        for socket in (one, two):
            offer_of(socket, mine)
        press_together((one, "join", mine), (two, "join", mine), (one, "join", mine))
        ends = ends_of(a, one, two)
        assert len({frame["match"] for frames in ends for frame in frames["paired"]}) == 1
        assert len(ends[0]["paired"]) == 1
        assert {frame["code"] for frames in ends for frame in frames["error"]} <= {
            "taken",
            "not-allowed",
        }


def test_a_late_press_is_told_taken(people: tuple[Person, Person]) -> None:
    game, third = next(_games), Person(people[0].site).be_guest()
    with tab(people[0]) as a, tab(people[1]) as b, tab(third) as c:
        mine = seek(a, game, "10+5")
        theirs = seek(b, game, "3+2")
        seek(c, game, None)
        for socket in (b, c):
            offer_of(socket, mine)
        c.send("join", seek=mine)
        c.next("paired")
        b.send("join", seek=mine)
        error = b.next("error")
        assert error["code"] == "taken" and error["detail"]
        own = b.see("own", lambda own: not _find(own, mine))
        assert [each["seek"] for each in own["seeks"]] == [theirs]


def test_rated_seeks_are_offered_to_accounts_and_guests_seeks_to_everybody(
    places: Sequence[Site],
) -> None:
    game, guest = next(_games), Person(places[1]).be_guest()
    account, other = sign_up(places[0]), sign_up(places[0]).at(places[1])
    with tab(account) as a, tab(other) as b, tab(guest) as c:
        rated = seek(a, game, "11+1", rated=True)  # in a pool of its own
        casual = seek(c, game, "11+1")
        assert offer_of(a, casual)["rated"] is False
        slow = seek(b, game, "12+1", rated=True)
        assert offer_of(b, rated)["rating"] == "1500?"
        assert offer_of(a, slow)["rated"] is True
        last = seek(b, game, "13+1")
        while not _find(own := c.next("own"), last):
            assert not _find(own, rated) and not _find(own, slow)
        assert not _find(own, rated) and not _find(own, slow)
        b.send("join", seek=rated)
        assert b.next("paired")["match"] == a.next("paired")["match"]


def test_the_same_setup_is_paired_without_an_offer(people: tuple[Person, Person]) -> None:
    game = next(_games)
    with tab(people[0]) as a, tab(people[1]) as b:
        for socket in (a, b):
            socket.send("seek", game=game, clock="5+3")
        assert a.next("paired")["match"] == b.next("paired")["match"]


# -- the computer while waiting


def test_a_search_goes_on_during_a_game_against_the_computer(
    people: tuple[Person, Person],
) -> None:
    game = "tic-tac-toe"
    with tab(people[0]) as a, tab(people[1]) as b:
        mine = seek(a, game, "9+1")
        form = urlencode({"game": game, "level": 2, "waits": "yes"}).encode()
        status, where = people[0].post("/computer/", form)
        assert status == 200 and "/match/" in where
        match_id = where.rstrip("/").rsplit("/", 1)[-1]
        with people[0].match(match_id) as match:
            match.next("state")
            match.send("resign")
            match.next("state", lambda state: state["status"] == "over")
            match.send("rematch")
            match.next("state", lambda state: state["rematch"] and state["rematch"]["match"])
            # The poll that ends searches after a missed match runs every two seconds.
            assert "cancelled" not in get_seek_types(collect_frames(a, 5))
            b.send("join", seek=mine)
            paired = b.next("paired")["match"]
            own = a.see("own", lambda own: own["begun"])
            assert [each["match"] for each in own["begun"]] == [paired]


# -- who is online


def test_nothing_is_said_about_others_before_it_is_known_and_then_the_truth(tmp_path: Any) -> None:
    quiet = Site(tmp_path, SITE).wait()
    try:
        alice, bob = Person(quiet).be_guest(), Person(quiet).be_guest()
        with tab(alice) as a, tab(alice):
            assert "others" not in a.next("own")  # she does not wait
            seek(a, "tic-tac-toe", None)
            assert a.see("own", lambda own: "others" in own)["others"] == 0
            assert {own["others"] for own in _own(collect_frames(a, 3))} <= {0}
            with tab(bob), tab(bob):
                a.see("own", lambda own: own["others"] == 1)
            a.see("own", lambda own: own["others"] == 0)
            assert {own["others"] for own in _own(collect_frames(a, 3))} <= {0}
    finally:
        quiet.stop()


def test_a_player_with_tabs_at_two_servers_counts_once(sites: list[Site]) -> None:
    alice, bob = (Person(sites[0]).be_guest() for _ in range(2))
    with tab(alice) as a, tab(alice.at(sites[1])):
        seek(a, "tic-tac-toe", "8+1")
        a.see("own", lambda own: own.get("others") == 0)  # those of other tests have left
        with tab(bob), tab(bob.at(sites[1])):
            a.see("own", lambda own: own["others"] == 1)
            assert {own["others"] for own in _own(collect_frames(a, 5))} <= {1}
        a.see("own", lambda own: own["others"] == 0)


def test_who_goes_from_page_to_page_stays_online(site: Site) -> None:
    alice, bob = (Person(site).be_guest() for _ in range(2))
    with tab(alice) as a:
        seek(a, "tic-tac-toe", "8+1")
        with tab(bob):
            others = a.see("own", lambda own: own.get("others", 0) >= 1)["others"]
        frames = collect_frames(a, 2)  # longer than a page takes to open
        assert all(own["others"] >= 1 for own in _own(frames)), others


def test_a_new_tab_counts_itself_from_its_first_frame(site: Site) -> None:
    with Person(site).be_guest().lobby() as first:
        first.next("lobby", lambda lobby: lobby["online"] == 1)  # those of other tests have left
        with ExitStack() as others:
            for number in range(2, 5):
                socket = others.enter_context(Person(site).be_guest().lobby())
                assert socket.next("lobby")["online"] == number


def _own(frames: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [frame for frame in frames if frame["type"] == "own"]


# -- helpers


def press_together(*presses: tuple[Socket, str, str]) -> None:
    start = threading.Barrier(len(presses))

    def press(socket: Socket, type_: str, seek_id: str) -> None:
        start.wait()
        socket.send(type_, seek=seek_id)

    threads = [threading.Thread(target=press, args=each) for each in presses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def ends_of(
    *sockets: Socket, kinds: Sequence[str] = ("paired", "error", "cancelled")
) -> list[dict[str, list[dict[str, Any]]]]:
    """Return the frames of each socket by type, until some time after each got one of `kinds`."""
    ends = []
    for socket in sockets:
        found: dict[str, list[dict[str, Any]]] = {
            kind: [] for kind in ("paired", "error", "cancelled", "own")
        }
        while not any(found[kind] for kind in kinds):
            frame = socket.frame()
            found.setdefault(frame["type"], []).append(frame)
        ends.append(found)
    for found, frames in zip(ends, collect_from_all(1.2, *sockets), strict=True):
        for frame in frames:
            found.setdefault(frame["type"], []).append(frame)
    return ends
