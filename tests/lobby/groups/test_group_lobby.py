"""The lobby of a group: members meet there, and nobody else sees or accepts their seeks.

The tests use one server on SQLite, and two on PostgreSQL and Redis.
"""

import re
import threading
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.builders.players import PASSWORD
from tests.builders.sites import PATIENCE, Person, Site, Socket, until
from tests.builders.sockets import wait_until_closed

GAME = "tic-tac-toe"
ORGANISER = """
from django.contrib.auth.models import Group
from lobby.models import Player
made = Player.objects.filter(username="{name}").first()
if made is None:
    made = Player.objects.create_user("{name}", password="{password}")
    made.groups.add(Group.objects.get(name="organiser"))
"""
SLIP = re.compile(
    r'class="slip-name"><bdi>([^<]+)</bdi></dd>.*?slip-password"[^>]*>([^<]+)</dd>', re.S
)
_number = iter(range(10_000))


class Tab(Socket):
    """A tab like that of a page of the site: it confirms its presence when asked."""

    def frame(self, patience: float = PATIENCE) -> dict[str, Any]:
        found = super().frame(patience)
        if found["type"] == "there":
            self.send("echo", mark=found["mark"])
        return found


class Club:
    """A group with its organiser and two members, who logged in with their class passwords."""

    def __init__(self, places: Sequence[Site], for_minors: bool = False) -> None:
        name = f"Olga {next(_number):04} x"
        done = places[0].manage("shell", "-c", ORGANISER.format(name=name, password=PASSWORD))
        assert done.returncode == 0, done.stderr
        self.olga = Person(places[0]).log_in(name, PASSWORD)
        form = {"name": "7b", **({"for_minors": "1"} if for_minors else {})}
        _, where = self.olga.post("/groups/", urlencode(form).encode())
        self.path = where.removeprefix(places[0].url)
        self.id = self.path.strip("/").split("/")[-1]
        self.names = [f"Pupil {next(_number):04} x" for _ in range(2)]
        _, page = self.make("\n".join(self.names), self.token())
        slips = dict(SLIP.findall(page))
        self.anna, self.ben = (
            Person(place).log_in(name, slips[name])
            for place, name in zip(places, self.names, strict=True)
        )

    def token(self) -> str:
        _, form = self.olga.get(f"{self.path}accounts/")
        return re.findall(r'name="token" value="([^"]+)"', form)[0]

    def make(self, names: str, token: str) -> tuple[int, str]:
        form = {"how": "list", "names": names, "token": token}
        return self.olga.form(f"{self.path}accounts/", urlencode(form).encode())

    def lobby(self, person: Person) -> Tab:
        return Tab(person.socket(f"/ws/lobby/?shows=group&group={self.id}").connection)

    def members(self) -> dict[str, str]:
        """Return the path prefix of each member's forms, by name."""
        _, page = self.olga.get(self.path)
        rows = re.findall(r"<li>\s*<span class=\"who\">.*?</li>", page, re.S)
        return {
            re.findall(r"<bdi>([^<]+)</bdi>", row)[0]: found[0]
            for row in rows
            if (found := re.findall(r"/members/\d+/", row))
        }


@pytest.fixture(scope="module")
def clubs() -> Iterator[dict[str, Club]]:
    yield {}


@pytest.fixture
def club(places: Sequence[Site], clubs: dict[str, Club]) -> Club:
    """A club for each way to run the site."""
    key = places[0].url
    if key not in clubs:
        clubs[key] = Club(places)
    return clubs[key]


def lists(seek: str) -> Any:
    return lambda frame: any(each["seek"] == seek for each in frame["seeks"])


def misses(seek: str) -> Any:
    return lambda frame: all(each["seek"] != seek for each in frame["seeks"])


def test_members_meet_in_their_own_lobby(club: Club) -> None:
    with club.lobby(club.anna) as a, club.lobby(club.ben) as b:
        a.send("seek", game=GAME, group=club.id)
        seek = a.next("seeking")["seek"]
        shown = b.next("group", lists(seek))
        (entry,) = [each for each in shown["seeks"] if each["seek"] == seek]
        assert (entry["game"], entry["player"], entry["clock"]) == (GAME, club.names[0], None)
        a.see("own", lambda own: own["seeks"])
        b.send("join", seek=seek)
        match = a.next("paired")["match"]
        assert b.next("paired")["match"] == match
        # A frame that was read during the pairing may have both.
        b.next(
            "group",
            lambda f: match in [each["match"] for each in f["matches"]] and misses(seek)(f),
        )


def test_two_who_seek_the_same_are_paired_within_the_group_alone(club: Club) -> None:
    outsider = Person(club.anna.site).be_guest()
    with (
        club.lobby(club.anna) as a,
        club.lobby(club.ben) as b,
        outsider.lobby() as public,
        club.ben.lobby() as also,
    ):
        public.send("seek", game="dots-and-boxes")
        theirs = public.next("seeking")["seek"]
        a.send("seek", game="dots-and-boxes", group=club.id)
        mine = a.next("seeking")["seek"]
        assert mine != theirs
        assert misses(theirs)(b.next("group", lists(mine)))
        frame = also.next("lobby", lists(theirs))
        assert misses(mine)(frame)
        b.send("seek", game="dots-and-boxes", group=club.id)
        assert a.next("paired")["match"] == b.next("paired")["match"]
        public.send("cancel")
        public.next("cancelled")


def test_nobody_else_sees_or_takes_a_seek_of_the_group(club: Club) -> None:
    """No visitor, guest, other player or other organiser can, with any message or page."""
    visitor, guest = Person(club.anna.site), Person(club.anna.site).be_guest()
    for person in (visitor, guest):
        with club.lobby(person) as socket:
            assert wait_until_closed(socket) == 4404
    with club.lobby(club.anna) as a, guest.lobby() as g:
        a.send("seek", game=GAME, clock="3+2", group=club.id)
        seek = a.next("seeking")["seek"]
        g.send("join", seek=seek)
        assert g.next("error")["code"] == "taken"
        g.send("seek", game=GAME, clock="3+2", group=club.id)
        assert g.next("error")["code"] == "not-a-member"
        g.send("cancel", seek=seek)
        g.send("resume", seek=seek)
        assert g.next("cancelled")["seek"] == seek, "it is not theirs"
        for bad in ("x" * 100, "..", "1'--", 7):
            g.send("seek", game=GAME, group=bad)
            assert g.next("error")["code"] in {"malformed", "not-a-member"}
        g.send("seek", game="six-in-a-row")
        own = g.next("seeking")["seek"]
        assert misses(seek)(g.see("lobby", lists(own)))
        g.send("cancel")
        assert guest.get(f"/seek/{seek}/")[0] == 404
        assert guest.get(f"/seek/{seek}/picture.png")[0] == 404
        assert guest.post(f"/seek/{seek}/accept/")[0] == 404
        a.send("cancel", seek=seek)
        a.next("cancelled")
    for path in ("?shows=group", "?shows=group&group=", "?shows=group&group=nosuch"):
        with club.anna.socket(f"/ws/lobby/{path}") as socket:
            assert wait_until_closed(socket) == 4404


def test_who_is_removed_sees_no_more_of_it_and_another_organiser_nothing(
    places: Sequence[Site], club: Club
) -> None:
    other, club = club, Club(places)
    for person in (other.olga, other.anna):
        with club.lobby(person) as socket:
            assert wait_until_closed(socket) == 4404
        assert person.get(club.path)[0] == 404
    with club.lobby(club.anna) as a, club.lobby(club.ben) as b:
        b.send("seek", game=GAME, group=club.id)
        seek = b.next("seeking")["seek"]
        a.next("group", lists(seek))
        status, _ = club.olga.post(f"{club.path}{club.members()[club.names[1]][1:]}remove/")
        assert status == 200
        assert b.next("cancelled")["seek"] == seek
        assert wait_until_closed(b) == 4404
        a.next("group", misses(seek))
    with club.lobby(club.ben) as b:
        assert wait_until_closed(b) == 4404
    assert club.ben.get(club.path)[0] == 404


def test_a_minor_is_told_to_play_in_the_group(places: Sequence[Site]) -> None:
    club = Club(places, for_minors=True)
    outsider = Person(club.anna.site).be_guest()
    with club.anna.lobby() as a, outsider.lobby() as o:
        a.send("seek", game=GAME)
        assert a.next("error")["code"] == "group-only"
        o.send("seek", game="six-in-a-row", clock="9+9")
        seek = o.next("seeking")["seek"]
        a.next("lobby", lists(seek))
        a.send("join", seek=seek)
        assert a.next("error")["code"] == "group-only"
        a.send("seek", game="six-in-a-row", clock="9+9", group=club.id)
        a.next("seeking")
        a.send("cancel")
        o.send("cancel")
        o.next("cancelled")


def test_a_class_that_is_sent_many_times_at_once_is_made_once(places: Sequence[Site]) -> None:
    """Every server that receives it returns the same sheet."""
    club = Club(places)
    names = [f"Pupil {next(_number):04} x" for _ in range(5)]
    token, found = club.token(), []

    def send(site: Site) -> None:
        person = club.olga.at(site)
        form = urlencode({"how": "list", "names": "\n".join(names), "token": token})
        found.append(person.form(f"{club.path}accounts/", form.encode()))

    threads = [threading.Thread(target=send, args=(places[n % 2],)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sheets = {tuple(SLIP.findall(page)) for status, page in found if status == 200}
    assert len(found) == 4 and len(sheets) == 1
    (sheet,) = sheets
    assert [name for name, _ in sheet] == names
    Person(places[1]).log_in(*sheet[-1])
    until(lambda: len(club.members()) == 7, "two and five members")


def test_pages_are_answered_while_a_class_is_made(places: Sequence[Site]) -> None:
    club = Club(places)
    names = "\n".join(f"Pupil {next(_number):04} x" for _ in range(40))
    waiting = threading.Thread(target=club.make, args=(names, club.token()))
    visitor, times = Person(places[0]), 0
    waiting.start()
    while waiting.is_alive():
        assert visitor.get("/healthz")[0] == 200
        assert visitor.get("/rules/")[0] == 200
        times += 1
    waiting.join()
    assert times > 3
    until(lambda: len(club.members()) == 42, "all are made")
