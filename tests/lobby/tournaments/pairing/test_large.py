"""Large Swiss fields are paired within seconds, as by another implementation."""

import random
import time

import pytest

from lobby.tournaments.pairing import process, swiss
from lobby.tournaments.pairing.field import DRAW, LOSS, WIN, Entrant, Pair, RoundGame
from lobby.tournaments.pairing.history import Past, build_histories, may_meet
from lobby.tournaments.pairing.large_fields import pair_large_field
from tests.bench.tournaments.dutch import theirs
from tests.builders.pairing import run_pairing

ROUNDS = 9


def played(
    pairs: tuple[Pair, ...], number: int, count: int, chance: random.Random
) -> list[RoundGame]:
    """Play rounds that the stronger player usually wins. Entries are seeds."""
    games = []
    for pair in pairs:
        if pair.second is None:
            games.append(RoundGame(number, pair.first, None, WIN, 0, "bye"))
            continue
        luck = chance.random() + 0.3 * (pair.second - pair.first) / count
        first = WIN if luck > 0.6 else DRAW if luck > 0.4 else LOSS
        games.append(RoundGame(number, pair.first, pair.second, first, WIN - first))
    return games


def field(count: int) -> list[Entrant]:
    return [Entrant(seed, seed, 2400.0 - seed) for seed in range(1, count + 1)]


@pytest.mark.parametrize(("count", "away"), [(61, 0.0), (120, 0.03)])
def test_the_same_pairs_as_py4swiss(count: int, away: float) -> None:
    chance = random.Random(count)
    entrants = field(count)
    games: list[RoundGame] = []
    same = boards = 0
    for number in range(1, 6):
        absent = {one.entry for one in entrants if chance.random() < away}
        pairs = swiss.pair_round(entrants, games, number, ROUNDS, absent)
        others = theirs(entrants, games, number, ROUNDS, absent)
        assert others is not None
        same += len(set(pairs) & others)
        boards += len(pairs)
        games += [RoundGame(number, entry, None, DRAW, 0, "half-bye") for entry in absent]
        games += played(pairs, number, count, chance)
    assert same > 0.9 * boards


@pytest.mark.parametrize(("count", "rounds"), [(599, 4), (600, 8)])
def test_three_hundred_pairs_take_less_than_five_seconds(count: int, rounds: int) -> None:
    chance = random.Random(count)
    entrants = field(count)
    games: list[RoundGame] = []
    for number in range(1, rounds + 1):
        began = time.process_time()
        pairs = swiss.pair_round(entrants, games, number, ROUNDS)
        assert time.process_time() - began < 5.0
        past = build_histories(entrants, games, number)
        entries = [entry for pair in pairs for entry in (pair.first, pair.second) if entry]
        assert sorted(entries) == list(range(1, count + 1))
        for pair in pairs:
            if pair.second is None:
                assert past[pair.first].may_have_bye
            else:
                assert may_meet(past[pair.first], past[pair.second], number, ROUNDS)
        points = [max(past[pair.first].points, past[pair.second].points)
                  for pair in pairs if pair.second is not None]  # fmt: skip
        assert points == sorted(points, reverse=True)  # the first boards have the most points
        games += played(pairs, number, count, chance)


def test_three_hundred_pairs_in_a_process_of_their_own() -> None:
    chance = random.Random(1)
    entrants = field(600)
    games: list[RoundGame] = []
    games += played(swiss.pair_round(entrants, games, 1, ROUNDS), 1, 600, chance)
    done = run_pairing(process.encode_request(entrants, games, 2, ROUNDS))
    assert process.decode_answer(done.stdout) == swiss.pair_round(entrants, games, 2, ROUNDS)


@pytest.mark.parametrize("count", [120, 121])
def test_everybody_draws(count: int) -> None:
    """In each round all players share one bracket, except those with a bye so far."""
    entrants, games = field(count), list[RoundGame]()
    for number in range(1, ROUNDS + 1):
        pairs = swiss.pair_round(entrants, games, number, ROUNDS)
        met = {frozenset((game.first, game.second)) for game in games}
        assert not any({pair.first, pair.second} in met for pair in pairs)
        games += [
            RoundGame(number, pair.first, pair.second, DRAW, DRAW)
            if pair.second
            else RoundGame(number, pair.first, None, WIN, 0, "bye")
            for pair in pairs
        ]


def test_the_last_has_no_second_bye() -> None:
    """All have equal points. By rank the last player would get the bye, but already had one."""
    last = 61
    rest = [1, *range(3, last + 1)]
    games = [
        RoundGame(1, last, None, DRAW, 0, "bye"),
        RoundGame(2, 1, None, DRAW, 0, "half-bye"),
        RoundGame(3, 2, None, DRAW, 0, "half-bye"),
        *(RoundGame(1, each, each + 30, DRAW, DRAW) for each in range(1, 31)),
        *(RoundGame(2, each, 63 - each, DRAW, DRAW) for each in range(2, 32)),
        *(
            RoundGame(3, one, two, DRAW, DRAW)
            for one, two in zip(rest[::2], rest[1::2], strict=True)
        ),
    ]
    pairs = swiss.pair_round(field(last), games, 4, ROUNDS)
    (bye,) = [pair.first for pair in pairs if pair.second is None]
    assert bye != last


def test_the_order_of_what_it_gets_does_not_matter() -> None:
    chance = random.Random(4)
    entrants = field(90)
    games = played(swiss.pair_round(entrants, [], 1, ROUNDS), 1, 90, chance)
    pairs = swiss.pair_round(entrants, games, 2, ROUNDS)
    chance.shuffle(entrants)
    chance.shuffle(games)
    assert swiss.pair_round(entrants, games, 2, ROUNDS) == pairs


def last_has_met(others: range) -> list[Past]:
    """Create sixty players, sixteen of them ahead, before round 2.

    The last player has already met many of them.
    """
    met = {60: frozenset(others), **{other: frozenset((60,)) for other in others}}
    return [
        Past(
            entry=number,
            number=number,
            points=WIN if number <= 16 else 0,
            sides="fs"[number % 2],
            floats=("none",),
            opponents=met.get(number, frozenset()),
            had_bye=False,
            won_unplayed=False,
        )
        for number in range(1, 61)
    ]


def test_pairs_are_taken_back_where_the_last_cannot_be_paired() -> None:
    twos = pair_large_field(last_has_met(range(17, 60)), 2, ROUNDS)
    assert len(twos) == 30
    assert len({player.entry for two in twos for player in two if player}) == 60
    last = next({player.number for player in two if player} for two in twos if two[1] is not None
                and 60 in (two[0].number, two[1].number))  # fmt: skip
    assert min(last) <= 16


def test_who_has_met_everybody_meets_somebody_again() -> None:
    twos = pair_large_field(last_has_met(range(1, 60)), 2, ROUNDS)
    again = [two for two in twos if two[1] is not None and two[1].entry in two[0].opponents]
    assert len({player.entry for two in twos for player in two if player}) == 60
    assert len(again) == 1
