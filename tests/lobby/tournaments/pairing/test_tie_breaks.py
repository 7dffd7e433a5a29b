"""Tie-breaks of published crosstables, exact to the digit."""

import pytest

from lobby.tournaments.pairing.field import DRAW, LOSS, WIN, Kind, RoundGame
from lobby.tournaments.pairing.standings import TIE_BREAKS, compute_standings, explain_tie_breaks
from lobby.tournaments.pairing.tie_breaks import PARTS, Record, compute_value
from tests.builders.pairing import ROUND_ROBIN, SWISS, SWISS_9, UNPLAYED, parse_published

# The answers of the 2023 edition where the 2026 edition agrees. Otherwise (rounds without a game,
# 16.4) the answers follow the newer edition.
BUCHHOLZ = [12.5, 13, 15.5, 14, 8.5, 11.5, 14.5, 13.5, 9, 13, 12.5, 11.5, 14, 11, 12, 12.5]
CUT_1 = [11, 12, 13, 11.5, 7.5, 10.5, 12.5, 12, 7.5, 11.5, 11, 9.5, 12, 9, 11, 11]
SONNEBORN_BERGER = [
    *(8, 9.5, 10.5, 9.25, 4.25, 6, 3.25, 5.25, 2.25, 1.5, 4.75, 4, 4.25, 4.5, 3.5, 7.25),
]
MEAN_BUCHHOLZ = [
    *(12.4, 13.6, 12.9, 13.38, 13.2, 13.25, 11.7, 12.9),
    *(12.75, 10.8, 12.75, 14, 11.9, 13, 12.2, 13.1),
]  # of the opponents
WINS = [2, 3, 2, 2, 2, 3, 1, 2, 1, 1, 2, 2, 1, 2, 2, 3]
GAMES_WON = [2, 3, 2, 2, 2, 2, 1, 2, 0, 1, 1, 0, 1, 2, 2, 3]
PERFORMANCE = [
    *(1969, 2120, 2089, 2081, 1690, 1813, 1611, 1730),
    *(1175, 1640, 1776, 1250, 1781, 1925, 1788, 1969),
]


def values(text: str, kind: Kind, tie_break: str) -> list[float]:
    rows = compute_standings(*parse_published(text), kind, [tie_break])
    return [row.tie_breaks[0] for row in sorted(rows, key=lambda row: row.entry)]


def ranks(text: str, kind: Kind, *tie_breaks: str) -> list[int]:
    rows = compute_standings(*parse_published(text), kind, tie_breaks)
    return [row.rank for row in sorted(rows, key=lambda row: row.entry)]


@pytest.mark.parametrize(
    ("tie_break", "published"),
    [
        ("buchholz", BUCHHOLZ),
        ("buchholz-cut-1", CUT_1),
        ("sonneborn-berger", SONNEBORN_BERGER),
        ("wins", WINS),
        ("games-won", GAMES_WON),
        ("performance", PERFORMANCE),
    ],
)
def test_a_swiss(tie_break: str, published: list[float]) -> None:
    assert values(SWISS, "swiss", tie_break) == published


def test_the_mean_of_the_opponents_buchholz() -> None:
    entrants, games = parse_published(SWISS)
    own = values(SWISS, "swiss", "buchholz")
    for one, published in zip(entrants, MEAN_BUCHHOLZ, strict=True):
        opponents = [
            game.opponent_of(one.entry)
            for game in games
            if game.is_played and one.entry in (game.first, game.second)
        ]
        mean = sum(own[opponent - 1] for opponent in opponents if opponent) / len(opponents)
        assert int(100 * mean + 0.5) == round(100 * published)


def test_many_rounds_without_a_game() -> None:
    assert values(UNPLAYED, "swiss", "buchholz") == [
        *(26, 27.5, 25.5, 16, 25.5, 23.5, 25, 17.5, 27, 20.5, 22.5, 24.5, 20.5, 21, 21.5),
    ]
    assert values(UNPLAYED, "swiss", "buchholz-cut-1") == [
        *(24, 23.5, 22, 14.5, 24, 21, 22.5, 15.5, 23.5, 18, 20, 21, 19, 17.5, 20),
    ]
    assert values(UNPLAYED, "swiss", "sonneborn-berger") == [
        *(14, 14, 14.25, 6, 17.5, 7, 9.25, 4.75, 16.75, 9.25, 13.5, 14, 3.25, 8.25, 5.25),
    ]


def test_a_round_robin_counts_forfeits_as_games() -> None:
    sonneborn_berger = values(ROUND_ROBIN, "round-robin", "sonneborn-berger")
    assert sonneborn_berger == [9.25, 6.25, 6.25, 4.25, 3.25, 2.25]


def test_direct_encounter() -> None:
    assert ranks(ROUND_ROBIN, "round-robin", "direct-encounter") == [1, 2, 2, 6, 5, 4]
    assert ranks(SWISS_9, "swiss", "direct-encounter") == [
        *(3, 5, 1, 3, 9, 2, 6, 6, 14, 9, 13, 14, 16, 9, 9, 6),
    ]
    tied = ranks(SWISS, "swiss", "direct-encounter")
    assert [tied[number - 1] for number in (1, 3, 4, 16)] == [2, 2, 2, 2]
    assert [tied[number - 1] for number in (5, 8, 11)] == [7, 7, 7]


@pytest.mark.parametrize(("text", "kind"), [(SWISS, "swiss"), (UNPLAYED, "swiss"),
                                            (ROUND_ROBIN, "round-robin")])  # fmt: skip
def test_the_parts_add_up_to_what_the_table_shows(text: str, kind: Kind) -> None:
    entrants, games = parse_published(text)
    rows = {row.entry: row for row in compute_standings(entrants, games, kind, TIE_BREAKS)}
    for one in entrants:
        shown = explain_tie_breaks(entrants, games, kind, TIE_BREAKS, one.entry)
        assert tuple(each.total for each in shown) == rows[one.entry].tie_breaks
        for each in shown:
            kept = [part.value for part in each.parts if not part.is_cut]
            if each.tie_break == "performance" and kept:
                *ratings, added = kept
                assert each.total == int(sum(ratings) / len(ratings) + 0.5) + added
            elif each.tie_break != "direct-encounter":
                assert each.total == sum(kept)
            assert all(part.value == part.of * part.times for part in each.parts)


def test_a_part_says_where_it_comes_from() -> None:
    entrants, games = parse_published(SWISS)
    (cut,) = explain_tie_breaks(entrants, games, "swiss", ["buchholz-cut-1"], 4)
    assert [(part.round, part.opponent, part.value, part.why) for part in cut.parts] == [
        (1, 12, 3.0, "adjusted"),  # two absences at the end are draws
        (2, None, 2.5, "half"),  # requested: at most half of five rounds
        (3, 13, 1.5, "score"),
        (4, 3, 3.5, "score"),
        (5, 1, 3.5, "score"),
    ]
    assert [part.round for part in cut.parts if part.is_cut] == [2]


def test_an_unknown_tie_break_is_refused() -> None:
    with pytest.raises(ValueError, match="luck"):
        compute_standings(*parse_published(SWISS), "swiss", ["luck"])
    with pytest.raises(ValueError, match="buchholz"):
        compute_standings(*parse_published(SWISS), "arena", ["buchholz"])


# Articles of C.07, Play-Off and Tie-Break Regulations, as of 1 March 2026:
#
# 16.2 Unplayed rounds: 16.2.1 pairing-allocated and full-point byes; 16.2.2 forfeit wins; 16.2.3
#      requested byes followed by at least one round that is not a VUR (voluntary unplayed round, a
#      requested bye or a forfeit loss: 16.1.2); 16.2.4 forfeit losses; 16.2.5 requested byes that
#      only VURs follow, or in the last round. "Any round after a participant withdraws is a
#      zero-point-bye" (16.1).
# 16.3 For the opponents: 16.3.1 categories 16.2.1 to 16.2.4 count as they were awarded; 16.3.2
#      "Unplayed rounds of category 16.2.5 are evaluated as draws."
# 16.4 For oneself, each unplayed round is one against a dummy. "The dummy's score for the tie-break
#      calculation is the participant's own score. However, it shall not exceed:
#      16.4.1 the scheduled opponent's adjusted score (see Article 16.3), for unplayed rounds of
#      categories 16.2.2 and 16.2.4 (forfeits);
#      16.4.2 the points awarded for a draw multiplied by the number of rounds in the tournament,
#      for all other unplayed rounds (categories 16.2.1, 16.2.3 and 16.2.5)."


@pytest.mark.parametrize(
    ("rounds", "third", "fourth", "adjusted"),
    [
        ("2w1 Z   Z  ", "Z Z   Z", "Z Z Z  ", 2.0),  # 16.3.2: withdrawn, so 1 and two draws
        ("2w1 3w- 4b-", "Z 1b+ Z", "Z Z 1w+", 1.0),  # 16.2.4: forfeits at the end give nothing
        ("2w1 Z   4b-", "Z Z   Z", "Z Z 1w+", 1.5),  # only a forfeit follows the bye: 16.2.5
        ("2w1 Z   4b0", "Z Z   Z", "Z Z 1w1", 1.0),  # a game follows the bye: 16.2.3
        ("2w1 Z   4b+", "Z Z   Z", "Z Z 1w-", 2.0),  # a forfeit win follows it: 16.2.3
        ("2w1 H   U  ", "Z Z   Z", "Z Z Z  ", 2.5),  # the last bye was not requested: 16.2.1
        ("2w1 U   Z  ", "Z Z   Z", "Z Z Z  ", 2.5),
    ],
)
def test_the_points_of_an_opponent_as_16_3_has_them(
    rounds: str, third: str, fourth: str, adjusted: float
) -> None:
    text = f"1 2000 {rounds}\n2 1900 1b0 Z Z\n3 1800 {third}\n4 1800 {fourth}"
    (shown,) = explain_tie_breaks(*parse_published(text), "swiss", ["buchholz"], 2)
    assert (shown.parts[0].opponent, shown.parts[0].value) == (1, adjusted)


@pytest.mark.parametrize(
    ("rounds", "other", "dummy", "why"),
    [
        ("2w1 U  ", "1b0 Z  ", 1.0, "half"),  # 16.4.2: 2 points, but at most half of 2 rounds
        ("2w0 U  ", "1b1 Z  ", 1.0, "own"),
        ("2w= H  ", "1b= Z  ", 1.0, "own"),
        ("Z   2w+", "Z   1b-", 0.5, "their"),  # 16.4.1: 1 point, the opponent's is 0 + half (16.3)
        ("Z   2w-", "Z   1b+", 0.0, "own"),
    ],
)
def test_the_dummy_of_an_unplayed_round_as_16_4_has_it(
    rounds: str, other: str, dummy: float, why: str
) -> None:
    (shown,) = explain_tie_breaks(
        *parse_published(f"1 2000 {rounds}\n2 1900 {other}"), "swiss", ["buchholz"], 1
    )
    assert (shown.parts[1].value, shown.parts[1].why) == (dummy, why)


def test_the_worked_example_of_fide() -> None:
    """From the Arbiters' Manual of 2026, C.07: 7 points in 10 rounds, absent in round 4.

    Buchholz 55 (57 before the dummy was limited), Cut-1 50, Sonneborn-Berger 37.25.
    """
    results = (WIN, WIN, LOSS, None, WIN, DRAW, WIN, DRAW, WIN, WIN)
    opponents = (500, 500, 650, None, 450, 600, 500, 650, 550, 600)
    games = [
        RoundGame(
            number,
            1,
            None if got is None else 10 + number,
            got or 0,
            0,
            "zero-bye" if got is None else "played",
        )
        for number, got in enumerate(results, 1)
    ]
    totals = {1: 700} | {10 + number: got for number, got in enumerate(opponents, 1) if got}
    example = Record(
        10, False, {1: games}, {1: {game.round: game for game in games}}, totals, totals, {}
    )
    found = [
        compute_value(example, each, 1)
        for each in ("buchholz", "buchholz-cut-1", "sonneborn-berger")
    ]
    assert found == [55, 50, 37.25]
    assert PARTS["buchholz"](example, 1)[3].why == "half"
