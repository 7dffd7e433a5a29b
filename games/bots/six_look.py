"""What a position of Six in a Row holds, for the review of finished games."""

from dataclasses import replace

from games.bots.bot import Look, chance_of
from games.bots.six_opening import even_placement, leaves, white_points
from games.bots.six_people import place_cell, place_name
from games.bots.six_study import Skill, Study, points
from games.rules.six_in_a_row import ROLES, SixInARow

_NOISE = 4.0  # points: as good as the best, as far as the search can tell
_EVEN_ENOUGH = 10.0  # points: as good as the most even placement
_UNSURE = 1.0  # points that are kept from 0 and 100 unless they are proved


def look_at_play(position: SixInARow, action: str, skill: Skill, placements: int) -> Look:
    """What the role in control can count on, and what the action leaves of it."""
    study = Study(position, skill, placements // 2)
    cell = place_cell(action)
    if study.is_dead():
        return _look(position, action, 50.0, 50.0, proved=True)
    won = study.win(study.colour, 0.4)
    if won is None and study.is_lost():
        return _look(position, action, 0.0, 0.0, proved=True)
    best = study.best(study.candidates())[0] if won is None else won
    if won is not None and (cell == won or study.is_won_after(cell)):
        return _look(position, action, 100.0, 100.0, proved=True)
    # The same search after either move, so that their difference says something.
    skill = replace(skill, deepest=max(study.reached - 1, 1))
    after, exact = _after(position, cell, skill, placements // 4)
    if won is not None:
        return _look(position, place_name(won), 100.0, after, proved=exact)
    value = after if cell == best else _after(position, best, skill, placements // 4)[0]
    if after > value - _NOISE:
        # As good as the best, if not better.
        best, value = cell if after > value else best, max(value, after)
        after = value
    return _look(position, place_name(best), value, after, proved=False)


def _after(position: SixInARow, cell: int, skill: Skill, placements: int) -> tuple[float, bool]:
    """What a move leaves to who makes it, and whether that is exact."""
    following = position.play(place_name(cell))
    if following.goals is not None:
        return float(following.goals[position.turn or ""]), True
    study = Study(following, skill, placements)
    if study.is_dead():
        return 50.0, True
    if study.win(study.colour, 0.4) is not None:
        return 0.0, True
    value = 100 - points(study.best(study.candidates())[1])
    return min(max(value, _UNSURE), 100 - _UNSURE), False


def look_at_opening(position: SixInARow, action: str, placements: int) -> Look:
    """The same before the colours are settled."""
    count = (position.black | position.white).bit_count()
    if count < 2:
        # Whatever is placed, the third stone can make it even.
        return _look(position, action, 50.0, 50.0, proved=False)
    if position.may("pick white"):
        white = white_points(position, placements)
        left = {"pick white": white, "pick black": 100 - white}
        best = max(left, key=lambda pick: left[pick])
        # Two more stones are placed evenly at best.
        value, after = left[best], left.get(action, min(50.0, left[best]))
    else:
        cell = even_placement(position, placements // 2, chance_of(0))
        best = place_name(cell)
        value = 50 - leaves(position, cell, placements // 4)
        after = value
        if best != action:
            after = 50 - leaves(position, place_cell(action), placements // 4)
        if after > value - _EVEN_ENOUGH:
            best, value = action if after > value else best, max(value, after)
            after = value
    if after > value - _NOISE:
        after = value
    return _look(position, best, value, after, proved=False)


def _look(position: SixInARow, best: str, value: float, after: float, *, proved: bool) -> Look:
    standing = value if position.turn == ROLES[0] else 100 - value
    return Look(best, value, after, standing, proved)
