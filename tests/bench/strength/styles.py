"""How often each level overlooks wins, threats and other chances."""

from collections import Counter
from collections.abc import Iterator

from games.bots import get_bot
from games.bots.dots_human_play import count_completed, offers_box
from games.bots.six_study import SearchLimits, Study
from games.rules import GAMES, Position
from games.rules.dots_and_boxes import LINES, DotsAndBoxes
from games.rules.six_in_a_row import SixInARow

_BARE = SearchLimits(deepest=1, width=1, attack=0, guard=0, inner_attack=0, whim=0, caution=1.0)
_LEAST = 20  # chances needed to report a figure


def misses(slug: str, level: int, games: int, budget: float) -> dict[str, tuple[int, int]]:
    """By what there was to be seen: how often the level missed it, and of how often, in games
    against itself."""
    bot, missed, seen = get_bot(slug), Counter[str](), Counter[str]()
    for seed in range(games):
        position: Position = GAMES[slug].start
        while not position.is_over:
            action = bot.choose(position, level, budget, seed)
            for what, is_missed in _sights(position, action):
                seen[what] += 1
                missed[what] += is_missed
            position = position.play(action)
    return {what: (missed[what], seen[what]) for what in sorted(seen) if seen[what] >= _LEAST}


def _sights(position: Position, action: str) -> Iterator[tuple[str, bool]]:
    if isinstance(position, DotsAndBoxes):
        yield from _in_boxes(position, action)
    elif isinstance(position, SixInARow):
        if position.black_seat is not None:
            yield from _in_six(position, action)
    else:
        yield from _in_grids(position, action)


def _in_grids(position: Position, action: str) -> Iterator[tuple[str, bool]]:
    afters = {each: position.play(each) for each in position.legal()}
    role = position.turn or ""
    won = {each for each, after in afters.items() if _wins(after, role)}
    if won:
        yield "a win", action not in won
        return
    open_to = {a for a, after in afters.items() if _loses_next(after)}
    if open_to and len(open_to) < len(afters):
        yield "the other's win", action in open_to


def _wins(position: Position, role: str) -> bool:
    goals = position.goals
    return goals is not None and goals[role] > sum(goals.values()) - goals[role]


def _loses_next(position: Position) -> bool:
    role = position.turn
    return role is not None and any(_wins(position.play(a), role) for a in position.legal())


def _in_boxes(position: DotsAndBoxes, action: str) -> Iterator[tuple[str, bool]]:
    drawn = position.lines
    free = [line for line in range(len(LINES)) if not drawn >> line & 1]
    names = {line: "draw {} {} {} {}".format(*LINES[line]) for line in free}
    taking = {names[line] for line in free if count_completed(drawn, line)}
    if taking:
        yield "a box", action not in taking
        return
    giving = {names[line] for line in free if offers_box(drawn, line)}
    if giving and len(giving) < len(free):
        yield "that a line gives a box away", action in giving


def _in_six(position: SixInARow, action: str) -> Iterator[tuple[str, bool]]:
    board = Study(position, _BARE, 1000).board
    own = "bw".index(position.stone or "b")
    after = position.play(action)
    if board.alive[own, 5]:
        yield "a win", not after.is_over
        return
    if board.alive[1 - own, 5] and not after.is_over:
        still = Study(after, _BARE, 1000).board
        yield "the other's win", bool(still.alive[1 - own, 5])
