"""Drills with connections: clients that break off, flood, are slow, or send too much."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.bench.drills.bystanders import Bystanders, Felt, authority, ratios
from tests.bench.drills.registry import Scale, drill, expect, without_traceback
from tests.bench.drills.trouble import held
from tests.bench.load.play import cpu
from tests.bench.scripted import Figures
from tests.builders.production import Production, Server
from tests.builders.sites import Person, Site, until
from tests.hostile.floods import (
    Attack,
    Attackers,
    Far,
    break_off,
    flood,
    half_open,
    large_bodies,
    leave_unread,
    read_nothing,
)

ALLOWED = 2.0  # times a calm while's p99


@drill
def broken_off(folder: Path, scale: Scale) -> Figures:
    """200 clients of `serve` flood sockets with pongs and end in a reset: nobody else notices."""
    with _serve(folder) as site:
        return _broken_off(site, [site], scale, site.output)


@drill
def broken_off_behind_nginx(folder: Path, scale: Scale) -> Figures:
    """The same at two servers behind nginx, by TLS, on PostgreSQL."""
    with Production(folder) as site:
        return _broken_off(site, site.servers, scale, site.logs)


@drill
def control_frames(folder: Path, scale: Scale) -> Figures:
    """Sockets send 40,000 pings, pongs or empty fragments a second, or never read an answer."""
    with _serve(folder) as site:
        far, seconds = Far(site.port, site.url), _seconds(scale)
        attacks: list[Attack] = [
            *((flood, far, kind, seconds) for kind in ("pings", "pongs", "fragments")),
            (read_nothing, far, seconds),
        ]
        before = held(site)["kB"]
        figures = _felt(site, scale, lambda _: attacks, site.output)
        grown = held(site)["kB"] - before
        expect(figures, grown < 30_000, f"memory grew by {grown} kB")
        return figures


@drill
def slow_requests(folder: Path, scale: Scale) -> Figures:
    """995 requests are begun and never ended, and bodies of 300 MB sent, at 1,024 descriptors."""
    with _serve(folder, "prlimit", "--nofile=1024:1024") as site:
        far, seconds = Far(site.port, site.url), _seconds(scale)
        attacks: list[Attack] = [(half_open, far, 995, seconds), (large_bodies, far, 300, seconds)]
        waits: list[float] = []

        def newcomer() -> None:
            began = time.monotonic()
            status, _ = Person(site).get("/healthz")
            waits.append(time.monotonic() - began)
            assert status == 200, status

        before = held(site)["kB"]
        # The server takes and closes a thousand connections a second: that costs a little time.
        figures = _felt(site, scale, lambda _: attacks, site.output, newcomer, most=50)
        grown = held(site)["kB"] - before
        expect(figures, grown < 60_000, f"memory grew by {grown} kB")
        print(f"{'':8}a newcomer's page came after {max(waits):.2f} s at the latest", flush=True)
        expect(figures, max(waits) < 5, f"a newcomer waited {max(waits):.1f} s")
        return figures


@drill
def unread_answers(folder: Path, scale: Scale) -> Figures:
    """100 connections ask 250 times each for an answer of 200 kB and read none of them."""
    with _serve(folder) as site:
        far, seconds = Far(site.port, site.url), 3 * _seconds(scale)
        attacks: list[Attack] = [(leave_unread, far, "/api/openapi.json", 100, 250, seconds)]
        before = held(site)["kB"]
        # The server makes one of these answers for each connection, in the first seconds.
        figures = _felt(site, scale, lambda _: attacks, site.output, most=50)
        grown = held(site)["kB"] - before
        print(f"{'':8}memory grew by {grown} kB", flush=True)
        expect(figures, grown < 80_000, f"memory grew by {grown} kB")
        return figures


def _broken_off(
    site: Site | Production, servers: Sequence[Site | Server], scale: Scale, log: Callable[[], str]
) -> Figures:
    far, seconds = Far(site.port, site.url, authority(site)), _seconds(scale)
    files: list[int] = []

    def attacks(match_id: str) -> list[Attack]:
        files.extend(held(server)["files"] for server in servers)
        paths = [f"/ws/match/{match_id}/", "/ws/lobby/"]
        return [(break_off, far, paths, scale.hostile // 4, seconds) for _ in range(4)]

    figures = _felt(site, scale, attacks, log)

    def freed() -> bool:
        now = [held(server)["files"] for server in servers]
        return all(own <= before + 4 for own, before in zip(now, files, strict=True))

    until(freed, f"descriptors freed: {files} before", 20)
    return figures


def _felt(
    site: Site | Production,
    scale: Scale,
    attacks: Callable[[str], list[Attack]],
    log: Callable[[], str],
    meanwhile: Callable[[], None] = lambda: None,
    most: float = 0.0,
) -> Figures:
    """What bystanders feel of attacks, beside what they felt before; `attacks` is given the match
    that is watched. Each p99 may be ALLOWED times the calm one, or `most` milliseconds."""
    figures = Figures()
    began, seconds = time.monotonic(), _seconds(scale)
    pids = [site.pid] if isinstance(site, Site) else [server.pid for server in site.servers]
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})  # the clients have the other core than `serve`
    try:
        with Bystanders(site) as others, Attackers() as attackers:
            used = [(time.monotonic(), cpu(pids))]
            calm = others.feel(seconds)
            used.append((time.monotonic(), cpu(pids)))
            others.begin(seconds)
            attacked = attackers.begin(attacks(others.match_id))
            while not attacked.done():
                meanwhile()
                time.sleep(0.1)
            did = attacked.result()
            hard = others.felt()
            used.append((time.monotonic(), cpu(pids)))
            after = others.feel(3)
            if not scale.timed:  # a busy machine may do nothing for three seconds
                until(lambda: after.fewest or others.feel(3).fewest, "all hear of the lobby again")
    finally:
        os.sched_setaffinity(0, cores)
    for name, felt in (("calm", calm), ("attacked", hard), ("after", after)):
        print(f"{'':8}{name}: {felt}", flush=True)
    busy = [round((used[i + 1][1] - used[i][1]) / (used[i + 1][0] - used[i][0]), 2) for i in (0, 1)]
    print(f"{'':8}{ratios(calm, hard)}; the attackers did {did}", flush=True)
    print(f"{'':8}the servers used {busy[0]} of a core, and {busy[1]} under attack", flush=True)
    figures.actions = calm.actions + hard.actions
    figures.seconds = time.monotonic() - began
    figures.wrong += calm.errors + hard.errors + after.errors
    _judge(figures, scale, calm, hard, after, most)
    without_traceback(figures, log())
    return figures


def _judge(
    figures: Figures, scale: Scale, calm: Felt, hard: Felt, after: Felt, most: float
) -> None:
    if scale.timed:
        heard = hard.fewest > 0 and after.fewest > 0
        expect(figures, heard, "one of them hears of the lobby no more")
        expect(figures, hard.actions > calm.actions / 2, "half as many actions")
        moves, pings = max(most, ALLOWED * calm.move_p99), max(most, ALLOWED * calm.ping_p99)
        expect(figures, hard.move_p99 < moves, f"p99 of moves {hard.move_p99} ms")
        expect(figures, hard.ping_p99 < pings, f"p99 of pings {hard.ping_p99} ms")
        expect(figures, hard.frames > 0.8 * calm.frames, "fewer frames received")


def _seconds(scale: Scale) -> float:
    return 20.0 if scale.timed else 3.0


@contextmanager
def _serve(folder: Path, *before: str) -> Iterator[Site]:
    env = {"SECRET_KEY": "k" * 50, "RATE_LIMITS": "on"}
    site = Site(folder, env, before=["taskset", "-c", "0", *before])
    try:
        yield site.wait()
    finally:
        site.stop()
