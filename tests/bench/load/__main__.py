"""How fast the site is on two cores: the server on one, the load on the other.

    python -m tests.bench.load                   the embedded default
    python -m tests.bench.load --peers …/peers   and boardgame.io in the same run, with ratios
    python -m tests.bench.load --postgres        PostgreSQL and Redis instead of SQLite
    python -m tests.bench.load --only one,100,500,watchers,idle,think
    python -m tests.bench.load --only few,bots,lobby   ten matches; while ten bots think on their
                                                       core; while 1,000 people are in the lobby
    python -m tests.bench.load --only 100 --games six-in-a-row,hex-11   other games, by turns

Prints a table, and draws it as `--svg`. Only figures of one run are comparable.
"""

import argparse
import contextlib
import itertools
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.load.drawing import draw
from tests.bench.load.script import SIX
from tests.builders.commands import run_module
from tests.builders.databases import postgres, redis
from tests.builders.ports import free_port, listens
from tests.builders.sites import ROOT, Site, until

CASES: dict[str, dict[str, Any]] = {
    "one": {"matches": 1},
    "100": {"matches": 100},
    "500": {"matches": 500},
    "think": {"matches": 100, "think": 0.1},
    "few": {"matches": 10, "think": 0.1, "warm": 5},
    "bots": {"matches": 10, "think": 0.1, "bots": 10, "warm": 15},
    "lobby": {"matches": 10, "think": 0.1, "visitors": 1000, "warm": 5},
    "watchers": {"matches": 1, "watchers": 1000, "think": 0.2},
    "idle": {"matches": 2500, "run": 0, "warm": 0, "idle": 5},
}
COLUMNS = (
    "actions_s",
    "own_p50_ms",
    "other_p50_ms",
    "other_p99_ms",
    "last_watcher_p50_ms",
    "last_watcher_p99_ms",
    "server_cpu",
    "client_cpu",
    "kb_per_socket",
    "error_count",
)


def main() -> None:
    arguments = _arguments()
    names, games = arguments.only.split(","), arguments.games.split(",")
    folder = Path(tempfile.mkdtemp(prefix="load-"))
    rows: list[dict[str, Any]] = []
    try:
        for round_ in range(arguments.rounds):
            for name in names:
                for server, game in itertools.product(_servers(arguments), games):
                    row = _measure(server, name, game, folder, arguments)
                    if row is not None:
                        case = name if game == SIX else f"{name} {game}"
                        rows.append({"round": round_, "server": server, "case": case, **row})
                        print(_line(rows[-1]), flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    table = _medians(rows)
    print("\nMedians:")
    for row in table:
        print(_line(row))
    _print_ratios(table)
    _print_felt(table)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1))
    if arguments.svg:
        Path(arguments.svg).write_text(draw(table))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument(
        "--only", default="one,100,500,watchers,idle", help="cases, comma-separated"
    )
    parser.add_argument("--games", default=SIX, help="games by their addresses, comma-separated")
    parser.add_argument("--rounds", type=int, default=1, help="how often each, taking turns")
    parser.add_argument("--run", type=float, default=5, help="seconds measured")
    parser.add_argument("--peers", help="the folder of the peers: boardgame.io is run beside it")
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL and Redis")
    parser.add_argument("--synchronous", default="FULL", choices=["FULL", "NORMAL"])
    parser.add_argument("--svg", help="draw the table into this file")
    parser.add_argument("--json", help="write all rows into this file")
    return parser.parse_args()


def _servers(arguments: argparse.Namespace) -> list[str]:
    own = "postgres" if arguments.postgres else f"sqlite {arguments.synchronous}"
    return [own, *(["boardgame.io", "boardgame.io files"] if arguments.peers else [])]


def _measure(
    server: str, name: str, game: str, folder: Path, arguments: argparse.Namespace
) -> dict[str, Any] | None:
    case = CASES[name]
    how = {"run": arguments.run, **{k: v for k, v in case.items() if k != "matches"}}
    if server.startswith("boardgame.io"):
        if (
            game != SIX
            or name in {"watchers", "idle", "think", "few", "bots", "lobby"}
            or (name == "500" and "files" in server)
        ):
            return None
        with _boardgame(arguments.peers, folder, "files" in server) as (port, pid):
            tag = f"m{os.getpid()}{time.monotonic_ns()}"
            games = [[f"{tag}-{i}"] for i in range(case["matches"])]
            return _play({"kind": "peer", "port": port, "games": games, "pids": [pid], **how})
    with contextlib.ExitStack() as stack:
        home = Path(tempfile.mkdtemp(dir=folder))
        bots = case.get("bots", 0)
        env = {
            "SECRET_KEY": "k" * 50,
            "SQLITE_SYNCHRONOUS": arguments.synchronous,
            "BOT_PROCESSES": "2" if bots else "0",  # its default there
            "BOT_PAUSE_MS": "0",
        }
        if arguments.postgres:
            env["DATABASE_URL"] = stack.enter_context(postgres(home))
            env["REDIS_URL"] = stack.enter_context(redis(home))
        before = ["taskset", "-c", "0"]
        site = stack.enter_context(_site(home, env, before))
        numbers = str(case["matches"]), str(bots)
        games = run_module(site.env, "tests.bench.load.seed", *numbers, game)
        plan = {"kind": "ours", "port": site.port, "games": games, "pids": [site.pid]}
        return _play({**plan, "game": game, **how})


@contextlib.contextmanager
def _site(folder: Path, env: dict[str, str], before: list[str]) -> Iterator[Site]:
    site = Site(folder, env, before=before)
    try:
        yield site.wait()
    finally:
        site.stop(signal.SIGINT)


@contextlib.contextmanager
def _boardgame(peers: str, folder: Path, files: bool) -> Iterator[tuple[int, int]]:
    port = free_port()
    env = {**os.environ, "PORT": str(port)}
    if files:
        env["FLATFILE"] = tempfile.mkdtemp(dir=folder)
    process = subprocess.Popen(
        ["taskset", "-c", "0", "node", "boardgameio/server.js"],
        cwd=peers,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(lambda: listens(port), "boardgame.io", 30)
        yield port, process.pid
    finally:
        process.kill()
        process.wait()


def _play(plan: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        ["taskset", "-c", "1", sys.executable, "-m", "tests.bench.load.play"],
        input=json.dumps(plan),
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _medians(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["server"], row["case"]), []).append(row)
    table = []
    for (server, case), group in found.items():
        row: dict[str, Any] = {"server": server, "case": case}
        for column in COLUMNS:
            values = [each[column] for each in group if each[column] is not None]
            row[column] = statistics.median(values) if values else None
        table.append(row)
    return table


def _line(row: dict[str, Any]) -> str:
    figures = "  ".join(
        f"{column} {row[column]:g}"
        for column in COLUMNS
        if row.get(column) is not None and (column != "error_count" or row[column])
    )
    errors = f"  {row['errors']}" if row.get("errors") else ""
    return f"{row['server']:<20} {row['case']:<9} {figures}{errors}"


def _print_ratios(table: list[dict[str, Any]]) -> None:
    ours = {row["case"]: row for row in table if not row["server"].startswith("boardgame.io")}
    for row in table:
        own = ours.get(row["case"])
        if row["server"].startswith("boardgame.io") and own is not None:
            print(
                f"{own['server']} / {row['server']}, {row['case']}:"
                f" actions/s x {own['actions_s'] / max(1, row['actions_s']):.2f},"
                f" p99 x {own['other_p99_ms'] / max(0.001, row['other_p99_ms']):.2f}"
            )


def _print_felt(table: list[dict[str, Any]]) -> None:
    """Print how bots that think, and people in the lobby, affect the players' delays."""
    calm = {row["server"]: row for row in table if row["case"] == "few"}
    for row in table:
        if row["case"] in {"bots", "lobby"} and row["server"] in calm:
            p99 = calm[row["server"]]["other_p99_ms"]
            print(f"{row['server']}, {row['case']}: p99 x {row['other_p99_ms'] / p99:.2f}")


if __name__ == "__main__":
    main()
