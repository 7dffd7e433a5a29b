"""Tournaments from M. Held, "Exercises in Tie-Breaking" (FIDE Technical Commission, March 2024).
Results are as in a report file: opponent, side, result."""

import subprocess
import sys

from lobby.tournaments.pairing.field import DRAW, LOSS, WIN, Entrant, GameKind, RoundGame
from tests.builders.sites import PATIENCE

SWISS = """
1  2200  9w1 13b= 2w=  15b1 4w=
2  2150 10b1 7w1  1b=  16w1 3b=
3  2100 11w= 6b1  8w1  4b=  2w=
4  2050 12b1 H    13w1 3w=  1b=
5  2000 13w0 15b0 11w1 7b=  10w1
6  1950 14b0 3w0  U    10w1 8b1
7  1900 15w1 2b0  16b0 5w=  11b0
8  1850 16b= 14w1 3b0  13w1 6w0
9  1800 1b0  10w0 H    11b- U
10 1750 2w0  9b1  15w0 6b0  5b0
11 1700 3b=  16w0 5b0  9w+  7w1
12 1650 4w0  U    14w+ Z    Z
13 1600 5b1  1w=  4b0  8b0  14w0
14 1550 6w1  8b0  12b- Z    13b1
15 1500 7b0  5w1  10b1 1w0  16b0
16 1450 8w=  11b1 7w1  2b0  15w1
"""

SWISS_9 = """
1  2150 9w1  13b= 2w=  15b1 4w=  6b=  3b=  16w= 8b1
2  2130 10b1 7w1  1b=  16w1 3b1  4w=  6w0  15b= 5w=
3  2200 11w= 6b1  8w1  4b=  2w0  16b1 1w=  14w1 10b1
4  2110 12b1 H    13w1 3w=  1b=  2b=  16w= 6b=  15w1
5  1890 13w0 15b0 11w1 7b=  10w1 14b0 9b1  8w0  2b=
6  2090 14b0 3w0  U    10w1 8b1  1w=  2b1  4w=  16b1
7  1950 15w1 2b0  16b0 5w=  11b0 10b0 13w1 9w1  14b1
8  1930 16b= 14w1 3b0  13w1 6w0  11b= 15w= 5b1  1w0
9  1790 1b0  10w0 H    11b- U    13b1 5w0  7b0  12w=
10 1870 2w0  9b1  15w0 6b0  5b0  7w1  12b1 11w1 3w0
11 1810 3b=  16w0 5b0  9w+  7w1  8w=  14b0 10b0 13w=
12 1770 4w0  U    14w+ Z    Z    15b0 10w0 13b= 9b=
13 1750 5b1  1w=  4b0  8b0  14w0 9w0  7b0  12w= 11b=
14 1850 6w1  8b0  12b- Z    13b1 5w1  11w1 3b0  7w0
15 1830 7b0  5w1  10b1 1w0  16b0 12w1 8b=  2w=  4b0
16 1910 8w=  11b1 7w1  2b0  15w1 3w0  4b=  1b=  6w0
"""

ROUND_ROBIN = """
1 2200 5w= 2w1 3b1 4w0 6b1
2 2150 6w1 1b0 5w1 3w= 4b1
3 2100 4w1 6b1 1w0 2b= 5w1
4 2050 3b0 5b0 6w= 1b1 2w0
5 1950 1b= 4w1 2b0 6w- 3b0
6 2000 2b0 3w0 4b= 5b+ 1w0
"""

# Constructed by the author of FIDE's own checker, with many rounds that were not played.
UNPLAYED = """
1  2240 8b=  6w1  3b=  14w+ 5w=  2b0  9w=
2  1923 9w0  11b1 15w1 5b-  7b1  1w1  5b0
3  1852 10b+ 7b1  1w=  9b=  H    Z    H
4  1902 11w- 13w- 6b-  U    8w=  15b= 6w=
5  1734 13b1 9w=  7b=  2w+  1b=  11w= 2w1
6  0    14w= 1b0  4w+  7w=  9b0  10w0 4b=
7  1516 15b1 3w0  5w=  6b=  2w0  14b0 U
8  1752 1w=  14b- Z    Z    4b=  13w1 14b0
9  0    2b1  5b=  H    3w=  6w1  H    1b=
10 0    3w-  15w- 13w= 15b1 14w1 6b1  11w0
11 1388 4b-  2w0  U    13b1 15w1 5b=  10b1
12 0    H    F    14b1 H    Z    F    Z
13 0    5w0  4b-  10b= 11w0 U    8b0  15w0
14 0    6b=  8w+  12w0 1b-  10b0 7w1  8w1
15 0    7w0  10b+ 2b0  10w0 11b0 4w=  13b1
"""

_POINTS = {"1": WIN, "=": DRAW, "0": LOSS, "+": WIN, "-": LOSS}
_BYES: dict[str, tuple[GameKind, int]] = {
    "U": ("bye", WIN),
    "F": ("bye", WIN),
    "H": ("half-bye", DRAW),
    "Z": ("zero-bye", LOSS),
}


def parse_published(text: str) -> tuple[list[Entrant], list[RoundGame]]:
    entrants: list[Entrant] = []
    results: dict[tuple[int, int], str] = {}
    for line in text.split("\n"):
        if line:
            number, rating, *rounds = line.split()
            entrants.append(Entrant(int(number), int(number), float(rating) or None))
            for place, result in enumerate(rounds, 1):
                results[place, int(number)] = result
    games = [
        _game(place, entry, result, results)
        for (place, entry), result in sorted(results.items())
        if result in _BYES or "w" in result
    ]
    return entrants, games


def _game(place: int, entry: int, result: str, results: dict[tuple[int, int], str]) -> RoundGame:
    if result in _BYES:
        kind, points = _BYES[result]
        return RoundGame(place, entry, None, points, 0, kind)
    opponent, mark = int(result.split("w", maxsplit=1)[0]), result[-1]
    other = results[place, opponent]
    assert other.startswith(f"{entry}b")
    kind = "forfeit" if mark in "+-" else "played"
    return RoundGame(place, entry, opponent, _POINTS[mark], _POINTS[other[-1]], kind)


def run_pairing(asked: bytes) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "lobby.tournaments.pairing"]
    return subprocess.run(command, input=asked, capture_output=True, timeout=PATIENCE, check=False)
