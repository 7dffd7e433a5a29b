"""How strong the computer is, and how fast: a table, and a chart of it.

    python -m tests.strength                          all of it (about an hour on two cores)
    python -m tests.strength --only ladder,openspiel,six,speed --game tic-tac-toe
    python -m tests.strength --svg static/pictures/strength.svg

Each level against the one below it; the highest against OpenSpiel's tree search, against who only
builds lines, and against itself without its threat search; seconds for a move at each level.
"""

import argparse
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

from games.bots import LEVELS, bot_of, has_bot
from games.bots.bot import MASTER
from games.rules import GAMES
from tests.strength.drawing import draw
from tests.strength.games import Chooser, Level, score
from tests.strength.opponents import LineBuilder, OpenSpielSearch, WithoutThreats
from tests.strength.speed import nodes_a_second, seconds_a_move

LADDER, OPENSPIEL, LINES, THREATS = 65.0, 90.0, 95.0, 75.0  # per cent of the points, at least


def main() -> None:
    arguments = _arguments()
    parts = arguments.only.split(",")
    slugs = arguments.game.split(",") if arguments.game else [s for s in GAMES if has_bot(s)]
    rows: list[dict[str, Any]] = []
    for slug in slugs:
        bot_of(slug).warm()
        if "ladder" in parts:
            for level in sorted(LEVELS)[1:]:
                one, other = (Level(slug, each, arguments.budget) for each in (level, level - 1))
                names = LEVELS[level], LEVELS[level - 1]
                rows.append(_against(slug, names, one, other, LADDER, arguments.games, arguments))
    best = {slug: Level(slug, MASTER, arguments.budget) for slug in slugs}
    name = LEVELS[MASTER]
    if "openspiel" in parts:
        for slug, least, games in (
            ("tic-tac-toe", 50.0, arguments.games),
            ("dots-and-boxes", OPENSPIEL, arguments.games // 2),
        ):
            if slug in slugs:
                names = name, "MCTS, 1,000 simulations"
                theirs = OpenSpielSearch(slug)
                rows.append(_against(slug, names, best[slug], theirs, least, games, arguments))
    if "six" in parts and "six-in-a-row" in slugs:
        six = "six-in-a-row"
        for words, other, least in (
            ("line builder", LineBuilder(), LINES),
            ("without threats", WithoutThreats(arguments.budget), THREATS),
        ):
            names = name, words
            rows.append(_against(six, names, best[six], other, least, arguments.games, arguments))
    speeds = []
    if "speed" in parts:
        for slug in slugs:
            speeds += _speed(slug)
    if arguments.svg:
        Path(arguments.svg).write_text(draw(rows))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"games": rows, "speed": speeds}, indent=1))
    missed = [row for row in rows if row["share"] < row["least"] or row["lost_never"] is False]
    print(f"\n{len(rows) - len(missed)} of {len(rows)} as wanted")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", default="ladder,openspiel,six,speed")
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
        # Who plays perfectly never loses.
        "lost_never": found.lost == 0
        if isinstance(other, OpenSpielSearch) and least == 50
        else None,
    }
    verdict = "" if row["share"] >= least and row["lost_never"] is not False else "  TOO LITTLE"
    print(
        f"{row['game']:<22}{names[0]:<9}{names[1]:<25}{row['share']:5.1f} %"
        f"   {found.won} + {found.drawn} drawn of {games}"
        f"   {time.perf_counter() - began:.0f} s{verdict}",
        flush=True,
    )
    return row


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
