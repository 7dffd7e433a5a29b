"""Waiting players are paired only if present, only once, and notified once."""

import threading
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.builders.sites import Person, Site, Socket, pair, until
from tests.builders.sockets import (
    SilentSeeker,
    collect_frames,
    collect_from_all,
    get_seek_types,
)

GAME = "tic-tac-toe"
QUIET = 5.5  # seconds within which a pairing with an absent player would have arrived
AT_ONCE = 12  # times that two players seek at the same moment


def test_after_paired_nothing_more_is_sent_about_a_seek(people: tuple[Person, Person]) -> None:
    tabs: list[Socket] = []
    with ExitStack() as stack:
        for _ in range(AT_ONCE):
            a, b = (stack.enter_context(person.lobby()) for person in people)
            start = threading.Barrier(2)

            def press(socket: Socket, start: threading.Barrier = start) -> None:
                start.wait()
                socket.send("seek", game=GAME, clock=None)

            both = [threading.Thread(target=press, args=(socket,)) for socket in (a, b)]
            for thread in both:
                thread.start()
            for thread in both:
                thread.join()
            ends = [socket.next("paired") for socket in (a, b)]
            assert ends[0]["match"] == ends[1]["match"]
            tabs += [a, b]
        after = collect_from_all(1.2, *tabs)
        assert [get_seek_types(frames) for frames in after] == [[]] * 2 * AT_ONCE


def test_a_player_who_left_is_silent_or_has_a_frozen_page_is_not_paired(
    places: Sequence[Site],
) -> None:
    """Each seeks another game. A browser answers protocol pings for a frozen page."""
    games = ("tic-tac-toe", "dots-and-boxes", "six-in-a-row")
    left, silent, frozen = (Person(places[0]).be_guest() for _ in games)
    with left.lobby() as socket:
        socket.send("seek", game=games[0], clock=None)
        socket.next("seeking")
    deaf = SilentSeeker(silent)
    deaf.seek(games[1])
    with ExitStack() as stack:
        page = stack.enter_context(frozen.socket("/ws/lobby/?shows=changes"))
        page.send("seek", game=games[2], clock=None)
        page.next("seeking")
        tabs = []
        for game in games:
            tabs.append(stack.enter_context(Person(places[1]).be_guest().lobby()))
            tabs[-1].send("seek", game=game, clock=None)
            tabs[-1].next("seeking")
        assert [get_seek_types(frames) for frames in collect_from_all(QUIET, *tabs)] == [[]] * 3
    deaf.close()


def test_an_absent_players_seek_cannot_be_joined(people: tuple[Person, Person]) -> None:
    with people[0].lobby() as a:
        a.send("seek", game=GAME, clock=None)
        seek = a.next("seeking")["seek"]
    with people[1].lobby() as b:
        b.send("join", seek=seek)
        assert b.next("error")["code"] == "taken"


def test_a_returning_player_is_paired_with_a_waiting_one(people: tuple[Person, Person]) -> None:
    alice, bob = people
    with alice.lobby() as a:
        a.send("seek", game=GAME, clock=None)
        seek = a.next("seeking")["seek"]
    with bob.lobby() as b:
        b.send("seek", game=GAME, clock=None)
        b.next("seeking")
        with alice.lobby() as again:  # the page was reloaded
            again.send("resume", seek=seek)
            assert again.next("paired")["match"] == b.next("paired")["match"]


def test_one_player_is_not_drawn_into_two_matches(places: Sequence[Site]) -> None:
    with ExitStack() as stack:
        tabs: list[Socket] = []
        for number in range(6):  # each with three others, and clocks of their own
            clock = f"{number + 20}+0"
            people = [Person(place).be_guest() for place in (places[0], places[1], places[1])]
            a, b, c = (stack.enter_context(person.lobby()) for person in people)
            for game in (GAME, "dots-and-boxes"):
                a.send("seek", game=game, clock=clock)
                a.next("seeking")
            b.send("seek", game=GAME, clock=clock)
            c.send("seek", game="dots-and-boxes", clock=clock)
            a.next("paired")
            tabs += [a, b, c]
        frames: list[list[dict[str, Any]]] = [[] for _ in tabs]

        def are_all_paired() -> bool:
            for found, more in zip(frames, collect_from_all(0.05, *tabs), strict=True):
                found.extend(more)
            ends = [get_seek_types(found) for found in frames]
            return all("paired" in ends[n + 1] + ends[n + 2] for n in range(0, len(tabs), 3))

        until(are_all_paired, "an opponent of each who was paired")
        for found, more in zip(frames, collect_from_all(1.8, *tabs), strict=True):
            found.extend(more)
        ends = [get_seek_types(found).count("paired") for found in frames]
        for number in range(6):
            again, one, other = ends[3 * number : 3 * number + 3]
            assert again == 0 and one + other == 1
        for socket in tabs:
            socket.send("cancel")
            socket.send("ping", t="done")
            socket.next("pong", lambda pong: pong["t"] == "done")


def test_a_player_has_three_seeks_at_the_most(alice_online: Person) -> None:
    with alice_online.lobby() as one, alice_online.lobby() as two:
        seeks = []
        for clock in (None, "1+0", "3+2"):
            one.send("seek", game=GAME, clock=clock)
            seeks.append(one.next("seeking")["seek"])
        two.send("seek", game=GAME, clock="5+3")
        error = two.next("error")
        assert error["code"] == "too-many-seeks"
        assert error["detail"]
        two.send("seek", game=GAME, clock="3+2")  # repeat the same setup
        assert two.next("seeking")["seek"] == seeks[2]
        one.send("cancel", seek=seeks[0])
        one.next("cancelled")
        two.send("seek", game=GAME, clock="5+3")
        two.next("seeking")
        one.send("cancel")


def _by_join(alice: Person, bob: Person) -> None:
    with alice.lobby() as a, bob.lobby() as b:
        b.send("seek", game=GAME, clock="30+20")
        a.send("join", seek=b.next("seeking")["seek"])
        a.next("paired")


def _by_pairing(alice: Person, bob: Person) -> None:
    pair(alice, bob, GAME, "30+20")


def _by_invitation(alice: Person, bob: Person) -> None:
    _, address = bob.post("/seek/", urlencode({"game": GAME}).encode())
    alice.post(f"{address.removeprefix(bob.site.url)}accept/")


def _by_invited(alice: Person, bob: Person) -> None:
    _by_invitation(bob, alice)


def _by_computer(alice: Person, bob: Person) -> None:
    alice.post("/computer/", urlencode({"game": GAME, "level": 1}).encode())


@pytest.mark.parametrize(
    "sit_down", [_by_join, _by_pairing, _by_invitation, _by_invited, _by_computer]
)
def test_beginning_a_match_ends_the_players_seeks(
    alice_online: Person, bob_online: Person, sit_down: Any
) -> None:
    with alice_online.lobby() as waiting:
        for game in ("dots-and-boxes", "six-in-a-row"):
            waiting.send("seek", game=game, clock=None)
            waiting.next("seeking")
        sit_down(alice_online, bob_online)
        for _ in range(2):
            waiting.next("cancelled")


def test_a_rematch_ends_searches_too(alice_online: Person, bob_online: Person) -> None:
    match_id, roles = pair(alice_online, bob_online, GAME)
    with roles["xplayer"].match(match_id) as x, roles["oplayer"].match(match_id) as o:
        x.next("state")
        x.play("mark 2 2")
        x.send("resign")
        o.next("state", lambda state: state["status"] == "over")
        with alice_online.lobby() as waiting:
            waiting.send("seek", game="dots-and-boxes", clock=None)
            waiting.next("seeking")
            x.send("rematch")
            o.next("state", lambda state: state["rematch"])
            o.send("rematch")
            waiting.next("cancelled")


def test_every_tab_is_shown_all_that_its_player_waits_for(people: tuple[Person, Person]) -> None:
    alice, bob = people
    elsewhere = alice.at(bob.site)  # another tab, on the other server if there are two
    with (
        alice.socket("/ws/lobby/?shows=changes") as asking,
        elsewhere.socket("/ws/lobby/?shows=own") as other,
    ):
        assert other.next("own") == {
            "type": "own", "seeks": [], "begun": [], "games": [], "challenges": [], "declined": [],
            "offers": [],
        }  # fmt: skip
        asking.send("seek", game=GAME, clock="1+0")
        first = asking.next("seeking")["seek"]
        asking.send("seek", game=GAME, clock=None)
        second = asking.next("seeking")["seek"]
        _, address = alice.post("/seek/", urlencode({"game": "six-in-a-row"}).encode())
        invitation = address.rstrip("/").rsplit("/", 1)[-1]
        for tab in (asking, other):
            own = tab.next("own", lambda own: len(own["seeks"]) == 3)
            assert [seek["seek"] for seek in own["seeks"]] == [first, second, invitation]
            assert [seek["invitation"] for seek in own["seeks"]] == [False, False, True]
        other.send("cancel", seek=first)
        assert asking.next("cancelled")["seek"] == first
        other.next("own", lambda own: [s["seek"] for s in own["seeks"]] == [second, invitation])
        bob.post(f"{address.removeprefix(alice.site.url)}accept/")
        for tab in (asking, other):
            # A frame that was read during the acceptance may arrive first.
            own = tab.next("own", lambda own: own["begun"] and not own["seeks"])
            assert own["begun"][0]["url"].startswith("/match/")
            assert own["begun"][0]["invitation"]
        assert "paired" not in get_seek_types(collect_frames(other, 0.5))


def test_the_inviter_is_told_in_the_lobby(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    _, address = alice_online.post("/seek/", urlencode({"game": "dots-and-boxes"}).encode())
    seek = address.rstrip("/").rsplit("/", 1)[-1]
    with alice_online.socket("/ws/lobby/?shows=changes") as tab:
        tab.send("resume", seek=seek)
        tab.next("seeking")
        bob_online.post(f"{address.removeprefix(site.url)}accept/")
        assert tab.next("paired")["url"].startswith("/match/")


def test_of_two_tabs_that_asked_one_goes(alice_online: Person, bob_online: Person) -> None:
    with alice_online.lobby() as one, alice_online.lobby() as two, bob_online.lobby() as b:
        for tab in (one, two):
            tab.send("seek", game=GAME, clock=None)
            seek = tab.next("seeking")["seek"]
        b.send("join", seek=seek)
        b.next("paired")
        two.next("paired")
        told = [get_seek_types(collect_frames(tab, 1.5)) for tab in (one, two)]
        assert told == [[], []]


def test_a_resumed_seek_of_an_old_match_leads_nowhere(
    alice_online: Person, bob_online: Person
) -> None:
    with alice_online.lobby() as a, bob_online.lobby() as b:
        a.send("seek", game=GAME, clock=None)
        seek = a.next("seeking")["seek"]
        b.send("join", seek=seek)
        match_id = a.next("paired")["match"]
    with alice_online.match(match_id) as match:
        match.next("state")
        match.send("abort")
        match.next("state", lambda state: state["status"] == "aborted")
    with alice_online.lobby() as later:
        later.send("resume", seek=seek)
        assert later.next("cancelled")["seek"] == seek


BAD_ROWS = """
from django.utils import timezone
from games.models import Match
from lobby.models import Player, Seek
a, b = Player.objects.order_by("-pk")[:2]
now = timezone.now()
rows = {"first": a, "second": b, "created_at": now, "acted_at": now}
for name, game, notation in (
    ("badgame001", "chess", "x"), ("badtext001", "tic-tac-toe", "nonsense"),
    ("badlast001", "tic-tac-toe", "---------x"),
):
    Match.objects.create(pk=name, game=game, notation=notation, last="mark 9 9 9", **rows)
for name, match in (("badseek001", None), ("badseek002", "badgame001")):
    Seek.objects.create(pk=name, player=a, game="chess", created_at=now, seen_at=now,
                        match_id=match, by_address=match is not None)
Seek.objects.create(pk="badseek003", player=b, game="chess", clock="99", created_at=now,
                    seen_at=now, by_address=True)
"""


def test_an_unknown_game_in_a_row_touches_nothing_else(site: Site, charlie_online: Person) -> None:
    alice, bob = Person(site).be_guest(), Person(site).be_guest()
    done = site.manage("shell", "-c", BAD_ROWS)
    assert done.returncode == 0, done.stderr
    for person in (alice, bob, charlie_online):
        assert person.get("/")[0] == 200
        for seek in ("badseek001", "badseek002", "badseek003"):
            assert person.get(f"/seek/{seek}/")[0] in {404, 200}
            assert person.get(f"/seek/{seek}/")[0] != 500
    with bob.lobby() as b, alice.socket("/ws/lobby/?shows=changes") as a:
        for tab in (a, b):
            for seek in ("badseek001", "badseek002", "badseek003"):
                tab.send("resume", seek=seek)
                assert tab.next("cancelled")["seek"] == seek
        b.send("join", seek="badseek001")
        assert b.next("error")["code"] in {"taken", "not-allowed"}
        b.send("seek", game=GAME, clock=None)
        seek = b.next("seeking")["seek"]
        lobby = b.see("lobby", lambda f: any(s["seek"] == seek for s in f["seeks"]))
        assert all(entry["game"] == GAME for entry in lobby["seeks"])
        assert not any(entry["match"].startswith("bad") for entry in lobby["matches"])
        a.send("join", seek=seek)
        a.next("paired")
    site.must_be_calm()
