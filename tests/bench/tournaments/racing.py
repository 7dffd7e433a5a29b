"""Run the steps of one tournament in many processes at the same time, and print its outcome.

    python -m tests.bench.tournaments.racing swiss 9 4

Set DATABASE_URL or DATA_DIR to a database that may be filled. The processes also deliver the
results. With `--killed` they are killed between any two reads and writes of a step, and others
replace them.
"""

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import timedelta
from itertools import count
from typing import Any

import django
from django.core.management import call_command
from django.db import OperationalError, connection
from django.utils import timezone

PATIENCE = 200.0  # seconds after which it should be over
GAMES = 25  # in an arena
_LIVES = 60  # a process is killed at one of its first so many points, chosen by its seed


def make_mortal(functions: Iterable[tuple[Any, str]], lives: int) -> None:
    """Kill the process before or after a call of these functions.

    `place` is the number of the call, counted over all of them.
    """
    places = count()

    def pass_place() -> None:
        if next(places) == lives:
            os.kill(os.getpid(), signal.SIGKILL)

    def make(work: Callable[..., Any]) -> Callable[..., Any]:
        def does(*args: Any, **more: Any) -> Any:
            pass_place()
            found = work(*args, **more)
            pass_place()
            return found

        return does

    for module, name in functions:
        setattr(module, name, make(getattr(module, name)))


def work(seed: int, killed: bool, stop: Any) -> None:
    """Run a process: run every step and deliver events until told to stop."""
    from games.journal import events
    from games.journal.requests import Request
    from games.journal.transaction import commit_requests
    from games.runtime.leases import Lease
    from lobby.models import Tournament
    from lobby.tournaments import arena, lifecycle, results, rounds

    forget_connections()
    # A killed process leaves its events leased: do not wait half a minute for each.
    events._LEASE = Lease("due_at", timedelta(seconds=1))
    chance = random.Random(seed)
    if killed:
        functions = (
            *(
                (lifecycle, "read_snapshot"),
                (lifecycle, "store_step"),
                (lifecycle, "lock_tournament"),
            ),
            *((rounds, "open_arranged"), (rounds, "update_scores"), (arena, "store_pairings")),
            *((results, "update_scores"), (results, "lock_tournament"), (results, "_store")),
            *((lifecycle, "decide_games"), (arena, "screen_entries"), (arena, "mark_changed")),
        )
        make_mortal(functions, chance.randrange(_LIVES))
    while not stop.is_set():
        try:
            for pk in Tournament.objects.exclude(state="over").values_list("pk", flat=True):
                asked = lifecycle.run_step(pk)
                commit_requests([Request(match_id, None, command) for match_id, command in asked])
            events.deliver_events()
        except OperationalError as error:  # the loser of a deadlock or a lock retries
            connection.close()
            if "lock" not in str(error):
                raise
        time.sleep(chance.random() / 50)


def forget_connections() -> None:
    """Drop the connections that were inherited from the parent process."""
    connection.connection = None
    if connection.vendor == "postgresql":
        connection._connection_pools.clear()


def play(chance: random.Random) -> None:
    """End some of the live games."""
    from games.journal.requests import Request
    from games.journal.transaction import commit_requests
    from games.match.commands import Adjudicate, Resign
    from games.models import Match

    rows = Match.objects.filter(status="live").values_list("pk", "first", "second")
    for pk, *seats in rows:
        if chance.random() < 0.2:
            commit_requests([Request(pk, None, Adjudicate((50, 50)))])
        else:
            commit_requests([Request(pk, chance.choice(seats), Resign())])


def run(kind: str, players: int, processes: int, killed: bool) -> dict[str, Any]:
    """Run the tournament and return its outcome."""
    from games.models import Event, Match
    from lobby.models import Pairing, Player, Tournament
    from lobby.tournaments import presence
    from lobby.tournaments.verification import verify_tournaments
    from tests.builders.matches import deliver_events
    from tests.builders.tournaments import create_tournament, join_players

    people = [Player.objects.create(username=f"Racer {n:03}") for n in range(players)]
    tournament = create_tournament(people[0], kind)
    join_players(tournament, people)
    presence.record_present(tournament.pk, [each.pk for each in people])
    Tournament.objects.update(starts_at=timezone.now())
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # the new processes would not have its threads
    fork = multiprocessing.get_context("fork")
    stop, deaths, seeds = fork.Event(), 0, iter(range(10_000))
    workers = [
        fork.Process(target=work, args=(next(seeds), killed, stop)) for _ in range(processes)
    ]
    for worker in workers:
        worker.start()
    chance, began, failed = random.Random(7), time.monotonic(), 0
    while time.monotonic() - began < PATIENCE:
        tournament.refresh_from_db()
        if tournament.state in ("over", "called-off"):
            break
        play(chance)
        if tournament.is_arena:
            presence.record_present(tournament.pk, [each.pk for each in people])
            if tournament.pairings >= GAMES and tournament.ends_at > timezone.now():
                Tournament.objects.filter(pk=tournament.pk).update(ends_at=timezone.now())
        for place, worker in enumerate(workers):
            if worker.is_alive():
                continue
            failed += worker.exitcode != -signal.SIGKILL
            deaths += 1
            args = (next(seeds), killed, stop)
            workers[place] = fork.Process(target=work, args=args)
            workers[place].start()
        time.sleep(0.05)
    stop.set()
    for worker in workers:
        worker.join(PATIENCE)
        deaths += worker.exitcode == -signal.SIGKILL
        failed += worker.exitcode not in (0, -signal.SIGKILL)

    Event.objects.filter(due_at__isnull=False).update(due_at=timezone.now())
    deliver_events()
    tournament.refresh_from_db()
    rows = Pairing.objects.values_list("round", "leg", "first", "second", "match")
    met = Counter((number, leg, pk) for number, leg, *both, _ in rows for pk in both if pk)
    return {
        "state": tournament.state,
        "rounds": tournament.rounds,
        "pairings": len(rows),
        "matches": Match.objects.filter(arranged=True).count(),
        "paired": sum(match is not None for *_, match in rows),
        "twice_in_a_round": sum(times > 1 for (number, *_), times in met.items() if number),
        "faults": verify_tournaments().faults,
        "deaths": deaths,
        "failed": failed,
        "seconds": round(time.monotonic() - began, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kind")
    parser.add_argument("players", type=int)
    parser.add_argument("processes", type=int)
    parser.add_argument("--killed", action="store_true")
    options = parser.parse_args()
    call_command("migrate", interactive=False, verbosity=0)
    found = run(options.kind, options.players, options.processes, options.killed)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    django.setup()
    main()
