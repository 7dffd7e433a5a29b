"""Every position of Tic-Tac-Toe, and every way in which Parallel Tic-Tac-Toe can end."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product

import pytest

from games.rules import GAMES, Position
from games.rules.grid import BLANK, has_any_line

TIC_TAC_TOE = GAMES["tic-tac-toe"]
PARALLEL = GAMES["parallel-tic-tac-toe"]
MIRROR = [2, 1, 0, 5, 4, 3, 8, 7, 6]
TURN = [6, 3, 0, 7, 4, 1, 8, 5, 2]


@pytest.fixture(scope="module")
def visited() -> set[Position]:
    """All positions of Tic-Tac-Toe that play leads to."""
    seen = {TIC_TAC_TOE.start}
    front = [TIC_TAC_TOE.start]
    while front:
        position = front.pop()
        for action in position.legal():
            after = position.play(action)
            if after not in seen:
                seen.add(after)
                front.append(after)
    return seen


def test_tic_tac_toe_has_its_5478_positions(visited: set[Position]) -> None:
    assert len(visited) == 5478
    goals = Counter(tuple(p.goals.values()) for p in visited if p.goals)
    assert goals == {(100, 0): 626, (0, 100): 316, (50, 50): 16}


def test_tic_tac_toe_has_its_255168_games() -> None:
    """The number of possible games, by winner; the figure is known from the literature."""
    ends: Counter[tuple[int, ...]] = Counter()
    front = Counter({TIC_TAC_TOE.start: 1})
    while front:
        after: Counter[Position] = Counter()
        for position, ways in front.items():
            if position.goals:
                ends[tuple(position.goals.values())] += ways
            for action in position.legal():
                after[position.play(action)] += ways
        front = after
    assert ends == {(100, 0): 131184, (0, 100): 77904, (50, 50): 46080}


def test_tic_tac_toe_reads_exactly_the_positions_that_play_leads_to(
    visited: set[Position],
) -> None:
    notations = {position.notation for position in visited}
    read = set()
    for cells in map("".join, product(".xo", repeat=9)):
        try:
            read.add(TIC_TAC_TOE.read(cells).notation)
        except ValueError:
            continue
    assert read == notations


def test_a_line_belongs_to_the_one_who_has_it(visited: set[Position]) -> None:
    for position in visited:
        owners = {position.diagram[cell] for cell in position.line}
        if not position.goals or position.goals["xplayer"] == 50:
            assert owners == set()
        else:
            assert owners == {"x" if position.goals["xplayer"] == 100 else "o"}
            assert len(position.line) in (3, 5)


def open_grids() -> dict[int, set[str]]:
    """By the number of marks, all grids without a line that play can lead to."""
    grids: dict[int, set[str]] = {0: {BLANK}}
    for marks in range(9):
        mark = "xo"[marks % 2]
        after = {
            grid[:cell] + mark + grid[cell + 1 :]
            for grid in grids[marks]
            for cell in range(9)
            if grid[cell] == "."
        }
        grids[marks + 1] = {grid for grid in after if not has_any_line(grid)}
    return grids


@pytest.fixture(scope="module")
def ends() -> dict[str, tuple[int, int]]:
    """Every end of Parallel Tic-Tac-Toe, by its notation.

    Before the end neither grid has a line, and the choice on one grid does not limit the choice on
    the other. So the positions before the end are all pairs of open grids with equally many marks,
    and one action on such a pair makes an end. On each grid, one of its mirrored and turned forms
    stands for all of them, and one order of two grids for both; the goals are the same.
    """
    found = {}
    for marks, grids in open_grids().items():
        if marks == 9:
            continue
        standing = sorted({canonical(grid) for grid in grids})
        for first, second in combinations_with_replacement(standing, 2):
            position = PARALLEL.read(f"{first}/{second}")
            for action in position.legal():
                after = position.play(action)
                if after.goals:
                    found[after.notation] = (after.goals["xplayer"], after.goals["oplayer"])
    return found


@cache
def canonical(grid: str) -> str:
    forms = []
    for _ in range(4):
        grid = "".join(grid[i] for i in TURN)
        forms += [grid, "".join(grid[i] for i in MIRROR)]
    return min(forms)


REACHABLE_GOALS = {
    (100, 0), (0, 100),  # both grids' lines are one role's
    (50, 0), (0, 50),  # one line, the other grid still open
    (75, 25),  # a line of x on the last cell of one grid, the other full without any line
    (50, 50),  # both full without a line
}  # fmt: skip


def test_the_goals_that_parallel_tic_tac_toe_can_end_with(ends: dict[str, tuple[int, int]]) -> None:
    """The whole set. (25, 75) is impossible: only x marks a ninth cell, so a grid with a line of o
    has open cells. And there is never a line for each, because one action sets the same mark on
    both grids.
    """
    assert set(ends.values()) == REACHABLE_GOALS


@cache
def worth(grid: str, mark: str) -> int:
    """What a grid is worth to a mark, by the text of the rules and without the module."""
    lines = ["012", "345", "678", "036", "147", "258", "048", "246"]
    owners = {
        grid[int(a)] for a, b, c in map(list, lines) if grid[int(a)] == grid[int(b)] == grid[int(c)]
    }
    if mark in owners:
        return 100
    return 50 if "." not in grid and not owners - {"."} else 0


def ends_by_brute_force() -> dict[tuple[str, str], tuple[float, float]]:
    """Every end, found from the start action by action, without the module and without assuming
    that the grids are independent. To turn, mirror or swap grids changes no goal.
    """
    found = {}
    front = {(BLANK, BLANK)}
    for ply in range(9):
        mark = "xo"[ply % 2]
        after = set()
        for grids in front:
            marked = [
                {canonical(grid[:i] + mark + grid[i + 1 :]) for i in range(9) if grid[i] == "."}
                for grid in grids
            ]
            after |= {tuple(sorted(pair)) for pair in product(*marked)}
        front = set()
        for first, second in after:
            goals = [(worth(first, mark) + worth(second, mark)) / 2 for mark in "xo"]
            if any(goals):  # a grid that is full or has a line is worth something to somebody
                found[first, second] = (goals[0], goals[1])
            else:
                front.add((first, second))
    return found


def test_the_ends_of_parallel_tic_tac_toe_are_those_of_brute_force(
    ends: dict[str, tuple[int, int]],
) -> None:
    ours: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for notation, goals in ends.items():
        first, second = sorted(map(canonical, notation.split("/")))
        ours.setdefault((first, second), set()).add(goals)
    assert ours == {pair: {goals} for pair, goals in ends_by_brute_force().items()}


def test_every_end_of_parallel_tic_tac_toe_has_the_goals_of_the_seed(
    ends: dict[str, tuple[int, int]],
) -> None:
    for notation, goals in ends.items():
        first, second = notation.split("/")
        expected = [(worth(first, mark) + worth(second, mark)) / 2 for mark in "xo"]
        assert list(goals) == expected, notation


def test_parallel_tic_tac_toe_reads_exactly_what_play_leads_to() -> None:
    """Tries all pairs of some reachable grids, and all grids together with each of a few.

    One action marks both grids. So a pair can be reached if each of its grids can, and both have
    equally many marks.
    """
    grids = open_grids()
    reached = set().union(*grids.values())
    for marks in range(9):
        for grid in grids[marks]:
            for cell in range(9):
                if grid[cell] == ".":
                    reached.add(grid[:cell] + "xo"[marks % 2] + grid[cell + 1 :])
    assert len(reached) == 5478
    everything = sorted(map("".join, product(".xo", repeat=9)))
    partners = {  # for each number of marks an open grid and, where there is one, one with a line
        (9 - grid.count("."), has_any_line(grid)): grid for grid in sorted(reached)
    }.values()
    sample = sorted(reached)[::41]
    pairs = [*product(sample, repeat=2), *product(everything, partners)]
    for first, second in pairs + [(second, first) for first, second in pairs]:
        possible = {first, second} <= reached and first.count(".") == second.count(".")
        try:
            assert PARALLEL.read(f"{first}/{second}").notation == f"{first}/{second}"
        except ValueError:
            assert not possible, f"{first}/{second} can be reached"
        else:
            assert possible, f"{first}/{second} cannot be reached"
