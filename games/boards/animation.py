"""A whole match as one animated SVG, without scripts."""

from collections.abc import Collection, Sequence

from games.boards.board import EMPTY, Board
from games.boards.drawing import draw, draw_element, draw_strokes

# In seconds: how long a move is shown, the limit for all moves together, and the pause at the end.
_STEP, _LONGEST, _REST = 0.8, 60.0, 4.0
LAST = "last"  # the CSS class of strokes, and of marks that are in the last position


def animate(
    board: Board, diagrams: Sequence[str], label: str = "", line: Collection[int] = ()
) -> str:
    """Render the diagrams as a loop. The last diagram has a stroke through the elements in `line`.

    Each diagram is shown for `_STEP` seconds, or for less if the whole match would otherwise exceed
    `_LONGEST`. The last one stays for `_REST` more.
    """
    step = min(_STEP, _LONGEST / max(1, len(diagrams)))
    whole = step * len(diagrams) + _REST
    svg = draw(board, EMPTY * len(board.elements), sparse=True, label=label)
    shown = "".join(
        draw_element(
            board.elements[index],
            mark,
            _timing(start * step, end * step, whole),
            board.symbols,
        ).replace('class="', f'class="{LAST} ' if end >= len(diagrams) else 'class="past ', 1)
        for index in range(len(board.elements))
        for mark, start, end in _stretches([diagram[index] for diagram in diagrams])
    )
    last = len(diagrams) - 1
    strokes = draw_strokes(board, line, _timing(last * step, (last + 1) * step, whole))
    strokes = strokes.replace('class="', f'class="{LAST} ', 1)
    head, end, tail = svg.rpartition("</svg>")
    return f"{head}{shown}{strokes}{end}{tail}"


def _stretches(marks: Sequence[str]) -> list[tuple[str, int, int]]:
    """Return the marks of an element, each with the range of positions that show it.

    Positions in which the element is empty are left out.
    """
    found: list[tuple[str, int, int]] = []
    for at, mark in enumerate(marks):
        if found and found[-1][0] == mark:
            found[-1] = (mark, found[-1][1], at + 1)
        else:
            found.append((mark, at, at + 1))
    return [stretch for stretch in found if stretch[0] != EMPTY]


def _timing(start: float, end: float, whole: float) -> str:
    """Return the SVG that shows a mark from `start` to `end` of a loop of `whole` seconds.

    A mark of the last position stays visible for the pause at the end.
    """
    values, times = ["0", "1"], [0.0, start / whole]
    if whole - end > _REST + 0.001:
        values, times = [*values, "0"], [*times, end / whole]
    if start == 0:
        values, times = values[1:], [0.0, *times[2:]]
    return (
        f'<animate attributeName="opacity" calcMode="discrete" values="{";".join(values)}" '
        f'keyTimes="{";".join(f"{time:.4f}" for time in times)}" dur="{whole:.2f}s" '
        'repeatCount="indefinite"/>'
    )
