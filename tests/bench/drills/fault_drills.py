"""Drills of faults. Each returns its figures, in which `wrong` lists what went wrong."""

import asyncio
import contextlib
import os
import re
import time
from pathlib import Path
from typing import Any

import redis as redis_client

from tests.bench.bad_network import SLUGS, During, killing, play
from tests.bench.drills.registry import Scale, drill, expect, without_traceback
from tests.bench.drills.trouble import (
    Load,
    Wire,
    crossing,
    held,
    metrics,
    no_room,
    refusals,
    small_disk,
)
from tests.bench.scripted import Figures
from tests.builders.ports import free_port
from tests.builders.production import Production
from tests.builders.sites import Person, Site, pair, until
from tests.hostile.attack import attack_politely, corpus, figures_of, frame

HINTED = 1.0  # seconds; without hints, a server looks every DB_POLL_SECONDS
CONVERGED = 10.0  # seconds after Redis is back


@drill
def killed(folder: Path, scale: Scale) -> Figures:
    """Kill each server in turn (kill -9) and start it again."""
    with Production(folder, RATE_LIMITS="off") as site:
        turn = [0]

        def restart() -> None:
            server = site.servers[turn[0] % len(site.servers)]
            turn[0] += 1
            server.kill()
            server.start()

        return _played(site, scale, killing(restart, scale.kills, seed=1), cutting=True)


@drill
def redis_killed(folder: Path, scale: Scale) -> Figures:
    """Redis is killed and away for a while: play goes on, and hints return with it."""
    with Production(folder, RATE_LIMITS="off") as site:

        async def during(figures: Figures, tasks: object) -> None:
            await asyncio.sleep(2)
            before = await asyncio.to_thread(_soonest, site)
            expect(figures, before < HINTED, f"a hint took {before:.1f} s")
            site.redis.kill()
            away = time.monotonic()
            while time.monotonic() - away < scale.outage:
                await asyncio.to_thread(crossing, site)  # fails if it never comes
            site.redis.start()
            await asyncio.to_thread(_hinted_again, site, figures)

        return _played(site, scale, during)


@drill
def redis_gone(folder: Path, scale: Scale) -> Figures:
    """Start without Redis: each server reports this, and play goes on."""
    nowhere = f"redis://127.0.0.1:{free_port()}/0"
    with Production(folder, redis_url=nowhere, GUESTS_PER_MINUTE="1000") as site:

        async def during(figures: Figures, tasks: object) -> None:
            for server in site.servers:
                status, body = await asyncio.to_thread(server.ready)
                expect(figures, status == 503 and '"database": "ok"' in body, f"ready: {body}")
                expect(figures, "Redis does not answer" in server.output(), "no word of it")
            took = await asyncio.to_thread(crossing, site)
            expect(figures, took < 5, f"the other server saw it after {took:.1f} s")

        return _played(site, scale, during)


@drill
def redis_cut_off(folder: Path, scale: Scale) -> Figures:
    """The network between one server and Redis swallows everything for a while."""
    with Production(folder, RATE_LIMITS="off") as site:
        wire = Wire(site.redis.port)
        lonely = site.servers[0]
        lonely.stop()
        lonely.env = {**lonely.env, "REDIS_URL": f"redis://127.0.0.1:{wire.port}/0"}
        lonely.start()

        async def during(figures: Figures, tasks: object) -> None:
            await asyncio.sleep(1)
            before = await asyncio.to_thread(_soonest, site)
            expect(figures, before < HINTED, f"a hint took {before:.1f} s")
            wire.cut()
            began = time.monotonic()
            status, _ = await asyncio.to_thread(lonely.ready)
            expect(figures, status == 503, "it is cut off, and says that it is ready")
            while time.monotonic() - began < scale.outage:
                await asyncio.to_thread(crossing, site)
            wire.mend()
            await asyncio.to_thread(_hinted_again, site, figures)

        return _played(site, scale, during)


@drill
def postgres_restarted(folder: Path, scale: Scale) -> Figures:
    """Restart PostgreSQL twice: immediately, and after an outage."""
    with Production(folder, RATE_LIMITS="off") as site:

        async def during(figures: Figures, tasks: object) -> None:
            # A piece of work fails after two tries of three seconds. A move may wait for another
            # piece that fails first.
            for away in (0.0, 12 + scale.outage):
                await asyncio.sleep(2)
                await asyncio.to_thread(site.postgres.stop)
                await asyncio.sleep(away)
                await asyncio.to_thread(site.postgres.start)

        figures = _played(site, scale, during)
        told = refusals(site).get("unavailable", 0)
        expect(figures, told > 0, "nobody was told that the site was unavailable")
        return figures


@drill
def disk_full(folder: Path, scale: Scale) -> Figures:
    """The disk under SQLite is full for a while."""
    with contextlib.ExitStack() as stack:
        disk = stack.enter_context(small_disk(folder / "disk", 64))
        site = Site(disk, {"SECRET_KEY": "k" * 50, "METRICS_TOKEN": "t" * 20}).wait()
        stack.callback(site.stop)

        async def during(figures: Figures, tasks: object) -> None:
            await asyncio.sleep(2)
            with no_room(site):
                await asyncio.sleep(scale.outage)
                person = await asyncio.to_thread(Person, site)
                status, _ = await asyncio.to_thread(person.get, "/")
                expect(figures, status == 200, f"the lobby's page was {status} meanwhile")
                status, _ = await asyncio.to_thread(person.post, "/guest/")
                expect(figures, status in {204, 503}, f"a form was {status} meanwhile")
                status, _ = await asyncio.to_thread(person.get, "/readyz")
                expect(figures, status == 503, f"/readyz was {status} meanwhile")

        figures = asyncio.run(
            play(site, during, scale.players, 1, scale.limit, scale.think, SLUGS, cutting=False)
        )
        without_traceback(figures, site.output())
        expect(figures, "OperationalError" in site.output(), "the disk was never full")
        return figures


@drill
def rolling_restart(folder: Path, scale: Scale) -> Figures:
    """Stop each server in turn and start it again."""
    with Production(folder, RATE_LIMITS="off") as site:

        async def during(figures: Figures, tasks: object) -> None:
            for server in site.servers * 2:
                await asyncio.sleep(2)
                began = time.monotonic()
                await asyncio.to_thread(server.stop)
                took = time.monotonic() - began
                expect(figures, took < 8, f"a server took {took:.1f} s to end")
                code = server.program.process.returncode
                expect(figures, code == 0, f"a server ended with {code}")
                await asyncio.to_thread(server.start)

        figures = _played(site, scale, during)
        expect(figures, figures.told > 0, "no player was told")
        longest = figures.longest_wait
        expect(figures, not scale.timed or longest < 3, f"somebody waited {longest:.1f} s")
        return figures


@drill
def long_load(folder: Path, scale: Scale) -> Figures:
    """500 sockets play for minutes: memory, files, connections and keys stay what they were."""
    figures = Figures()
    with Production(folder, RATE_LIMITS="off") as site:
        began = time.monotonic()
        loads = [Load(server, site.url, 125, 0.3, 60 * scale.minutes) for server in site.servers]
        for load in loads:
            load.begin()
        # Nothing may grow after the first fifth of the run.
        time.sleep(60 * scale.minutes / 5 + 5)
        first = _all_held(site)
        last = first
        print(f"{'':8}{first}", flush=True)
        while not any(load.is_over for load in loads):
            last = _all_held(site)
            time.sleep(min(20, 60 * scale.minutes / 10))
        print(f"{'':8}{last}", flush=True)
        for load in loads:
            found = load.result()
            figures.actions += int(found["actions_s"] * 60 * scale.minutes)
            figures.wrong += found["errors"]
            print(f"{'':8}{found['actions_s']} actions/s, p99 {found['other_p99_ms']} ms")
        expect(figures, last["kB"] < 1.05 * first["kB"], f"memory: {first['kB']} to {last['kB']}")
        for name in ("files", "database", "redis", "channels", "keys"):
            allowed = first[name] + (20 if name == "channels" else 8)
            expect(figures, last[name] <= allowed, f"{name}: {first[name]} to {last[name]}")

        until(lambda: not any(_match_sockets(site)), "all sockets gone", 40)
        with contextlib.suppress(AssertionError):
            until(lambda: _all_held(site)["channels"] <= 2 * len(site.servers) + 6, "", 20)
        after = _all_held(site)
        print(f"{'':8}{after}", flush=True)
        left = after["channels"] - 2 * len(site.servers)
        expect(figures, left <= 6, f"{left} channels are left of matches that nobody looks at")
        without_traceback(figures, site.logs())
        figures.seconds = time.monotonic() - began
    return figures


@drill
def hostile_frames(folder: Path, scale: Scale) -> Figures:
    """20 sockets send 10,000 malformed frames while others play: those hardly notice."""
    figures = Figures()
    # In short, the least that still has each kind of frame.
    number, seconds, warm_up = (10_000, 10.0, 6.0) if scale.timed else (1_500, 3.0, 3.0)
    frames = corpus(number)
    site = Site(
        folder, {"SECRET_KEY": "k" * 50, "RATE_LIMITS": "on"}, before=["taskset", "-c", "0"]
    ).wait()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})  # the clients have the other core
    try:
        people = [Person(site).be_guest() for _ in range(2)]
        match_id, _ = pair(*people, "tic-tac-toe")
        paths = ("/ws/lobby/", f"/ws/match/{match_id}/", "/ws/nowhere/")
        cookies = ("", *(person.cookie_header() for person in people))

        def played(frames: list[bytes]) -> tuple[dict[str, Any], int]:
            load = Load(site, site.url, 10, 0.1, seconds).begin()
            time.sleep(warm_up)  # their games begin
            opened = attack_politely(site.port, paths, frames, site.url, cookies, 20, seconds)
            return load.result(), opened

        # As many sockets in the same places, that do nothing but ping.
        calm, _ = played([frame(b'{"type":"ping","t":1}')] * 80)
        before = held(site)
        found, figures.reconnects = played(frames)
        after = held(site)
        print(f"{'':8}calm: {figures_of(calm)}; under attack: {figures_of(found)}", flush=True)
        figures.actions = int(found["actions_s"] * seconds)
        figures.wrong += found["errors"]
        if scale.timed:
            allowed = 2 * calm["other_p99_ms"]
            expect(figures, found["other_p99_ms"] <= allowed, "p99 more than twice the calm one")
        grown = after["kB"] - before["kB"]
        expect(figures, grown < 20_000, f"memory grew by {grown} kB")
        status, _ = people[0].get(f"/match/{match_id}/record.json")
        expect(figures, status == 200, f"the match they spoke to is {status}")
        without_traceback(figures, site.output())
    finally:
        os.sched_setaffinity(0, cores)
        site.stop()
    return figures


def _played(site: Production, scale: Scale, during: During, cutting: bool = False) -> Figures:
    """The load, with the trouble beside it, and the history checked afterwards."""
    figures = asyncio.run(
        play(site, during, scale.players, 1, scale.limit, scale.think, SLUGS, cutting)
    )
    without_traceback(figures, site.logs())
    return figures


def _soonest(site: Production) -> float:
    """Seconds that a hint takes when nothing else keeps the machine busy: the best of three."""
    return min(crossing(site) for _ in range(3))


def _hinted_again(site: Production, figures: Figures) -> None:
    back = time.monotonic()
    took = crossing(site)
    while took > HINTED and time.monotonic() - back < 2 * CONVERGED:
        took = crossing(site)
    needed = time.monotonic() - back
    expect(figures, needed < CONVERGED, f"hints came again after {needed:.1f} s")
    ready = [server.ready()[0] for server in site.servers]
    while ready != [200] * len(ready) and time.monotonic() - back < 2 * CONVERGED:
        time.sleep(0.1)
        ready = [server.ready()[0] for server in site.servers]
    needed = time.monotonic() - back
    expect(figures, needed < CONVERGED, f"ready again after {needed:.1f} s: {ready}")


def _match_sockets(site: Production) -> list[int]:
    """Return the number of open match sockets at each server."""
    texts = [metrics(site, server) for server in site.servers]
    found = [re.search(r'^parlour_sockets\{kind="match"\} (\d+)', text, re.M) for text in texts]
    return [int(match[1]) if match else 0 for match in found]


def _all_held(site: Production) -> dict[str, int]:
    found = {"kB": 0, "files": 0}
    for server in site.servers:
        for name, value in held(server).items():
            found[name] += value
    with redis_client.Redis.from_url(site.redis.url) as client:
        found["redis"] = len(client.client_list())
        found["channels"] = len(client.pubsub_channels())
        found["keys"] = client.dbsize()
    found["database"] = site.postgres.connections()
    return found
