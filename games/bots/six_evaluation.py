"""Evaluation of Six in a Row positions, before and after an action."""

from dataclasses import replace

from games.bots.bot import Look, seed_random
from games.bots.six_human_play import place_cell, place_name
from games.bots.six_opening import DEEPEST, even_placement, leaves, white_points
from games.bots.six_study import SearchLimits, Study, points
from games.rules.six_in_a_row import ROLES, SixInARow

_NOISE = 30.0  # points: in drawn games, two searches of a move rarely differ by more
_TELLS = 15.0  # points: a smaller difference means nothing
_MISSED = 15.0  # replaces `_NOISE` if the move misses a certain win by threats
# The same two bounds, for opening moves: placements and picks.
_OPENING_NOISE, _OPENING_TELLS = 15.0, 5.0
_DEPTHS = 2  # the number of search depths; a mistake must show at each of them
_UNSURE = 1.0  # points: the minimum distance of an unproved value from 0 and 100


def evaluate_play(position: SixInARow, action: str, skill: SearchLimits, placements: int) -> Look:
    """Evaluate the position for the role in control, before and after the action.

    Before alpha-beta, search for certain results: wins in one move, lines of five that must be
    blocked, and wins by threats. Do this for the role in control and, after the action, for its
    opponent.
    """
    study = Study(position, skill, placements * 2 // 5)
    cell = place_cell(action)
    if study.is_dead():
        return _build_proved(position, action, 50.0, 50.0)
    won = study.win(study.colour, 0.3)
    if won is None and study.is_lost():
        return _build_proved(position, action, 0.0, 0.0)
    if won is not None and (cell == won or study.is_won_after(cell, 0.3)):
        return _build_proved(position, action, 100.0, 100.0)
    exact = _get_exact_after(position, cell, skill, placements * 3 // 10, 1.0)
    if won is not None and exact is not None:
        return _build_proved(position, place_name(won), 100.0, exact)
    best = study.searched_choice()[0] if won is None else won
    if exact == 0.0 and _get_exact_after(position, best, skill, placements * 3 // 20, 1.0) == 0.0:
        # Both moves lose, and the search found no move that holds.
        return _build_searched(position, action, action, 0.0, [0.0] * _DEPTHS)
    # Search both moves in the same way, so that the results are comparable.
    values, afters = list[float](), list[float]()
    for depth in range(max(study.reached - _DEPTHS, 1), max(study.reached - _DEPTHS, 1) + _DEPTHS):
        searched, share = replace(skill, deepest=depth), placements * 3 // (20 * _DEPTHS)
        after = exact if exact is not None else _estimate_after(position, cell, searched, share)
        afters.append(after)
        if won is None and cell != best:
            after = _estimate_after(position, best, searched, share)
        values.append(after if won is None else 100.0)
    losses = [value - after for value, after in zip(values, afters, strict=True)]
    noise, tells = _NOISE, _TELLS
    if study.can_win_at_once() or exact == 0.0:
        # The move misses a win in one move, or allows a win that the best move prevents.
        noise, tells = 0.0, 0.0
    elif won is not None:
        noise, tells = _MISSED, 0.0
    return _build_searched(position, place_name(best), action, values[-1], losses, noise, tells)


def _get_exact_after(
    position: SixInARow, cell: int, skill: SearchLimits, placements: int, share: float
) -> float | None:
    """Return the player's points after the move, or None if they are not certain.

    `share` is the part of the limit of placements that the search for the opponent's win may use.
    """
    following = position.play(place_name(cell))
    if following.goals is not None:
        return float(following.goals[position.turn or ""])
    study = Study(following, skill, placements)
    if study.is_dead():
        return 50.0
    return None if study.win(study.colour, share) is None else 0.0


def _estimate_after(position: SixInARow, cell: int, skill: SearchLimits, placements: int) -> float:
    """Return the player's points after the move; estimate them if they are not certain."""
    exact = _get_exact_after(position, cell, skill, placements, 0.4)
    if exact is not None:
        return exact
    study = Study(position.play(place_name(cell)), skill, placements * 3 // 5)
    value = 100 - points(study.best(study.candidates())[1])
    return min(max(value, _UNSURE), 100 - _UNSURE)


def evaluate_opening(position: SixInARow, action: str, placements: int) -> Look:
    """Evaluate the position before and after an action of the opening."""
    count = (position.black | position.white).bit_count()
    if count < 2:
        # The third stone can make the position even after any first two stones.
        return _build_searched(position, action, action, 50.0, [0.0, 0.0])
    if position.may("pick white"):
        losses = []
        for deepest in (DEEPEST - 1, DEEPEST):
            white = white_points(position, placements // 2, deepest)
            left = {"pick white": white, "pick black": 100 - white}
            best = max(left, key=lambda pick: left[pick])
            # Placing two more stones leads to an even position at best.
            losses.append(left[best] - left.get(action, min(50.0, left[best])))
        return _build_searched(position, best, action, left[best], losses)
    cell = even_placement(position, placements // 2, seed_random(0))
    values = [50 - leaves(position, cell, placements // 8, d) for d in (DEEPEST - 1, DEEPEST)]
    asked = place_cell(action)
    afters = [50 - leaves(position, asked, placements // 8, d) for d in (DEEPEST - 1, DEEPEST)]
    losses = [value - after for value, after in zip(values, afters, strict=True)]
    return _build_searched(position, place_name(cell), action, values[-1], losses)


def _build_proved(position: SixInARow, best: str, value: float, after: float) -> Look:
    return Look(best, value, after, _compute_standing(position, value), proved=True)


def _build_searched(
    position: SixInARow,
    best: str,
    action: str,
    value: float,
    losses: list[float],
    noise: float = _OPENING_NOISE,
    tells: float = _OPENING_TELLS,
) -> Look:
    """Return the evaluation of an action that was searched at several depths.

    `losses` has the points that the action loses at each depth, the greatest depth last.
    """
    after = value - losses[-1]
    if losses[-1] <= tells and value < 100:
        # The difference is too small to matter, so treat the action as equal to the best one.
        best, value = action if losses[-1] <= 0 else best, max(value, after)
        after = value
    standing = _compute_standing(position, value)
    return Look(best, value, after, standing, False, losses=tuple(losses), noise=noise, tells=tells)


def _compute_standing(position: SixInARow, value: float) -> float:
    return value if position.turn == ROLES[0] else 100 - value
