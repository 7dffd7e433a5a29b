"""Outages with many clocks running: nobody is charged for them, and clocks move only once.

The servers are stopped as by a machine that sleeps, and go on. The second time, one of them is
killed (kill -9) while it moves the clocks. Meanwhile others play.
"""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

import psycopg

from games.rules import GAMES
from tests.bench.drills.registry import Scale, drill, expect, without_traceback
from tests.bench.scripted import Figures
from tests.builders.databases import postgres
from tests.builders.ports import free_port
from tests.builders.sites import ROOT, Person, Place, Site, Socket, pair, until

GAME, CLOCK = "dots-and-boxes", "30+10"
AWAY = 3.0  # seconds
ENV = {
    "SECRET_KEY": "k" * 50,
    "ABANDONED_SECONDS": "86400",  # nobody sits at the many matches, and none shall end
}

_SEED = """
import sys, django; django.setup()
from datetime import timedelta
from django.db import connection, transaction
from django.utils import timezone
from games.models import Match
from games.rules import GAMES
from lobby.accounts.guests import new_guest
one, other = new_guest().pk, new_guest().pk
now = timezone.now()
matches = [
    Match(id=f"d{n:04}", game="six-in-a-row", first_id=one, second_id=other, clock="180+0", acted=3,
          notation=GAMES["six-in-a-row"].start.notation, first_ms=10_800_000,
          second_ms=10_800_000, created_at=now, acted_at=now, last="drill",
          deadline=now + timedelta(hours=3))
    for n in range(500)
]
columns = ", ".join(field.column for field in Match._meta.concrete_fields[1:])
with transaction.atomic(), connection.cursor() as cursor:
    Match.objects.bulk_create(matches)
    for k in range(1, int(sys.argv[1]) // 500):  # copies: one by one they would take a minute
        cursor.execute(f"INSERT INTO games_match (id, {columns}) SELECT '{k:03}' || id, {columns}"
                       " FROM games_match WHERE id LIKE 'd____'")
"""
_CLOCKS = "SELECT DISTINCT acted_at, deadline, version FROM games_match WHERE last = 'drill'"
_UNSETTLED = "SELECT count(*) FROM games_outage"
_UP_SINCE = "SELECT up_since FROM games_pulse"


@drill
def many_clocks(folder: Path, scale: Scale) -> Figures:
    """Two outages with 50,000 live timed matches on SQLite."""
    figures = Figures()
    with contextlib.ExitStack() as stack:
        sites = [Site(folder, ENV)]
        stack.callback(lambda: [site.stop() for site in sites])
        sites[0].wait()
        return _two_outages(stack, figures, sites, scale)


@drill
def many_clocks_postgres(folder: Path, scale: Scale) -> Figures:
    """The same on PostgreSQL, with two servers that both move the clocks."""
    figures = Figures()
    with contextlib.ExitStack() as stack:
        env = {**ENV, "DATABASE_URL": stack.enter_context(postgres(folder))}
        port = free_port()
        origins = {"ALLOWED_ORIGINS": f"http://127.0.0.1:{port}"}
        sites = [Site(folder, env)]
        stack.callback(lambda: [site.stop() for site in sites])
        sites[0].wait()  # it has made the tables
        sites.append(Site(folder, {**env, **origins}, port, command="listen"))
        sites[1].wait()
        return _two_outages(stack, figures, sites, scale)


def _two_outages(
    stack: contextlib.ExitStack, figures: Figures, sites: list[Site], scale: Scale
) -> Figures:
    began = time.monotonic()
    matches = 50_000 if scale.timed else 3_000
    _seed(sites[0], matches)
    rally = Rally(sites[-1])
    stack.callback(rally.close)
    calm = rally.play(150)
    # Storing them may have held SQLite's lock for so long that it was an outage itself.
    until(lambda: not _asked(sites[0], _UNSETTLED), "all clocks settled", 60)
    ((seeded_at, due, version),) = _look(sites[0]).clocks

    thought = time.monotonic()
    calm += rally.play(1)
    left = rally.left()
    away = _pause(sites)
    back = time.monotonic()
    waits = rally.play(1)
    charged = left - rally.left_of_last()
    spent = 1000 * (time.monotonic() - thought - away)
    expect(figures, charged < spent + 300, f"{charged} ms were charged, {spent:.0f} spent")
    while _asked(sites[0], _UNSETTLED):
        waits += rally.play(25)
    took = time.monotonic() - back
    waits += rally.play(50)
    found = _look(sites[0])
    expect(figures, len(found.clocks) == 1, f"clocks differ: {found.clocks[:3]}")
    (at, deadline, now_version), *_ = found.clocks
    moved = (at - seeded_at).total_seconds()
    expect(figures, away - 1 < moved < away + 2, f"clocks were moved on by {moved:.2f} s")
    expect(figures, deadline - due == at - seeded_at, "deadlines moved on by something else")
    expect(figures, now_version == version + 1, f"moved {now_version - version} times")
    time.sleep(2)  # longer than a gap that is an outage
    again = _look(sites[0])
    expect(figures, again == found, f"it went on: {found} and then {again}")

    # Once more, and killed in the middle of it.
    away = _pause(sites)
    until(lambda: _moment(_asked(sites[0], _UP_SINCE)) > found.up_since, "the second outage")
    rally.close()
    for i, site in enumerate(sites):
        site.stop(signal.SIGKILL)
        command = "listen" if i else "serve"
        sites[i] = Site(site.folder, site.env, port=site.port, command=command)
    started = time.monotonic()
    sites[-1].wait()
    restarted = Rally(sites[-1])
    stack.callback(restarted.close)
    ready = time.monotonic() - started
    restarted.play(20)
    until(lambda: not _asked(sites[0], _UNSETTLED), "all clocks moved", 60)
    last = _look(sites[0])
    expect(figures, len(last.clocks) == 1, f"clocks differ after the kill: {last.clocks[:3]}")
    moved = (last.clocks[0][0] - at).total_seconds()
    expect(figures, moved > away - 1, "the second outage was charged")
    figures.kills = len(sites)
    figures.actions = rally.actions + restarted.actions
    figures.seconds = time.monotonic() - began
    p99, calm_p99 = _p99(waits), _p99(calm)
    print(
        f"{'':8}{matches} clocks moved in {took:.1f} s; p99 of actions meanwhile {p99:.1f} ms, calm"
        f" {calm_p99:.1f} ms: {p99 / calm_p99:.1f} times; admitted {ready:.1f} s after a restart",
        flush=True,
    )
    if scale.timed:
        expect(figures, took < 30, f"moving the clocks took {took:.1f} s")
        expect(figures, p99 < 250, f"p99 of actions meanwhile {p99:.1f} ms")
    for site in sites:
        without_traceback(figures, site.output())
    return figures


class Stored(NamedTuple):
    """The state of the clocks in the database."""

    clocks: list[tuple[datetime, datetime, int]]  # since when, deadline, version: each one once
    unsettled: int  # outages
    up_since: datetime


class Rally:
    """Two people who play match after match, each at once when it is their turn."""

    def __init__(self, site: Place) -> None:
        self._people = Person(site).be_guest(), Person(site).be_guest()
        self._chance = random.Random(1)
        self.actions = 0
        self._sockets: dict[str, Socket] = {}
        self._begin()

    def _begin(self) -> None:
        self.close()
        match_id, roles = pair(*self._people, GAME, CLOCK)
        self._sockets = {role: person.match(match_id) for role, person in roles.items()}
        for socket in self._sockets.values():
            socket.next("state")
        self._position: Any = GAMES[GAME].start

    def play(self, actions: int) -> list[float]:
        """So many actions; how long (ms) the other waited for each."""
        waited = []
        for _ in range(actions):
            if self._position.is_over:
                self._begin()
            role = self._last = self._position.turn
            other = next(each for each in self._sockets if each != role)
            action = self._chance.choice(self._position.actions())
            socket = self._sockets[role]
            began = time.monotonic()
            socket.play(action)
            self._sockets[other].ply(socket.state["ply"])
            waited.append(1000 * (time.monotonic() - began))
            self._position = self._position.play(action)
            self.actions += 1
        return waited

    def left(self) -> int:
        """Return the ms that the player on turn had left at the start of the turn."""
        socket = self._sockets[self._position.turn]
        return int(socket.state["clock"]["remaining_ms"][self._position.turn])

    def left_of_last(self) -> int:
        """Return the time left to the player who acted last, without the increment."""
        state = self._sockets[self._last].state
        clock = state["clock"]
        return int(clock["remaining_ms"][self._last]) - int(clock["increment_ms"])

    def close(self) -> None:
        for socket in self._sockets.values():
            with contextlib.suppress(Exception):
                socket.close()
        self._sockets = {}


def _look(site: Site) -> Stored:
    with contextlib.closing(_database(site)) as database:
        (unsettled,) = database.execute(_UNSETTLED).fetchone()
        (up_since,) = database.execute(_UP_SINCE).fetchone()
        rows = database.execute(_CLOCKS).fetchall()
    return Stored(
        [(_moment(at), _moment(due), version) for at, due, version in rows],
        unsettled,
        _moment(up_since),
    )


def _asked(site: Site, question: str) -> Any:
    """One value: cheap enough to be asked for again and again, which all the clocks are not."""
    with contextlib.closing(_database(site)) as database:
        return database.execute(question).fetchone()[0]


def _database(site: Site) -> Any:
    url = site.env.get("DATABASE_URL")
    if url:
        return psycopg.connect(url)
    return sqlite3.connect(site.folder / "site.sqlite3", timeout=20)


def _moment(stored: Any) -> datetime:
    moment = stored if isinstance(stored, datetime) else datetime.fromisoformat(stored)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _seed(site: Site, matches: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SEED, str(matches)],
        cwd=ROOT,
        env={**os.environ, **site.env, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def _pause(sites: Sequence[Site]) -> float:
    """An outage: the servers stand still where they are, and go on. Return its seconds."""
    for site in sites:
        site.process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    time.sleep(AWAY)
    away = time.monotonic() - began
    for site in sites:
        site.process.send_signal(signal.SIGCONT)
    return away


def _p99(times: list[float]) -> float:
    return quantiles(times, n=100)[98]
