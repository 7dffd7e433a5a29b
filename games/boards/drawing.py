"""SVG drawing of boards.

The SVG of an element contains the shapes of all marks that an element of its kind can have. The CSS
shows only those of its current mark.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from html import escape
from itertools import combinations
from math import hypot

from games.boards.board import (
    EMPTY,
    JOINT,
    SHEET_KINDS,
    Board,
    BoardLine,
    Caption,
    Decor,
    Element,
    Kind,
    Point,
    Square,
)
from games.boards.glyphs import draw_definitions, draw_glyph
from games.gdl.symbols import Symbol
from games.messages import render
from games.messages.table import translate

_CROSS = '<path class="cross" d="M-28-28 28 28M28-28-28 28"/>'
_RING = '<circle class="ring" r="29"/>'
_SMALL_CROSS = '<path class="cross" d="M-18-18 18 18M18-18-18 18"/>'
_FRESH, _LINE, _BETTER = ' data-fresh=""', ' data-line=""', ' data-better=""'
_OPEN = ' data-open=""'
# The gradients of the stones, whose colours are in the style sheet. All boards with stones have the
# same gradients with the same names, so on a page with several of these boards the browser can use
# any of them.
_SHADES = "<defs>" + "".join(
    f'<radialGradient id="shade-{stone}" cx=".36" cy=".3" r=".75"><stop class="{stone}-light" '
    f'offset="0"/><stop class="{stone}" offset="1"/></radialGradient>'
    for stone in ("black", "white")
) + "</defs>"  # fmt: skip
# The distance from an element's centre to the end of a stroke, as a share of the element's size.
_REACH = 0.45
_LEAST = 3  # the smallest number of elements in a line with a stroke
_SMALL_RING = '<circle class="ring" r="19"/>'


def draw(
    board: Board,
    diagram: str,
    *,
    fresh: Collection[int] = (),
    line: Collection[int] = (),
    better: Collection[int] = (),
    targets: Collection[int] = (),
    live: bool = False,
    thumbnail: bool = False,
    sparse: bool = False,
    numbers: Mapping[int, str] | None = None,
    label: str = "",
    window: tuple[float, float, float, float] | None = None,
) -> str:
    """Draw the board with the marks of a diagram.

    `live`: give the elements names and actions, so that a script can turn them into buttons.
    `thumbnail`: use the style for small pictures. `sparse`: omit the elements that show nothing; a
    script then cannot show another diagram. `fresh`: the elements that the last action changed.
    `line`: the elements with a stroke through them. `better`: the elements of a better action.
    `targets`: the elements that the role in control may act on. `numbers`: the text on elements, by
    index. `label`: the name of the picture for screen readers. `window`: the visible part, as left,
    top, width and height. The default is the whole board.
    """
    marks = dict(enumerate(diagram))
    elements = "".join(
        _element(
            element,
            marks.get(i, "."),
            _attributes(board, element, marks.get(i, ".")) if live else _grid(element, sparse),
            (_OPEN if i in targets else "")
            + (_FRESH if i in fresh else "")
            + (_LINE if i in line else "")
            + (_BETTER if i in better else ""),
            _number(element, numbers[i]) if numbers and i in numbers else "",
            _select_symbols(board.symbols, marks.get(i, ".") if sparse else ""),
        )
        for i, element in enumerate(board.elements)
        if not (sparse and _shows_nothing(element, marks.get(i, "."), i in fresh or i in line))
    )
    kind = f"board thumbnail {board.traits}" if thumbnail else f"board {board.traits}"
    role = "group" if live else "img"
    words = "|".join(f"{mark}={translate(word)}" for mark, word in board.words.items())
    left, top, width, height = window or (0, 0, board.width, board.height)
    shades = _SHADES if "stones" in board.traits else ""
    if board.symbols:
        shown = board.symbols if not sparse else _select_shown(board.symbols, diagram)
        shades += f"<defs>{draw_definitions(shown)}</defs>"
    verb = f' data-verb="{escape(board.verb)}" data-joint="{JOINT}"'
    told = f' data-words="{escape(words)}"{verb}' if live else ""
    return (
        f'<svg class="{kind.strip()}" data-game="{escape(board.slug)}" role="{role}" '
        f'aria-label="{escape(label)}" viewBox="{left:g} {top:g} {width:g} {height:g}"{told}>'
        f"{shades}{_decor(board.below, 'below')}{elements}{_decor(board.above, 'above')}"
        f"{draw_strokes(board, line)}</svg>"
    )


def draw_strokes(board: Board, line: Collection[int], inner: str = "") -> str:
    """Draw a stroke through each line that `find_strokes` finds. Return "" if there is none.

    `static/js/board/diagram.js` draws the same strokes. `inner` is SVG to put inside the group.
    """
    drawn = "".join(
        f'<line class="{part}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" pathLength="1"/>'
        for x1, y1, x2, y2 in find_strokes([board.elements[i] for i in line])
        for part in ("halo", "core")
    )
    if not drawn:
        return ""
    of = " ".join(map(str, line))
    return f'<g class="strokes" data-of="{of}" aria-hidden="true">{inner}{drawn}</g>'


def find_strokes(elements: Collection[Element]) -> list[tuple[float, float, float, float]]:
    """Return the end points of strokes through the longest straight lines in each grid.

    A line of fewer than `_LEAST` elements gets no stroke. A stroke covers the full width of the
    marks at its ends.
    """
    found = []
    for grid in sorted({element.grid for element in elements}):
        own = [element for element in elements if element.grid == grid]
        lines = [
            (sum(_is_between(each, one, other) for each in own), one, other)
            for one, other in combinations(own, 2)
        ]
        most = max([_LEAST, *(count for count, _, _ in lines)])
        for count, one, other in lines:
            if count == most:
                dx, dy = other.x - one.x, other.y - one.y
                reach = _REACH * one.size / hypot(dx, dy)
                dx, dy = dx * reach, dy * reach
                ends = (one.x - dx, one.y - dy, other.x + dx, other.y + dy)
                found.append(tuple(round(each, 1) for each in ends))
    return found  # type: ignore[return-value]  # each tuple has four numbers


def _is_between(each: Element, one: Element, other: Element) -> bool:
    dx, dy = other.x - one.x, other.y - one.y
    is_on_line = abs((each.x - one.x) * dy - (each.y - one.y) * dx) < 1
    along = (each.x - one.x) * dx + (each.y - one.y) * dy
    return is_on_line and 0 <= along <= dx * dx + dy * dy


def draw_element(
    element: Element, mark: str, inner: str = "", symbols: tuple[Symbol, ...] = ()
) -> str:
    """Draw one element with a mark, at its position. `inner` is SVG to put inside it.

    `symbols` are those of the board.
    """
    return _element(element, mark, "", "", inner, _select_symbols(symbols, mark))


def draw_mark(mark: str) -> str:
    """Draw a mark for display next to a name; '.' draws nothing."""
    return (
        f'<svg class="mark" viewBox="-50 -50 100 100" data-mark="{escape(mark)}" '
        'aria-hidden="true">'
        f'{_CROSS}{_RING}<circle class="stone" r="36"/></svg>'
    )


def _element(
    element: Element,
    mark: str,
    attributes: str,
    state: str,
    number: str,
    symbols: Collection[Symbol] = (),
) -> str:
    glyphs = "".join(map(draw_glyph, symbols))
    if element.kind in SHEET_KINDS:
        glyphs += f'<circle class="pip" r="{0.14 * element.size:g}"/>'
    return (
        f'<g class="element {element.kind}" transform="translate({element.x:g} {element.y:g})" '
        f'data-mark="{escape(mark)}"{state}{attributes}>{_shapes(element)}{glyphs}{number}</g>'
    )


def _select_symbols(symbols: tuple[Symbol, ...], mark: str) -> tuple[Symbol, ...]:
    """Return the symbols to draw in an element: that of the mark, or all if the mark is ""."""
    return tuple(each for each in symbols if each.mark == mark) if mark else symbols


def _select_shown(symbols: tuple[Symbol, ...], diagram: str) -> tuple[Symbol, ...]:
    """Return the symbols that a diagram has; all if it has none, because others may be added."""
    return tuple(each for each in symbols if each.mark in diagram) or symbols


def _shows_nothing(element: Element, mark: str, is_marked: bool) -> bool:
    """Return whether the element is empty and not highlighted, and its kind is then invisible."""
    kinds = ("cell", "stone", "box", *SHEET_KINDS)
    return mark == EMPTY and element.kind in kinds and not is_marked


def _number(element: Element, number: str) -> str:
    """Draw the number in the corner of a cell, or in the middle of any other element."""
    corner = 20 - element.size / 2 if element.kind == "cell" else 0
    return f'<text class="number" x="{corner:g}" y="{corner:g}">{escape(number)}</text>'


def _attributes(board: Board, element: Element, mark: str) -> str:
    """Return the attributes for the element's name and action.

    The script adds the button role, because without scripts the element is only a picture.
    """
    word = board.words.get(mark)
    called = escape(render(element.name))
    marked = escape(mark if word is None else translate(word))
    name = f'data-name="{called}" aria-label="{called}, {marked}"'
    if element.action:
        how = f' data-action="{escape(element.action)}"'
        sentence = escape(render(board.say(element.action)))
        if element.action in board.phrases and sentence != called:  # such as "Take B2"
            how += f' data-sentence="{sentence}"'
    elif element.grid:
        how = f' data-grid="{element.grid}" data-cell="{escape(element.cell)}"'
    elif board.paths:
        how = ' data-step=""'
    else:
        how = ""
    return f' role="img"{how} {name}'


def _grid(element: Element, sparse: bool) -> str:
    """Return the attribute by which a script distinguishes the lines of several grids."""
    return f' data-grid="{element.grid}"' if element.grid and not sparse else ""


def _shapes(element: Element) -> str:
    half = element.size / 2
    square = f'x="{-half:g}" y="{-half:g}" width="{element.size:g}" height="{element.size:g}"'
    match element.kind:
        case "cell":
            return f'<rect class="ground" {square} rx="10"/>{_CROSS}{_RING}'
        case "box":
            return f'<rect class="ground" {square}/>{_SMALL_CROSS}{_SMALL_RING}'
        case "stone":
            return (
                f'<rect class="ground" {square}/>'
                f'<circle class="stone" r="{0.45 * element.size:g}"/>'
                f'<circle class="pip" r="{0.2 * element.size:g}"/>'
            )
        case "square" | "hexagon" | "spot":
            return _outline(element.kind, element.size, ' class="ground"')
        case "crossing":
            return f'<rect class="ground" {square}/>'
        case "across":
            ends = f'x1="{-half:g}" x2="{half:g}"'
        case "down":
            ends = f'y1="{-half:g}" y2="{half:g}"'
    # A diamond: the diamonds of all lines cover the board and do not overlap.
    diamond = f"{-half:g},0 0,{-half:g} {half:g},0 0,{half:g}"
    return (
        f'<polygon class="ground" points="{diamond}"/>'
        f'<line class="hint" {ends}/><line class="stroke" {ends}/>'
    )


def _outline(kind: Kind, size: float, attributes: str) -> str:
    """Draw a square, a hexagon with a corner at the top, or a round spot around the origin."""
    half = size / 2
    if kind == "hexagon":
        corners = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
        points = " ".join(f"{half * x:.4g},{half * y / 3**0.5:.4g}" for x, y in corners)
        return f'<polygon{attributes} data-size="{size:g}" points="{points}"/>'
    if kind == "spot":
        return f'<circle{attributes} data-size="{size:g}" r="{0.9 * half:g}"/>'
    return f'<rect{attributes} x="{-half:g}" y="{-half:g}" width="{size:g}" height="{size:g}"/>'


def _decor(decor: Collection[Decor], where: str) -> str:
    if not decor:
        return ""
    outlines: dict[str, str] = defaultdict(str)  # the fields of each class are one path
    drawn = ""
    for each in decor:
        if isinstance(each, Square) and each.kind != "spot":
            outlines["field dark" if each.is_dark else "field"] += _trace(each)
        else:
            drawn += _ornament(each)
    fields = "".join(f'<path class="{kind}" d="{path}"/>' for kind, path in outlines.items())
    return f'<g class="decor {where}" aria-hidden="true">{fields}{drawn}</g>'


def _trace(square: Square) -> str:
    """Return the outline of a square or a hexagon as a part of a path."""
    x, y, size = square.x, square.y, square.size
    half = size / 2
    if square.kind != "hexagon":
        return f"M{x - half:g} {y - half:g}h{size:g}v{size:g}h{-size:g}z"
    third = half / 3**0.5
    return (
        f"M{x:g} {y - 2 * third:.1f}l{half:g} {third:.1f}v{2 * third:.1f}l{-half:g} {third:.1f}"
        f"l{-half:g} {-third:.1f}v{-2 * third:.1f}z"
    )


def _ornament(ornament: Decor) -> str:
    match ornament:
        case BoardLine(x1, y1, x2, y2, kind):
            special = f' class="{kind}"' if kind else ""
            return f'<line{special} x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'
        case Square(kind, x, y, size):
            return _outline(kind, size, f' class="field" transform="translate({x:g} {y:g})"')
        case Point(x, y, radius):
            return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'
        case Caption(x, y, text):
            shown = text if isinstance(text, str) else render(text)
            is_place = ' class="place"' if isinstance(text, str) else ""
            return f'<text x="{x:g}" y="{y:g}"{is_place}>{escape(shown)}</text>'
