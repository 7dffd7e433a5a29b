"""Consistency checks of a game's rules, run by `manage.py check` and when the site starts."""

from games.rules.position import NOOP, Game, IllegalAction, Position

_NONSENSE = ("", NOOP, " ", "mark", "MARK 1 1", "mark 1 1 ", "draw 0 0 0 1", "\x00")


def faults(game: Game) -> list[str]:
    """Return descriptions of the game's faults, including exceptions that its code raises."""
    found: list[str] = []
    try:
        found += _of_names(game)
        for start in (game.start, *game.other_starts.values()):
            found += _of_position(game, start)
        found += ["it is over before it starts"] if game.start.is_over else _to_the_end(game)
        if game.first_options not in game.options:
            found += [f"it does not know the options {game.first_options!r}"]
    except Exception as error:  # a broken game is reported and does not stop the check
        found.append(f"it cannot be played: {error!r}")
    return found


def _of_names(game: Game) -> list[str]:
    found = []
    if len(set(game.roles)) != 2:
        found.append(f"it needs two different roles, not {game.roles}")
    if not game.slug or not game.name:
        found.append("it needs a slug and a name")
    return found


def _of_position(game: Game, position: Position) -> list[str]:
    found = []
    if game.read(position.notation) != position:
        found.append(f"its notation {position.notation!r} reads back as another position")
    if not (position.notation.isascii() and position.notation.isprintable()):
        found.append(f"its notation {position.notation!r} is not one line of ASCII")
    legal = position.legal()
    if position.is_over:
        if legal or not position.goals or set(position.goals) != set(game.roles):
            found.append(f"{position.notation}: over, it needs goals for both and no legal action")
        elif not all(0 <= goal <= 100 for goal in position.goals.values()):
            found.append(f"{position.notation}: a goal is not from 0 to 100")
        return found
    if position.turn not in game.roles:
        return [*found, f"{position.notation}: nobody of its roles is in control"]
    waiting = game.roles[1 - game.roles.index(position.turn)]
    if position.legal(waiting) != (NOOP,) or position.legal(position.turn) != legal:
        found.append(f"{position.notation}: the waiting role may do nothing but {NOOP}")
    if position.goals is not None:
        found.append(f"{position.notation}: goals before the end")
    if not legal:
        found.append(f"{position.notation}: not over, and nothing is legal")
    for action in legal:
        after = position.play(action)
        if len(after.diagram) != len(position.diagram) or not position.may(action):
            found.append(f"{position.notation}: {action} does not fit")
    taken = [action for action in _NONSENSE if _takes(position, action)]
    return found + [f"{position.notation}: {action!r} is taken for an action" for action in taken]


def _takes(position: Position, action: str) -> bool:
    try:
        position.play(action)
    except IllegalAction:
        return False
    return True


def _to_the_end(game: Game) -> list[str]:
    """Play a game to its end, and describe the faults of the last position.

    Step n plays the legal action with the index 7n modulo the number of legal actions, so that the
    actions are spread over the whole board. A game that is not over after 10,000 actions has a
    fault, too.
    """
    position = game.start
    for step in range(10_000):
        if position.is_over:
            return _of_position(game, position)
        legal = position.legal()
        position = position.play(legal[7 * step % len(legal)])
    return ["a playout did not come to an end in 10,000 actions"]
