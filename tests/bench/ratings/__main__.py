"""Rate simulated players, and print how well ratings order them and predict their results.

python -m tests.bench.ratings [players] [games per player]

Takes half a minute for 10,000 players with 60 games each.
"""

import sys
import time

from tests.bench.ratings.simulation import simulate


def main(players: int = 10_000, each: int = 60) -> None:
    began = time.perf_counter()
    found = simulate(players, each)
    took = time.perf_counter() - began
    print(f"{found.players} players, {found.games} games ({took:.0f} s)")
    print(f"rank correlation with the true strengths: {found.correlation:.4f}")
    print(f"a rating is off by {found.error:.0f} points on average")
    print(f"scores differ from what is expected by {found.miscalibration:.3f} on average")
    print("\n   games  expected  scored")
    for each_bin in found.bins:
        if each_bin.games:
            hoped, scored = (
                value / each_bin.games for value in (each_bin.expected, each_bin.scored)
            )
            print(f"{each_bin.games:8} {hoped:9.3f} {scored:7.3f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
