"""Swiss rounds: our own rules, and pairings compared with another implementation."""

import random
from collections import Counter
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from caissify_pairings.engines.dutch import DutchEngine

from lobby.tournaments.pairing import swiss
from lobby.tournaments.pairing.field import DRAW, LOSS, WIN, CannotPair, Entrant, Pair, RoundGame
from tests.bench.tournaments.dutch import reason, tournament


def entrants(count: int) -> list[Entrant]:
    return [Entrant(100 + seed, seed) for seed in range(1, count + 1)]


def won(pairs: tuple[Pair, ...], number: int) -> list[RoundGame]:
    """Return the games in which the first player wins."""
    return [
        RoundGame(number, pair.first, pair.second, WIN, LOSS, "played" if pair.second else "bye")
        for pair in pairs
    ]


def test_the_same_pairings_as_py4swiss_or_better_ones() -> None:
    """Accept the differences that `dutch` explains."""
    reasons = Counter(reason(each) for seed in range(45) for each in tournament(seed, most=16))
    assert reasons[""] == 0
    assert reasons["same"] > 0.8 * reasons.total() > 150


@pytest.mark.parametrize(("seed", "most"), [*((1000 + n, 24) for n in range(19)), (2024, 40)])
def test_nobody_meets_again_or_has_two_byes_and_sides_are_balanced(seed: int, most: int) -> None:
    for each in tournament(seed, most, compare=False):
        if each.ours is None:
            continue
        met = {frozenset((game.first, game.second)) for game in each.games if game.is_played}
        had = {game.first for game in each.games if game.kind == "bye"}
        there = {one.entry for one in each.entrants} - each.absent
        paired = [entry for pair in each.ours for entry in (pair.first, pair.second) if entry]
        assert sorted(paired) == sorted(there)
        byes = [pair.first for pair in each.ours if pair.second is None]
        assert len(byes) == len(there) % 2
        assert not had & set(byes)
        again = [pair for pair in each.ours if {pair.first, pair.second} in met]
        assert not again or each.number > 2  # forced, as explained below
        sides: Counter[int | None] = Counter()
        for game in each.games:
            if game.is_played:
                sides.update({game.first: 1, game.second: -1})
        assert max(map(abs, sides.values()), default=0) <= 2


def test_the_order_of_what_it_gets_does_not_matter() -> None:
    chance = random.Random(7)
    for each in tournament(3, compare=False):
        pairs = swiss.pair_round(each.entrants, each.games, each.number, each.rounds, each.absent)
        players, games = list(each.entrants), list(each.games)
        chance.shuffle(players)
        chance.shuffle(games)
        assert swiss.pair_round(players, games, each.number, each.rounds, each.absent) == pairs


def test_the_first_round_is_the_upper_half_against_the_lower() -> None:
    assert swiss.pair_round(entrants(7), [], 1, 3) == (
        Pair(101, 104),
        Pair(105, 102),
        Pair(103, 106),
        Pair(107, None),
    )


def matchings(entries: list[int]) -> Iterator[list[frozenset[int]]]:
    """Yield all ways to pair an even number of players."""
    if not entries:
        yield []
        return
    one, *others = entries
    for other in others:
        rest = [entry for entry in others if entry != other]
        for pairs in matchings(rest):
            yield [frozenset((one, other)), *pairs]


@pytest.mark.parametrize("count", [2, 4, 6, 8])
def test_as_many_rounds_as_opponents(count: int) -> None:
    """Rematches happen only if every pairing has one, and then as few as possible."""
    games: list[RoundGame] = []
    rounds = swiss.get_max_rounds(count)
    forced = 0
    for number in range(1, rounds + 1):
        met = {frozenset((game.first, game.second)) for game in games}
        pairs = swiss.pair_round(entrants(count), games, number, rounds)
        again = sum({pair.first, pair.second} in met for pair in pairs)
        fewest = min(
            len(met.intersection(each)) for each in matchings(list(range(101, 101 + count)))
        )
        assert again == fewest
        forced += again
        games += won(pairs, number)
    assert len({frozenset((game.first, game.second)) for game in games}) == len(games) - forced


@pytest.mark.parametrize("count", [3, 5, 7])
def test_everybody_has_one_bye_in_as_many_rounds_as_players(count: int) -> None:
    games: list[RoundGame] = []
    for number in range(1, count + 1):
        games += won(swiss.pair_round(entrants(count), games, number, count), number)
    byes = [game.first for game in games if game.second is None]
    assert sorted(byes) == [101 + place for place in range(count)]


def test_more_rounds_than_opponents() -> None:
    with pytest.raises(CannotPair) as refused:
        swiss.pair_round(entrants(4), [], 1, 4)
    assert refused.value.code == "too-many-rounds"
    assert refused.value.params == {"rounds": 4, "most": 3}


def test_all_but_one_withdraw() -> None:
    with pytest.raises(CannotPair) as refused:
        swiss.pair_round(entrants(4), [], 1, 3, absent={101, 102, 104})
    assert refused.value.code == "too-few-players"
    assert refused.value.params == {"players": 1}


def test_two_who_are_left_meet_again_with_the_sides_exchanged() -> None:
    games = won(swiss.pair_round(entrants(4), [], 1, 3), 1)
    two = next(game for game in games if 101 in (game.first, game.second))
    left = {game.first for game in games if game is not two}
    left |= {game.second for game in games if game is not two and game.second}
    pairs = swiss.pair_round(entrants(4), games, 2, 3, absent=left)
    assert two.second is not None
    assert pairs == (Pair(two.second, two.first),)


def test_three_who_all_had_a_bye_cannot_be_paired() -> None:
    games = [
        *(RoundGame(1, 101, None, WIN, 0, "bye"), RoundGame(1, 102, 103, WIN, LOSS)),
        *(RoundGame(2, 102, None, WIN, 0, "bye"), RoundGame(2, 103, 101, WIN, LOSS)),
        *(RoundGame(3, 103, None, WIN, 0, "bye"), RoundGame(3, 101, 102, WIN, LOSS)),
    ]
    five = [*entrants(3), Entrant(104, 4), Entrant(105, 5)]
    with pytest.raises(CannotPair) as refused:
        swiss.pair_round(five, games, 4, 5, absent={104, 105})
    assert refused.value.code == "no-pairing-left"
    assert refused.value.params == {"round": 4}


def test_a_forfeit_gives_neither_an_opponent_nor_a_side_but_no_bye_after() -> None:
    games = [
        RoundGame(1, 101, 103, WIN, LOSS, "forfeit"),
        RoundGame(1, 104, 102, LOSS, WIN),
        RoundGame(1, 105, None, WIN, 0, "bye"),
    ]
    pairs = swiss.pair_round(entrants(5), games, 2, 4)
    byes = [pair.first for pair in pairs if pair.second is None]
    assert byes and byes[0] in {103, 104}


def test_a_late_entrant_with_half_a_point_for_each_round_before() -> None:
    four = entrants(4)
    games = won(swiss.pair_round(four, [], 1, 3, absent={104, 103}), 1)
    games += [RoundGame(1, entry, None, DRAW, 0, "half-bye") for entry in (103, 104)]
    pairs = swiss.pair_round(four, games, 2, 3)
    assert {frozenset((pair.first, pair.second)) for pair in pairs} in (
        {frozenset((101, 103)), frozenset((102, 104))},
        {frozenset((101, 104)), frozenset((102, 103))},
    )


def test_what_the_library_must_not_do_is_not_taken_from_it() -> None:
    four = entrants(4)
    games = won(swiss.pair_round(four, [], 1, 3), 1)
    again = [{"white_id": game.first, "black_id": game.second, "table": 1} for game in games]
    with patch.object(DutchEngine, "generate_pairings", lambda self: again):
        pairs = swiss.pair_round(four, games, 2, 3)
    met = {frozenset((game.first, game.second)) for game in games}
    assert not any({pair.first, pair.second} in met for pair in pairs)
