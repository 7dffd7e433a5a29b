"""Checks that a board fits its game.

The board must have an element for each character of the game's diagram, a name for each element
and each mark, and a way to select each legal action.
"""

from collections.abc import Sequence
from math import prod

from games.boards.board import Board
from games.messages import Message, render_english
from games.rules import Game, Position


def faults(game: Game, board: Board) -> list[str]:
    """Return descriptions of the board's faults, including exceptions that its code raises."""
    try:
        return _of_drawing(game, board) + _of_playout(game, board)
    except Exception as error:  # a broken board is reported and does not stop the check
        return [f"its board cannot be used: {error!r}"]


def _of_drawing(game: Game, board: Board) -> list[str]:
    found = []
    if len(board.elements) != len(game.start.diagram):
        found.append(
            f"its board has {len(board.elements)} elements, its diagram {len(game.start.diagram)}"
        )
    grids = {element.grid for element in board.elements if element.grid}
    for grid in sorted(grids):
        if f"now-{grid}" not in board.sentences:
            found.append(f"its board does not say 'now-{grid}': to choose on grid {grid}")
    names = [render_english(element.name) for element in board.elements]
    if len(set(names)) != len(names):
        found.append("two elements of its board have the same name")
    return found


def _of_playout(game: Game, board: Board) -> list[str]:
    """Play one game to its end, and describe the faults of the first position that has any.

    Check that players can select every legal action on the page, that every mark has a name, and
    that the board's functions raise no exceptions.
    """
    position: Position = game.start
    last = ""
    names: dict[str, str] = {}  # of the actions so far
    for step in range(10_000):
        found = _of_actions(position.legal(), board, names)
        if found:
            return found
        if not _fits_clicks(position, board):
            return ["its board's grids cannot be acted on one by one: what is open depends"]
        if not _is_open(position, board):
            return ["what its position says is open is not what its actions are for"]
        nameless = set(position.diagram) - set(board.words)
        if nameless:
            return [f"its board has no word for the marks {sorted(nameless)}"]
        board.prompt(position, last)
        board.mark_of(position)
        board.closing(position)
        for role in game.roles:
            board.badge(position, role)
            board.score(position, role)
        if position.is_over:
            return []
        legal = position.legal()
        last = legal[7 * step % len(legal)]
        position = position.play(last)
    return []


def _of_actions(actions: Sequence[str], board: Board, names: dict[str, str]) -> list[str]:
    """Describe actions that players cannot select, or that share their name with another action.

    Add the names of the actions to `names`.
    """
    buttons = {button.action for button in board.buttons}
    unknown = [a for a in actions if not board.own(a) and a not in buttons]
    if unknown:
        return [f"its board has no place for {unknown[0]!r}"]
    for action in actions:
        if action not in names:
            names[action] = _identify(board.say(action), board)
    if len({names[action] for action in actions}) < len(actions):
        return ["two actions have the same name on its board"]
    return []


def _fits_clicks(position: Position, board: Board) -> bool:
    """Return whether any choice on one grid allows any choice on another, as pages assume."""
    taken = [board.own(action) for action in position.actions() if board.verb]
    parts = list(zip(*(indices for indices in taken if len(indices) > 1), strict=True))
    several = sum(len(indices) > 1 for indices in taken)
    return several == prod(len(set(part)) for part in parts) if parts else True


def _is_open(position: Position, board: Board) -> bool:
    said = position.open
    if said is None:
        return True
    return len(said) == len(board.elements) and board.targets(position) == {
        index for index, bit in enumerate(said) if bit == "1"
    }


def _identify(name: Message, board: Board) -> str:
    """Return the sentence of a name, filled in. The table may not have those of the board yet."""
    code = str(name["code"])
    sentence = board.sentences.get(code.removeprefix(f"{board.slug}."))
    if sentence is None:
        return render_english(name)
    found = str(sentence)
    for param, value in name.items():
        found = found.replace(f"{{{param}}}", str(value))
    return found
