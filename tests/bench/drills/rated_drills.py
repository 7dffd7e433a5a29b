"""Drills of rated matches: many simultaneous seeks, and many ends."""

import asyncio
import json
import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from websockets.asyncio.client import connect
from websockets.sync.client import connect as sync_connect

from tests.bench.drills.registry import Scale, drill, expect, without_traceback
from tests.bench.drills.trouble import Load
from tests.bench.scripted import Figures
from tests.builders.commands import create_environment, run_module
from tests.builders.databases import postgres, redis
from tests.builders.sites import Site, until


@drill
def rated_waves(folder: Path, scale: Scale) -> Figures:
    """20 processes pair 1,000 rated seekers within two waves, and no one twice."""
    figures = Figures()
    seekers, processes = (1000, 20) if scale.timed else (220, 6)
    with postgres(folder) as url:
        env = create_environment(folder, DATABASE_URL=url)
        found = run_module(env, "tests.bench.large.seeks", str(seekers), str(processes))
    print(f"{'':8}{found}", flush=True)
    figures.actions = figures.matches = found["rated"]
    figures.seconds = found["seconds"]
    expect(figures, found["paired"] == seekers, f"{found['paired']} are paired")
    # Among few seekers, the best or the worst may have nobody near until the third wave, in which
    # anybody will do.
    waves = 2 if scale.timed else 3
    expect(figures, found["most_waves"] <= waves, f"{found['most_waves']} waves for somebody")
    for wrong in ("twice", "blocked", "failed"):
        expect(figures, not found[wrong], f"{wrong}: {found[wrong]}")
    return figures


@drill
def rated_tabs(folder: Path, scale: Scale) -> Figures:
    """200 players at two servers press Play simultaneously: each gets one rated match."""
    figures = Figures()
    number = 200 if scale.timed else 110
    with postgres(folder) as database, redis(folder) as hints:
        env = {"DATABASE_URL": database, "REDIS_URL": hints, "SECRET_KEY": "k" * 50}
        sites = []
        try:
            for name in ("one", "other"):
                (folder / name).mkdir()
                sites.append(Site(folder / name, env).wait())
            told = asyncio.run(_press(sites, _accounts(sites[0], database, number)))
        finally:
            for site in sites:
                site.stop()
        without_traceback(figures, "".join(site.output() for site in sites))
    figures.matches = len({match for match, _ in told})
    figures.actions = len(told)
    waits = sorted(seconds for _, seconds in told)
    figures.seconds = figures.longest_wait = waits[-1]
    print(f"{'':8}told after {waits[len(waits) // 2]:.1f} s at the median, {waits[-1]:.1f} s last")
    seats = Counter(match for match, _ in told)
    expect(figures, set(seats.values()) == {2}, f"{seats.most_common(3)} were told of one match")
    return figures


@drill
def rated_ends(folder: Path, scale: Scale) -> Figures:
    """Rated matches end during 100 others: the site updates each rating soon."""
    figures = Figures()
    number, matches = (80, 100) if scale.timed else (8, 10)
    run = 0.3 * number + 5
    site = Site(folder, {"SECRET_KEY": "k" * 50}).wait()
    took = []
    try:
        seeded = _seeded(site, 0, 0, number)
        load = Load(site, site.url, matches, 0.1, run).begin()
        time.sleep(5)  # warm up
        with sqlite3.connect(f"file:{folder / 'site.sqlite3'}?mode=ro", uri=True) as database:
            for match_id, cookie, _ in seeded:
                _resign(site, match_id, cookie)
                took.append(_until_rated(database, match_id))
                time.sleep(0.05)
        played = load.result()
    finally:
        site.stop()
    site.must_be_calm()
    took.sort()
    figures.matches, figures.actions = number, round(played["actions_s"] * run)
    figures.seconds, figures.longest_wait = sum(took), took[-1]
    middle = took[len(took) // 2]
    print(
        f"{'':8}rated after {1000 * middle:.0f} ms at the median, {1000 * took[-1]:.0f} ms at most,"
        f" beside {played['actions_s']} actions a second",
        flush=True,
    )
    if scale.timed:
        expect(figures, middle < 0.2, f"rated after {middle:.3f} s")
    return figures


def _resign(site: Site, match_id: str, cookie: str) -> None:
    with sync_connect(
        site.socket_url(f"/ws/match/{match_id}/"), origin=site.url,  # type: ignore[arg-type]
        additional_headers={"Cookie": cookie}, compression=None,
    ) as socket:  # fmt: skip
        socket.send('{"type":"resign"}')
        while json.loads(socket.recv(20)).get("status") != "over":
            pass


def _until_rated(database: sqlite3.Connection, match_id: str) -> float:
    """Return the seconds from the stored end of a match to its stored ratings."""
    ended = datetime.fromisoformat(
        database.execute("SELECT ended_at FROM games_match WHERE id = ?", [match_id]).fetchone()[0]
    ).replace(tzinfo=UTC)
    asked = "SELECT count(*) FROM lobby_ratedgame WHERE key = ?"
    until(lambda: database.execute(asked, [match_id]).fetchone()[0], "the match rated", 20)
    return (datetime.now(UTC) - ended).total_seconds()


def _seeded(site: Site, *numbers: int) -> list[list[str]]:
    found: list[list[str]] = run_module(site.env, "tests.bench.load.seed", *map(str, numbers))
    return found


def _accounts(site: Site, database: str, number: int) -> list[str]:
    """Return the cookies of `number` players with accounts."""
    seeded = _seeded(site, number // 2)
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE lobby_player SET is_guest = false")
    return [cookie for _, *cookies in seeded for cookie in cookies]


async def _press(sites: Sequence[Site], cookies: Sequence[str]) -> list[tuple[str, float]]:
    """Let each player press Play; return their matches and the seconds until each began."""
    start, ready = asyncio.Event(), asyncio.Semaphore(0)
    gate = asyncio.Semaphore(20)  # sockets opened at a time

    async def play(site: Site, cookie: str) -> tuple[str, float]:
        async with gate:
            socket = await connect(
                site.socket_url("/ws/lobby/?shows=own"), origin=site.url, max_size=2**22,  # type: ignore[arg-type]
                additional_headers={"Cookie": cookie}, compression=None, open_timeout=60,
            )  # fmt: skip
        ready.release()
        await start.wait()
        began = time.monotonic()
        await socket.send('{"type":"seek","game":"dots-and-boxes","clock":"10+5","rated":true}')
        async for text in socket:
            frame = json.loads(text)
            assert frame["type"] != "error", frame
            if frame["type"] == "there":
                await socket.send(json.dumps({"type": "echo", "mark": frame["mark"]}))
            if frame["type"] == "paired":
                await socket.close()
                return str(frame["match"]), time.monotonic() - began
        raise AssertionError("the socket was closed")

    tasks = [asyncio.ensure_future(play(sites[n % 2], cookie)) for n, cookie in enumerate(cookies)]
    for _ in cookies:
        await ready.acquire()
    start.set()
    return await asyncio.wait_for(asyncio.gather(*tasks), 90)
