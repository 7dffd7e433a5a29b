"""Guests of one address who play the computer in as many matches as they may, and have others
looked through.

It is a separate process with low priority. It has the environment of the site and fills its
database. It reads a plan from standard input, says when it plays, and prints the plies played:

{"port": …, "origin": "http://…", "address": "127.0.0.2", "guests": 11, "matches": 10,
 "looked_through": 3, "seconds": 10}
"""

import asyncio
import json
import random
import re
import subprocess
import sys
from typing import Any

from tests.bench.load.client import Connection, connect
from tests.builders.prepared import give_way
from tests.builders.sites import ROOT

GAME, LEVEL = "dots-and-boxes", 5
_AGAIN = 0.3  # seconds until a guest tries another line
_PLY = re.compile(rb'"ply":(\d+)')
_TURN = re.compile(rb'"turn":"(\w+)"')
_YOU = re.compile(rb'"you":"(\w+)"')


class Opponents:
    """The process. Give it a plan and the site's environment; `result` waits for its end."""

    def __init__(self, plan: dict[str, Any], env: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.drills.opponents"],
            cwd=ROOT,
            env={**env, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONWARNINGS": "ignore"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(plan))
        self._process.stdin.close()
        assert self._process.stdout.readline() == "playing\n"

    def result(self) -> int:
        assert self._process.stdout is not None
        plies = int(self._process.stdout.read())
        self._process.wait()
        return plies

    def __enter__(self) -> "Opponents":
        return self

    def __exit__(self, *args: object) -> None:
        self._process.kill()
        self._process.wait()


def _seed(plan: dict[str, Any]) -> list[list[str]]:
    """For each match its id and the guest's cookie."""
    from games.engine import analysis
    from games.match.setup import Setup
    from games.store.records import read_states
    from lobby.models import Player
    from lobby.seeks.computer import play_computer
    from tests.bench.load.seed import seed

    found = []
    for _ in range(plan["guests"]):
        # Two of them, logged in, with a match that is over soon.
        ((match_id, cookie, _),) = seed(1)
        player = Player.objects.get(matches_as_first=match_id)
        for _ in range(plan["matches"]):
            match = play_computer(player.pk, Setup(GAME), LEVEL, plan["address"])
            found.append([match.pk, cookie])
        for _ in range(plan["looked_through"]):
            over = _played(player.pk)
            analysis.request_analysis(read_states([over])[over], player.pk, plan["address"])
    return found


def _played(player_id: int) -> str:
    """A match of forty plies that is over."""
    from games.journal.opening import open_match
    from games.journal.requests import Request
    from games.journal.transaction import commit_requests
    from games.match.commands import Play, Resign
    from games.match.setup import Setup
    from games.rules import GAMES
    from lobby.accounts.guests import new_guest

    other = new_guest().pk
    match_id = open_match(Setup(GAME), player_id, other).pk
    position, chance = GAMES[GAME].start, random.Random(match_id)
    for ply in range(40):
        action = chance.choice(position.legal())
        role = position.turn
        seat = player_id if role == position.roles[0] else other
        commit_requests([Request(match_id, seat, Play(ply, action))])
        position = position.play(action)
    commit_requests([Request(match_id, player_id, Resign())])
    return str(match_id)


async def _play(plan: dict[str, Any], matches: list[list[str]]) -> int:
    from games.rules import GAMES

    lines = GAMES[GAME].start.legal()
    plies: dict[str, int] = {}
    loop = asyncio.get_running_loop()

    def heard(match_id: str, connection: Connection, body: bytes) -> None:
        ply, turn, you = _PLY.search(body), _TURN.search(body), _YOU.search(body)
        if not body.startswith(b'{"type":"state"') or ply is None:
            return
        plies[match_id] = int(ply[1])
        if turn is not None and you is not None and turn[1] == you[1]:
            # It does not know which lines are left: it tries one, and then another.
            frame = {"type": "play", "ply": int(ply[1]), "action": random.choice(lines)}
            loop.call_later(_AGAIN, connection.send, json.dumps(frame).encode())

    for match_id, cookie in matches:
        await connect(
            plan["port"],
            f"/ws/match/{match_id}/",
            lambda connection, body, match_id=match_id: heard(match_id, connection, body),
            cookie,
            plan["origin"],
            address=plan["address"],
        )
    await asyncio.sleep(plan["seconds"])
    return sum(plies.values())


def main() -> None:
    import django

    give_way()
    plan = json.load(sys.stdin)
    django.setup()
    matches = _seed(plan)
    print("playing", flush=True)
    print(asyncio.run(_play(plan, matches)))


if __name__ == "__main__":
    main()
