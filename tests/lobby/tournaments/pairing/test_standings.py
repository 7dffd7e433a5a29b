"""Properties of all standings, checked for arbitrary games."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lobby.tournaments.pairing import berger
from lobby.tournaments.pairing.crosstable import build_crosstable
from lobby.tournaments.pairing.field import DRAW, LOSS, WIN, Entrant, Kind, RoundGame
from lobby.tournaments.pairing.standings import (
    ALLOWED,
    DEFAULTS,
    compute_standings,
    explain_tie_breaks,
)
from lobby.tournaments.pairing.tie_breaks import get_rating_difference
from tests.bench.tournaments.dutch import tournament
from tests.builders.pairing import ROUND_ROBIN, SWISS, UNPLAYED, parse_published

KINDS: list[Kind] = ["round-robin", "swiss", "arena"]


def swiss(seed: int) -> tuple[list[Entrant], list[RoundGame]]:
    """Create a Swiss tournament up to a random round, with absences, byes and forfeits."""
    rounds = list(tournament(seed, most=16, compare=False))
    if not rounds:  # too few players for a first round
        return [Entrant(1, 1), Entrant(2, 2)], []
    return rounds[-1].entrants, rounds[-1].games


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_the_standings_of_any_tournament(seed: int, chance: random.Random) -> None:
    entrants, games = swiss(seed)
    must_be_explained(entrants, games)
    for kind in KINDS:
        must_have_shared_ranks(entrants, games, kind)
        if kind != "arena":
            must_have_the_points_of_games(entrants, games, kind)
        must_not_depend_on_order(entrants, games, kind, chance)


def must_not_depend_on_order(
    entrants: list[Entrant], games: list[RoundGame], kind: Kind, chance: random.Random
) -> None:
    tie_breaks = list(ALLOWED[kind])
    chance.shuffle(tie_breaks)
    rows = compute_standings(entrants, games, kind, tie_breaks)
    entrants, games = list(entrants), list(games)
    chance.shuffle(entrants)
    if kind != "arena":  # in an arena the order of games determines the streaks
        chance.shuffle(games)
    assert compute_standings(entrants, games, kind, tie_breaks) == rows


def must_have_the_points_of_games(
    entrants: list[Entrant], games: list[RoundGame], kind: Kind
) -> None:
    rows = compute_standings(entrants, games, kind, DEFAULTS[kind])
    assert sum(row.points for row in rows) == sum(
        game.first_points + game.second_points for game in games
    )
    assert sorted(row.entry for row in rows) == sorted(one.entry for one in entrants)
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)


def must_have_shared_ranks(entrants: list[Entrant], games: list[RoundGame], kind: Kind) -> None:
    """Those whom nothing parts share a rank."""
    rows = compute_standings(entrants, games, kind, DEFAULTS[kind])
    for place, row in enumerate(rows, 1):
        tied = [
            other
            for other in rows[: place - 1]
            if (other.points, other.tie_breaks) == (row.points, row.tie_breaks)
        ]
        assert row.rank == (tied[0].rank if tied else place)


def must_be_explained(entrants: list[Entrant], games: list[RoundGame]) -> None:
    """The explanation has the totals of the table."""
    tie_breaks = ALLOWED["swiss"]
    for row in compute_standings(entrants, games, "swiss", tie_breaks):
        shown = explain_tie_breaks(entrants, games, "swiss", tie_breaks, row.entry)
        assert tuple(each.total for each in shown) == row.tie_breaks


@pytest.mark.parametrize("kind", KINDS)
def test_before_the_first_round_all_are_equal(kind: Kind) -> None:
    entrants = [Entrant(9, 2), Entrant(4, 1), Entrant(7, 3)]
    rows = compute_standings(entrants, [], kind, DEFAULTS[kind])
    assert [(row.rank, row.entry, row.points) for row in rows] == [(1, 4, 0), (1, 9, 0), (1, 7, 0)]
    assert compute_standings([], [], kind) == ()


def test_everybody_draws() -> None:
    entrants = [Entrant(seed, seed) for seed in range(1, 7)]
    games = [
        RoundGame(number, first, second or 0, DRAW, DRAW)
        for number, pairs in enumerate(berger.build_rounds(6), 1)
        for first, second in pairs
    ]
    rows = compute_standings(entrants, games, "round-robin", DEFAULTS["round-robin"])
    assert {(row.rank, row.points) for row in rows} == {(1, 5 * DRAW)}


def test_a_performance_is_shown_from_five_rated_opponents_on() -> None:
    """The performance after a single win against 1500 would be 2300."""
    entrants = [Entrant(seed, seed, None if seed == 7 else 1500.0) for seed in range(1, 8)]
    games = [RoundGame(number, 1, number + 1, WIN, LOSS) for number in range(1, 7)]
    for count, shown in ((1, None), (4, None), (5, 2300), (6, 2300)):
        rows = compute_standings(entrants, games[:count], "swiss", ["performance"])
        assert (rows[0].performance, rows[0].tie_breaks) == (shown, (2300,)), count
    few = [*games[:3], games[6 - 1], RoundGame(5, 1, 2, WIN, LOSS), RoundGame(6, 1, 3, WIN, LOSS)]
    assert compute_standings(entrants, few, "swiss")[0].performance is None  # three and one unrated


def test_nobody_comes() -> None:
    entrants = [Entrant(1, 1), Entrant(2, 2)]
    games = [RoundGame(1, 1, 2, LOSS, LOSS, "forfeit")]
    for kind in KINDS:
        rows = compute_standings(entrants, games, kind, DEFAULTS[kind])
        assert {(row.rank, row.points, row.played, row.performance) for row in rows} == {
            (1, 0, 0, None)
        }


def test_a_round_that_goes_on_makes_nobody_absent() -> None:
    entrants, games = parse_published(SWISS)
    before = [game for game in games if game.round < 5]
    first = next(game for game in games if game.round == 5)
    rows = {
        row.entry: row
        for row in compute_standings(entrants, [*before, first], "swiss", ["buchholz"], rounds=4)
    }
    still = {row.entry: row for row in compute_standings(entrants, before, "swiss", ["buchholz"])}
    assert rows[first.first].points == still[first.first].points + first.first_points
    met = [game for game in before if {first.first, first.second} & {game.first, game.second}]
    others = set(rows) - {entry for game in met for entry in (game.first, game.second)}
    assert others
    assert all(rows[entry] == still[entry] for entry in others - {first.first, first.second})


def test_an_arena_counts_streaks() -> None:
    entrants = [Entrant(1, 1), Entrant(2, 2)]
    games = [
        RoundGame(0, 1, 2, WIN, LOSS),
        RoundGame(0, 2, 1, LOSS, WIN),
        RoundGame(0, 1, 2, WIN, LOSS),
    ]
    rows = compute_standings(entrants, games, "arena", DEFAULTS["arena"])
    assert [(row.entry, row.points) for row in rows] == [(1, 800), (2, 0)]


def test_the_difference_is_the_same_downwards() -> None:
    for points in range(0, 501, 50):
        assert get_rating_difference(points, 5) == -get_rating_difference(500 - points, 5)
    assert (
        get_rating_difference(500, 5),
        get_rating_difference(250, 5),
        get_rating_difference(400, 5),
    ) == (800, 0, 240)


@pytest.mark.parametrize("text", [SWISS, UNPLAYED, ROUND_ROBIN])
def test_the_crosstable_has_each_game_twice(text: str) -> None:
    entrants, games = parse_published(text)
    rows = compute_standings(entrants, games, "swiss", ["buchholz"])
    lines = build_crosstable(entrants, games, rows)
    assert [line.row for line in lines] == list(rows)
    for line in lines:
        own = [game for game in games if line.row.entry in (game.first, game.second)]
        assert sum(cell.points for cells in line.rounds for cell in cells) == line.row.points
        assert sum(len(cells) for cells in line.rounds) == len(own)
        assert sum(len(cells) for cells in line.against) == sum(
            game.second is not None for game in own
        )
        for place, cells in enumerate(line.against):
            assert all(cell.opponent == rows[place].entry for cell in cells)
            assert all(cell.rank == rows[place].rank for cell in cells)
