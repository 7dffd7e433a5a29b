"""Matches of a person against the computer."""

import random
import re
from urllib.parse import urlencode

from games.rules import GAMES
from tests.builders.sites import Person, Socket


def start_computer_match(person: Person, game: str, level: int, clock: str = "") -> str:
    """Start a match against the computer. Return its id."""
    form = urlencode({"game": game, "level": level, "clock": clock}).encode()
    status, url = person.post("/computer/", form)
    found = re.search(r"/match/([^/]+)/$", url)
    assert status == 200 and found, (status, url)
    return found[1]


def play_at_random(
    person: Person, socket: Socket, game: str, seed: int = 0, most: int = 1000
) -> dict[str, object]:
    """Play random legal actions until the match is over or `most` actions were played."""
    chance, rules = random.Random(seed), GAMES[game]
    ply = 0
    while True:
        state = socket.ply(ply)
        if state["status"] != "live" or ply >= most:
            return state
        if state["ply"] > ply or state["turn"] != state["you"]:
            ply = max(ply + 1, state["ply"])
            continue
        record = person.json(f"/match/{state['match']}/record.json")
        position = rules.get_start(record.get("options", ""))
        for move in record["moves"]:
            position = position.play(move["action"])
        socket.play(chance.choice(position.legal()))
        ply += 1
