"""Drills of the lobby: delays that many visitors cause for players."""

import gzip
import os
import time
from pathlib import Path
from typing import Any

from tests.bench.drills.registry import Scale, drill, expect, without_traceback
from tests.bench.drills.trouble import Load
from tests.bench.drills.visitors import Visitors
from tests.bench.scripted import Figures
from tests.builders.commands import run_module
from tests.builders.sites import Person, Site
from tests.hostile.attack import figures_of

CHANGES = "/ws/lobby/?shows=changes"
BYTES = 2500  # the most per second sent to a visitor of a busy lobby
_WARM = 7.0  # seconds until all games of the load have begun
PAGE = 14_000  # the most bytes of the lobby's page as sent, with gzip; its dialogs take 2 kB


@drill
def lobby_watched(folder: Path, scale: Scale) -> Figures:
    """1,000 visitors view a lobby with 300 seeks and 300 matches: play hardly slows."""
    figures = Figures()
    games, visitors, seekers = (300, 1000, 100) if scale.timed else (30, 100, 10)
    seconds, think = (10.0, 1.0) if scale.timed else (4.0, 0.3)
    site = Site(folder, {"SECRET_KEY": "k" * 50}, before=["taskset", "-c", "0"]).wait()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})  # the clients use the other core
    try:
        cookies = _players(site, seekers)

        def played(path: str, visitors: int) -> tuple[dict[str, Any], dict[str, Any]]:
            with Visitors(site, path, visitors, cookies) as crowd:
                load = Load(site, site.url, games, think, seconds).begin()
                time.sleep(_WARM)
                sent = crowd.sent(seconds - 1)
                return load.result(), sent

        calm: dict[str, Any] = {}
        if scale.timed:
            calm, _ = played(CHANGES, 0)
            print(f"{'':8}nobody looks: {figures_of(calm)}", flush=True)
            whole, sent = played("/ws/lobby/", visitors)
            print(f"{'':8}whole frames: {figures_of(whole)}; each {sent}", flush=True)
        found, sent = played(CHANGES, visitors)
        print(f"{'':8}changes:      {figures_of(found)}; each {sent}", flush=True)
        figures.actions = int(found["actions_s"] * seconds)
        figures.wrong += found["errors"]
        expect(figures, sent["seeks"] == 3 * seekers, f"{sent['seeks']} seeks were made")
        expect(figures, 0 < sent["bytes_s"] < BYTES, f"each is sent {sent['bytes_s']} B/s")
        status, page = Person(site).get("/")
        sent = len(gzip.compress(page.encode()))
        print(f"{'':8}the page: {sent} bytes", flush=True)
        expect(figures, status == 200 and sent < PAGE, f"the page is {sent} bytes")
        if scale.timed:
            ratio = found["other_p99_ms"] / calm["other_p99_ms"]
            print(f"{'':8}p99 of moves: {ratio:.1f} times that without visitors", flush=True)
            expect(figures, ratio <= 2, "p99 more than twice the calm one")
        without_traceback(figures, site.output())
    finally:
        os.sched_setaffinity(0, cores)
        site.stop()
    return figures


def _players(site: Site, number: int) -> list[str]:
    """Return the cookies of `number` players."""
    seeded = run_module(site.env, "tests.bench.load.seed", str(number // 2))
    return [cookie for _, *cookies in seeded for cookie in cookies]
