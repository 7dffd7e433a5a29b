"""Compares Six in a Row with a slow but simple checker, on games with many long lines."""

import random
from collections import Counter

import pytest

from games.rules import GAMES, IllegalAction, Position
from games.rules.six_in_a_row import SixInARow

GAME = GAMES["six-in-a-row"]
SIDE = 15
PLACES = [f"place {x} {y}" for y in range(1, SIDE + 1) for x in range(1, SIDE + 1)]
DIRECTIONS = {"row": (1, 0), "column": (0, 1), "falling": (1, 1), "rising": (1, -1)}


def runs(diagram: str) -> list[tuple[str, str, int, str, str, tuple[int, int]]]:
    """Every run of stones, as long as it goes: direction, mark, length, both ends, and start.

    Coordinates are 1 to 15. Beyond the edge the mark is '#'.
    """
    width = SIDE + 1  # one '#' ends each row, and begins the next
    rows = [diagram[i : i + SIDE] for i in range(0, SIDE * SIDE, SIDE)]
    marks = "#" * (width + 1) + "#".join(rows) + "#" * (width + 1)
    stones = [(place, mark) for place, mark in enumerate(marks) if mark not in ".#"]
    found = []
    for name, (dx, dy) in DIRECTIONS.items():
        step = dy * width + dx
        for place, mark in stones:
            before = marks[place - step]
            if before == mark:
                continue
            length = 1
            while marks[place + length * step] == mark:
                length += 1
            y, x = divmod(place, width)
            found.append((name, mark, length, before, marks[place + length * step], (x, y)))
    return found


def winners(found: list[tuple[str, str, int, str, str, tuple[int, int]]]) -> set[str]:
    """The marks with a line of exactly six and an empty cell or the edge at each end."""
    return {
        mark
        for _, mark, length, before, after, _ in found
        if length == 6 and before in ".#" and after in ".#"
    }


def main_phase(pick: str) -> Position:
    """A position after the shortest opening, with its three stones out of the way."""
    position = GAME.start
    for action in ("place 1 1", "place 15 15", "place 15 1", pick):
        position = position.play(action)
    return position


def biased(position: Position, chance: random.Random, goal: list[tuple[int, int]]) -> str:
    """An action on the planned line, in random order; if there is none, somewhere else."""
    wanted = [f"place {x} {y}" for x, y in goal]
    possible = [action for action in wanted if position.may(action)]
    if possible and chance.random() < 0.9:
        return chance.choice(possible)
    while not position.may(place := chance.choice(PLACES)):
        pass
    return place


def planned(chance: random.Random) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The cells of a line of six or seven for one role, and the ends that the other may block."""
    dx, dy = chance.choice(list(DIRECTIONS.values()))
    length = chance.choice((6, 6, 6, 7))
    while True:
        x, y = chance.randint(1, SIDE), chance.randint(1, SIDE)
        if chance.random() < 0.4:  # at the edge
            x = 1 if dx else x
            y = (1 if dy > 0 else SIDE) if dy and not dx else y
        line = [(x + i * dx, y + i * dy) for i in range(length)]
        if all(1 <= a <= SIDE and 1 <= b <= SIDE for a, b in line):
            caps = [(x - dx, y - dy), (x + length * dx, y + length * dy)]
            return line, chance.sample(caps, chance.choice((0, 1, 2, 2)))


def test_it_agrees_with_the_slow_checker_where_lines_are_made_on_purpose() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for seed in range(1000):
        chance = random.Random(seed)
        position = main_phase(chance.choice(("pick black", "pick white")))
        line, caps = planned(chance)
        chance.shuffle(line)
        mine = position.turn if chance.random() < 0.85 else None
        kinds: set[tuple[str, str]] = set()
        for _ in range(20):  # enough for both plans
            if position.is_over:
                break
            plan = line if (position.turn == mine) or mine is None else caps
            position = position.play(biased(position, chance, plan))
            found = runs(position.diagram)
            slow = winners(found)
            assert position.is_over == bool(slow), position.notation
            assert GAME.read(position.notation) == position
            kinds |= {kind for run in found for kind in kinds_of(run)}
            if slow:
                assert len(slow) == 1
                assert position.goals is not None
                winner = next(role for role, goal in position.goals.items() if goal == 100)
                marks = {position.diagram[cell] for cell in position.line}
                assert marks == slow
                assert winner == role_of(position, slow.pop())
        seen.update(kinds)
    # The playouts made every kind of line in every direction, many times each.
    for name in DIRECTIONS:
        for kind in KINDS:
            assert seen[name, kind] >= 20, (name, kind, seen)


KINDS = ("free", "half-capped", "capped", "seven", "free at the edge", "half-capped at the edge")


def kinds_of(run: tuple[str, str, int, str, str, tuple[int, int]]) -> list[tuple[str, str]]:
    """The kinds of lines of which the run is an example."""
    name, _, length, before, after, _ = run
    if length < 6:
        return []
    kind = ("capped", "half-capped", "free")[(before in ".#") + (after in ".#")]
    if length > 6:
        kind = "seven"
    return [(name, kind)] + [(name, f"{kind} at the edge")] * ("#" in (before, after))


def role_of(position: Position, mark: str) -> str:
    black = position.notation.rsplit("/", 1)[1]
    player1_has_black = black == "1"
    return "player1" if (mark == "b") == player1_has_black else "player2"


def test_it_agrees_with_the_slow_checker_over_random_matches() -> None:
    for seed in range(12):
        chance = random.Random(seed)
        position = main_phase("pick white")
        while not position.is_over:
            position = position.play(chance.choice(position.legal()))
            slow = winners(runs(position.diagram))
            assert bool(position.line) == bool(slow)
            assert position.is_over == (bool(slow) or "." not in position.diagram)


def lay(stones: dict[str, str], seat: str = "1") -> Position:
    """A position with these stones ("x y": b or w), and others that make the numbers equal."""
    cells = {(int(k.split()[0]), int(k.split()[1])): v for k, v in stones.items()}
    masks = {
        mark: sum(1 << 16 * (y - 1) + x - 1 for (x, y), v in cells.items() if v == mark)
        for mark in "bw"
    }
    return GAME.read(f"{masks['b']:x}/{masks['w']:x}/{seat}")


FILLERS = ["1 15", "3 15", "5 15", "7 15", "9 15", "11 15", "13 15", "15 15"]


@pytest.mark.parametrize(
    ("own", "caps", "wins"),
    [
        ("3456789"[:6], "", True),
        ("3456789"[:6], "2", False),
        ("3456789"[:6], "9", False),
        ("3456789", "", False),
        ("123456", "", True),
        ("123456", "7", False),
        ("34567", "", False),
    ],
    ids=["six", "capped before", "capped after", "seven", "at the edge", "edge and cap", "five"],
)
def test_a_line_wins_if_it_is_exactly_six_and_free_at_both_ends(
    own: str, caps: str, wins: bool
) -> None:
    stones = {f"{x} 8": "b" for x in own} | {f"{x} 8": "w" for x in caps}
    black, white = len(own), len(caps)
    for filler in FILLERS:
        if white < black - 1:
            stones[filler] = "w"
            white += 1
    position = lay(stones)
    assert (position.line != ()) == wins
    assert position.is_over == wins


def test_the_sixth_stone_may_fall_in_the_middle() -> None:
    stones = {f"{x} 8": "b" for x in (3, 4, 5, 7, 8)} | dict.fromkeys(FILLERS[:5], "w")
    position = lay(stones)
    assert position.turn == "player1"
    after = position.play("place 6 8")
    assert after.goals == {"player1": 100, "player2": 0}


def test_a_stone_that_makes_seven_in_one_direction_and_six_in_another_wins() -> None:
    row = {f"{x} 8": "b" for x in (3, 4, 5, 7, 8, 9)}
    column = {f"6 {y}": "b" for y in (9, 10, 11, 12, 13)}
    stones = (
        row
        | column
        | {f"{x} 1": "w" for x in range(1, 16, 2)}
        | dict.fromkeys(("2 3", "6 3", "10 3"), "w")
    )
    position = lay(stones)
    after = position.play("place 6 8")
    assert after.is_over
    assert len(after.line) == 6


OPENING = [
    ("player1", "b", False),
    ("player1", "w", False),
    ("player1", "b", False),
    ("player2", "w", True),
    ("player2", "b", False),
    ("player1", None, True),
]


def test_the_opening_has_its_six_steps() -> None:
    position = GAME.start
    for step, (role, stone, may_pick) in enumerate(OPENING):
        assert position.turn == role
        assert position.may("pick black") == position.may("pick white") == may_pick
        if stone is None:
            assert position.legal() == ("pick black", "pick white")
            with pytest.raises(IllegalAction):
                position.play("place 9 9")
            return
        before = position.diagram.count(stone)
        position = position.play(f"place {step + 1} 2")
        assert position.diagram.count(stone) == before + 1


@pytest.mark.parametrize("steps", [3, 5], ids=["at step 4", "at step 6"])
@pytest.mark.parametrize("colour", ["black", "white"])
def test_a_pick_settles_both_colours_and_white_acts_first(steps: int, colour: str) -> None:
    position = GAME.start
    for i in range(steps):
        position = position.play(f"place {i + 1} 2")
    picker = position.turn
    other = "player2" if picker == "player1" else "player1"
    position = position.play(f"pick {colour}")
    white = picker if colour == "white" else other
    assert position.turn == white
    after = position.play("place 9 9")
    assert after.diagram[8 * SIDE + 8] == "w"
    assert after.turn != white
    assert not after.may("pick black")


def test_a_full_board_without_such_a_line_is_fifty_each() -> None:
    for seed in range(200):
        chance = random.Random(seed)
        position = main_phase("pick black")
        while not position.is_over:
            position = position.play(chance.choice(position.legal()))
        if not position.line:
            assert "." not in position.diagram
            assert position.goals == {"player1": 50, "player2": 50}
            return
    pytest.fail("no full board without a line in 200 matches")


def test_a_stone_is_open_where_it_may_be_placed_and_it_has_the_colour_whose_turn_it_is() -> None:
    chance = random.Random(5)
    seen = set()
    for _ in range(20):
        position = GAME.start
        while not position.is_over:
            picks = {action for action in position.legal() if action.startswith("pick")}
            assert isinstance(position, SixInARow)
            open_ = {p for p, mark in zip(PLACES, position.open, strict=True) if mark == "1"}
            assert open_ == set(position.legal()) - picks
            if open_:
                black, white = (position.diagram.count(mark) for mark in "bw")
                assert position.stone == ("b" if black == white else "w")
            seen.add((position.stone, bool(picks)))
            position = position.play(chance.choice(position.legal()))
            assert isinstance(position, SixInARow)
            # A played position has the diagram of the position before it, with one more stone.
            parts = position.black, position.white, position.black_seat, position._winner
            assert position.diagram == SixInARow(*parts).diagram
        assert isinstance(position, SixInARow)
        assert (set(position.open), position.stone) == ({"0"}, None)
    # With three stones on the board a stone may be placed instead, with five there is only to pick.
    assert seen == {("b", False), ("w", False), ("w", True), (None, True)}


def test_without_the_opening_black_is_settled_and_begins() -> None:
    position = GAME.get_start("plain")
    assert (position.turn, position.legal("player2")) == ("player1", ("noop",))
    assert not {"pick black", "pick white"} & set(position.legal())
    stones = ["8 8", "1 1", "8 9", "1 3", "8 10", "1 5", "8 11", "1 7", "8 12", "1 9", "8 13"]
    for ply, stone in enumerate(stones):
        assert GAME.read(position.notation) == position
        assert position.turn == ("player1", "player2")[ply % 2]
        position = position.play(f"place {stone}")
    assert position.goals == {"player1": 100, "player2": 0}


def test_only_the_first_role_has_black_without_the_opening() -> None:
    for notation in ("0/0/2", "1/0/2", "1/2/2"):
        with pytest.raises(ValueError):
            GAME.read(notation)
    assert GAME.get_start("") == GAME.get_start("no such options") == GAME.start
