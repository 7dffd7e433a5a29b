"""Brackets: seeds, byes, matches of several games, third place, absent players."""

import random
from itertools import pairwise

import pytest

from lobby.tournaments.pairing.field import DRAW, LOSS, WIN, CannotPair, Entrant, Pair, RoundGame
from lobby.tournaments.pairing.knockout import (
    build_bracket,
    count_rounds,
    list_bracket_seeds,
    pair_next_games,
)
from lobby.tournaments.pairing.standings import compute_standings


def entrants(count: int) -> list[Entrant]:
    return [Entrant(seed, seed) for seed in range(1, count + 1)]


def result(pair: Pair, first: int) -> RoundGame:
    if pair.second is None:
        return RoundGame(pair.round, pair.first, None, WIN, 0, "bye")
    return RoundGame(pair.round, pair.first, pair.second, first, WIN - first)


def better_wins(pair: Pair) -> RoundGame:
    return result(pair, WIN if pair.first < (pair.second or 0) else LOSS)


def played(count: int, best_of: int = 1, third_place: bool = False) -> list[RoundGame]:
    """Play a knockout in which the better seed wins each game."""
    games: list[RoundGame] = []
    while pairs := pair_next_games(entrants(count), games, best_of, third_place):
        games += [better_wins(pair) for pair in pairs]
    return games


def test_the_lines_of_a_bracket_of_eight() -> None:
    assert list_bracket_seeds(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert [count_rounds(count) for count in (2, 3, 4, 5, 8, 9, 1024)] == [1, 2, 2, 3, 3, 4, 10]


@pytest.mark.parametrize("count", range(2, 34))
def test_if_the_better_always_win_the_seeds_are_the_ranks(count: int) -> None:
    games = played(count)
    last = games[-1]
    assert {last.first, last.second} == {1, 2}  # they meet in the final
    rows = compute_standings(entrants(count), games, "knockout")
    assert [row.entry for row in rows] == list(range(1, count + 1))
    assert [row.rank for row in rows][:2] == [1, 2]
    size = 2 ** count_rounds(count)
    byes = [game.first for game in games if game.second is None]
    assert byes == [seed for seed in list_bracket_seeds(count) if seed <= size - count]
    assert len(games) - len(byes) == count - 1


@pytest.mark.parametrize("seed", range(30))
def test_whoever_wins_it_ends_with_one_winner(seed: int) -> None:
    chance = random.Random(seed)
    count, best_of, third = chance.randint(2, 20), chance.choice([1, 2, 3, 4]), bool(seed % 2)
    games: list[RoundGame] = []
    while pairs := pair_next_games(entrants(count), games, best_of, third):
        assert pairs == pair_next_games(entrants(count), games, best_of, third)
        pair = chance.choice(pairs)  # the others still play
        games.append(result(pair, chance.choice([WIN, DRAW, DRAW, LOSS])))
    slots = build_bracket(entrants(count), games, best_of, third)
    assert all(slot.is_over for slot in slots)
    (final,) = (slot for slot in slots if slot.place == 1)
    rows = compute_standings(entrants(count), games, "knockout", (), None, third, best_of)
    assert [row.rank for row in rows].count(1) == 1
    assert rows[0].entry == final.winner
    assert sum(row.points for row in rows) == WIN * len(games)
    for slot in slots:
        assert len(slot.games) <= best_of + 2
        begun = [game.first for game in slot.games]
        assert all(one != other for one, other in pairwise(begun))  # the players alternate
        assert not begun or begun[0] == min(slot.first or 0, slot.second or 0)


def test_a_match_ends_when_the_other_cannot_catch_up() -> None:
    two = entrants(2)
    games = [RoundGame(1, 1, 2, WIN, LOSS), RoundGame(1, 2, 1, LOSS, WIN)]
    assert pair_next_games(two, games, best_of=3) == ()
    games = [RoundGame(1, 1, 2, WIN, LOSS), RoundGame(1, 2, 1, DRAW, DRAW)]
    assert pair_next_games(two, games, best_of=3) == (Pair(1, 2, 1, 3),)


def test_a_drawn_match_has_two_more_games_and_then_the_better_seed_goes_on() -> None:
    two, games = entrants(2), [RoundGame(1, 1, 2, DRAW, DRAW)]
    assert pair_next_games(two, games) == (Pair(2, 1, 1, 2),)
    won = [*games, RoundGame(1, 2, 1, WIN, LOSS)]
    assert pair_next_games(two, won) == ()
    assert build_bracket(two, won)[0].winner == 2
    games.append(RoundGame(1, 2, 1, DRAW, DRAW))
    assert pair_next_games(two, games) == (Pair(1, 2, 1, 3),)
    games.append(RoundGame(1, 1, 2, DRAW, DRAW))
    assert pair_next_games(two, games) == ()
    assert build_bracket(two, games)[0].winner == 1


def test_the_match_for_third_place_is_in_the_round_of_the_final() -> None:
    games = played(4, third_place=True)
    slots = build_bracket(entrants(4), games, third_place=True)
    assert [(slot.round, slot.place, slot.winner) for slot in slots] == [
        *((1, 0, 1), (1, 0, 2), (2, 1, 1), (2, 3, 3)),
    ]
    rows = compute_standings(entrants(4), games, "knockout", third_place=True)
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert [row.rank for row in compute_standings(entrants(4), played(4), "knockout")] == [
        1,
        2,
        3,
        3,
    ]


def test_of_three_the_one_who_lost_is_third_without_a_game() -> None:
    games = played(3, third_place=True)
    assert len([game for game in games if game.second]) == 2
    slots = build_bracket(entrants(3), games, third_place=True)
    assert [slot.winner for slot in slots if slot.place == 3] == [3]


def test_who_leaves_gives_the_opponent_the_match() -> None:
    four = entrants(4)
    pairs = pair_next_games(four, [], gone={4})
    assert pairs == (Pair(2, 3, 1, 1),)
    games = [better_wins(pair) for pair in pairs]
    assert pair_next_games(four, games, gone={4}) == (Pair(1, 2, 2, 1),)
    assert pair_next_games(four, games, gone={1, 2, 3}) == ()


def test_all_but_one_withdraw() -> None:
    slots = build_bracket(entrants(5), [], gone={1, 2, 3, 4})
    assert [slot.winner for slot in slots if slot.place == 1] == [5]
    assert pair_next_games(entrants(5), [], gone={1, 2, 3, 4}) == ()


def test_nobody_comes() -> None:
    four = entrants(4)
    games = [RoundGame(1, 1, 4, LOSS, LOSS, "forfeit"), RoundGame(1, 2, 3, LOSS, LOSS, "forfeit")]
    assert pair_next_games(four, games) == ()
    assert [slot.winner for slot in build_bracket(four, games)] == [None, None, None]
    assert {row.rank for row in compute_standings(four, games, "knockout")} == {1}


def test_who_met_nobody_after_a_match_without_winner_goes_on() -> None:
    four = entrants(4)
    games = [RoundGame(1, 1, 4, LOSS, LOSS, "forfeit"), RoundGame(1, 2, 3, WIN, LOSS)]
    assert pair_next_games(four, games) == ()
    assert build_bracket(four, games)[-1].winner == 2
    assert compute_standings(four, games, "knockout")[0].entry == 2


@pytest.mark.parametrize(("count", "code"), [(0, "too-few-players"), (1, "too-few-players"),
                                             (1025, "too-many-players")])  # fmt: skip
def test_it_refuses_too_few_and_too_many(count: int, code: str) -> None:
    with pytest.raises(CannotPair) as refused:
        pair_next_games(entrants(count), [])
    assert refused.value.code == code
