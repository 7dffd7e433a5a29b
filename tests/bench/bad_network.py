"""Plays many matches over a bad network and a server that is killed, and checks what is left.

Scripted players speak to the site through a proxy that cuts and delays what it carries, often over
two connections at once, while the server is killed (`kill -9`) and started again. Afterwards every
accepted action must be stored once, plies without a gap, each client's last state equal to the
database, clocks grown by the increment at the most, and the moves replay to the stored result.

    python -m tests.bench.bad_network --players 40 --kills 20 [--postgres]
"""

import argparse
import asyncio
import contextlib
import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from games.rules import GAMES, IllegalAction
from tests.bench.scripted import Figures, Player, Proxy
from tests.builders.databases import postgres, redis
from tests.builders.sites import Person, Place, Site, pair

CLOCK = "5+1"


def check(players: list[Player], figures: Figures) -> None:
    """Compare what everybody saw with what is stored."""
    by_match: dict[str, list[Player]] = {}
    for player in players:
        by_match.setdefault(player.match_id, []).append(player)
    for match_id, pair_ in by_match.items():
        record = pair_[0].person.json(f"/match/{match_id}/record.json")
        figures.wrong += faults(match_id, record)
        for player in pair_:
            figures.wrong += differences(player, record)
            figures.accepted += len(player.accepted)
        figures.actions += len(record["moves"])
    figures.matches = len(by_match)


def faults(match_id: str, record: dict[str, Any]) -> list[str]:
    """Return the errors within a match's record."""
    wrong = []
    plies = [move["ply"] for move in record["moves"]]
    if plies != list(range(len(plies))):
        wrong.append(f"{match_id}: plies {Counter(plies).most_common(2)}")
    position = GAMES[record["game"]].start
    for move in record["moves"]:
        if position.turn != move["role"]:
            wrong.append(f"{match_id}: {move['role']} was not on move at {move['ply']}")
        try:
            position = position.play(move["action"])
        except IllegalAction:
            wrong.append(f"{match_id}: {move['action']} is not legal at {move['ply']}")
            return wrong
    if position.notation != record["notation"] or (
        record["ended"] == "rules" and position.goals != record["goals"]
    ):
        wrong.append(f"{match_id}: the moves do not replay to what is stored")
    return wrong


def differences(player: Player, record: dict[str, Any]) -> list[str]:
    """Return what the player received that is not in the record."""
    wrong = []
    stored = {move["ply"]: move["action"] for move in record["moves"]}
    diagram = GAMES[record["game"]].read(record["notation"]).diagram
    seen = tuple(player.state.get(part) for part in ("ply", "status", "diagram"))
    if seen != (len(record["moves"]), record["status"], diagram):
        wrong.append(f"{player.match_id}: {player.role} last saw something else")
    for ply, action in player.accepted.items():
        if stored.get(ply) != action:
            wrong.append(f"{player.match_id}: {action} at {ply} was accepted and is not stored")
    return wrong


SLUGS = ("six-in-a-row", "dots-and-boxes", "tic-tac-toe", "parallel-tic-tac-toe")
During = Callable[[Figures, list["asyncio.Task[None]"]], Awaitable[None]]


async def play(
    site: Place,
    during: During,
    players: int,
    seed: int,
    limit: float,
    think: float,
    slugs: Sequence[str] = SLUGS,
    cutting: bool = True,
) -> Figures:
    """The whole run, with `during` beside it; the matches may go on for `limit` seconds.

    Half of the matches are of the first two games, the last two of the others. `cutting` makes the
    network between the players and the site a bad one.
    """
    figures, chance = Figures(), random.Random(seed)
    started = time.monotonic()
    proxy = Proxy(site.port, chance, figures, delays=cutting)
    await proxy.start()
    site.moves_of = {}  # type: ignore[attr-defined]
    seated: list[Player] = []
    for i in range(players // 2):
        slug = slugs[i % 2] if i < players // 2 - 2 or len(slugs) == 2 else slugs[2 + i % 2]
        people = [await asyncio.to_thread(Person(site).be_guest) for _ in range(2)]
        match_id, roles = await asyncio.to_thread(pair, people[0], people[1], slug, CLOCK)
        site.moves_of[match_id] = {}  # type: ignore[attr-defined]
        for role, person in roles.items():
            own = random.Random(f"{seed} {i} {role}")
            seated.append(Player(match_id, role, slug, person, proxy, own, figures, think))
    tasks = [asyncio.ensure_future(player.run()) for player in seated]

    async def cut() -> None:
        while cutting:
            await asyncio.sleep(chance.uniform(0.1, 0.4))
            proxy.cut_some(0.04)

    troubling = asyncio.ensure_future(cut())
    await during(figures, tasks)
    _, late = await asyncio.wait(tasks, timeout=max(1, limit - (time.monotonic() - started)))
    troubling.cancel()
    for task in late:
        task.cancel()
    if late:
        figures.wrong.append(f"{len(late)} players did not come to the end in {limit:.0f} s")
    for task in tasks:
        if task.done() and not task.cancelled() and task.exception():
            figures.wrong.append(f"a player failed: {task.exception()!r}")
    await proxy.stop()
    if not late:
        await asyncio.to_thread(check, seated, figures)
    figures.seconds = time.monotonic() - started
    return figures


def killing(restart: Callable[[], object], kills: int, seed: int, pause: float = 2.5) -> During:
    """While they play, `restart()` (which kills a server and starts it again) so many times.

    `pause` is the longest time before each.
    """
    chance = random.Random(seed)

    async def during(figures: Figures, tasks: list["asyncio.Task[None]"]) -> None:
        for _ in range(kills):
            await asyncio.sleep(chance.uniform(pause / 5, pause))
            if all(task.done() for task in tasks):
                return
            figures.kills += 1
            await asyncio.to_thread(restart)

    return during


def run(
    folder: Path,
    env: dict[str, str],
    players: int,
    kills: int,
    seed: int = 1,
    limit: float = 240,
    think: float = 0.12,
    pause: float = 2.5,
) -> Figures:
    """One run against a server of its own."""
    servers = [Site(folder, {"SECRET_KEY": "k" * 50, **env}).wait()]

    def restart() -> None:
        servers[-1].stop(signal.SIGKILL)
        servers.append(Site(folder, {"SECRET_KEY": "k" * 50, **env}, port=servers[0].port).wait())

    try:
        during = killing(restart, kills, seed, pause)
        figures = asyncio.run(play(servers[0], during, players, seed, limit, think))
    finally:
        servers[-1].stop()
    if "Traceback" in servers[-1].output():
        figures.wrong.append("a traceback in the server's log")
    return figures


def show(figures: Figures) -> None:
    """Print the figures, and what is wrong."""
    for name, value in vars(figures).items():
        if name != "wrong":
            print(f"{name:14}{value:10.1f}" if isinstance(value, float) else f"{name:14}{value:10}")
    print("\n".join(["sound" if not figures.wrong else "WRONG:", *figures.wrong]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--think", type=float, default=0.5, help="seconds before an action")
    parser.add_argument("--limit", type=float, default=600, help="seconds at the most")
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL and Redis, not SQLite")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        env = {}
        if asked.postgres:
            for name in ("pg", "redis", "site"):
                (folder / name).mkdir()
            env["DATABASE_URL"] = stack.enter_context(postgres(folder / "pg"))
            env["REDIS_URL"] = stack.enter_context(redis(folder / "redis"))
        data = folder / "site"
        data.mkdir(exist_ok=True)
        figures = run(data, env, asked.players, asked.kills, asked.seed, asked.limit, asked.think)
    show(figures)
    raise SystemExit(bool(figures.wrong))


if __name__ == "__main__":
    main()
