"""How good a position of Six in a Row is before and after an action, for analysing matches."""

from dataclasses import replace

from games.bots.bot import Look, chance_of
from games.bots.six_opening import DEEPEST, even_placement, leaves, white_points
from games.bots.six_people import place_cell, place_name
from games.bots.six_study import Skill, Study, points
from games.rules.six_in_a_row import ROLES, SixInARow

_NOISE = 30.0  # points: in drawn games, two searches of a move rarely differ by more
_TELLS = 15.0  # points: a smaller difference means nothing
_OPENING_NOISE, _OPENING_TELLS = 15.0, 5.0  # the same two bounds for placements and picks
_DEPTHS = 2  # how many depths an action is searched at; a mistake must show at each
_UNSURE = 1.0  # points: what is not proved stays this far from 0 and 100


def look_at_play(position: SixInARow, action: str, skill: Skill, placements: int) -> Look:
    """The points that the role in control can expect, and those after the action."""
    study = Study(position, skill, placements // 2)
    cell = place_cell(action)
    if study.is_dead():
        return _proved(position, action, 50.0, 50.0)
    won = study.win(study.colour, 0.4)
    if won is None and study.is_lost():
        return _proved(position, action, 0.0, 0.0)
    best = study.best(study.candidates())[0] if won is None else won
    if won is not None and (cell == won or study.is_won_after(cell)):
        return _proved(position, action, 100.0, 100.0)
    # Both moves are searched in the same way, so that the results can be compared.
    values, afters, exact = list[float](), list[float](), False
    for depth in range(max(study.reached - _DEPTHS, 1), max(study.reached - _DEPTHS, 1) + _DEPTHS):
        searched, share = replace(skill, deepest=depth), placements // (4 * _DEPTHS)
        after, exact = _after(position, cell, searched, share)
        afters.append(after)
        if won is None and cell != best:
            after, _ = _after(position, best, searched, share)
        values.append(after if won is None else 100.0)
    if won is not None and exact:
        return _proved(position, place_name(won), 100.0, afters[-1])
    losses = [value - after for value, after in zip(values, afters, strict=True)]
    return _searched(position, place_name(best), action, values[-1], losses)


def _after(position: SixInARow, cell: int, skill: Skill, placements: int) -> tuple[float, bool]:
    """The points of the player who makes the move, after it, and whether they are exact."""
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
    """The same for an action of the opening, before the colours are settled."""
    count = (position.black | position.white).bit_count()
    if count < 2:
        # Wherever the first two stones lie, the third can make the position even.
        return _searched(position, action, action, 50.0, [0.0, 0.0], opening=True)
    if position.may("pick white"):
        losses = []
        for deepest in (DEEPEST - 1, DEEPEST):
            white = white_points(position, placements // 2, deepest)
            left = {"pick white": white, "pick black": 100 - white}
            best = max(left, key=lambda pick: left[pick])
            # To place two more stones makes the position even at best.
            losses.append(left[best] - left.get(action, min(50.0, left[best])))
        return _searched(position, best, action, left[best], losses, opening=True)
    cell = even_placement(position, placements // 2, chance_of(0))
    values = [50 - leaves(position, cell, placements // 8, d) for d in (DEEPEST - 1, DEEPEST)]
    asked = place_cell(action)
    afters = [50 - leaves(position, asked, placements // 8, d) for d in (DEEPEST - 1, DEEPEST)]
    losses = [value - after for value, after in zip(values, afters, strict=True)]
    return _searched(position, place_name(cell), action, values[-1], losses, opening=True)


def _proved(position: SixInARow, best: str, value: float, after: float) -> Look:
    return Look(best, value, after, _standing(position, value), proved=True)


def _searched(
    position: SixInARow,
    best: str,
    action: str,
    value: float,
    losses: list[float],
    *,
    opening: bool = False,
) -> Look:
    """The look at an action with these losses; the last of them is of the deepest search."""
    noise, tells = (_OPENING_NOISE, _OPENING_TELLS) if opening else (_NOISE, _TELLS)
    after = value - losses[-1]
    if losses[-1] <= tells and value < 100:
        # The search finds the action as good as the best one.
        best, value = action if losses[-1] <= 0 else best, max(value, after)
        after = value
    standing = _standing(position, value)
    return Look(best, value, after, standing, False, losses=tuple(losses), noise=noise, tells=tells)


def _standing(position: SixInARow, value: float) -> float:
    return value if position.turn == ROLES[0] else 100 - value
