"""Pure functions that find immediate wins, and threats of them, by the rules alone."""

from functools import lru_cache

from games.rules import Position


def is_won(position: Position, role: str) -> bool:
    """Return whether the game is over and the role has more points than its opponent."""
    goals = position.goals
    return goals is not None and goals[role] > max(v for r, v in goals.items() if r != role)


@lru_cache(maxsize=4096)
def find_wins(position: Position) -> tuple[str, ...]:
    """Return the actions that win immediately for the role in control."""
    role = position.turn
    if role is None:
        return ()
    return tuple(action for action in position.actions() if is_won(position.play(action), role))


@lru_cache(maxsize=4096)
def is_missed_block(position: Position, action: str, better: str) -> bool:
    """Return whether the opponent threatened an immediate win that `better` would have stopped.

    A win that the action itself made possible is not a threat. A winning action of the opponent is
    a threat if it remains possible after at least half of the actions that do not occupy its place.
    """
    role = position.turn
    after = position.play(action)
    wins = find_wins(after) if after.turn != role else ()
    if not wins:
        return False
    stopped = position.play(better)
    if stopped.turn == role or find_wins(stopped):
        return False
    return any(_was_threat(position, win) for win in wins)


def _was_threat(position: Position, win: str) -> bool:
    replies = [position.play(action) for action in position.actions()]
    open_to = [after for after in replies if after.turn != position.turn and after.may(win)]
    left = sum(is_won(after.play(win), str(after.turn)) for after in open_to)
    return bool(open_to) and 2 * left >= len(open_to)
