"""Measure an arena of simulated players on one machine, and the same moves without an arena.

    python -m tests.bench.tournaments.arena 500 600

The arguments are the numbers of players and of seconds. It uses SQLite, or PostgreSQL and Redis
with `--postgres`. It prints the seconds until a free player is paired, frames and bytes of a
tournament's page, and the latency of moves. `--think` is the mean of the seconds before a move,
`--plies` the mean length of a game. Without the arena as many players play the same number of
rated games per second.
"""

import argparse
import asyncio
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.bench.tournaments.crowd import Seen, play, play_alone, summary
from tests.builders.commands import run_module
from tests.builders.databases import postgres, redis
from tests.builders.sites import Site

PAUSE = 1.0  # seconds between two games without the arena, about as long as the wait in one


def arrange(site: Site, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = run_module(site.env, "tests.bench.tournaments.arrange", *words)
    return found


def share(times: list[float], of: float) -> float | None:
    """Return the quantile of sorted values."""
    return round(times[min(len(times) - 1, int(len(times) * of))], 2) if times else None


MOVES = (
    *("games_a_second", "moves_a_second", "moves", "move_p50_ms", "move_p95_ms", "move_p99_ms"),
    "server_ms",
)


def worked(site: Site) -> float:
    """Return the CPU seconds of the server, which other processes do not change."""
    fields = Path(f"/proc/{site.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def without(site: Site, options: argparse.Namespace, seconds: float) -> Seen:
    """Run as many players without an arena: as many rated games per second, of the same length."""
    made = arrange(site, "make", "pairs", str(options.players // 2))
    before = worked(site)
    seen = asyncio.run(
        play_alone(
            site.port,
            made["matches"],
            made["cookies"],
            options.think,
            options.plies,
            seconds,
            pause=PAUSE,
        )
    )
    seen.server_seconds = worked(site) - before
    return seen


def within(site: Site, options: argparse.Namespace) -> tuple[Seen, dict[str, Any]]:
    """Run an arena for some seconds and return its figures."""
    seconds, players = options.seconds, options.players
    minutes = max(1, round(seconds / 60))
    made = arrange(site, "make", "arena", str(players), json.dumps({"minutes": minutes}))
    before = worked(site)
    seen = asyncio.run(
        play(
            [site.port],
            made["tournament"],
            made["cookies"],
            options.think,
            options.plies,
            patience=seconds + players / 50 + 120,
        )
    )
    seen.server_seconds = worked(site) - before
    found = arrange(site, "look", made["tournament"])
    free = found.pop("free")
    return seen, {
        **found,
        "free_to_paired_p50_s": share(free, 0.5),
        "free_to_paired_p95_s": share(free, 0.95),
        "pairings_a_second": round(sum(found["kinds"].values()) / (60 * minutes), 1),
    }


def compare(site: Site, options: argparse.Namespace) -> None:
    """Measure an arena between two halves without one.

    This reduces the effect of a machine whose speed changes.
    """
    calm = [without(site, options, options.seconds / 2)]
    print(json.dumps({"without, before": of_moves(calm[0])}), flush=True)
    seen, found = within(site, options)
    print(json.dumps({"within": {**found, **summary(seen)}}, indent=1), flush=True)
    calm.append(without(site, options, options.seconds / 2))
    print(json.dumps({"without, after": of_moves(calm[1])}), flush=True)
    print(json.dumps({"times as long in the arena": times_as_long(seen, calm)}))


def times_as_long(seen: Seen, calm: Sequence[Seen]) -> dict[str, float]:
    """Return the ratios of latency and of CPU time per move to those without the arena."""
    both = summary(
        Seen(
            moves=[move for each in calm for move in each.moves],
            server_seconds=sum(each.server_seconds for each in calm),
        )
    )
    found = summary(seen)
    names = [name for name in MOVES if name.endswith("_ms") and both[name]]
    return {name: round(found[name] / both[name], 2) for name in names}


def of_moves(seen: Seen) -> dict[str, Any]:
    found = summary(seen)
    return {name: found[name] for name in (*MOVES, "errors")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", type=int)
    parser.add_argument("seconds", type=int)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--think", type=float, default=2.0)
    parser.add_argument("--plies", type=int, default=20)
    options = parser.parse_args()
    with site_for(options.postgres) as site:
        compare(site, options)


@contextmanager
def site_for(on_postgres: bool) -> Iterator[Site]:
    """Create a site on SQLite, or on PostgreSQL and Redis."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        env = {"FIRST_MOVE_SECONDS": "60"}
        if on_postgres:
            for name in ("pg", "redis"):
                (folder / name).mkdir()
            env["DATABASE_URL"] = stack.enter_context(postgres(folder / "pg"))
            env["REDIS_URL"] = stack.enter_context(redis(folder / "redis"))
            env["SECRET_KEY"] = "k" * 50
        site = Site(folder, env)
        stack.callback(site.stop)
        yield site.wait()


if __name__ == "__main__":
    main()
