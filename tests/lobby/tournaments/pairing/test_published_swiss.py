"""The example of M. Held, "Mastering the Dutch" (FIDE Technical Commission, edition of 2026).

Fifteen players play nine rounds with requested byes and forfeits.
"""

import pytest

from lobby.tournaments.pairing import swiss
from lobby.tournaments.pairing.field import DRAW, LOSS, WIN, Entrant, Pair, RoundGame
from lobby.tournaments.pairing.history import build_histories

# The boards of each round in order; the first player has white. Results are those of the first
# player (1 = 0); `-`: the second won by forfeit; U: bye of the system; H: requested bye.
ROUNDS = """
1-8:1 9-2:= 3-10:1 11-4:0 5-12:= 13-6:1 7-14:0 15:U
14-1:0 15-3:0 4-13:1 2-5:1 12-9:= 10-7:0 8-11:1 6:H
1-4:= 3-2:= 13-8:- 9-14:1 12-15:1 6-5:= 11-10:1 7:H
4-3:- 2-1:0 8-9:0 7-12:1 5-13:1 14-6:0 15-11:0 10:U
1-3:= 9-7:0 4-5:1 12-2:= 6-8:0 13-11:1 10-15:1 14:U
7-1:0 3-4:1 8-12:1 11-9:= 2-10:1 5-14:- 15-6:0 13:U
3-8:1 1-9:= 4-2:1 6-7:0 13-14:1 12-11:1 5-10:0 15:H
7-3:= 1-13:1 9-4:0 2-8:1 10-12:1 11-6:1 14-15:0 5:U
10-1:? 9-3:? 4-7:? 13-2:? 8-15:? 5-11:? 12-14:? 6:U
"""

# The points before the ninth round, by player.
POINTS = [6.5, 4.5, 6.5, 5.5, 3, 3, 5, 4, 4, 4, 3.5, 3.5, 4, 3, 2.5]

_FIRST = {"1": WIN, "=": DRAW, "0": LOSS, "-": LOSS}


def game(text: str, number: int) -> RoundGame:
    boards, _, result = text.partition(":")
    first, _, second = boards.partition("-")
    if result == "U":
        return RoundGame(number, int(first), None, WIN, 0, "bye")
    if result == "H":
        return RoundGame(number, int(first), None, DRAW, 0, "half-bye")
    points = _FIRST.get(result, LOSS)
    kind = "forfeit" if result == "-" else "played"
    return RoundGame(number, int(first), int(second), points, WIN - points, kind)


GAMES = [
    game(text, number)
    for number, line in enumerate(ROUNDS.strip().split("\n"), 1)
    for text in line.split()
]
ENTRANTS = [Entrant(seed, seed) for seed in range(1, 16)]


@pytest.mark.parametrize("number", range(1, 10))
def test_each_round_as_published(number: int) -> None:
    before = [each for each in GAMES if each.round < number]
    absent = {each.first for each in GAMES if each.round == number and each.kind == "half-bye"}
    published = [
        Pair(each.first, each.second)
        for each in GAMES
        if each.round == number and each.kind != "half-bye"
    ]
    assert list(swiss.pair_round(ENTRANTS, before, number, 9, absent)) == published


def test_the_points_are_those_published() -> None:
    past = build_histories(ENTRANTS, GAMES, 9)
    assert [past[seed].points / WIN for seed in range(1, 16)] == POINTS
