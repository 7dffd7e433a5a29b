"""The boards of the games that come from rule sheets, made from their layouts."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext_noop as _

from games.boards.board import (
    EMPTY,
    Board,
    BoardLine,
    Button,
    Caption,
    Decor,
    Element,
    Kind,
    Path,
    Point,
    Square,
)
from games.gdl.acts import ActionPath
from games.gdl.layout import Layout
from games.gdl.plan import ROW_HEIGHT, Spot
from games.gdl.sheet_position import LoadedSheet, SheetPosition
from games.gdl.symbols import Symbol
from games.messages import Message, Sentence, build_message, pgettext
from games.rules import Position

CELL = 100.0
_MARGIN = 10.0  # around the cells
_CAPTION = 46.0  # the width of a margin with captions
_POINT = 16.0  # how far the corners of hexagons are above the first row and below the last one
_COMMON: Mapping[str, Sentence] = {
    "cross": _("X"),
    "ring": _("O"),
    "black stone": pgettext("stone", "black"),
    "white stone": pgettext("stone", "white"),
}
"""The names of glyphs that other boards have too."""


def make_board(sheet: LoadedSheet) -> Board:
    """Return the board of a sheet's game."""
    layout = sheet.layout
    assert isinstance(layout, Layout)
    sentences = _collect_sentences(sheet)
    codes = {text: f"{sheet.slug}.{code}" for code, text in sentences.items()}

    def say(text: str, **params: Any) -> Any:  # a text, or a message if it has a code
        return build_message(codes[text], **params) if text in codes else text

    drawing = _Drawing(layout, say)
    is_stepped = any(
        act.path and (len(act.path) > 1 or len(act.path[0]) > 1 or act.choice)
        for act in layout.acts.values()
    )
    singles = {} if is_stepped else _find_singles(layout.acts)
    phrases = {
        action: say(act.sentence, **{name: say(word) for name, word in act.params.items()})
        if act.sentence
        else build_message("said.action", action=say(act.label))
        for action, act in layout.acts.items()
    }
    return Board(
        slug=sheet.slug,
        summary=layout.overlay.summary or _("A game from a rule sheet, for two players."),
        width=drawing.width,
        height=drawing.height,
        elements=tuple(
            Element(
                drawing.get_kind(spot),
                drawing.get_x(spot.x),
                drawing.get_y(spot.y),
                CELL,
                spot.label,
                action=singles.get(i, ""),
            )
            for i, spot in enumerate(layout.spots)
        ),
        words=_name_marks(layout.symbols),
        badge=lambda position, role: layout.badges[role],
        below=tuple(drawing.draw_decor()),
        above=tuple(drawing.draw_edges()),
        buttons=tuple(
            Button(action, act.choice, symbol=_find_symbol(layout, action))
            for action, act in layout.acts.items()
            if act.choice
        ),
        hand=_make_hand(layout),
        closing=_find_landings if is_stepped else _find_nothing,
        score=_find_score,
        phrases=phrases,
        sentences=sentences,
        symbols=layout.symbols,
        places={
            action: tuple(dict.fromkeys(i for step in act.path for i in step))
            for action, act in layout.acts.items()
            if act.path
        },
        prompt=_make_prompt(sheet.slug, layout.overlay.prompts),
        paths=_make_paths(layout.acts, phrases) if is_stepped else None,
        has_hints=layout.overlay.has_hints,
        settled=_find_settled if is_stepped or layout.overlay.areas else None,
    )


def _collect_sentences(sheet: LoadedSheet) -> dict[str, str]:
    """Return the name of the game and the other texts on its pages, by their codes."""
    layout = sheet.layout
    assert isinstance(layout, Layout)
    captions = [caption for _, caption in layout.overlay.beside if caption]
    acts = [act.sentence for act in layout.acts.values() if act.sentence]
    pieces = [symbol.name for symbol in layout.symbols if symbol.name]
    rest = [text for text in dict.fromkeys([*captions, *acts, *pieces]) if text != sheet.name]
    return {
        "name": sheet.name,
        **{f"text-{i}": each for i, each in enumerate(rest)},
        **{
            f"prompt-{name}.{side}": prompt
            for name, prompt in layout.overlay.prompts.items()
            for side in ("mine", "theirs", "seen")
        },
    }


def _make_prompt(
    slug: str, prompts: Mapping[str, str]
) -> Callable[[Position, str], Message | None]:
    """Return the function for what the role in control has to do."""

    def find_prompt(position: Position, last: str) -> Message | None:
        names = {action.split(" ")[0] for action in position.actions()} if prompts else set()
        name = names.pop() if len(names) == 1 else ""
        return build_message(f"{slug}.prompt-{name}") if name in prompts else None

    return find_prompt


def _find_singles(acts: Mapping[str, ActionPath]) -> dict[int, str]:
    """Return the action of each place that alone stands for one."""
    return {
        act.path[0][0]: action
        for action, act in acts.items()
        if len(act.path) == 1 and len(act.path[0]) == 1
    }


def _find_symbol(layout: Layout, action: str) -> Symbol | None:
    """Return the symbol that an action names, such as the piece to give, if it names one."""
    found = [layout.named[word] for word in action.split(" ")[1:] if word in layout.named]
    return (
        found[0] if len(found) == 1 and found[0].glyph.shape not in ("number", "letter") else None
    )


def _name_marks(symbols: Iterable[Symbol]) -> dict[str, Sentence]:
    named: dict[str, Sentence] = {EMPTY: pgettext("board", "empty")}
    for symbol in symbols:
        words = symbol.glyph.words
        said = symbol.name.replace("|", "/") or _COMMON.get(words, words)
        named[symbol.mark] = said
    return named


def _get_layout(position: Position) -> tuple[SheetPosition, Layout]:
    assert isinstance(position, SheetPosition)
    layout = position.sheet.layout
    assert isinstance(layout, Layout)
    return position, layout


def _find_score(position: Position, role: str) -> int | None:
    found, layout = _get_layout(position)
    return layout.get_score(found.state, found.diagram, role)


def _make_hand(layout: Layout) -> Callable[[Position], str]:
    """Return the function for the mark that an action would make.

    It is that of the role in control, but '.' if no action just places such a mark.
    """
    marks = {symbol.mark for symbol in layout.symbols}
    is_placed = any(len(act.path) == 1 for act in layout.acts.values())
    is_moved = any(len(act.path) > 1 for act in layout.acts.values())

    def find_hand(position: Position) -> str:
        mark = layout.badges[position.turn] if position.turn else EMPTY
        return mark if mark in marks and is_placed and not is_moved else EMPTY

    return find_hand


def _find_nothing(position: Position) -> tuple[tuple[int, int], ...]:
    return ()


def _make_paths(
    acts: Mapping[str, ActionPath], phrases: Mapping[str, Message]
) -> Callable[[Position], tuple[Path, ...]]:
    """Return the function for the legal actions that are chosen on the board."""
    every = {
        action: Path(
            action,
            phrases[action] if act.sentence else act.label,
            tuple(step[0] if len(step) == 1 else step for step in act.path),
        )
        for action, act in acts.items()
        if act.path
    }

    @lru_cache(maxsize=4096)
    def find_paths(position: Position) -> tuple[Path, ...]:
        return tuple(every[action] for action in position.actions() if action in every)

    return find_paths


@lru_cache(maxsize=4096)
def _find_landings(position: Position) -> tuple[tuple[int, int], ...]:
    """Return pairs: a place of a column, and where the piece lands that is dropped there."""
    _, layout = _get_layout(position)
    diagram = position.diagram
    found = []
    for action in position.actions():
        act = layout.acts.get(action)
        if act and len(act.path) == 1 and len(act.path[0]) > 1:
            after = position.play(action).diagram
            landed = [i for i in act.path[0] if diagram[i] == EMPTY != after[i]]
            found += [(i, landed[0]) for i in act.path[0] if len(landed) == 1]
    return tuple(found)


def _find_settled(position: Position, action: str) -> tuple[int, ...]:
    """Return the places of the last action; of a column, the piece that was dropped last."""
    _, layout = _get_layout(position)
    act = layout.acts.get(action)
    if act and act.area:
        return act.area
    diagram = position.diagram
    found: list[int] = []
    for group in act.path if act else ():
        pieces = [i for i in group if diagram[i] != EMPTY]
        if len(group) > 1 and pieces:
            # A column fills up from one of its ends, which is the first place of the group or not.
            found.append(pieces[0] if diagram[group[0]] == EMPTY else pieces[-1])
        else:
            found += group
    return tuple(dict.fromkeys(found))


class _Drawing:
    """The geometry of a board in units of its drawing."""

    def __init__(self, layout: Layout, say: Callable[[str], str | Message]) -> None:
        self._layout = layout
        self._say = say
        self._cells = [spot for spot in layout.spots if not spot.is_beside]
        self.kind: Kind = layout.cells if layout.is_grid else "spot"
        point = _POINT if self.kind == "hexagon" else 0.0
        captions = layout.captions
        left = min([0.0, *(each.x * CELL - _CAPTION / 2 for each in captions)])
        top = min([0.0, *(each.y * CELL - _CAPTION / 2 for each in captions)])
        right = max(spot.x for spot in layout.spots) * CELL + CELL / 2
        bottom = max(
            [spot.y * CELL + CELL / 2 for spot in layout.spots]
            + [each.y * CELL + _CAPTION / 2 for each in captions]
        )
        if self.kind == "hexagon":
            bottom -= CELL / 2 - CELL / 3**0.5
        self._left = _MARGIN - left
        self._top = _MARGIN - top + point
        self.height = self._top + bottom + _MARGIN
        self.width = self._left + right + _MARGIN
        spare = self.height - self.width  # pages have room for boards that are not higher than wide
        if spare > 0:
            self._left += spare / 2
            self.width += spare

    def get_kind(self, spot: Spot) -> Kind:
        return "square" if spot.is_beside else self.kind

    def get_x(self, x: float) -> float:
        return round(self._left + x * CELL, 1)

    def get_y(self, y: float) -> float:
        return round(self._top + y * CELL, 1)

    def draw_decor(self) -> Iterator[Decor]:
        """Yield the outlines of the cells, the lines between places, and the captions."""
        layout = self._layout
        yield from self._draw_lines()
        for spot in layout.spots:
            kind = self.get_kind(spot)
            if kind != "crossing" and spot.key:
                is_dark = layout.is_checkered and not spot.is_beside and self._is_dark(spot)
                yield Square(kind, self.get_x(spot.x), self.get_y(spot.y), CELL, is_dark)
        for key in layout.overlay.points:
            spot = next(each for each in layout.spots if each.key == key)
            yield Point(self.get_x(spot.x), self.get_y(spot.y), 9)
        for each in layout.captions:
            yield Caption(self.get_x(each.x), self.get_y(each.y), self._say(each.text))

    def _is_dark(self, spot: Spot) -> bool:
        """Return whether a square is dark; the one in the lower left corner is."""
        return (spot.column + max(each.row for each in self._cells) - spot.row) % 2 == 0

    def _draw_lines(self) -> Iterator[BoardLine]:
        spots = self._layout.spots
        level: dict[float, list[tuple[float, float]]] = defaultdict(list)
        upright: dict[float, list[tuple[float, float]]] = defaultdict(list)
        for one, other, colour in self._layout.lines:
            x1, y1 = self.get_x(spots[one].x), self.get_y(spots[one].y)
            x2, y2 = self.get_x(spots[other].x), self.get_y(spots[other].y)
            if colour:
                yield BoardLine(x1, y1, x2, y2, f"side {colour}")
            elif y1 == y2:
                level[y1].append((min(x1, x2), max(x1, x2)))
            elif x1 == x2:
                upright[x1].append((min(y1, y2), max(y1, y2)))
            else:
                yield BoardLine(x1, y1, x2, y2)
        for y, parts in level.items():
            yield from (BoardLine(start, y, end, y) for start, end in _join_parts(parts))
        for x, parts in upright.items():
            yield from (BoardLine(x, start, x, end) for start, end in _join_parts(parts))

    def draw_edges(self) -> Iterator[BoardLine]:
        """Yield the lines that highlights of the cells must not cover."""
        yield from self._draw_blocks()
        yield from self._draw_sides()

    def _draw_blocks(self) -> Iterator[BoardLine]:
        """Yield heavier lines around the blocks of a board of squares."""
        size, spots = self._layout.overlay.blocks, self._cells
        if not size or self.kind != "square":
            return
        columns, rows = (
            1 + max(spot.column for spot in spots),
            1 + max(spot.row for spot in spots),
        )
        left = min(spot.x for spot in spots) - 0.5
        right, bottom = self.get_x(left + columns), self.get_y(rows)
        for column in range(0, columns + 1, size):
            x = self.get_x(left + column)
            yield BoardLine(x, self.get_y(0), x, bottom, "block")
        for row in range(0, rows + 1, size):
            y = self.get_y(row)
            yield BoardLine(self.get_x(left), y, right, y, "block")

    def _draw_sides(self) -> Iterator[BoardLine]:
        """Yield the edges of the board that the overlay colours."""
        layout = self._layout
        colours = layout.overlay.sides
        if not colours or not layout.is_grid:
            return
        is_hexagon = self.kind == "hexagon"
        known = {(round(spot.x, 1), round(spot.y, 1)) for spot in self._cells}
        last = max(spot.row for spot in self._cells)
        for spot in self._cells:
            for dx, dy, (x1, y1, x2, y2) in _HEXAGON_EDGES if is_hexagon else _SQUARE_EDGES:
                if (round(spot.x + dx, 1), round(spot.y + dy, 1)) in known:
                    continue
                side = "left" if dx < 0 else "right"
                if dy < 0 and spot.row == 0:
                    side = "top"
                elif dy > 0 and spot.row == last:
                    side = "bottom"
                if side in colours:
                    yield BoardLine(
                        self.get_x(spot.x + x1),
                        self.get_y(spot.y + y1),
                        self.get_x(spot.x + x2),
                        self.get_y(spot.y + y2),
                        f"side {colours[side]}",
                    )


_HALF = 1 / 3**0.5 / 2  # of the length of a hexagon's side, whose width is 1
# For each edge of a cell: the direction of the cell beyond it, and its ends.
_Edges = tuple[tuple[float, float, tuple[float, float, float, float]], ...]
_SQUARE_EDGES: _Edges = (
    (0, -1, (-0.5, -0.5, 0.5, -0.5)),
    (0, 1, (-0.5, 0.5, 0.5, 0.5)),
    (-1, 0, (-0.5, -0.5, -0.5, 0.5)),
    (1, 0, (0.5, -0.5, 0.5, 0.5)),
)
_HEXAGON_EDGES: _Edges = (
    (-0.5, -ROW_HEIGHT, (-0.5, -_HALF, 0, -2 * _HALF)),
    (0.5, -ROW_HEIGHT, (0, -2 * _HALF, 0.5, -_HALF)),
    (-0.5, ROW_HEIGHT, (-0.5, _HALF, 0, 2 * _HALF)),
    (0.5, ROW_HEIGHT, (0, 2 * _HALF, 0.5, _HALF)),
    (-1, 0, (-0.5, -_HALF, -0.5, _HALF)),
    (1, 0, (0.5, -_HALF, 0.5, _HALF)),
)


def _join_parts(parts: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Join the parts of a line that touch each other."""
    joined: list[tuple[float, float]] = []
    for start, end in sorted(parts):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined
