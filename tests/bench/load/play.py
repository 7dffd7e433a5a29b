"""The client's process: reads what to play from its standard input, prints what it measured.

{"kind": "ours", "port": …, "games": [[match, cookie, cookie], …], "watchers": 0, "visitors": 0,
 "think": 0, "warm": 2, "run": 5, "pids": […], "origin": "https://…", "game": "six-in-a-row"}

`visitors` are people in the lobby. When all sockets are open, it prints "connected". Play begins
after the next line or the end of its input.
"""

import asyncio
import gc
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

from tests.bench.load.client import Connection, Game, Times, connect
from tests.bench.load.ours import OurGame
from tests.bench.load.peer import PeerGame
from tests.bench.load.script import SIX

_TICK = 100  # of /proc, a second
_AT_ONCE = 20  # connections opened at a time


def cpu(pids: list[int]) -> float:
    """Seconds of processor that the processes have used."""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / _TICK


def memory(pids: list[int]) -> int:
    """kB of memory that the processes hold."""
    total = 0
    for pid in pids:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1])
    return total


def at(times: list[float], share: float) -> float | None:
    """Milliseconds within which that share of them lies."""
    if not times:
        return None
    found = sorted(times)
    return round(1000 * found[min(len(found) - 1, int(len(found) * share))], 3)


def _ignore(connection: Connection, body: bytes) -> None:
    pass


async def play(plan: dict[str, Any]) -> dict[str, Any]:
    times = Times()
    pids = plan["pids"]
    how = {"think": plan.get("think", 0), "watchers": plan.get("watchers", 0)}
    site = {"origin": plan.get("origin", ""), "game": plan.get("game", SIX)}
    games: list[Game] = [
        OurGame(times, plan["port"], game[0], list(game[1:]), number=number, **site, **how)
        if plan["kind"] == "ours"
        else PeerGame(times, plan["port"], game[0], **how)
        for number, game in enumerate(plan["games"])
    ]
    before = memory(pids)
    for i in range(0, len(games), _AT_ONCE):
        await asyncio.gather(*(game.open() for game in games[i : i + _AT_ONCE]))  # type: ignore[attr-defined]
    watched = games[0]
    for i in range(0, how["watchers"], _AT_ONCE):
        more = min(_AT_ONCE, how["watchers"] - i)
        await asyncio.gather(*(watched.watch() for _ in range(more)))  # type: ignore[attr-defined]
    visitors = plan.get("visitors", 0)
    for _ in range(visitors):
        await connect(plan["port"], "/ws/lobby/", _ignore, origin=site["origin"])
    sockets = 2 * len(games) + how["watchers"] + visitors
    await asyncio.sleep(plan.get("idle", 1))
    idle = memory(pids)
    print("connected", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    warm = plan.get("warm", 4)
    if plan.get("run", 5):
        # Spread the starts over the warm-up, so that games do not all end and restart together.
        for index, game in enumerate(games):
            asyncio.get_running_loop().call_later(0.8 * warm * index / len(games), game.begin)  # type: ignore[attr-defined]
    await asyncio.sleep(warm)
    gc.collect()
    gc.freeze()
    began, used, own = time.perf_counter(), cpu(pids), time.process_time()
    times.measuring = True
    await asyncio.sleep(plan.get("run", 5))
    times.measuring = False
    times.stopped = True
    took = time.perf_counter() - began
    return {
        "matches": len(games),
        "watchers": how["watchers"],
        "actions_s": round(times.actions / took) if took else 0,
        "games": times.games,
        "own_p50_ms": at(times.own, 0.5),
        "own_p99_ms": at(times.own, 0.99),
        "other_p50_ms": at(times.other, 0.5),
        "other_p99_ms": at(times.other, 0.99),
        "last_watcher_p50_ms": at(times.last_watcher, 0.5),
        "last_watcher_p99_ms": at(times.last_watcher, 0.99),
        "server_cpu": round((cpu(pids) - used) / took, 2) if took else 0,
        "client_cpu": round((time.process_time() - own) / took, 2) if took else 0,
        "server_mb": round(memory(pids) / 1024),
        "kb_per_socket": round((idle - before) / max(1, sockets), 1),
        "errors": times.errors[:5],
        "error_count": len(times.errors),
    }


def main() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    plan = json.loads(sys.stdin.readline())
    print(json.dumps(asyncio.run(play(plan))))


if __name__ == "__main__":
    main()
