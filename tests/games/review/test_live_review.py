"""Decisions and the people they concern, over real sockets, on two servers of one site."""

import json
import threading
import urllib.parse
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.builders.databases import database_of_its_own
from tests.builders.second_factors import GIVE_TO_STAFF
from tests.builders.sites import Person, Site, Socket, pair, until

STAFF = """
from django.contrib.auth.models import Group
from lobby.models import Player
for name, group in (("rita", "reviewer"), ("sara", "senior reviewer")):
    Player.objects.create_user(name, password="a-password", is_staff=True).groups.add(
        Group.objects.get(name=group))
"""


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def sites(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Site, Site]]:
    """Two servers: SQLite carries no messages between them; on PostgreSQL, Redis does."""
    folder = tmp_path_factory.mktemp(request.param)
    env = {"SECRET_KEY": "k" * 50}
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        env["REDIS_URL"] = request.getfixturevalue("redis_url")
        database_of_its_own(env)
    else:
        env["DATABASE_URL"] = f"sqlite:///{folder / 'site.sqlite3'}"
    one = Site(folder, env)
    try:
        one.wait()
        two = Site(tmp_path_factory.mktemp("second"), env)
        try:
            two.wait()
            done = one.manage("shell", "-c", STAFF + GIVE_TO_STAFF)
            assert done.returncode == 0, done.stderr
            yield one, two
        finally:
            two.stop()
    finally:
        one.stop()


@pytest.fixture
def site(sites: tuple[Site, Site]) -> Site:
    return sites[0]


_logged_in: dict[tuple[str, str], Person] = {}


def staff(site: Site, name: str) -> Person:
    """A moderator, who logs in once because each second-factor code is valid only once."""
    key = site.env.get("DATABASE_URL", str(site.folder)), name
    if key not in _logged_in:
        _logged_in[key] = Person(site).log_in(name, "a-password", "/admin/")
    return _logged_in[key].at(site)


def decide(who: Person, path: str, **form: Any) -> int:
    return who.post(path, urllib.parse.urlencode(form).encode())[0]


def ids(site: Site, match_id: str) -> dict[str, int]:
    """The players' ids by their names."""
    code = (
        "from games.models import Match; import json;"
        f"m = Match.objects.get(pk='{match_id}');"
        "print(json.dumps({str(p): p.pk for p in (m.first, m.second)}))"
    )
    told = site.manage("shell", "-v0", "-c", code).stdout
    return dict(json.loads(told.strip().splitlines()[-1]))


def closed_with(socket: Socket) -> tuple[int, list[str]]:
    """The socket's close code, and the errors sent before it."""
    told = []
    try:
        while True:
            frame = socket.frame()
            if frame["type"] == "error":
                told.append(f"{frame['code']}: {frame['detail']}")
    except ConnectionClosed as end:
        assert end.rcvd is not None
        return end.rcvd.code, told


def test_a_suspension_closes_the_players_sockets_on_every_server(
    sites: tuple[Site, Site],
) -> None:
    one, two = sites
    alice, bob = Person(one).be_guest(), Person(one).be_guest()
    match_id, roles = pair(alice, bob, "six-in-a-row")
    with alice.match(match_id) as a, bob.match(match_id) as b:
        name = a.next("state")["seats"][next(r for r, p in roles.items() if p is alice)]["name"]
        b.next("state")
        with alice.at(two).match(match_id) as far, alice.lobby() as lobby:
            far.next("state")
            whom = ids(one, match_id)[name]
            form = {"kind": "suspend", "reason": "Foul <b>words</b>.", "days": 3, f"seen-{whom}": 0}
            path = f"/admin/games/match/player/{whom}/decide/"
            assert decide(staff(one, "rita"), path, **form) == 200
            for socket in (a, lobby, far):
                code, told = closed_with(socket)
                assert code == 4403
                assert any("Foul <b>words</b>." in words for words in told)
        # The other player is unaffected and sees them leave.
        b.send("ping", t=1)
        b.next("pong")
    again = alice.match(match_id)
    assert closed_with(again)[0] == 4403
    page = alice.get("/")[1]
    assert "You are suspended until" in page
    assert "Foul &lt;b&gt;words&lt;/b&gt;." in page
    # The player gets the lobby with the reason instead of an invitation.
    assert alice.post("/seek/", b"game=tic-tac-toe") == (200, f"{one.url}/")


def test_a_decision_on_a_live_match_is_seen_at_once_by_everybody(
    sites: tuple[Site, Site],
) -> None:
    one, two = sites
    alice, bob = Person(one).be_guest(), Person(one).be_guest()
    match_id, roles = pair(alice, bob, "tic-tac-toe", "3+2")
    with alice.match(match_id) as a, bob.at(two).match(match_id) as b:
        a.next("state")
        b.next("state")
        rita = staff(one, "rita")
        path = f"/admin/games/match/{match_id}/decide/"
        assert decide(rita, path, kind="void", reason="A test.", seen=0) == 200
        for socket in (a, b):
            state = socket.next("state", lambda s: s["status"] == "over")
            assert state["ended"] == "voided"
            assert state["verdict"]["code"] == "end.voided"
        sockets = {role: a if person is alice else b for role, person in roles.items()}
        sockets["xplayer"].send("play", ply=0, action="mark 1 1")
        sockets["xplayer"].refused("not-live")
        # The match continues after the senior moderator reverses the decision.
        _, log = rita.get("/admin/games/decision/?kind__exact=void")
        number = log.split("/admin/games/decision/")[1:]
        decision = next(n.split("/")[0] for n in number if n.split("/")[0].isdigit())
        sara = staff(two, "sara")
        assert decide(rita, f"/admin/games/decision/{decision}/reverse/", reason="No.") == 403
        assert decide(sara, f"/admin/games/decision/{decision}/reverse/", reason="No.") == 200
        for socket in (a, b):
            socket.next("state", lambda s: s["status"] == "live")
        sockets["xplayer"].send("play", ply=0, action="mark 1 1")
        sockets["xplayer"].ply(1)
    record = rita.json(f"/match/{match_id}/record.json")
    assert [move["action"] for move in record["moves"]] == ["mark 1 1"]


def test_of_two_who_decide_at_the_same_moment_one_holds(sites: tuple[Site, Site]) -> None:
    one, two = sites
    for _ in range(4):
        alice, bob = Person(one).be_guest(), Person(one).be_guest()
        match_id, _ = pair(alice, bob, "tic-tac-toe")
        reviewers = [staff(one, "rita"), staff(two, "sara")]
        barrier = threading.Barrier(2)
        path = f"/admin/games/match/{match_id}/decide/"
        answers: list[int] = []

        def go(
            who: Person, form: dict[str, Any], barrier: threading.Barrier = barrier,
            answers: list[int] = answers, path: str = path,
        ) -> None:  # fmt: skip
            barrier.wait()
            answers.append(decide(who, path, seen=0, reason="At once.", **form))

        forms: list[dict[str, Any]] = [
            {"kind": "void"},
            {"kind": "end", "first_goal": 100, "second_goal": 0},
        ]
        threads = [
            threading.Thread(target=go, args=each) for each in zip(reviewers, forms, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answers) == [200, 409]
        record = reviewers[0].json(f"/admin/games/match/{match_id}/record.json")
        assert [d["number"] for d in record["decisions"]] == [1]
        kind = record["decisions"][0]["kind"]
        assert record["ended"] == {"void": "voided", "end": "adjudicated"}[kind]
        assert record["faults"] == []


OPEN = """
from games.models import Case, Decision, Report
whom = {}
late = Report.objects.filter(words="late", case__player=whom)
print(Case.objects.filter(player=whom, closed_at=None).count(), late.count(),
      late.exclude(case__closed_at=None).count(), Decision.objects.filter(player=whom).count())
"""


def test_of_two_who_handle_a_player_at_once_one_does_and_no_report_is_lost(
    sites: tuple[Site, Site],
) -> None:
    for _ in range(3):
        handle_at_once(*sites)


def handle_at_once(one: Site, two: Site) -> None:
    """Two moderators take a player at the same moment, then both decide, one of them twice, while
    another report comes in."""
    alice, bob, charlie = (Person(one).be_guest() for _ in range(3))
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    with alice.match(match_id) as socket:
        seats = socket.next("state")["seats"]
    role = next(role for role, person in roles.items() if person is bob)
    whom = ids(one, match_id)[seats[role]["name"]]

    def report(who: Person, words: str) -> int:
        return decide(
            who, f"/match/{match_id}/report/", player=whom, reason="stalling", words=words
        )

    assert report(alice, "early") == 200
    rita, sara = staff(one, "rita"), staff(two, "sara")
    path = f"/admin/games/case/queue/{whom}/"
    at_once([lambda: decide(rita, f"{path}take/"), lambda: decide(sara, f"{path}take/")])
    (holder,) = (who for who in (rita, sara) if 'id="decision"' in who.get(path)[1])
    form = {"do": "decide", "kind": "warn", "reason": "At once.", "open": shown(holder, path),
            f"seen-{whom}": 0, "match": match_id}  # fmt: skip
    answers = at_once(
        [
            lambda: decide(rita, f"{path}handle/", **form),
            lambda: decide(sara, f"{path}handle/", **form),
            lambda: report(charlie, "late"),
            lambda: decide(holder, f"{path}handle/", **form),
        ]
    )
    assert answers[2] == 200
    assert 200 in (answers[0], answers[1], answers[3])  # either of the holder's two may come first
    done = one.manage("shell", "-v0", "-c", OPEN.format(whom)).stdout.split()
    # The late report is open, and nothing else; there is one decision.
    assert done[-4:] == ["1", "1", "0", "1"], (done, answers)
    decide(holder, f"{path}take/")
    assert decide(holder, f"{path}handle/", do="dismiss", open=shown(holder, path)) == 200


def shown(who: Person, path: str) -> str:
    """The items that a player's page shows as open."""
    return who.get(path)[1].split('name="open" value="')[1].split('"')[0]


def at_once(calls: list[Any]) -> list[Any]:
    """Run all calls at the same moment and return their results."""
    barrier = threading.Barrier(len(calls))
    found: list[Any] = [None] * len(calls)

    def go(index: int) -> None:
        barrier.wait()
        found[index] = calls[index]()

    threads = [threading.Thread(target=go, args=[index]) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_the_connections_of_both_are_on_record(site: Site) -> None:
    alice, bob = Person(site).be_guest(), Person(site).be_guest()
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    rita = staff(site, "rita")

    def connections() -> list[dict[str, Any]]:
        path = f"/admin/games/match/{match_id}/record.json"
        return list(rita.json(path)["connections"])

    with alice.match(match_id) as a:
        a.next("state")
        with bob.match(match_id) as b, Person(site).match(match_id) as watcher:
            b.next("state")
            watcher.next("state")
            until(lambda: len(connections()) == 2, "two players on record, no watcher")
        until(lambda: any(c["closed_at"] for c in connections()), "that one of them left")
        gone = [c["seat"] for c in connections() if c["closed_at"]]
        assert gone == [0 if roles["xplayer"] is bob else 1]
    found = connections()
    assert len({c["address"] for c in found}) == 1  # both came from this machine
    assert "127.0.0.1" not in json.dumps(found)
