"""How strong the computer is, and how fast: a table, and a chart of it.

    python -m tests.bench.strength                          all of it (about an hour on two cores)
    python -m tests.bench.strength --only ladder,solved,six,styles,speed --game tic-tac-toe
    python -m tests.bench.strength --only ladder --game connect-four,hex-7   rule sheets, by name
    python -m tests.bench.strength --svg static/pictures/strength.svg

Each level against the one below it; the wins that the highest throws in solved positions of Dots
and Boxes; in Six in a Row the highest against levels 2 to 4, against a blocker that errs in
5 % of its moves, and against itself without its threat search; what each level overlooks; seconds
for a move.
"""

import argparse
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

from games.bots import LEVELS, get_bot, has_bot
from games.bots.bot import MASTER
from games.rules import GAMES
from tests.bench.strength.drawing import draw
from tests.bench.strength.games import Chooser, Level, add_sheets, score
from tests.bench.strength.opponents import Blocker, WithoutThreats
from tests.bench.strength.solved import mistakes
from tests.bench.strength.speed import nodes_a_second, seconds_a_move
from tests.bench.strength.styles import misses

LADDER, THREATS = 65.0, 75.0  # per cent of the points, at least
SIX = {2: 90.0, 3: 65.0, 4: 65.0}  # the same, of the highest level against these
ERRS, BLOCKER = 0.05, 50.0  # the chance that the blocker errs in a move, and the least against it


def main() -> None:
    arguments = _arguments()
    parts = arguments.only.split(",")
    slugs = arguments.game.split(",") if arguments.game else [s for s in GAMES if has_bot(s)]
    add_sheets()
    rows: list[dict[str, Any]] = []
    for slug in slugs:
        get_bot(slug).warm()
        if "ladder" in parts:
            for level in sorted(LEVELS)[1:]:
                one, other = (Level(slug, each, arguments.budget) for each in (level, level - 1))
                names = LEVELS[level], LEVELS[level - 1]
                rows.append(_against(slug, names, one, other, LADDER, arguments.games, arguments))
    best = {slug: Level(slug, MASTER, arguments.budget) for slug in slugs}
    name = LEVELS[MASTER]
    if "solved" in parts and "dots-and-boxes" in slugs:
        _solved(arguments)
    if "six" in parts and "six-in-a-row" in slugs:
        six, games = "six-in-a-row", arguments.games // 2
        for level, least in SIX.items():
            names = name, LEVELS[level]
            other = Level(six, level, arguments.budget)
            rows.append(_against(six, names, best[six], other, least, games, arguments))
        # Not the blocker that never errs: one stone meets two fives on a line, so those games are
        # drawn whoever plays.
        names = name, "blocker that errs in 5 %"
        blocker = Blocker(errs=ERRS)
        rows.append(_against(six, names, best[six], blocker, BLOCKER, games, arguments))
        names = name, "without threats"
        without = WithoutThreats(arguments.budget)
        rows.append(_against(six, names, best[six], without, THREATS, games, arguments))
    if "styles" in parts:
        for slug in slugs:
            _styles(slug, arguments)
    speeds = []
    if "speed" in parts:
        for slug in slugs:
            speeds += _speed(slug)
    if arguments.svg:
        Path(arguments.svg).write_text(draw(rows))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"games": rows, "speed": speeds}, indent=1))
    missed = [row for row in rows if row["share"] < row["least"]]
    print(f"\n{len(rows) - len(missed)} of {len(rows)} as wanted")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", default="ladder,solved,six,styles,speed")
    parser.add_argument("--game", default="", help="slugs, comma-separated; all by default")
    parser.add_argument("--games", type=int, default=200, help="of each pair, both seats in turn")
    parser.add_argument("--budget", type=float, default=0.5, help="seconds for a move")
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--svg", help="draw the scores into this file")
    parser.add_argument("--json", help="write all rows into this file")
    return parser.parse_args()


def _against(
    slug: str,
    names: tuple[str, str],
    one: Chooser,
    other: Chooser,
    least: float,
    games: int,
    arguments: argparse.Namespace,
) -> dict[str, Any]:
    began = time.perf_counter()
    found = score(slug, one, other, games, arguments.processes)
    row = {
        "game": GAMES[slug].name,
        "one": names[0],
        "other": names[1],
        "games": found.games,
        "won": found.won,
        "drawn": found.drawn,
        "lost": found.lost,
        "share": round(100 * found.share, 1),
        "least": least,
    }
    verdict = "" if row["share"] >= least else "  TOO LITTLE"
    print(
        f"{row['game']:<22}{names[0]:<9}{names[1]:<25}{row['share']:5.1f} %"
        f"   {found.won} + {found.drawn} drawn of {games}"
        f"   {time.perf_counter() - began:.0f} s{verdict}",
        flush=True,
    )
    return row


def _solved(arguments: argparse.Namespace) -> None:
    for left, (wrong, positions) in mistakes(arguments.budget, arguments.processes).items():
        print(f"{left} lines: {wrong} of {positions} wins thrown", flush=True)


def _styles(slug: str, arguments: argparse.Namespace) -> None:
    for level, word in list(LEVELS.items())[:-1]:
        found = misses(slug, level, max(1, arguments.games // 10), arguments.budget)
        words = ", ".join(f"{what} {n} of {of}" for what, (n, of) in found.items())
        print(f"{GAMES[slug].name:<22}{word:<9}misses {words}", flush=True)


def _speed(slug: str) -> list[dict[str, Any]]:
    rows = []
    for level, word in LEVELS.items():
        times = seconds_a_move(slug, level)
        row = {
            "game": GAMES[slug].name,
            "level": word,
            "mean_s": round(statistics.fmean(times), 4),
            "longest_s": round(max(times), 3),
        }
        rows.append(row)
        print(
            f"{row['game']:<22}{word:<9}{row['mean_s']:9.4f} s a move, at most"
            f" {row['longest_s']:.3f} s ({len(times)} moves)",
            flush=True,
        )
    print(f"{GAMES[slug].name:<22}{nodes_a_second(slug):,.0f} nodes a second", flush=True)
    return rows


if __name__ == "__main__":
    main()
