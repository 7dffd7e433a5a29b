"""The bot for Six in a Row.

Levels 1 to 3 imitate people, and the higher levels use a threat search and alpha-beta. For its
opening moves, level 3 searches, too.
"""

from dataclasses import replace
from random import Random

from games.bots.bot import MASTER, Bot, Look, seed_random
from games.bots.six_evaluation import evaluate_opening, evaluate_play
from games.bots.six_human_play import Eye, choose_at_a_glance, choose_by_hunch, place_name
from games.bots.six_opening import PICKS, nearby, opening_move
from games.bots.six_study import RATE, SearchLimits, Study
from games.rules.six_in_a_row import SixInARow

_EYES = {
    1: Eye(overlooks=0.35, blind=0.25, defence=0.15, crossing=0.0, waver=1.0),
    2: Eye(overlooks=0.15, blind=0.1, defence=0.2, crossing=0.4, waver=0.5),
    3: Eye(overlooks=0.02, blind=0.01, defence=0.36, crossing=1.0, waver=0.2),
}
# `caution` is low, because the search already answers threats when they occur. Until then,
# extending a line is worth more than blocking the opponent's.
_SKILLS = {
    4: SearchLimits(
        deepest=2, width=10, attack=2, guard=1, inner_attack=0, whim=200, caution=0.025
    ),
    5: SearchLimits(
        deepest=20, width=12, attack=14, guard=14, inner_attack=6, whim=150, caution=0.025
    ),
}
_WITHOUT_THREATS = replace(_SKILLS[MASTER], deepest=2, attack=0, guard=0, inner_attack=0)
_LOOKS = replace(_SKILLS[MASTER], caution=1.0)
_STEP = {3: 0.02, 4: 0.1}  # the maximum time for an opening move by level, in seconds


class SixInARowBot(Bot[SixInARow]):
    """A Six in a Row bot.

    `threats=False` limits the search to two plies without threats, to measure the effect of
    threats.
    """

    def __init__(self, threats: bool = True) -> None:
        self._skills = _SKILLS if threats else dict.fromkeys(_SKILLS, _WITHOUT_THREATS)

    def hunch(self, position: SixInARow, chance: Random) -> str:
        return choose_by_hunch(position, chance)

    def warm(self) -> None:
        position = SixInARow(0, 0, None, None).play("place 8 8")
        self._choose(position.play("place 8 9").play("place 9 8"), MASTER, 0.01, 0)

    def _choose(self, position: SixInARow, level: int, budget: float, seed: int) -> str:
        chance = seed_random(seed, position.notation)
        if position.black_seat is None:
            move = self._open(position, level, budget, chance)
            return move if isinstance(move, str) else place_name(move)
        # A match without an opening starts here. There is nothing to search for on an empty board.
        if not position.black | position.white:
            return place_name(nearby(position, chance)[0])
        if level in _EYES:
            return place_name(choose_at_a_glance(position, _EYES[level], chance))
        return place_name(Study(position, self._skills[level], _stones(budget)).choice(chance)[0])

    def _open(self, position: SixInARow, level: int, budget: float, chance: Random) -> str | int:
        if level > 2:
            return opening_move(position, _stones(min(budget, _STEP.get(level, budget))), chance)
        if position.may("pick white"):
            return chance.choice(PICKS)
        return nearby(position, chance)[0]

    def _look(self, position: SixInARow, action: str, budget: float) -> Look:
        if position.black_seat is None:
            return evaluate_opening(position, action, _stones(budget))
        return evaluate_play(position, action, _LOOKS, _stones(budget))


def _stones(budget: float) -> int:
    return max(int(budget * RATE), 50)


BOT = SixInARowBot()
