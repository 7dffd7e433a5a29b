"""Measure the rounds of a large Swiss while other people play.

    python -m tests.bench.tournaments.swiss 600 3

The arguments are the numbers of players and of rounds. Some dozens of other players move all the
time, before and while rounds are paired. It prints the seconds from the last result to the next
round, and the latency of moves.
"""

import argparse
import asyncio
import json
from typing import Any

from tests.bench.tournaments.arena import arrange, of_moves, site_for, times_as_long
from tests.bench.tournaments.crowd import Seen, play_alone
from tests.builders.sites import Site

MATCHES = 30
THINK = 0.5  # seconds before a move
CALM = 20.0  # seconds


async def beside(site: Site, made: dict[str, Any], rounds: int, tournament: str) -> Seen:
    """Play the matches while rounds are paired, and print each round."""
    playing = asyncio.ensure_future(moves(site, made, 3600.0))
    try:
        for _ in range(rounds):
            found = await asyncio.to_thread(arrange, site, "next", tournament)
            print(json.dumps(found), flush=True)
    finally:
        made["stop"].set()
    return await playing


async def moves(site: Site, made: dict[str, Any], seconds: float) -> Seen:
    made["stop"] = asyncio.Event()
    return await play_alone(
        site.port,
        made["matches"],
        made["cookies"],
        THINK,
        40,
        seconds,
        pause=1.0,
        stop=made["stop"],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", type=int)
    parser.add_argument("rounds", type=int)
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    with site_for(options.postgres) as site:
        made = arrange(site, "make", "pairs", str(MATCHES))
        calm = asyncio.run(moves(site, made, CALM))
        print(json.dumps({"calm": of_moves(calm)}), flush=True)
        made = arrange(site, "make", "pairs", str(MATCHES))
        more = json.dumps({"rounds": options.rounds + 1})
        found = arrange(site, "make", "swiss", str(options.players), more)
        arrange(site, "next", found["tournament"])  # it starts
        seen = asyncio.run(beside(site, made, options.rounds, found["tournament"]))
        print(json.dumps({"beside the Swiss": of_moves(seen)}), flush=True)
        print(json.dumps({"times as long": times_as_long(seen, [calm])}))


if __name__ == "__main__":
    main()
