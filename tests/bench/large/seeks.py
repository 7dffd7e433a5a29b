"""Measure many players who seek a rated match at the same moment, and many processes that pair
them.

Run as a separate command, with a DATABASE_URL or a DATA_DIR that can be filled:

python -m tests.bench.large.seeks 1000 20

With `--all-run` each process runs each wave regardless of its lease, as when servers are delayed.
With `--one-dies` the first process that has made five pairs of a wave is killed, and the others
continue. With `--look` nobody is paired; it prints the query plans for reading a wave, and with
`--offers` those for reading what all of them are offered instead.
"""

import argparse
import json
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from queue import Empty
from typing import Any

import django
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec.structs import asdict

from tests.builders.query_plans import get_query_plan

PATIENCE = 60.0  # seconds after which they are no longer paired
KEPT = 3.0  # seconds after which a server stores again that its players are there
CLOCK = "3+2"


def fill(number: int) -> list[int]:
    """Create this many accounts with ratings, a tenth of which have blocked another."""
    from lobby.models import Block, Player, Rating

    now, chance = timezone.now(), random.Random(number)
    people = Player.objects.bulk_create(Player(username=f"Seeker {n}") for n in range(number))
    ids = [player.pk for player in people]
    Rating.objects.bulk_create(
        Rating(
            player_id=pk, game="six-in-a-row", rating=chance.gauss(1500, 300), deviation=60,
            volatility=0.06, games=30, best=1600, streak=0, longest=3, key=f"k{pk}", rated_at=now,
        )
        for pk in ids
    )  # fmt: skip
    pairs = {tuple(chance.sample(ids, 2)) for _ in range(number // 10)}
    Block.objects.bulk_create(Block(by_id=one, whom_id=other, at=now) for one, other in pairs)
    return ids


def list_seeks(ids: Sequence[int]) -> None:
    """List a seek for each player at the same moment, with the first wave due."""
    from lobby.models import Seek
    from lobby.seeks import pool

    now = timezone.now()
    common = {**asdict(setup()), "created_at": now, "seen_at": now}
    Seek.objects.bulk_create(Seek(player_id=pk, **common) for pk in ids)
    pool.schedule_wave(setup())


def pair(all_run: bool, dies: Any, keep: Callable[[], None]) -> list[tuple[float, int, int]]:
    """Run the waves that are due; return each one's start, seekers and pairs.

    While `dies` is 1, the first process that has made five pairs exits as if killed.
    """
    from lobby.seeks import matchmaking, pool
    from lobby.seeks.pool import pair_seekers

    found = []
    due, _ = pool.lease_waves()
    if all_run:
        due = due or [pool.Wave(0, setup(), timezone.now(), timezone.now())]
    for each in due:
        began, wave, made = time.time(), each, 0
        waiting, apart = pool.list_seekers(wave.setup)
        for one, other in pair_seekers(waiting, apart):
            longer = pool.renew_lease(wave) if made % 50 == 0 else wave
            wave = longer or wave
            made += matchmaking.pair_seeks(one.seek_id, other.seek_id) is not None
            keep()
            if made == 5 and dies.value:
                dies.value = 0
                os._exit(9)
        pool.end_wave(wave)
        if waiting:
            found.append((began, len(waiting), made))
    return found


def setup() -> Any:
    from games.match.setup import Setup

    return Setup("six-in-a-row", CLOCK, rated=True)


def work(ids: Sequence[int], all_run: bool, dies: Any, start: Any, stop: Any, results: Any) -> None:
    """Run one process's waves. A tenth of its players arrive while waves are running."""
    from lobby.seeks import matchmaking

    found: list[tuple[float, int, int]] = []
    late, kept = list(ids[::10]), time.monotonic()

    def keep() -> None:
        nonlocal kept
        if time.monotonic() - kept > KEPT:
            kept = time.monotonic()
            matchmaking.record_presence(set(ids))

    start.wait()
    try:
        while not stop.is_set():
            if late:
                matchmaking.create_seek(late.pop(), setup())
            found += pair(all_run, dies, keep)
            keep()
            time.sleep(0.1)
    finally:
        results.put(found)


def run(number: int, processes: int, all_run: bool, one_dies: bool) -> dict[str, Any]:
    """Run the processes and return the outcome for the seekers."""
    from games.models import Match
    from lobby.models import Block, Seek

    ids = fill(number)
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # the new processes would not have its threads
    fork = multiprocessing.get_context("fork")
    dies = fork.Value("i", int(one_dies))
    start, stop, results = fork.Barrier(processes + 1), fork.Event(), fork.Queue()
    workers = [
        fork.Process(target=work, args=(ids[n::processes], all_run, dies, start, stop, results))
        for n in range(processes)
    ]
    for worker in workers:
        worker.start()
    list_seeks([pk for n in range(processes) for i, pk in enumerate(ids[n::processes]) if i % 10])
    start.wait(PATIENCE)
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        made, left = Match.objects.count(), Seek.objects.filter(match=None).count()
        if made == number // 2 or (one_dies and made > 5 and left <= 1):
            break
        time.sleep(0.1)
    took = time.monotonic() - began
    stop.set()
    waves = []
    for _ in range(processes - one_dies):
        try:
            waves += results.get(timeout=PATIENCE)
        except Empty:
            break  # the exit codes show it
    for worker in workers:
        worker.join(PATIENCE)
    seated = Counter(pk for row in Match.objects.values_list("first", "second") for pk in row)
    blocked = {frozenset(row) for row in Block.objects.values_list("by", "whom")}
    times = Seek.objects.exclude(match=None).values_list("created_at", "match__created_at")
    waited = [
        sum(since.timestamp() < at <= until.timestamp() for at, *_ in waves)
        for since, until in times
    ]
    return {
        "paired": len(seated),
        "twice": sum(times > 1 for times in seated.values()),
        "blocked": sum(
            frozenset(row) in blocked for row in Match.objects.values_list("first", "second")
        ),
        "rated": Match.objects.filter(rated=True, clock=CLOCK).count(),
        "waves": len(waves),
        "sizes": [(size, made) for _, size, made in sorted(waves)][:40],
        "most_waves": max(waited, default=0),
        "left": Seek.objects.filter(match=None).count(),
        "failed": sum(worker.exitcode != 0 for worker in workers),
        "seconds": round(took, 1),
    }


def look(number: int) -> dict[str, Any]:
    """Return how a wave is read among this many seeks, two fifths of them in its pool."""
    from games.models import Match
    from games.rules import GAMES
    from lobby.models import Played, Pool, Seek
    from lobby.seeks import pool

    ids = fill(number)
    list_seeks(ids[: number * 2 // 5])
    now, start = timezone.now(), GAMES["six-in-a-row"].start.notation
    times = {"created_at": now, "seen_at": now}
    Seek.objects.bulk_create(
        Seek(player_id=pk, game="six-in-a-row", clock=f"{n % 180}+1", rated=n % 2 == 0, **times)
        for n, pk in enumerate(ids[number * 2 // 5 :])
    )
    Pool.objects.bulk_create(
        Pool(game="dots-and-boxes", clock=f"{n % 180}+{n // 180}") for n in range(number // 2)
    )
    common = {"game": "six-in-a-row", "created_at": now}
    for back in range(20):
        match = Match.objects.create(
            first_id=ids[0], second_id=ids[1], notation=start, acted_at=now, **common
        )
        ended = {"match": match, "game": "six-in-a-row", "result": "won", "length": 1}
        Played.objects.bulk_create(
            Played(
                player_id=pk, opponent_id=ids[0], seat=n, rated=back % 4 == 0, ended_at=now, **ended
            )
            for n, pk in enumerate(ids[:1000])
        )
    Seek.objects.update(seen_at=timezone.now())  # the preparation took too long
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    began = time.perf_counter()
    with CaptureQueriesContext(connection) as asked:
        waiting, _ = pool.list_seekers(setup())
        pool.lease_waves()
    took = time.perf_counter() - began
    return {"waiting": len(waiting), "seconds": round(took, 3), "plans": plans_of(asked)}


def look_at_offers(number: int) -> dict[str, Any]:
    """Return how the offers to this many seekers are read, among a hundred times as many seeks of
    the past days."""
    from lobby.models import Seek
    from lobby.seeks import offers

    ids, now = fill(number), timezone.now()
    Seek.objects.bulk_create(
        Seek(
            player_id=ids[n % number], game="six-in-a-row", clock=f"{1 + n % 90}+{n % 60}",
            created_at=now - timedelta(minutes=n), seen_at=now - timedelta(minutes=1 + n),
            by_address=True,
        )
        for n in range(100 * number)
    )  # fmt: skip
    times = {"created_at": timezone.now(), "seen_at": timezone.now() + timedelta(hours=1)}
    Seek.objects.bulk_create(
        Seek(player_id=pk, game="six-in-a-row", clock=f"{1 + n % 5}+1", rated=n % 2 == 0, **times)
        for n, pk in enumerate(ids)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    seconds = []
    for _ in range(5):
        began = time.perf_counter()
        with CaptureQueriesContext(connection) as asked:
            found = offers.read_offers(ids, ["six-in-a-row"])
        seconds.append(time.perf_counter() - began)
    offered = sum(bool(some) for some in found.values())
    return {"offered": offered, "seconds": round(min(seconds), 3), "plans": plans_of(asked)}


def plans_of(asked: CaptureQueriesContext) -> list[tuple[str, str]]:
    """Return the first of these queries, each with its plan."""
    plans = []
    for query in asked.captured_queries[:6]:
        if query["sql"].startswith("SELECT"):
            plans.append((query["sql"][:3000], get_query_plan(query["sql"])))
    return plans


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("seekers", type=int)
    parser.add_argument("processes", type=int, nargs="?", default=1)
    parser.add_argument("--one-dies", action="store_true")
    parser.add_argument("--look", action="store_true")
    parser.add_argument("--offers", action="store_true")
    parser.add_argument("--all-run", action="store_true")
    asked = parser.parse_args()
    call_command("migrate", verbosity=0)
    json.dump(
        look(asked.seekers)
        if asked.look
        else look_at_offers(asked.seekers)
        if asked.offers
        else run(asked.seekers, asked.processes, asked.all_run, asked.one_dies),
        sys.stdout,
    )


if __name__ == "__main__":
    django.setup()
    main()
