"""Matches of a person against the computer, and its analyses."""

import random
import re
from urllib.parse import urlencode

from games.rules import GAMES
from tests.builders.sites import Person, Site, Socket

_ANALYSE = """
from dataclasses import asdict
from games.bots import get_bot
from games.engine.analysis import lease_analysis, store_analysis
from games.rules import GAMES
while (wanted := lease_analysis()).match_id != {match_id!r}:
    pass  # a match with a report, whose analysis the site itself has requested
review = get_bot(wanted.game).review(0.03)
looks = [asdict(review.look(GAMES[wanted.game].read(notation), action))
         for notation, action in reversed(wanted.steps)]
store_analysis(wanted, looks[::-1])
"""


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


def analyse(site: Site, match_id: str) -> None:
    """Analyse a match as the site's processes would, after somebody has requested it.

    They take seconds to start on a busy machine, or may be ready before a page shows that it waits.
    """
    done = site.manage("shell", "-c", _ANALYSE.format(match_id=match_id))
    assert done.returncode == 0, done.stderr
