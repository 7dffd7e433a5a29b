"""A whole match as one picture: the last position, with the number of the move on each element.

The picture is a self-contained SVG file with its styles, so that it looks the same everywhere.
"""

from functools import cache
from html import escape

from django.contrib.staticfiles import finders

from games.boards import BOARDS
from games.boards.drawing import draw
from games.messages import render
from games.review.page import describe_end
from games.store.proof import replay_moves
from games.store.records import MatchRecord

_MARGIN, _LINE, _BOARD = 40, 26, 800
_COLUMNS = 4
_SHEETS = ("css/colours.css", "css/board.css", "css/board-numbers.css")


def render_picture(record: MatchRecord, names: tuple[str, str]) -> str:
    """Render the match as SVG. Numbers start at 1, as in the list of moves."""
    state = record.state
    board = BOARDS[state.game]
    played = replay_moves(state, record.moves)
    position = played.positions[-1]
    numbers: dict[int, str] = {}
    said = []
    for number, move in enumerate(record.moves[: len(played.positions) - 1], 1):
        own = board.own(move.action)
        for index in own:
            numbers[index] = f"{numbers[index]}·{number}" if index in numbers else str(number)
        said.append(f"{number}. {render(board.say(move.action))}")
    svg = draw(board, position.diagram, line=position.line, numbers=numbers, label=state.rules.name)

    scale = _BOARD / board.width
    width = board.width * scale + 2 * _MARGIN
    titles = [
        f"{state.rules.name}: {names[0]} against {names[1]}",
        f"{state.created_at:%Y-%m-%d %H:%M} UTC · match {state.id}",
        describe_end(state, names) or "Not over yet.",
    ]
    top = _MARGIN + _LINE * len(titles)
    below = top + board.height * scale + _MARGIN
    columns = _COLUMNS if max(map(len, said), default=0) * 8 < width / _COLUMNS else 2
    per_column = -(-len(said) // columns) if said else 0
    texts = [_render_text(_MARGIN, _MARGIN + _LINE * i, words) for i, words in enumerate(titles)]
    for index, words in enumerate(said):
        column, line = divmod(index, per_column)
        x = _MARGIN + column * (width - _MARGIN) / columns
        texts.append(_render_text(x, below + _LINE * (line + 0.5), words, small=True))
    height = below + _LINE * (per_column + 1)
    inner = (
        f'<g class="board {board.traits}" data-game="{escape(board.slug)}"'
        f' transform="translate({_MARGIN} {top:g}) scale({scale:g})">'
        f"{svg[svg.index('>') + 1 : svg.rindex('</svg>')]}</g>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" role="img">'
        f"<style>{_get_style()}</style>"
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(texts)}{inner}</svg>'
    )


def _render_text(x: float, y: float, words: str, small: bool = False) -> str:
    kind = ' class="small"' if small else ""
    return f'<text x="{x:g}" y="{y:g}"{kind}>{escape(words)}</text>'


@cache
def _get_style() -> str:
    """Return the styles of the board, in light colours."""
    text = ""
    for name in _SHEETS:
        path = finders.find(name)
        assert isinstance(path, str), f"{name} is missing"
        with open(path, encoding="utf-8") as file:  # noqa: PTH123  # finders return a str
            text += file.read()
    return (
        text.replace("<", "").replace("light dark", "light")
        + "text{font:600 18px sans-serif;fill:#222}text.small{font:15px sans-serif}"
    )
