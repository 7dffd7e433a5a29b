"""The bot for Six in a Row: its threat search against the rules, its choices, and its looks."""

from dataclasses import asdict, replace
from random import Random

import numpy as np
import pytest

from games.bots.bot import LEVELS, LONGEST
from games.bots.six_board import place, remove
from games.bots.six_human_play import place_cell, place_name
from games.bots.six_in_a_row import BOT, SixInARowBot
from games.bots.six_opening import nearby, white_points
from games.bots.six_study import SearchLimits, Study
from games.engine.verdicts import KEPT, LOST, judge
from games.rules.position import IllegalAction
from games.rules.six_in_a_row import BLACK, GAME, SIDE, WHITE, SixInARow
from tests.bench.strength.games import Level, play
from tests.bench.strength.opponents import Blocker

THREATS = SearchLimits(deepest=4, width=10, attack=8, guard=8, inner_attack=4, whim=0, caution=1.0)
BUDGET = 0.05


def bit(x: int, y: int) -> int:
    return 1 << (y - 1) * (SIDE + 1) + x - 1


def stones(*cells: tuple[int, int]) -> int:
    return sum(bit(x, y) for x, y in cells)


def black_to_move(black: list[tuple[int, int]], white: list[tuple[int, int]]) -> SixInARow:
    """player1 has black and is to move. Stones in far corners make the numbers equal."""
    far = [(x, y) for y in (1, 15) for x in (1, 3, 13, 15, 5, 11, 7, 9)]
    far += [(x, y) for y in (13, 3) for x in (15, 1)]
    spare = [cell for cell in far if cell not in black + white]
    while len(black) != len(white):
        (black if len(black) < len(white) else white).append(spare.pop(0))
    position = SixInARow(stones(*black), stones(*white), 0, None)
    assert position.stone == "b"
    return position


NAMES = {bit(x, y): f"place {x} {y}" for x in range(1, SIDE + 1) for y in range(1, SIDE + 1)}
SIXES = [
    stones(*cells)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    for x in range(1, SIDE + 1)
    for y in range(1, SIDE + 1)
    for cells in [[(x + i * dx, y + i * dy) for i in range(6)]]
    if all(1 <= a <= SIDE and 1 <= b <= SIDE for a, b in cells)
]


def wins_at_once(position: SixInARow) -> set[str]:
    """The placements that win, by the rules alone. Others than the sixth of a line never do."""
    own = position.black if position.stone == "b" else position.white
    sixth = {NAMES[six & ~own] for six in SIXES if (own & six).bit_count() == 5}
    return {name for name in sixth if position.may(name) and position.play(name).line}


def passed(position: SixInARow) -> SixInARow:
    """The same position with the colours exchanged, as if the role in control had passed."""
    return SixInARow(position.white, position.black, 0, None)


def with_black_to_move(position: SixInARow) -> SixInARow:
    """The position as if white had passed: one more stone of white's only changes the turn."""
    corner = next(
        bit(*c) for c in ((15, 15), (1, 15), (15, 1)) if position.may(f"place {c[0]} {c[1]}")
    )
    return SixInARow(position.black, position.white | corner, 0, None)


def follows_through(position: SixInARow, depth: int = 8) -> bool:
    """Return whether the moves of the threat search win against every legal reply."""
    cell = Study(position, THREATS, 200_000).win(BLACK, 1.0)
    if cell is None or depth == 0:
        return False
    after = position.play(place_name(cell))
    if after.is_over:
        return bool(after.line)
    for reply in after.actions():
        replied = after.play(reply)
        if replied.is_over:
            return False
        if not wins_at_once(replied) and not follows_through(replied, depth - 1):
            return False
    return True


def wins_by_threats(position: SixInARow, depth: int) -> bool:
    """Return whether a win by threats exists: an AND/OR search over all threats and replies."""
    if wins_at_once(position):
        return True
    if depth == 0:
        return False
    for name in position.actions():
        after = position.play(name)
        if not wins_at_once(with_black_to_move(after)) or wins_at_once(after):
            continue
        replies = [after.play(reply) for reply in after.actions()]
        if all(
            not reply.is_over and (wins_at_once(reply) or wins_by_threats(reply, depth - 1))
            for reply in replies
        ):
            return True
    return False


def test_it_takes_a_win_at_once() -> None:
    position = black_to_move([(4, 8), (5, 8), (6, 8), (8, 8), (9, 8)], [(4, 3), (5, 3), (6, 3)])
    for level in (3, 4, 5):
        assert BOT.choose(position, level, BUDGET, 1) == "place 7 8"


@pytest.mark.parametrize("gap", [(7, 8), (3, 8), (10, 8)])
def test_it_knows_all_three_answers_to_five(gap: tuple[int, int]) -> None:
    """One answer is on the gap, the others are on both ends."""
    position = black_to_move([], [(4, 8), (5, 8), (6, 8), (8, 8), (9, 8)])
    study = Study(position, THREATS, 1000)
    assert set(study.candidates()) == {
        place_cell("place 7 8"),
        place_cell("place 3 8"),
        place_cell("place 10 8"),
    }
    met = position.play(f"place {gap[0]} {gap[1]}")
    assert not wins_at_once(met)


@pytest.mark.parametrize("level", [3, 4, 5])
def test_it_answers_what_would_win_at_once(level: int) -> None:
    white = [(4, 8), (5, 8), (6, 8), (8, 8), (9, 8)]
    for seed in range(4):
        position = black_to_move([], list(white))
        after = position.play(BOT.choose(position, level, BUDGET, seed))
        assert not wins_at_once(after)


def test_a_stone_beside_an_open_five_meets_both_of_its_sixes() -> None:
    position = black_to_move([], [(5, 8), (6, 8), (7, 8), (8, 8), (9, 8)])
    assert len(wins_at_once(passed(position))) == 2
    after = position.play(BOT.choose(position, 5, BUDGET, 0))
    assert not wins_at_once(after)


def test_seven_is_no_win() -> None:
    """If filling a gap makes seven, it is no threat: the bot neither fills nor answers it."""
    seven = [(4, 8), (5, 8), (6, 8), (8, 8), (9, 8), (10, 8)]
    study = Study(black_to_move(list(seven), []), THREATS, 1000)
    assert study.win(BLACK, 1.0) is None
    assert not study.board.alive[BLACK, 5]


def test_the_edge_is_no_end() -> None:
    """A line at the edge has only two answers."""
    position = black_to_move([], [(1, 8), (2, 8), (3, 8), (4, 8), (6, 8)])
    study = Study(position, THREATS, 1000)
    assert sorted(map(place_name, study.candidates())) == ["place 5 8", "place 7 8"]


def test_it_finds_a_fork_of_two_fours() -> None:
    black = [(5, 8), (6, 8), (7, 8), (9, 8), (8, 5), (8, 6), (8, 7), (8, 9)]
    position = black_to_move(black, [(12, 12), (13, 12)])
    assert follows_through(position)
    assert BOT.choose(position, 5, BUDGET, 0) == "place 8 8"


def test_it_finds_threats_that_prepare_a_fork() -> None:
    """A three and a four cross. A threat elsewhere on the line of the three comes first."""
    black = [(5, 8), (6, 8), (7, 8), (9, 8), (8, 5), (8, 6), (8, 7), (12, 9), (13, 9), (11, 9)]
    black += [(9, 9)]
    position = black_to_move(black, [(12, 12), (13, 12)])
    assert Study(position, THREATS, 50_000).win(BLACK, 1.0) is not None
    assert follows_through(position)


def test_a_fork_is_refuted_by_a_defender_who_wins_first() -> None:
    black = [(5, 8), (6, 8), (7, 8), (9, 8), (8, 5), (8, 6), (8, 7), (8, 9)]
    white = [(3, 2), (4, 2), (5, 2), (7, 2), (8, 2)]
    study = Study(black_to_move(black, white), THREATS, 50_000)
    assert study.win(BLACK, 1.0) is None


def test_an_answer_at_an_end_that_makes_five_refutes_a_fork() -> None:
    """White's answer at the end of black's row completes five of white's own column."""
    black = [(5, 8), (6, 8), (7, 8), (8, 8), (10, 5), (10, 6), (10, 7), (10, 4)]
    white = [(4, 5), (4, 6), (4, 7), (4, 9), (3, 12), (11, 12)]
    position = black_to_move(black, white)
    claimed = Study(position, THREATS, 50_000).win(BLACK, 1.0) is not None
    assert claimed == follows_through(position)


@pytest.mark.parametrize("seed", range(8))
def test_threat_search_agrees_with_brute_force(seed: int) -> None:
    """Among random stones the search finds a win by two threats exactly if the rules have one."""
    random = Random(seed)
    while True:
        cells = [(x, y) for x in range(5, 12) for y in range(5, 12)]
        random.shuffle(cells)
        position = black_to_move(cells[:13], cells[13:20])
        study = Study(position, THREATS, 200_000)
        if study.board.alive[BLACK, 4] > 2 and not study.board.alive[:, 5:].any():
            break
    quick = Study(position, replace(THREATS, attack=2), 200_000).win(BLACK, 1.0) is not None
    assert quick == wins_by_threats(position, 2)


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_every_step_of_the_opening_is_legal(level: int) -> None:
    for seed in range(2):
        position = GAME.start
        assert isinstance(position, SixInARow)
        steps = 0
        while position.black_seat is None:
            action = BOT.choose(position, level, 0.02, seed)
            # Also after two more stones instead of a pick.
            if steps == 3 and seed % 2:
                action = next(name for name in position.actions() if name.startswith("place"))
            assert position.may(action)
            position = position.play(action)
            steps += 1
        assert steps in {4, 6}


def test_it_places_evenly_and_picks_the_better_side() -> None:
    lopsided = SixInARow(stones((8, 8), (9, 8), (8, 9)), stones((1, 1), (15, 15)), None, None)
    assert BOT.choose(lopsided, 5, 0.1, 0) == (
        "pick white" if white_points(lopsided, 25_000) >= 50 else "pick black"
    )
    for seed in range(3):
        position = GAME.start
        for _ in range(3):
            position = position.play(BOT.choose(position, 5, 0.1, seed))
        assert isinstance(position, SixInARow)
        assert 45 < white_points(position, 25_000) < 55


def test_neither_colour_is_the_one_that_is_always_picked() -> None:
    picks = []
    for seed in range(16):
        position = GAME.start
        assert isinstance(position, SixInARow)
        while position.black_seat is None:
            action = BOT.choose(position, 5, BUDGET, seed)
            position = position.play(action)
        picks.append(action)
    assert 0.25 < picks.count("pick white") / len(picks) < 0.75


def test_what_stands_even_is_not_judged_by_whose_turn_it_is() -> None:
    """Odd and even depths contradict each other; their mean does not."""
    values = []
    for seed in range(12):
        position = GAME.start
        assert isinstance(position, SixInARow)
        for _ in range(3):
            position = position.play(place_name(nearby(position, Random(seed))[0]))
        values += [white_points(position, 25_000, deepest) for deepest in (3, 4)]
    assert all(35 < value < 60 for value in values)
    assert abs(sum(values[::2]) - sum(values[1::2])) / 12 < 3


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_the_same_seed_gives_the_same_action(level: int) -> None:
    position = black_to_move([(7, 7), (10, 8)], [(7, 8), (9, 11)])
    first = [BOT.choose(position, level, BUDGET, seed) for seed in range(8)]
    assert first == [SixInARowBot().choose(position, level, BUDGET, seed) for seed in range(8)]
    assert len(set(first)) > 1


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_it_is_legal_on_any_board(level: int) -> None:
    """Random positions, up to nearly full boards. A look at them is right as well."""
    random = Random(level)
    for empty in (1, 2, 3, 5, 9, 20, 60, 120, 190, 215):
        position = None
        while position is None:
            cells = [bit(x, y) for x in range(1, SIDE + 1) for y in range(1, SIDE + 1)]
            random.shuffle(cells)
            cells = cells[empty:]
            black, white = sum(cells[::2]), sum(cells[1::2])
            found = SixInARow(black, white, random.randrange(2), None)
            # Nobody has won yet.
            if not SixInARow(black, white, 0, BLACK).line + SixInARow(black, white, 0, WHITE).line:
                position = found
        assert position.may(BOT.choose(position, level, 0.02, 1))
        action = random.choice(position.actions())
        look = BOT.look(position, action, 0.02)
        assert position.may(look.best)
        assert 0 <= look.after <= look.value <= 100


def test_no_action_on_what_is_over_or_illegal() -> None:
    with pytest.raises(ValueError, match="no level"):
        BOT.choose(SixInARow(0, 0, None, None), 6, BUDGET, 0)
    with pytest.raises(IllegalAction):
        BOT.look(SixInARow(0, 0, None, None), "pick black", BUDGET)


def test_a_look_proves_a_win_and_a_loss() -> None:
    black = [(5, 8), (6, 8), (7, 8), (9, 8), (8, 5), (8, 6), (8, 7), (8, 9)]
    position = black_to_move(black, [(12, 12), (13, 12)])
    look = BOT.look(position, "place 8 8", BUDGET)
    assert (look.value, look.after, look.standing, look.proved) == (100, 100, 100, True)
    missed = BOT.look(position, "place 1 14", BUDGET)
    assert (missed.best, missed.value, missed.standing) == ("place 8 8", 100, 100)
    assert missed.after < 100
    after = position.play("place 8 8")
    lost = BOT.look(after, "place 1 14", BUDGET)
    assert (lost.value, lost.after, lost.standing, lost.proved) == (0, 0, 100, True)


def test_a_loss_that_was_searched_is_one_at_each_of_two_depths() -> None:
    chance = Random(3)
    position = GAME.start
    for _ in range(16):
        position = position.play(BOT.choose(position, 4, 0.02, 3))
    for action in chance.sample(position.actions(), 6):
        look = BOT.look(position, action, BUDGET)
        assert look.proved or len(look.losses) == 2
        assert look.proved or look.noise > 0


def after(position: SixInARow, *cells: str) -> SixInARow:
    for cell in cells:
        position = position.play(f"place {ord(cell[0]) - 64} {cell[1:]}")
    return position


@pytest.mark.parametrize("budget", [0.05, 0.25])
def test_a_look_sees_wins_and_threats_in_one_move(budget: float) -> None:
    """Black has five in a row with both ends free. White does not meet it, and then black does not
    complete it: both are mistakes, whatever the search thinks of the rest."""
    start = GAME.start
    assert isinstance(start, SixInARow)
    opened = after(start, "H8", "A1", "I8").play("pick white")
    unmet = after(opened, "A3", "J8", "A5", "K8", "A7", "L8")
    for position, ignoring in ((unmet, "place 3 15"), (after(unmet, "C15", "C13"), "place 5 15")):
        look = BOT.look(position, ignoring, budget)
        assert judge(asdict(look)).kind == LOST
        assert look.after == 0
        assert look.best in {"place 7 8", "place 13 8"}
    look = BOT.look(after(unmet, "C15"), "place 3 13", budget)
    assert judge(asdict(look)).kind == LOST
    assert (look.best, look.value) == ("place 7 8", 100)
    for end in ("place 7 8", "place 13 8"):
        won = BOT.look(after(unmet, "C15"), end, budget)
        assert (won.value, won.after, won.proved) == (100, 100, True)
        assert judge(asdict(BOT.look(unmet, end, budget))).kind == KEPT


# White is to move. After `place 4 7` black wins by threats, the first of which is `place 12 12`.
LOSING = (
    "2000100078007400f040804040002e0002008040000000000080000/"
    "204004c803b8001000c801800382060004000000/2"
)


def test_a_look_searches_what_the_other_threatens_after_the_move() -> None:
    position = GAME.read(LOSING)
    assert isinstance(position, SixInARow)
    assert loses_by_threats(position, "place 4 7")
    look = BOT.look(position, "place 4 7", LONGEST)
    assert judge(asdict(look)).kind == LOST
    assert look.after == 0
    assert not loses_by_threats(position, look.best)


@pytest.mark.parametrize("seed", range(4))
def test_what_the_cells_are_worth_is_kept_up_to_date(seed: int) -> None:
    random, placed = Random(seed), list[int]()
    board = Study(black_to_move([(7, 7), (8, 8)], [(9, 9), (3, 3)]), THREATS, 1000).board

    def total(colour: int) -> int:
        pairs = board.pair[colour, : SIDE * SIDE][board.stone[: SIDE * SIDE] < 0]
        return int(board.worth[colour, pairs].sum())

    for _ in range(300):
        if placed and random.random() < 0.3:
            remove(board, placed.pop())
        else:
            placed.append(random.choice(np.flatnonzero(board.stone < 0)))
            place(board, placed[-1], random.randrange(2))
        assert [total(colour) for colour in range(2)] == list(board.total)


def test_a_look_at_the_opening_is_even_until_the_colours_tell() -> None:
    position = SixInARow(0, 0, None, None)
    look = BOT.look(position, "place 8 8", BUDGET)
    assert (look.value, look.after, look.standing) == (50, 50, 50)
    for action in ("place 8 8", "place 7 7", "place 9 8"):
        position = position.play(action)
    looks = {pick: BOT.look(position, pick, BUDGET) for pick in ("pick black", "pick white")}
    assert max(look.after for look in looks.values()) == looks["pick black"].value >= 50


def test_it_does_not_lose_to_who_looks_one_ply_ahead_and_blocks() -> None:
    for number in range(2):
        assert play("six-in-a-row", Level("six-in-a-row", 5, 0.02), Blocker(), number) >= 0.5


# White is to move. After `place 2 10` black wins by `place 6 12`, five threats later.
REFUTED = (
    "100828107402a8017c1088104000400480000000000000/"
    "40002000000022f0004003a8004406e8007000200000000000000/2"
)


def loses_by_threats(position: SixInARow, action: str) -> bool:
    study = Study(position.play(action), THREATS, 200_000)
    return study.win(study.colour, 1.0) is not None


def test_master_makes_no_move_that_a_longer_look_refutes() -> None:
    position = GAME.read(REFUTED)
    assert isinstance(position, SixInARow)
    assert loses_by_threats(position, "place 2 10")
    for action in ("place 4 6", "place 4 10", "place 4 12"):
        assert not loses_by_threats(position, action)
    for seed in range(2):
        assert not loses_by_threats(position, BOT.choose(position, 5, LONGEST, seed))


def test_a_move_that_is_refuted_is_given_up_for_the_next_one() -> None:
    position = GAME.read(REFUTED)
    assert isinstance(position, SixInARow)
    study = Study(position, replace(THREATS, guard=14), 100_000)
    wrong, right = place_cell("place 2 10"), place_cell("place 4 10")
    assert study._unrefuted([wrong, right]) == right
    assert study._unrefuted([right, wrong]) == right
