"""Drills of the load from one visitor: delays for others, compared with a calm run."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.rules import GAMES
from tests.bench.drills.crowd import Crowd
from tests.bench.drills.opponents import Opponents
from tests.bench.drills.registry import Scale, drill, expect, without_traceback
from tests.bench.drills.trouble import Load
from tests.bench.scripted import Figures
from tests.builders.commands import run_module
from tests.builders.computer import start_computer_match
from tests.builders.ports import free_port
from tests.builders.production import Production, Server, Unit
from tests.builders.sites import Person, Site
from tests.hostile.attack import figures_of

ELSEWHERE = "127.0.0.2"  # the crowd's address; all others use 127.0.0.1
NOBODYS = "AAAAAAAAAAAA"  # the id of no seek

LOBBY = {
    "cancel": ['{"type":"cancel"}'],
    "lobby": [
        '{"type":"seek","game":"tic-tac-toe","clock":null}',
        '{"type":"cancel"}',
        f'{{"type":"join","seek":"{NOBODYS}"}}',
        f'{{"type":"resume","seek":"{NOBODYS}"}}',
    ],
}
"""What is sent to the lobby; each of these costs a transaction."""
MATCH = {
    "commands": [
        '{"type":"play","ply":0,"action":"place 8 8"}',
        '{"type":"play","ply":0,"action":"noop"}',
        '{"type":"play","ply":1,"action":"place 1 1"}',
        '{"type":"offer-draw"}',
        '{"type":"claim-time"}',
        '{"type":"claim-abandoned"}',
        '{"type":"rematch"}',
        '{"type":"withdraw-rematch"}',
    ],
    "frames": ['{"type":"ping","t":1}', "{", '{"type":"play","ply":"x"}', '{"type":"nothing"}'],
}
"""What is sent to matches: refused, repeated, stale, without effect or unreadable."""


@drill
def costly_messages(folder: Path, scale: Scale) -> Figures:
    """290 sockets of one address send what costs a transaction, or cannot be read, each slower than
    a socket may: the p99 of the others at most doubles."""
    figures = Figures()
    sockets, seconds = (290, 10.0) if scale.timed else (60, 4.0)
    with _alone(folder) as site:
        matches = run_module(site.env, "tests.bench.load.seed", str(sockets // 2))
        lobby = [["/ws/lobby/", cookie] for _, *both in matches for cookie in both]
        boards = [[f"/ws/match/{m}/", cookie] for m, *both in matches for cookie in both]
        kinds = {
            **{name: (lobby, texts) for name, texts in LOBBY.items()},
            **{name: (boards, texts) for name, texts in MATCH.items()},
        }
        if not scale.timed:
            everything = [text for texts in (*LOBBY.values(), *MATCH.values()) for text in texts]
            kinds = {"everything": (lobby[::2] + boards[1::2], everything)}
        calm = _played(site, figures, (lobby, ['{"type":"ping","t":1}']), 0.2, seconds)
        print(f"{'':8}calm: {figures_of(calm)}", flush=True)
        for name, kind in kinds.items():
            found = _played(site, figures, kind, 18, seconds)
            ratio = found["other_p99_ms"] / calm["other_p99_ms"]
            print(f"{'':8}{name}: {figures_of(found)}, p99 x {ratio:.2f},", end=" ")
            print(f"{found['server_cpu']} of a core; {found['crowd']}", flush=True)
            if scale.timed:
                expect(figures, ratio <= 2, f"{name}: p99 x {ratio:.2f}")
            refused = found["crowd"].get("too-fast", 0)
            paced = name == "frames"  # the site delays these instead of refusing them
            expect(figures, paced or refused > 0, f"{name}: nobody was refused")
        without_traceback(figures, site.output())
    return figures


@drill
def computers_turns(folder: Path, scale: Scale) -> Figures:
    """Eleven guests keep the computer busy: another visitor still gets answers within 2 s.

    The guests share an address. Each plays ten matches and requests three analyses.
    """
    figures = Figures()
    env = {"SECRET_KEY": "k" * 50, "RATE_LIMITS": "on", "BOT_PROCESSES": "2"}
    site = Site(folder, env).wait()
    try:
        _strangers_wait(site, site, site.env, figures, scale)
        without_traceback(figures, site.output())
    finally:
        site.stop()
    return figures


@drill
def computers_turns_in_production(folder: Path, scale: Scale) -> Figures:
    """Eleven guests keep the computer busy, with PostgreSQL and a separate `manage.py bots`."""
    figures = Figures()
    with Production(folder, servers=1, BOT_PROCESSES="2") as site:
        unit = Unit("parlour-bots.service", metrics=free_port())
        site.others.append(unit.start(site.env, folder))
        _strangers_wait(site, site.servers[0], site.env, figures, scale)
        without_traceback(figures, site.logs())
    return figures


def _strangers_wait(
    site: Site | Production,
    server: Site | Server,
    env: dict[str, str],
    figures: Figures,
    scale: Scale,
) -> None:
    """Record how long another visitor waits for the computer while the guests play."""
    guests, seconds = (11, 20.0) if scale.timed else (5, 6.0)
    plan = {
        "port": server.port,
        "origin": site.url,
        "address": ELSEWHERE,
        "guests": guests,
        "matches": 10,
        "looked_through": 3 if scale.timed else 1,
        "seconds": seconds,
    }
    stranger = Person(site).be_guest()
    _waits(stranger, 1.0)  # the computer may have to compile first
    calm = _waits(stranger, 4.0 if scale.timed else 2.0)
    with Opponents(plan, env) as opponents:
        load = Load(server, site.url, 5, 0.1, seconds).begin()  # people play each other too
        waits = _waits(stranger, seconds)
        plies = opponents.result()
        played = load.result()
    longest, before = max(waits, default=seconds), max(calm)
    middle = sum(waits) / max(1, len(waits))
    print(f"{'':8}calm: at most {before:.2f} s; beside {guests} guests, who played {plies} plies:")
    print(f"{'':8}at most {longest:.2f} s, {middle:.2f} in the middle, x {longest / before:.1f}")
    figures.longest_wait = longest
    figures.actions += plies + 2 * len(waits) + int(played["actions_s"] * seconds)
    figures.wrong += played["errors"]
    expect(figures, len(waits) > (1 if scale.timed else 0), "the stranger hardly played")
    if scale.timed:
        expect(figures, longest <= 2, f"the stranger waited {longest:.1f} s")


def _waits(stranger: Person, seconds: float) -> list[float]:
    """Return the seconds before each action of the computer since the previous action.

    Play for this many seconds, and until the computer has acted once.
    """
    waits: list[float] = []
    until = time.monotonic() + seconds
    while not waits or time.monotonic() < until:
        match_id = start_computer_match(stranger, "dots-and-boxes", 3)
        with stranger.match(match_id) as socket:
            state = socket.next("state")
            position = GAMES["dots-and-boxes"].start
            while (not waits or time.monotonic() < until) and state["status"] == "live":
                if state["turn"] != state["you"]:
                    began, ply = time.monotonic(), state["ply"]
                    # The computer may draw several lines, and it pauses before each.
                    state = socket.next("state", lambda s, ply=ply: s["ply"] > ply, 300)
                    waits.append(time.monotonic() - began)
                    continue
                position = GAMES["dots-and-boxes"].start
                for move in stranger.json(f"/match/{match_id}/record.json")["moves"]:
                    position = position.play(move["action"])
                state = socket.play(position.legal()[0])
            socket.send("resign")
            socket.next("state", lambda s: s["status"] != "live")
    return waits


@contextlib.contextmanager
def _alone(folder: Path, **env: str) -> Iterator[Site]:
    """Run a server with every limit on its own core; the clients use the other core."""
    cores = os.sched_getaffinity(0)
    before = ["taskset", "-c", str(min(cores))]
    site = Site(folder, {"SECRET_KEY": "k" * 50, "RATE_LIMITS": "on", **env}, before=before)
    try:
        site.wait()
        os.sched_setaffinity(0, {max(cores)})
        yield site
    finally:
        os.sched_setaffinity(0, cores)
        site.stop()


def _played(
    site: Site,
    figures: Figures,
    kind: tuple[list[list[str]], list[str]],
    per_second: float,
    seconds: float,
) -> dict[str, Any]:
    """Return the delays of ten matches beside the crowd, and the crowd's own figures."""
    sockets, texts = kind
    plan = {
        "port": site.port,
        "origin": site.url,
        "sockets": sockets,
        "texts": texts,
        "per_second": per_second,
        "seconds": seconds + 8,
        "address": ELSEWHERE,
    }
    with Crowd(plan) as crowd:
        found = Load(site, site.url, 10, 0.1, seconds).begin().result()
        found["crowd"] = crowd.result()
    figures.actions += int(found["actions_s"] * seconds)
    figures.wrong += found["errors"]
    return found
