"""Replay the stored matches and report those that are not sound."""

import multiprocessing
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from datetime import UTC, datetime
from itertools import islice
from typing import IO, Any, cast

import django
from django.core.management import BaseCommand, CommandError
from django.db import connection
from django.db.models import QuerySet
from rich.console import Console
from rich.progress import Progress

from games.models import Match
from games.rules import GAMES
from games.store.records import find_unsound_matches

_CHUNK = 200  # matches in a chunk
_AHEAD = 4  # chunks that wait for each process


class Command(BaseCommand):
    help = "Replay stored matches by the rules, and fail if one of them is not valid."
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", metavar="match", help="only these matches")
        parser.add_argument("--since", type=_day, help="only matches created from this day on")
        parser.add_argument("--until", type=_day, help="only matches created before this day")
        parser.add_argument("--game", choices=sorted(GAMES), help="only matches of this game")
        parser.add_argument(
            "--processes", type=int, default=multiprocessing.cpu_count(), help="how many at once"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["processes"] < 1:
            raise CommandError("--processes must be 1 or more.")
        wanted = Match.objects.order_by("pk")
        if options["ids"]:
            wanted = wanted.filter(pk__in=options["ids"])
            missing = set(options["ids"]) - set(wanted.values_list("pk", flat=True))
            if missing:
                raise CommandError(f"There is no match {', '.join(sorted(missing))}.")
        if options["since"]:
            wanted = wanted.filter(created_at__gte=options["since"])
        if options["until"]:
            wanted = wanted.filter(created_at__lt=options["until"])
        if options["game"]:
            wanted = wanted.filter(game=options["game"])

        began = time.monotonic()
        bad = count = 0
        console = Console(file=cast(IO[str], self.stdout), soft_wrap=True)
        with Progress(console=console, transient=True) as progress:
            task = progress.add_task("Replaying", total=wanted.count())
            for done, found in _in_parallel(wanted, options["processes"]):
                progress.advance(task, done)
                count += done
                bad += len(found)
                for match_id, words in found.items():
                    console.print(f"{match_id}: {words}", markup=False, highlight=False)
        took = time.monotonic() - began
        rate = count / took if took else 0
        self.stdout.write(
            f"{count - bad} of {count} matches are sound"
            f" ({took:.1f} s, {rate:.0f} matches a second, {options['processes']} processes)."
        )
        if bad:
            raise CommandError(f"{bad} not sound.")


def _chunks(wanted: QuerySet[Match]) -> Iterator[list[str]]:
    """Yield the ids of the matches in chunks, because memory may be too small for all of them."""
    last = ""
    while chunk := list(wanted.filter(pk__gt=last).values_list("pk", flat=True)[:_CHUNK]):
        yield chunk
        last = chunk[-1]


def _in_parallel(wanted: QuerySet[Match], processes: int) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number of matches in each chunk, and the faults of those that are not sound."""
    chunks = _chunks(wanted)
    if processes == 1 or wanted.count() <= _CHUNK:
        yield from ((len(chunk), _look(chunk)) for chunk in chunks)
        return
    connection.close()  # child processes open their own connections
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawn, initializer=django.setup) as pool:
        waiting: list[tuple[int, Future[dict[str, str]]]] = []
        while True:
            for chunk in islice(chunks, processes * _AHEAD - len(waiting)):
                waiting.append((len(chunk), pool.submit(_look, chunk)))
            if not waiting:
                return
            size, future = waiting.pop(0)
            yield size, future.result()


def _look(ids: list[str]) -> dict[str, str]:
    found = find_unsound_matches(ids)
    if found:  # check again, because a match may have changed while it was read
        found = find_unsound_matches(list(found))
    return {
        match_id: " ".join(
            fault.words if fault.ply is None else f"[ply {fault.ply}] {fault.words}"
            for fault in faults
        )
        for match_id, faults in found.items()
    }


def _day(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a day such as 2026-01-31") from None
