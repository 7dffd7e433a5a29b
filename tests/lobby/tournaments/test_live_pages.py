"""The socket of a tournament's page on a real server: content, size, rate and access."""

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.builders import nursery
from tests.builders.people import find_tournament_game, sign_up
from tests.builders.players import PASSWORD
from tests.builders.sites import PATIENCE, Person, Site, Socket, until
from tests.builders.sockets import wait_until_closed

MOST = 15_000  # bytes of a frame
ARENA = """
from datetime import timedelta
from django.utils import timezone
from django.contrib.auth.models import Group as Right
from lobby.groups import membership
from lobby.models import Entry, Player, Tournament
from lobby.tournaments.draft import Draft, create_tournament
from games.match.setup import Setup
now = timezone.now()
olga = Player.objects.create_user("Olga Live", password="{password}")
olga.groups.add(Right.objects.get(name="organiser"))
olga = Player.objects.get(pk=olga.pk)
anna = Player.objects.create_user("Anna Live", password="{password}")
group = membership.create_group(olga, "7b", False)
membership.join_group(anna, group.code)
draft = Draft("Arena", "arena", Setup("six-in-a-row", "3+2"), now + timedelta(hours=1), minutes=60)
large, small = create_tournament(olga, draft), create_tournament(
    olga, Draft("Club", "arena", draft.setup, draft.starts_at, minutes=60,
    registration="group", group_id=group.pk))
people = Player.objects.bulk_create(
    Player(username=f"Somebody with a long name {{number:03}}"[:30], password="!")
    for number in range(499)
)
def fill(tournament, players):
    Tournament.objects.filter(pk=tournament.pk).update(
        state="running", started_at=now, ends_at=now + timedelta(hours=1), paused_at=now)
    Entry.objects.bulk_create(
        Entry(tournament=tournament, player=player, seed=seed, rating=1500.0, entered_at=now,
              points=2 * (500 - seed), games=20, wins=seed % 20, streak=seed % 4)
        for seed, player in enumerate(players, 1))
fill(large, [*people[:250], anna, *people[250:]])
fill(small, [anna])
print(large.pk, small.pk)
"""


@pytest.fixture(scope="module")
def arenas(site: Site) -> Iterator[tuple[str, str]]:
    """Create an arena of 500 for everybody, and an arena of a group."""
    done = site.manage("shell", "-c", ARENA.format(password=PASSWORD))
    assert done.returncode == 0, done.stderr
    large, small = done.stdout.split()[-2:]
    yield large, small


@pytest.fixture(scope="module")
def anna(site: Site, arenas: tuple[str, str]) -> Person:
    return Person(site).log_in("Anna Live", PASSWORD)


def socket(person: Person, tournament_id: str) -> Socket:
    return person.socket(f"/ws/lobby/?shows=tournament&tournament={tournament_id}")


def sized(end: Socket, patience: float) -> tuple[int, dict[str, Any]]:
    text = end.connection.recv(timeout=patience)
    return len(text), json.loads(text)


def change(site: Site, tournament_id: str, what: str) -> None:
    done = site.manage("shell", "-c", f"from lobby.models import *; t = '{tournament_id}'; {what}")
    assert done.returncode == 0, done.stderr


def test_a_frame_of_five_hundred_is_small_and_ones_own_place_comes_with_it(
    arenas: tuple[str, str], anna: Person, charlie_online: Person
) -> None:
    large, _ = arenas
    with socket(charlie_online, large) as end:
        size, frame = sized(end, 20)
        assert frame["type"] == "tournament" and frame["players"] == 500
        assert len(frame["top"]) == 40 and size < MOST, size
    with socket(anna, large) as end:
        total = 0
        while True:
            size, frame = sized(end, 20)
            total += size
            if frame["type"] == "place":
                break
        ranks = [row["rank"] for row in frame["rows"]]
        assert [row["name"] for row in frame["rows"]][4] == "Anna Live"
        assert ranks[4] == 251 and len(ranks) == 9 and total < MOST, total


def test_a_change_comes_within_seconds_and_at_most_once_a_second(
    site: Site, arenas: tuple[str, str], charlie_online: Person
) -> None:
    large, _ = arenas
    with socket(charlie_online, large) as end:
        end.next("tournament")
        change(site, large, "Entry.objects.filter(tournament=t, seed=3).update(points=5000)")
        frame = end.next("tournament", lambda frame: "top" in frame, 10)
        assert frame["top"][0]["points"] == "50" and "matches" not in frame
        began = time.monotonic()
        change(
            site,
            large,
            "import time\n"
            "for n in range(40):\n"
            "    Entry.objects.filter(tournament=t, seed=3).update(points=6000 + 100 * n)\n"
            "    time.sleep(0.1)",
        )
        seen, points = 0, ""
        while points != "99":
            size, frame = sized(end, PATIENCE)
            assert size < MOST
            if frame["type"] == "tournament":
                seen += 1
                points = frame["top"][0]["points"] if "top" in frame else points
        assert seen <= time.monotonic() - began + 1, seen


def test_a_page_that_has_just_been_opened_is_told_nothing_new_for_a_second(
    site: Site, arenas: tuple[str, str], charlie_online: Person, tmp_path: Path
) -> None:
    large, _ = arenas
    changes = (
        "import time\n"
        "from lobby.models import Entry\n"
        "for n in range(3000):\n"
        f"    Entry.objects.filter(tournament='{large}', seed=3).update(points=7000000 + 100 * n)\n"
        "    time.sleep(0.05)"
    )
    words = ["manage.py", "shell", "-c", changes]
    changing = nursery.start(words, site.env, tmp_path / "changes.log")

    def has_begun(frame: dict[str, Any]) -> bool:
        return any(line["points"].startswith("700") for line in frame.get("top", ()))

    try:
        with socket(charlie_online, large) as end:  # so that the server keeps reading it
            end.next("tournament", has_begun, 90)
            # The server reads it every two seconds and has just done so.
            for pause in (0.0, 0.5, 1.25, 1.5, 1.75):
                time.sleep(pause)
                assert told_after(charlie_online, large) >= 0.95
    finally:
        changing.kill()
        changing.wait()


def told_after(person: Person, tournament_id: str) -> float:
    """Return the seconds between a page's first two frames by the server's clock."""
    with socket(person, tournament_id) as end:
        first = end.next("tournament")
        second = end.next("tournament")
        return float(second["now"] - first["now"])


def test_who_has_the_page_open_is_present_and_who_closes_it_is_not(
    site: Site, arenas: tuple[str, str], anna: Person
) -> None:
    large, _ = arenas
    mine = "Entry.objects.get(tournament=t, player__username='Anna Live').seen_at"

    def is_seen(what: str) -> bool:
        done = site.manage(
            "shell", "-c", f"from lobby.models import *; t = '{large}'; assert {mine} {what}"
        )
        return done.returncode == 0

    with socket(anna, large) as end:
        end.next("place")
        until(lambda: is_seen("is not None"), "present")
    until(lambda: is_seen("is None"), "gone")


def test_to_others_there_is_no_tournament_of_a_group(
    site: Site, arenas: tuple[str, str], anna: Person, charlie_online: Person
) -> None:
    _, small = arenas
    for who, which in ((charlie_online, small), (Person(site).be_guest(), small), (anna, "nosuch")):
        with socket(who, which) as end:
            assert wait_until_closed(end) == 4404
    with socket(anna, small) as end:
        assert end.next("tournament")["top"][0]["name"] == "Anna Live"
        change(
            site,
            small,
            "Member.objects.filter(player__username='Anna Live').delete();"
            "Entry.objects.filter(tournament=t).delete()",
        )
        assert wait_until_closed(end) == 4404


OPEN_ARENA = """
from datetime import timedelta
from django.utils import timezone
from games.match.setup import Setup
from lobby.models import Player
from lobby.tournaments.draft import Draft, create_tournament
starts = timezone.now() + timedelta(hours=1)
draft = Draft("Open", "arena", Setup("tic-tac-toe", "3+2"), starts, minutes=20)
print(create_tournament(Player.objects.get(username="Olga Live"), draft).pk)
"""


def test_players_who_join_on_the_open_page_of_an_arena_are_paired(
    site: Site, arenas: tuple[str, str]
) -> None:
    done = site.manage("shell", "-c", OPEN_ARENA)
    assert done.returncode == 0, done.stderr
    made = done.stdout.split()[-1]
    path = f"/tournaments/{made}/"
    olga = Person(site).log_in("Olga Live", PASSWORD)
    one, two = people = [sign_up(site), sign_up(site)]
    with socket(one, made) as a, socket(two, made) as b:
        for person, end in zip(people, (a, b), strict=True):
            end.next("tournament")
            assert person.post(f"{path}do/register/")[0] == 200
        assert olga.post(f"{path}do/start/")[0] == 200
        matches = {until(lambda p=p: find_tournament_game(p, path), "a game") for p in people}
        assert len(matches) == 1


OPEN = """
from datetime import timedelta
from django.utils import timezone
from lobby.models import Player
from lobby.tournaments.draft import Draft, create_tournament
from games.match.setup import Setup
olga = Player.objects.create_user("Olga Live", password="{password}")
Player.objects.create_user("Ben Live", password="{password}")
starts = timezone.now() + timedelta(hours=1)
draft = Draft("Evening", "swiss", Setup("tic-tac-toe", "3+2"), starts, rounds=1)
made = create_tournament(olga, draft)
print(made.pk)
"""


def test_who_looks_at_another_server_sees_who_comes_and_is_told_of_their_game(
    sites: Sequence[Site],
) -> None:
    """It uses PostgreSQL and Redis. The referee of either server runs the steps."""
    done = sites[0].manage("shell", "-c", OPEN.format(password=PASSWORD))
    assert done.returncode == 0, done.stderr
    made = done.stdout.split()[-1]
    olga = Person(sites[0]).log_in("Olga Live", PASSWORD)
    ben = Person(sites[0]).log_in("Ben Live", PASSWORD)
    with (
        socket(ben.at(sites[1]), made) as far,
        ben.at(sites[1]).socket("/ws/lobby/?shows=own") as elsewhere,
    ):
        assert far.next("tournament")["players"] == 0
        for person in (olga, ben):
            until(
                lambda person=person: person.post(f"/tournaments/{made}/do/register/")[0] == 200,
                "registered",
            )
        frame = far.next("tournament", lambda frame: frame["players"] == 2, 20)
        assert {row["name"] for row in frame["top"]} == {"Olga Live", "Ben Live"}
        olga.post(f"/tournaments/{made}/do/start/")
        begun = elsewhere.next("own", lambda frame: frame["begun"], 30)["begun"][0]
        assert (begun["tournament"], begun["event"]) == (made, "Evening")
        stage = far.next("tournament", lambda frame: frame["stage"].startswith("running-1-"), 20)
        assert stage["results"] == "-"
        with olga.match(begun["match"]) as end:
            end.next("state")
            end.send("resign")
            end.next("state", lambda state: state["status"] == "over")
        over = far.next("tournament", lambda frame: frame["stage"].startswith("over"), 30)
        assert over.get("results", "w") in "wl"
