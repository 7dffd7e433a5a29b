"""Whether a board fits its game: every element a mark, every action a place to be given."""

from games.boards.board import Board
from games.rules import Game, Position


def faults(game: Game, board: Board) -> list[str]:
    """What is wrong with the board, in words; nothing for one that fits. Never raises."""
    try:
        return _of_drawing(game, board) + _of_playout(game, board)
    except Exception as error:  # a broken board is told of, it does not stop the check
        return [f"its board cannot be used: {error!r}"]


def _of_drawing(game: Game, board: Board) -> list[str]:
    found = []
    if len(board.elements) != len(game.start.diagram):
        found.append(
            f"its board has {len(board.elements)} elements, its diagram {len(game.start.diagram)}"
        )
    names = [element.name for element in board.elements]
    if len(set(names)) != len(names):
        found.append("two elements of its board have the same name")
    return found


def _of_playout(game: Game, board: Board) -> list[str]:
    """Along one playout: every legal action can be given, every mark has a word."""
    position: Position = game.start
    buttons = {button.action for button in board.buttons}
    for step in range(10_000):
        unknown = [a for a in position.legal() if not board.own(a) and a not in buttons]
        if unknown:
            return [f"its board has no place for {unknown[0]!r}"]
        nameless = set(position.diagram) - set(board.words)
        if nameless:
            return [f"its board has no word for the marks {sorted(nameless)}"]
        board.prompt(position)
        for role in game.roles:
            board.badge(position, role)
            board.score(position, role)
        if position.is_over:
            return []
        legal = position.legal()
        position = position.play(legal[7 * step % len(legal)])
    return []
