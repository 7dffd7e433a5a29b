"""Concurrent challenges and blocks through two servers on one PostgreSQL: one of them wins.

Both players see the same outcome.
"""

import threading
from typing import Any
from urllib.parse import quote, urlencode

from tests.builders.sites import Person, Site, Socket, until

GAME = "tic-tac-toe"
TIMES = 6


def name_of(person: Person) -> str:
    with person.lobby() as lobby:
        return str(lobby.next("lobby")["you"])


def page_of(name: str) -> str:
    return f"/player/{quote(name)}/"


def challenge(by: Person, name: str, game: str = GAME) -> str:
    """Challenge a player. Return the address of the challenge."""
    status, where = by.post(f"{page_of(name)}challenge/", urlencode({"game": game}).encode())
    assert status == 200 and "/challenge/" in where, (status, where)
    return where.removeprefix(by.site.url)


def at_once(*works: Any) -> list[Any]:
    """Run all functions at the same moment. Return their results."""
    start, found = threading.Barrier(len(works)), [None] * len(works)

    def do(index: int) -> None:
        start.wait()
        found[index] = works[index]()

    threads = [threading.Thread(target=do, args=(i,)) for i in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def live_of(person: Person, name: str) -> list[str]:
    body = person.json(f"{page_of(name)}games.json")
    return [each["match"] for each in body["live"]]


def own_until(socket: Socket, where: Any) -> dict[str, Any]:
    return socket.next("own", where)


def test_a_challenge_is_seen_at_the_other_server_and_answered(sites: list[Site]) -> None:
    alice, bob = Person(sites[0]).be_guest(), Person(sites[1]).be_guest()
    names = name_of(alice), name_of(bob)
    with alice.socket("/ws/lobby/?shows=own") as a, bob.socket("/ws/lobby/?shows=own") as b:
        address = challenge(alice, names[1])
        seen = own_until(b, lambda own: own["challenges"])["challenges"][0]
        assert (seen["player"], seen["mine"], seen["url"]) == (names[0], False, address)
        assert own_until(a, lambda own: own["challenges"])["challenges"][0]["mine"]
        bob.post(f"{address}decline/", urlencode({"word": "later"}).encode())
        said = own_until(a, lambda own: own["declined"])["declined"][0]
        assert (said["player"], said["word"]) == (names[1], "later")
        own_until(b, lambda own: not own["challenges"])
        again = challenge(alice, names[1], "six-in-a-row")
        own_until(b, lambda own: own["challenges"])
        _, where = bob.post(f"{again}accept/")
        begun = own_until(a, lambda own: own["begun"])["begun"][0]
        assert where.endswith(begun["url"])
        assert begun["invitation"] and begun["opponent"] == names[1]


def test_accepted_twice_it_is_one_match(sites: list[Site]) -> None:
    for _ in range(TIMES):
        alice, bob = Person(sites[0]).be_guest(), Person(sites[0]).be_guest()
        address = challenge(alice, name_of(bob))
        elsewhere = bob.at(sites[1])
        ends = at_once(
            lambda who=bob, to=address: who.post(f"{to}accept/"),
            lambda who=elsewhere, to=address: who.post(f"{to}accept/"),
        )
        matches = live_of(bob, name_of(bob))
        assert matches == [address.split("/")[2]]
        assert all(f"/match/{matches[0]}/" in where for _, where in ends), ends


def test_accepted_and_withdrawn_at_once(sites: list[Site]) -> None:
    for _ in range(TIMES):
        alice, bob = Person(sites[0]).be_guest(), Person(sites[1]).be_guest()
        address = challenge(alice, name_of(bob))
        (_, where), _ = at_once(
            lambda who=bob, to=address: who.post(f"{to}accept/"),
            lambda who=alice, to=address: who.post(f"{to}withdraw/"),
        )
        matches = live_of(bob, name_of(bob))
        assert len(matches) == int("/match/" in where), where
        status, _ = alice.get(address)
        assert status == (200 if matches else 404)


def test_blocked_while_they_are_paired(sites: list[Site]) -> None:
    """They play that match or none, but never a later one."""
    for _ in range(TIMES):
        alice, bob = Person(sites[0]).be_guest(), Person(sites[1]).be_guest()
        names = name_of(alice), name_of(bob)
        with alice.lobby() as a, bob.lobby() as b:
            a.send("seek", game=GAME, clock="7+7")
            seek = a.next("seeking")["seek"]
            elsewhere = alice.at(sites[1])
            elsewhere.get("/")

            def join(socket: Socket = b, seek: str = seek) -> str:
                socket.send("join", seek=seek)
                while True:
                    found = socket.frame()
                    if found["type"] in {"paired", "error"}:
                        return str(found.get("code", "paired"))

            joined, _ = at_once(
                join, lambda who=elsewhere, to=names[1]: who.post(f"{page_of(to)}block/")
            )
            assert joined in {"paired", "taken"}
            assert len(live_of(bob, names[1])) == int(joined == "paired")
            a.send("seek", game=GAME, clock="8+8")
            later = a.next("seeking", lambda frame: frame["clock"] == "8+8")["seek"]
            b.send("join", seek=later)
            assert b.next("error")["code"] == "taken"


def test_blocked_while_the_challenge_is_accepted(sites: list[Site]) -> None:
    for _ in range(TIMES):
        alice, bob = Person(sites[0]).be_guest(), Person(sites[1]).be_guest()
        address, name = challenge(alice, name_of(bob)), name_of(bob)
        (_, where), _ = at_once(
            lambda who=bob, to=address: who.post(f"{to}accept/"),
            lambda who=alice, to=name: who.post(f"{page_of(to)}block/"),
        )
        assert len(live_of(bob, name)) == int("/match/" in where)
        assert alice.get(address)[0] in {200, 404}


def test_a_blocked_players_phrases_are_dropped_silently(sites: list[Site]) -> None:
    alice, bob = Person(sites[0]).be_guest(), Person(sites[1]).be_guest()
    address, name = challenge(alice, name_of(bob)), name_of(bob)
    _, where = bob.post(f"{address}accept/")
    match_id = where.rstrip("/").rsplit("/", 1)[-1]
    with alice.match(match_id) as a, bob.match(match_id) as b:
        a.next("state")
        b.send("phrase", phrase="hello")
        assert a.next("phrase")["phrase"] == "hello"
        b.next("phrase")
        alice.post(f"{page_of(name)}block/")

        def said() -> bool:
            """Return whether the server echoed the phrase to its sender.

            The server refuses a phrase that follows the last one too soon.
            """
            b.send("phrase", phrase="oops")
            while True:
                found = b.frame()
                if found["type"] in {"phrase", "error"}:
                    return bool(found["type"] == "phrase")

        until(said, "a phrase")
        a.send("ping", t="done")
        passed = []
        while True:
            found = a.frame()
            passed.append(found["type"])
            if found["type"] == "pong":
                break
        assert "phrase" not in passed


def test_two_challenges_at_once_are_one(sites: list[Site]) -> None:
    form = urlencode({"game": GAME}).encode()
    for _ in range(TIMES):
        alice, bob = Person(sites[0]).be_guest(), Person(sites[1]).be_guest()
        name, elsewhere = name_of(bob), alice.at(sites[1])
        at_once(
            lambda who=alice, to=name: who.post(f"{page_of(to)}challenge/", form),
            lambda who=elsewhere, to=name: who.post(f"{page_of(to)}challenge/", form),
        )
        with bob.socket("/ws/lobby/?shows=own") as b:
            assert len(b.next("own")["challenges"]) == 1


def test_what_has_ended_is_soon_in_the_history(sites: list[Site]) -> None:
    alice, bob = Person(sites[0]).be_guest(), Person(sites[1]).be_guest()
    address, name = challenge(alice, name_of(bob)), name_of(bob)
    _, where = bob.post(f"{address}accept/")
    match_id = where.rstrip("/").rsplit("/", 1)[-1]
    with alice.match(match_id) as a:
        a.next("state")
        a.send("resign")
        a.next("state", lambda state: state["status"] != "live")
    path = f"{page_of(name)}games.json?opponent={quote(name_of(alice))}"
    found = until(lambda: bob.json(path)["games"], "a history")
    assert [each["match"] for each in found] == [match_id]
    assert bob.get("/games/mine.jsonl")[1].count("\n") == 1
