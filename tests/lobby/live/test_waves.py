"""Rated seeks through real servers: pairing in waves, and refusals."""

import itertools
import time
from collections.abc import Sequence

import pytest

from tests.builders.people import sign_up
from tests.builders.sites import Person, Site, Socket
from tests.builders.sockets import (
    SilentSeeker,
    collect_frames,
    collect_from_all,
    get_seek_types,
)

GAME = "dots-and-boxes"
TWO_WAVES = 9.0  # seconds, with time to spare on a busy machine

_numbers = itertools.count(1)


@pytest.fixture
def rated_people(places: Sequence[Site]) -> tuple[Person, Person]:
    """Two players with accounts, each on a server of their own."""
    one, other = sign_up(places[0]), sign_up(places[0])
    return one, other.at(places[1])


def clock() -> str:
    """A clock that no other test here uses, and thus a separate pool."""
    return f"{3 + next(_numbers)}+2"


def seek(socket: Socket, clock: str, **more: object) -> str:
    socket.send("seek", game=GAME, clock=clock, rated=True, **more)
    found = socket.next("seeking")
    assert found["rated"]
    return str(found["seek"])


def test_a_guest_is_refused_with_words(alice_online: Person) -> None:
    with alice_online.lobby() as lobby:
        lobby.send("seek", game=GAME, clock="3+2", rated=True)
        error = lobby.next("error")
        assert error["code"] == "rated-account"
        assert "Sign up" in error["detail"]
        lobby.send("seek", game=GAME, clock="3+2")  # unrated, as before
        assert not lobby.next("seeking")["rated"]
        lobby.send("cancel")


def test_what_is_not_rated_is_refused_with_words(site: Site) -> None:
    with sign_up(site).lobby() as lobby:
        for game, control, code, why in (
            ("tic-tac-toe", "3+2", "unrated-game", "solved"),
            (GAME, None, "unrated-untimed", "time limit"),
        ):
            lobby.send("seek", game=game, clock=control, rated=True)
            error = lobby.next("error")
            assert error["code"] == code
            assert why in error["detail"]
        for wrong in ({"lowest": 1600, "highest": 1500}, {"lowest": -1}, {"highest": "x"}):
            lobby.send("seek", game=GAME, clock="3+2", rated=True, **wrong)
            assert lobby.next("error")["code"] == "malformed"


def test_two_find_each_other_in_a_wave(rated_people: tuple[Person, Person]) -> None:
    control = clock()
    with rated_people[0].lobby() as a, rated_people[1].lobby() as b:
        began = time.monotonic()
        seek(a, control)
        seek(b, control)
        ends = [socket.next("paired") for socket in (a, b)]
        took = time.monotonic() - began
        assert ends[0]["match"] == ends[1]["match"]
        assert 0.9 < took < TWO_WAVES
        record = rated_people[0].json(f"/match/{ends[0]['match']}/record.json")
        assert (record["rated"], record["clock"]) == (True, control)
        assert get_seek_types([*collect_frames(a, 3.5), *collect_frames(b, 0.1)]) == []


def test_all_tabs_of_a_player_are_notified(rated_people: tuple[Person, Person]) -> None:
    """The tab that asked opens the match. The others, on any server, get a link."""
    alice, bob = rated_people
    control = clock()
    with (
        alice.lobby() as asking,
        alice.socket("/ws/lobby/?shows=own") as beside,
        alice.at(bob.site).socket("/ws/lobby/?shows=changes") as elsewhere,
        bob.lobby() as b,
    ):
        wanted = seek(asking, control)
        for tab in (beside, elsewhere):
            own = tab.next("own", lambda own: own["seeks"])
            assert [(each["seek"], each["rated"]) for each in own["seeks"]] == [(wanted, True)]
        seek(b, control)
        match = asking.next("paired")["match"]
        assert b.next("paired")["match"] == match
        for tab in (beside, elsewhere):
            # A frame that was read during the pairing may arrive first.
            own = tab.next("own", lambda own: own["begun"] and not own["seeks"])
            assert [each["match"] for each in own["begun"]] == [match]


def test_who_is_out_of_range_absent_or_wants_an_unrated_match_is_not_paired(
    rated_people: tuple[Person, Person], places: Sequence[Site]
) -> None:
    """All have the initial rating, 1500. Each case has a pool of its own, and all wait at once."""
    alice, bob = rated_people
    charlie, dora, erik = sign_up(places[1]), sign_up(places[0]), sign_up(places[1])
    ranges, kinds, absence = clock(), clock(), clock()
    with dora.lobby() as d:
        seek(d, absence)
    deaf = SilentSeeker(dora)
    with alice.lobby() as a, bob.lobby() as b, charlie.lobby() as c, erik.lobby() as e:
        wanted = seek(a, ranges, lowest=1501)
        entry = c.next("lobby", lambda f: any(s["seek"] == wanted for s in f["seeks"]))
        (shown,) = [s for s in entry["seeks"] if s["seek"] == wanted]
        assert (shown["rated"], shown["lowest"], shown["highest"]) == (True, 1501, None)
        c.send("join", seek=wanted)
        error = c.next("error")
        assert error["code"] == "out-of-range"
        assert "1501" in error["detail"] and "1500" in error["detail"]
        seek(b, ranges)
        seek(a, kinds)
        b.send("seek", game=GAME, clock=kinds)
        assert not b.next("seeking")["rated"]
        seek(e, absence)
        # Nobody else is waiting.
        frames = collect_from_all(TWO_WAVES, a, b, e)
        assert [get_seek_types(each) for each in frames] == [[], [], []]
        with dora.lobby() as d:
            seek(d, absence)
            assert d.next("paired")["match"] == e.next("paired")["match"]
        seek(a, ranges, lowest=1400, highest=1500)  # the same seek with another range
        assert a.next("paired")["match"] == b.next("paired")["match"]
    deaf.close()


def test_a_guest_does_not_join_a_rated_seek(alice_online: Person, site: Site) -> None:
    with sign_up(site).lobby() as a, alice_online.lobby() as guest:
        wanted = seek(a, clock())
        guest.send("join", seek=wanted)
        assert guest.next("error")["code"] == "rated-account"
