"""The site never forgets when a player was last here, so nobody loses by a restart."""

import json
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from games.journal.limits import get_limits
from games.journal.opening import open_match
from games.match.setup import Setup
from games.models import Attendance, Match, Pulse
from games.store import presence as attendance
from games.store.presence import ServerPresence, exchange_presence, get_last_seen, note_players
from tests.builders.matches import create_guest_match
from tests.builders.retention import delete_old
from tests.builders.sites import PATIENCE, Person, Site, Socket, pair, servers, until

GONE, ABANDONED = 1, 6  # seconds
NOW = 1_900_000_000.0
SHORT = {
    "PRESENCE_TIMEOUT_SECONDS": str(GONE),
    "ABANDONED_SECONDS": str(ABANDONED),
    "SECRET_KEY": "k" * 50,
}


# -- what is stored


@pytest.fixture
def match(db: None) -> Match:
    return create_guest_match(clock="10+5")


@pytest.fixture
def restarted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Gives a function that turns this process into another server."""
    return lambda: monkeypatch.setattr(attendance, "get_server_id", lambda: "another")


def test_what_a_server_does_not_know_it_does_not_erase(match: Match) -> None:
    exchange_presence([ServerPresence(match.pk, NOW, NOW + 1, 3)])
    told = exchange_presence([ServerPresence(match.pk, NOW + 5, None, 0)])[match.pk]
    assert told.seen_at == (NOW + 5, NOW + 1)
    assert [each.timestamp() for each in get_last_seen(match.pk, match.created_at)] == [
        NOW + 5,
        NOW + 1,
    ]


def test_a_stored_moment_never_goes_back(match: Match) -> None:
    exchange_presence([ServerPresence(match.pk, NOW + 9, NOW + 9, 0)])
    assert exchange_presence([ServerPresence(match.pk, NOW, NOW + 8.5, 0)])[match.pk].seen_at == (
        NOW + 9,
        NOW + 9,
    )


def test_a_server_that_restarts_knows_when_they_were_here(
    match: Match, restarted: Callable[[], None]
) -> None:
    exchange_presence([ServerPresence(match.pk, NOW, NOW + 1, 3)])
    Attendance.objects.update(seen_at=timezone.now() - timedelta(days=40))
    restarted()
    told = exchange_presence([ServerPresence(match.pk, None, None, 2)])[match.pk]
    assert told.seen_at == (NOW, NOW + 1)
    assert told.watchers == 0  # neither a dead server nor this one counts


def test_watchers_elsewhere_are_counted_while_their_server_lives(
    match: Match, restarted: Callable[[], None]
) -> None:
    exchange_presence([ServerPresence(match.pk, None, None, 3)])
    restarted()
    assert exchange_presence([ServerPresence(match.pk, None, None, 2)])[match.pk].watchers == 3


def test_presence_in_a_live_match_is_kept(match: Match) -> None:
    exchange_presence([ServerPresence(match.pk, NOW, NOW, 0)])
    Attendance.objects.update(seen_at=timezone.now() - timedelta(days=90))
    delete_old(Attendance)
    assert Attendance.objects.count() == 1
    Match.objects.update(status="over", ended="rules", ended_at=timezone.now())
    delete_old(Attendance)
    assert Attendance.objects.count() == 0


def test_a_match_that_is_no_more_does_not_keep_the_others_from_being_stored(match: Match) -> None:
    told = exchange_presence(
        [ServerPresence("nosuch", NOW, NOW, 0), ServerPresence(match.pk, NOW, None, 0)]
    )
    assert set(told) == {match.pk}


@pytest.mark.django_db(transaction=True)
def test_nor_does_a_match_that_goes_while_it_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    gone, match = create_guest_match(clock="10+5"), create_guest_match(clock="10+5")
    find = attendance._stored

    def find_and_delete(match_ids: list[str]) -> list[tuple[str]]:
        found = list(find(match_ids))
        Match.objects.filter(pk=gone.pk).delete()
        return found

    monkeypatch.setattr(attendance, "_stored", find_and_delete)
    told = exchange_presence([ServerPresence(each.pk, NOW, NOW, 0) for each in (gone, match)])
    assert set(told) == {match.pk}
    assert [each.match_id for each in Attendance.objects.all()] == [match.pk]


def test_who_is_admitted_is_stored_as_here_before_the_next_writing(match: Match) -> None:
    other = open_match(Setup("tic-tac-toe", "10+5"), match.first_id, match.second_id)
    before = timezone.now()
    note_players([(match.pk, 1), (other.pk, 0), (other.pk, 1)])
    (one,) = Attendance.objects.filter(match=match)
    assert (one.first_at, one.watchers) == (None, 0)
    assert one.second_at is not None and before <= one.second_at <= timezone.now()
    (two,) = Attendance.objects.filter(match=other)
    assert two.first_at == two.second_at
    assert exchange_presence([ServerPresence(match.pk, None, None, 0)])[match.pk].seen_at == (
        None,
        one.second_at.timestamp(),
    )


def test_to_note_a_player_erases_nothing(match: Match) -> None:
    exchange_presence([ServerPresence(match.pk, NOW, NOW, 3)])  # later than now
    note_players([(match.pk, 0)])
    (found,) = Attendance.objects.all()
    assert (found.first_at, found.second_at) == (datetime.fromtimestamp(NOW, UTC),) * 2
    assert found.watchers == 3


def test_nobody_was_gone_before_the_match_began_or_the_site_came_up(match: Match) -> None:
    made = match.created_at
    assert get_last_seen(match.pk, made) == (made, made)
    exchange_presence([ServerPresence(match.pk, made.timestamp() - 5, made.timestamp() + 5, 0)])
    assert get_last_seen(match.pk, made) == (made, made + timedelta(seconds=5))
    up = made + timedelta(seconds=3)
    Pulse.objects.create(pk=1, at=up, up_since=up)
    assert get_last_seen(match.pk, made) == (up, made + timedelta(seconds=5))
    assert (
        exchange_presence([ServerPresence(match.pk, None, None, 0)])[match.pk].up_since
        == up.timestamp()
    )


def test_the_latest_of_all_servers_counts(match: Match, restarted: Callable[[], None]) -> None:
    exchange_presence([ServerPresence(match.pk, NOW + 2, NOW, 0)])
    restarted()
    told = exchange_presence([ServerPresence(match.pk, NOW + 1, NOW + 1, 0)])[match.pk]
    assert told.seen_at == (NOW + 2, NOW + 1)


def test_watchers_of_a_server_that_writes_no_more_are_gone(
    match: Match, restarted: Callable[[], None], settings: Any
) -> None:
    settings.PRESENCE_TIMEOUT_SECONDS = 10
    exchange_presence([ServerPresence(match.pk, None, None, 3)])
    restarted()
    Attendance.objects.update(seen_at=timezone.now() - timedelta(seconds=9))
    assert exchange_presence([ServerPresence(match.pk, None, None, 2)])[match.pk].watchers == 3
    Attendance.objects.exclude(server="another").update(
        seen_at=timezone.now() - timedelta(seconds=11)
    )
    assert exchange_presence([ServerPresence(match.pk, None, None, 2)])[match.pk].watchers == 0


def test_who_is_shown_as_here_has_not_left_however_short_the_settings(settings: Any) -> None:
    settings.ABANDONED_SECONDS, settings.ABANDONED_DAYS, settings.PRESENCE_TIMEOUT_SECONDS = (
        1,
        0,
        10,
    )
    assert get_limits().gone_timed == get_limits().gone_untimed == timedelta(seconds=10)


# -- through real servers


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def sites(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Site]]:
    env = dict(SHORT)
    folders = [tmp_path_factory.mktemp(f"{request.param}{i}") for i in range(2)]
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        env["REDIS_URL"] = request.getfixturevalue("redis_url")
    else:
        env["DATABASE_URL"] = f"sqlite:///{folders[0] / 'site.sqlite3'}"
    with servers(env, *folders) as found:
        yield found


@pytest.fixture
def site(sites: list[Site]) -> Site:
    return sites[0]


def rows(site: Site, query: str) -> list[Any]:
    """Query the site's database."""
    url = site.env["DATABASE_URL"]
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), timeout=PATIENCE)) as database:
            return database.execute(query).fetchall()
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchall()  # type: ignore[call-overload,no-any-return]


def forgotten(site: Site, match_id: str) -> bool:
    """Return whether no server has the match's room any more."""
    query = f"SELECT max(seen_at) FROM games_attendance WHERE match_id = '{match_id}'"
    before = rows(site, query)
    time.sleep(1.5)  # three times as long as between two writings
    return bool(rows(site, query) == before)


def begun(match_id: str, roles: dict[str, Person], o_at: Site) -> tuple[Socket, Socket]:
    """The sockets of both. The match is by then older than the time after which it is abandoned."""
    x, o = roles["xplayer"].match(match_id), roles["oplayer"].at(o_at).match(match_id)
    x.next("state")
    x.play("mark 1 1")
    o.ply(1)
    made_at = x.state["clock"]["since"]
    until(lambda: time.time() > made_at + ABANDONED + 1, "an older match")
    return x, o


def must_be_claimed_in_time(x: Socket, left_at: float) -> None:
    """x cannot claim before the other is gone for long enough, and can once the frame says so."""
    came = x.next("state")["now"] - left_at  # a server that was started again may be late
    while time.time() < left_at + ABANDONED - 1:  # whatever is written meanwhile
        answer = claim(x)
        if answer["type"] == "state":  # on a busy machine, the claim may come late
            break
        assert answer["code"] == "not-allowed"
        time.sleep(0.2)
    else:
        answer = x.next("state", lambda state: "claim-abandoned" in state["can"])
    gone = answer["now"] - left_at
    # Its presence is written twice a second.
    assert ABANDONED - 0.7 < gone < max(ABANDONED, came) + 4
    if answer["status"] == "live":
        answer = claim(x)
        assert answer["type"] == "state", answer  # what is shown is so
    assert answer["ended"] == "abandoned"


def claim(x: Socket) -> dict[str, Any]:
    """Claim the match. Return the error, or the state in which it is over."""
    x.send("claim-abandoned")
    while (frame := x.frame())["type"] != "error" and frame["status"] == "live":
        pass
    return frame


def test_who_is_away_for_a_moment_has_not_left(
    sites: list[Site], alice_online: Person, bob_online: Person
) -> None:
    """Both leave, the server closes the match's room, and one of them comes back."""
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe", "10+5")
    x, o = begun(match_id, roles, sites[0])
    o.close()
    x.close()
    left_at = time.time()
    until(lambda: forgotten(sites[0], match_id), "the room forgotten")
    with roles["xplayer"].match(match_id) as back:
        must_be_claimed_in_time(back, left_at)


def test_a_short_absence_with_a_server_change_or_restart_is_not_leaving(
    sites: list[Site], alice_online: Person, bob_online: Person
) -> None:
    two = sites[1]
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe", "10+5")
    for socket in begun(match_id, roles, two):
        socket.close()
    left_at = time.time()
    two.stop(signal.SIGKILL)  # the server of who stays away
    sites[1] = Site(two.folder, two.env, port=two.port).wait()
    with roles["xplayer"].at(sites[1]).match(match_id) as back:
        must_be_claimed_in_time(back, left_at)
    assert json.loads(alice_online.get(f"/match/{match_id}/record.json")[1])["ended"] == "abandoned"
