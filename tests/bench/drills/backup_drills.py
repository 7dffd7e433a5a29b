"""Backups during play: each must contain all moves that players saw before it began."""

import asyncio
import contextlib
import copy
import sqlite3
import statistics
import subprocess
import threading
import time
from pathlib import Path

import psycopg

from tests.bench.bad_network import play
from tests.bench.drills.registry import Scale, drill, expect, without_traceback
from tests.bench.scripted import Figures
from tests.builders.databases import database_of_its_own, postgres
from tests.builders.sites import Person, Site, pair

KEY = {"SECRET_KEY": "k" * 50}
GAMES = ("dots-and-boxes", "six-in-a-row")
PLAYED = ("1 1", "2 2", "3 3", "1 2", "3 2", "3 1", "1 3", "2 3", "2 1")  # a draw

Known = dict[str, dict[int, str]]  # actions that players have seen, by match and ply


@drill
def backups_of_sqlite(folder: Path, scale: Scale) -> Figures:
    """Back up the SQLite database repeatedly and restore each backup elsewhere."""
    site = Site(folder, KEY)
    try:
        return _drilled(site.wait(), scale)
    finally:
        site.stop()


@drill
def backups_of_postgresql(folder: Path, scale: Scale) -> Figures:
    """Back up PostgreSQL with pg_dump repeatedly and restore each backup elsewhere."""
    (folder / "pg").mkdir()
    with postgres(folder / "pg") as url:
        site = Site(folder, {**KEY, "DATABASE_URL": url})
        try:
            return _drilled(site.wait(), scale)
        finally:
            site.stop()


def _drilled(site: Site, scale: Scale) -> Figures:
    if scale.timed:  # more matches, so that a backup takes longer
        site.manage("seed_demo", "--matches", "1000")
    backups: list[tuple[Path, Known]] = []
    felt: dict[str, list[float]] = {}

    async def during(figures: Figures, tasks: list["asyncio.Task[None]"]) -> None:
        with Beside(site) as calm:
            await asyncio.sleep(scale.outage)
        with Beside(site) as troubled:
            for number in range(2 if scale.kills < 10 else scale.kills):
                seen: Known = copy.deepcopy(site.moves_of)  # type: ignore[attr-defined]
                file = site.folder / f"backup-{number}"
                done = await asyncio.to_thread(site.manage, "backup", str(file))
                expect(figures, done.returncode == 0, f"backup: {done.stderr}")
                backups.append((file, seen))
        felt.update(calm=calm.took, meanwhile=troubled.took)
        figures.wrong += calm.wrong + troubled.wrong

    figures = asyncio.run(
        play(site, during, scale.players, 1, scale.limit, scale.think, GAMES, cutting=False)
    )
    without_traceback(figures, site.output())
    for file, seen in backups[:: max(1, len(backups) // 2)]:
        _restored(site, file, seen, figures)
    _told(felt, figures, scale)
    return figures


def _restored(site: Site, file: Path, seen: Known, figures: Figures) -> None:
    """Restore the backup elsewhere: it must be valid and contain all moves seen before."""
    place = site.folder / f"second-{file.name}"
    place.mkdir()
    env = {"DATA_DIR": str(place)}
    if "DATABASE_URL" in site.env:
        env["DATABASE_URL"] = site.env["DATABASE_URL"]
        database_of_its_own(env)
    done: subprocess.CompletedProcess[str] = site.manage("restore", str(file), **env)
    expect(figures, done.returncode == 0, f"restore: {done.stdout} {done.stderr}")
    kept = _moves(place, env)
    later: Known = site.moves_of  # type: ignore[attr-defined]
    for match_id, actions in seen.items():
        stored = kept.get(match_id, {})
        missing = {ply: action for ply, action in actions.items() if stored.get(ply) != action}
        expect(figures, not missing, f"{match_id}: seen before the backup, not in it: {missing}")
        other = {ply: a for ply, a in stored.items() if later[match_id].get(ply, a) != a}
        expect(figures, not other, f"{match_id}: in the backup, and never played: {other}")
    print(
        f"{'':8}{file.name}: {sum(map(len, seen.values()))} actions seen before it, "
        f"{file.stat().st_size / 1000:.0f} kB; {done.stdout.strip().splitlines()[-1]}",
        flush=True,
    )


def _moves(place: Path, env: dict[str, str]) -> Known:
    query = "SELECT match_id, ply, action FROM games_move"
    if "DATABASE_URL" in env:
        with psycopg.connect(env["DATABASE_URL"]) as connection:
            rows = connection.execute(query).fetchall()
    else:
        with contextlib.closing(sqlite3.connect(place / "site.sqlite3")) as database:
            rows = database.execute(query).fetchall()
    found: Known = {}
    for match_id, ply, action in rows:
        found.setdefault(match_id, {})[ply] = action
    return found


def _told(felt: dict[str, list[float]], figures: Figures, scale: Scale) -> None:
    """Record the ms from an action until the opponent receives it."""
    ms = {
        name: (1000 * statistics.median(took), 1000 * statistics.quantiles(took, n=100)[98])
        for name, took in felt.items()
    }
    calm, meanwhile = ms["calm"], ms["meanwhile"]
    print(
        f"{'':8}p50 {calm[0]:.1f} ms calm, {meanwhile[0]:.1f} while backed up: "
        f"{meanwhile[0] / calm[0]:.1f} times; "
        f"p99 {calm[1]:.1f} and {meanwhile[1]:.1f}: {meanwhile[1] / calm[1]:.1f} times",
        flush=True,
    )
    if scale.timed:
        expect(figures, meanwhile[1] < 2 * calm[1], "p99 more than twice the calm one")


class Beside:
    """Two people who play on a thread without a pause, and the seconds of each action."""

    def __init__(self, site: Site) -> None:
        self.took: list[float] = []
        self.wrong: list[str] = []
        self._site, self._over = site, threading.Event()
        self._thread = threading.Thread(target=self._play)

    def _play(self) -> None:
        try:
            while not self._over.is_set():
                self._play_one()
        except Exception as error:
            self.wrong.append(f"who plays beside failed: {error!r}")

    def _play_one(self) -> None:
        people = [Person(self._site).be_guest() for _ in range(2)]
        match_id, roles = pair(*people, "tic-tac-toe")
        x, o = roles["xplayer"].match(match_id), roles["oplayer"].match(match_id)
        with x, o:
            for socket in (x, o):
                socket.next("state")
            for ply, cell in enumerate(PLAYED):
                mover, other = (o, x) if ply % 2 else (x, o)
                began = time.monotonic()
                mover.send("play", ply=ply, action=f"mark {cell}")
                other.ply(ply + 1)
                self.took.append(time.monotonic() - began)
                mover.ply(ply + 1)

    def __enter__(self) -> "Beside":
        self._thread.start()
        return self

    def __exit__(self, *args: object) -> None:
        self._over.set()
        self._thread.join()
