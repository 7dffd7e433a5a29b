"""The two games on grids: what each role can force, and that the highest level gets it."""

import random
from functools import cache

import pytest

from games.bots import LEVELS, get_bot, has_bot
from games.bots.bot import MASTER
from games.bots.exact import ExactBot, Outcome
from games.rules import GAMES, IllegalAction, Position
from tests.bench.strength.games import Level, play, total

SLUGS = ("tic-tac-toe", "parallel-tic-tac-toe")


def exact(slug: str) -> ExactBot[Position]:
    bot = get_bot(slug)
    assert isinstance(bot, ExactBot)
    return bot


def wandered(slug: str, plies: int, seed: int) -> Position:
    """A live position after `plies` random actions, or fewer if the game ended earlier."""
    chance = random.Random(seed)
    position = GAMES[slug].start
    for _ in range(plies):
        after = position.play(chance.choice(position.legal()))
        if after.is_over:
            break
        position = after
    return position


@cache
def by_trying_everything(position: Position) -> tuple[Outcome, Outcome]:
    """The goals that each role can force, computed from the rules without symmetry or tables."""
    if position.goals is not None:
        one, other = (position.goals[role] for role in position.roles)
        return (one, one - other), (other, other - one)
    found = [by_trying_everything(position.play(action)) for action in position.legal()]
    ones, others = zip(*found, strict=True)
    if position.turn == position.roles[0]:
        return max(ones), min(others)
    return min(ones), max(others)


@pytest.mark.parametrize("slug", SLUGS)
def test_each_role_can_force_fifty_points_from_the_start(slug: str) -> None:
    assert exact(slug).forced(GAMES[slug].start) == ((50, 0), (50, 0))


def test_tic_tac_toe_is_as_trying_everything_has_it() -> None:
    bot, open_positions = exact("tic-tac-toe"), [GAMES["tic-tac-toe"].start]
    seen = set(open_positions)
    while open_positions:
        position = open_positions.pop()
        assert bot.forced(position) == by_trying_everything(position)
        for after in map(position.play, position.legal()):
            if after not in seen:
                seen.add(after)
                open_positions.append(after)
    assert len(seen) == 5478  # the number of positions that is known of this game


@pytest.mark.parametrize("seed", range(12))
def test_the_solution_of_the_parallel_game_is_as_trying_everything_has_it(seed: int) -> None:
    position = wandered("parallel-tic-tac-toe", 5, seed)
    bot = exact("parallel-tic-tac-toe")
    assert bot.forced(position) == by_trying_everything(position)
    for action in position.legal():
        after = position.play(action)
        assert bot.forced(after) == by_trying_everything(after)


def test_points_that_both_can_force_need_not_add_up_to_a_hundred() -> None:
    """But together they are never more than 100: both could play so at the same time."""
    bot = exact("parallel-tic-tac-toe")
    sums = {
        sum(points for points, _ in bot.forced(wandered("parallel-tic-tac-toe", 4, seed)))
        for seed in range(300)
    }
    assert min(sums) < 100
    assert max(sums) <= 100


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("seed", range(10))
def test_master_keeps_what_it_can_force_whatever_the_other_does(slug: str, seed: int) -> None:
    bot, chance = exact(slug), random.Random(seed)
    position, seat = GAMES[slug].start, seed % 2
    role, least = position.roles[seat], (50, 0)
    while not position.is_over:
        if position.turn == role:
            position = position.play(bot.choose(position, MASTER, 1.0, seed))
        else:
            position = position.play(chance.choice(position.legal()))
        now = bot.forced(position)[seat]
        assert now >= least
        least = now
    assert position.goals is not None
    own, other = position.goals[role], position.goals[position.roles[1 - seat]]
    assert (own, own - other) == least


WON_AT_ONCE = "ox.xx..o./....oxxxo"  # by oplayer, 50 to 0, or 50 to 50 a little later


def test_master_counts_by_how_much_it_is_ahead_once_its_own_points_are_the_same() -> None:
    bot = exact("parallel-tic-tac-toe")
    position = GAMES["parallel-tic-tac-toe"].read(WON_AT_ONCE)
    assert bot.forced(position)[1] == (50, 50)
    for seed in range(60):
        after = position.play(bot.choose(position, MASTER, 1.0, seed))
        assert after.goals == {"xplayer": 0, "oplayer": 50}
    given_up = bot.look(position, "mark 3 2 3 1", 1.0)
    assert (given_up.value, given_up.after) == (50, 50)
    assert (given_up.margin, given_up.margin_after) == (50, 0)
    kept = bot.look(position, "mark 3 1 1 1", 1.0)
    assert (kept.margin, kept.margin_after, kept.best) == (50, 50, "mark 3 1 1 1")


def test_no_way_to_end_the_parallel_game_has_more_points_and_less_of_a_lead() -> None:
    """So one order of outcomes answers both questions."""
    bot = exact("parallel-tic-tac-toe")
    seen = {
        outcome
        for seed in range(400)
        for outcome in bot.forced(wandered("parallel-tic-tac-toe", seed % 8, seed))
    }
    assert len(seen) > 5
    assert all(one[1] <= other[1] for one in seen for other in seen if one[0] < other[0])


@pytest.mark.parametrize("slug", SLUGS)
def test_master_passes_over_no_win_that_is_all_it_can_force(slug: str) -> None:
    bot = exact(slug)
    for seed in range(120):
        position = wandered(slug, 3 + seed % 5, seed)
        seat = position.roles.index(position.turn or "")
        most = bot.forced(position)[seat]
        ends = [after for after in map(position.play, position.legal()) if after.is_over]
        chosen = position.play(bot.choose(position, MASTER, 1.0, seed))
        assert bot.forced(chosen)[seat] == most
        if most[1] > 0 and any(bot.forced(after)[seat] == most for after in ends):
            assert chosen.is_over


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("level", LEVELS)
def test_a_choice_is_legal_and_the_same_again(slug: str, level: int) -> None:
    bot = exact(slug)
    for seed in range(20):
        position = wandered(slug, seed % 6, seed)
        action = bot.choose(position, level, 0.1, seed)
        assert action in position.legal()
        assert bot.choose(position, level, 0.1, seed) == action


@pytest.mark.parametrize("slug", SLUGS)
def test_a_look_is_proved_and_says_what_was_lost(slug: str) -> None:
    bot = exact(slug)
    for seed in range(20):
        position = wandered(slug, seed % 6, seed)
        seat = position.roles.index(position.turn or "")
        for action in position.legal():
            look = bot.look(position, action, 0.1)
            assert look.proved
            value, after = bot.forced(position)[seat], bot.forced(position.play(action))[seat]
            assert (look.value, look.margin) == value
            assert (look.after, look.margin_after) == after <= value
            assert (look.best == action) == (after == value)
            assert bot.forced(position.play(look.best))[seat] == value
            assert 0 <= look.standing <= 100


@pytest.mark.parametrize(
    ("slug", "games", "least"), [("tic-tac-toe", 60, 0.55), ("parallel-tic-tac-toe", 30, 0.57)]
)
@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_a_level_beats_the_one_below(slug: str, games: int, least: float, level: int) -> None:
    """An equal level scores more than that in a fifth of such series."""
    one, other = (Level(slug, each, 0.1) for each in (level, level - 1))
    assert total([play(slug, one, other, number) for number in range(games)]).share > least


def test_what_is_over_or_unknown_is_refused_in_words() -> None:
    bot, start = get_bot("tic-tac-toe"), GAMES["tic-tac-toe"].start
    over = GAMES["tic-tac-toe"].read("xxxoo....")
    for level in (0, 6):
        with pytest.raises(ValueError, match="no level"):
            bot.choose(start, level, 1, 1)
    with pytest.raises(ValueError, match="over"):
        bot.choose(over, 1, 1, 1)
    with pytest.raises(ValueError, match="over"):
        bot.look(over, "mark 3 3", 1)
    with pytest.raises(IllegalAction):
        bot.look(start, "mark 9 9", 1)
    assert not has_bot("chess")
    with pytest.raises(KeyError):
        get_bot("chess")


@pytest.mark.parametrize("slug", SLUGS)
def test_a_beginner_completes_half_of_its_lines_and_blocks_one_in_ten(slug: str) -> None:
    skill = exact(slug).skills[1]
    assert (skill.own, skill.other, skill.ahead) == (0.5, 0.1, 0.0)


@pytest.mark.parametrize(
    ("notation", "action", "seen"),
    [("xx.oo....", "mark 1 3", 0.5), ("x.x.o....", "mark 1 2", 0.1)],
    ids=["own line", "opponent's line"],
)
def test_a_beginner_sees_a_line_that_often(notation: str, action: str, seen: float) -> None:
    position, times = GAMES["tic-tac-toe"].read(notation), 1200
    chosen = [get_bot("tic-tac-toe").choose(position, 1, 0.1, seed) for seed in range(times)]
    expected = seen + (1 - seen) / len(position.legal())  # else any cell is as likely as the others
    assert chosen.count(action) / times == pytest.approx(expected, abs=0.05)
