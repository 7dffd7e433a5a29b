"""Overlays: how to draw the board of a sheet and what to call its parts, as JSON.

A sheet says nothing about its picture. `games/gdl/layout.py` infers a drawing from its facts, and
an overlay corrects what it cannot know. All keys are optional:

    {
      "title": "Breakthrough",
      "summary": "Bring one of your men to the other side.",
      "board": "(cell ?column ?row ?symbol)",
      "cells": "square",
      "checkered": true,
      "columns": {"labels": "letters"},
      "rows": {"from": "bottom", "labels": "numbers"},
      "glyphs": {"w": "white man", "b": "black man", "e": "empty"},
      "actions": {"(move ?column ?row ?column2 ?row2)": "", "pass": "Pass"},
      "prompts": {"crown": "A man to crown"},
      "words": {"nw": "upper left"},
      "roles": {"white": "white", "black": "black"},
      "scores": {"white": "(score white ?n)", "black": {"count": ["b"]}},
      "line": 4,
      "goal": "Bring one of your men to the last row.",
      "lesson": [{"text": "White begins.", "after": ["move 1 2 1 3"]}]
    }

title, summary
    The name of the game, and one sentence for people who do not know it.
board
    Patterns of the facts that are drawn: one text, or a list of texts. `?column` and `?row` are
    the coordinates of a square grid or of hexagons; `?place` is the place on a board that is no
    grid. `?symbol` is what is there. A fact can have several (`?symbol`, `?symbol2`); they are
    joined with a space: "white king". Without any, the symbol is the name of the fact. Constants
    match themselves, and other variables match anything.
beside
    Patterns of facts that are drawn next to a grid, with a caption: {"(hand ?symbol)": "In hand"}.
    A pattern without `?place` has one place, to the right of the grid. A pattern with it has a
    place for each value, below the grid, and the value is also the symbol if there is no
    `?symbol`: {"(pool ?place)": ""}. Patterns of actions can have such a `?place`.
cells
    "square"; "crossing": the crossings of lines, as in Go; or "hexagon".
checkered
    Whether the squares are light and dark in turn.
columns, rows
    Objects with these keys. "values": the constants in order, if they are not numbers, letters or
    a chain of facts. "from": the side of the first one, "left" or "right", "top" or "bottom".
    "labels": "letters", "numbers", "values" (the sheet's own constants) or "none". Only for rows of
    hexagons, "shift": "right" or "left" moves each row by half a cell from the row above it, and
    "odd" or "even" moves every second row to the right.
places
    The position of each place on a board that is no grid, in cells from the left and from the top:
    {"a": [0, 0], "b": [1.5, 0]}.
lines
    Pairs of places that a line connects: [["a", "b"]]. On a grid, a place is its column and row, as
    in "a 1". A third text is the line's colour: ["a", "b", "red"].
hints
    Whether dots show the player where actions are possible, for games in which that is not obvious.
blocks
    How many columns and rows are between heavier lines on a board of squares, such as 3.
sides
    The colour of each edge of a grid, for players who connect them: {"top": "red"}.
points
    Places with a dot, such as the stars of a Go board: ["4 4", "8 8"].
glyphs
    The glyph of each symbol: "empty", or a shape with a colour before it if the shape needs one,
    such as "white pawn", "red disc", "cross" or "number". "small" before it makes it smaller. See
    `SHAPES` and `COLOURS`. An object also names the symbol for people who cannot see it:
    {"glyph": "white pawn", "name": "white's pawn"}.
actions
    Patterns of actions, with the sentence that names them, or "" for their places: "B2-B3".
    `?column` and `?row` (or `?place`) are the element to click. `?column2` and `?row2` (or
    `?place2`) are the one to click after it, and so on. `?column` alone is a whole column, and
    `?row` alone a whole row. `?direction` leads from the last element to its neighbour, if it is
    one of the "directions". A pattern without places becomes a button. If several actions have the
    same places, a click is followed by buttons for the other arguments. A sentence can contain them
    in braces: "Turn {quarter}" for `?quarter`.
areas
    Groups of places: {"left": ["a 1", "a 2"]}. If an action has such a name as `?area`, its places
    are highlighted after the action.
prompts
    What the role in control has to do, by the name of the actions, if all legal ones have that
    name: {"take": "A man to take"}. It stands after "Your turn" or "Anna to move".
directions
    How far a direction leads, in columns and rows: {"north": [0, 1]}.
words
    What people read instead of a constant of the sheet.
roles
    The mark of each role: "cross", "ring" or a colour.
scores
    For each role, a pattern of facts with `?n` for its score, or the symbols to count.
line
    How many equal symbols in a straight line end the game. They get a stroke. If blocks are at
    least that large, the line must be within one of them.
alike
    Whether it is enough for such a line that the names of its symbols have a part in common, as
    "white-large" and "white-small".
goal, lesson
    How to play: one sentence that says how to win, and up to 12 pictures. Each has a sentence and
    the actions from the start that lead to its position, none for the start itself.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from games.gdl.errors import SheetError
from games.gdl.reader import Form, read_forms
from games.gdl.terms import Atom, Compound, Term, Variable, find_variables, get_name

Cells = Literal["square", "crossing", "hexagon"]

COLOURS = ("black", "white", "red", "yellow", "blue", "green")
COLOURED = (
    "disc", "stone", "hoop", "block", "frame", "triangle",
    "man", "king", "queen", "rook", "bishop", "knight", "pawn",
)  # fmt: skip
"""The shapes that need a colour. A hoop is a disc with a hole, and a frame a block with a hole."""
PLAIN = ("empty", "cross", "ring", "number", "letter", "wall", "dot", "arrow")
"""The shapes that have a colour of their own."""
SHAPES = (*PLAIN, *COLOURED)

LONGEST_OVERLAY = 32 * 1024  # bytes
_LONGEST_WORD = 200  # characters
_MOST_PICTURES = 12  # of a lesson

_KEYS = frozenset((
    "title", "summary", "board", "beside", "cells", "checkered", "columns", "rows", "places",
    "lines", "blocks", "sides", "points", "glyphs", "actions", "directions", "words", "roles",
    "scores", "line", "alike", "hints", "goal", "lesson", "areas", "prompts",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Glyph:
    """How a symbol looks. `colour` is "" if the shape needs none."""

    shape: str
    colour: str = ""
    is_small: bool = False
    name: str = ""
    """What the symbol is called, or "" for the glyph's own name."""

    @property
    def words(self) -> str:
        """Return the glyph as overlays name it: "small white pawn"."""
        small = "small" if self.is_small else ""
        return " ".join(filter(None, (small, self.colour, self.shape)))


@dataclass(frozen=True, slots=True)
class LessonPicture:
    """A picture of the lesson: its sentence, and the actions from the start that lead to it."""

    text: str
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Axis:
    """The columns or the rows of a grid."""

    values: tuple[str, ...] = ()
    """The constants in order; () to infer them."""
    side: str = ""
    """Where the first one is: "left" or "right", "top" or "bottom"; "" for the default."""
    labels: str = ""
    shift: str = ""


@dataclass(frozen=True)
class Overlay:
    """A checked overlay. Empty values stand for keys that it does not have."""

    title: str = ""
    summary: str = ""
    board: tuple[Atom, ...] = ()
    beside: tuple[tuple[Atom, str], ...] = ()
    cells: Cells | None = None
    is_checkered: bool = False
    columns: Axis = Axis()
    rows: Axis = Axis()
    places: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    lines: tuple[tuple[str, str, str], ...] = ()
    has_hints: bool = False
    blocks: int = 0
    sides: Mapping[str, str] = field(default_factory=dict)
    points: tuple[str, ...] = ()
    glyphs: Mapping[str, Glyph] = field(default_factory=dict)
    actions: tuple[tuple[Atom, str], ...] = ()
    areas: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    directions: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, "Atom | tuple[str, ...]"] = field(default_factory=dict)
    line: int = 0
    is_alike: bool = False
    goal: str = ""
    lesson: tuple[LessonPicture, ...] = ()


EMPTY_OVERLAY = Overlay()


def read_pattern(text: str) -> Atom:
    """Read a fact or an action with variables. Raise `SheetError` for anything else."""
    forms = read_forms(text)
    if len(forms) != 1:
        raise SheetError(f"{text[:60]!r} is not one fact or action")
    term = _read_term(forms[0])
    if isinstance(term, Variable):
        raise SheetError(f"{text[:60]!r} is only a variable")
    return term


def _read_term(form: Form) -> Term:
    if form.symbol:
        return Variable(form.symbol[1:]) if form.symbol.startswith("?") else form.symbol
    if not form.head:
        raise SheetError("a list must begin with a name")
    return Compound(form.head, tuple(_read_term(each) for each in form.items[1:]))


def parse_overlay(text: str | bytes) -> Overlay:
    """Parse an overlay. Raise `SheetError` with a sentence for its author."""
    if len(text) > LONGEST_OVERLAY:
        raise SheetError(f"the overlay has more than {LONGEST_OVERLAY:,} bytes")
    try:
        found = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise SheetError(f"the overlay is not JSON: {error}") from None
    return check_overlay(found)


def check_overlay(found: Any) -> Overlay:
    """Return the overlay of a JSON value. Raise `SheetError` with a sentence for its author."""
    found = _read_object("the overlay", found)
    for key in found:
        if key not in _KEYS:
            raise SheetError(f"the overlay has an unknown key {key[:40]!r}")
    cells = found.get("cells")
    if cells is not None:
        _read_choice("cells", cells, ("square", "crossing", "hexagon"))
    for flag in ("checkered", "hints", "alike"):
        if not isinstance(found.get(flag, False), bool):
            raise SheetError(f"{flag} must be true or false")
    line = _read_number("line", found.get("line", 0), 3)
    board = found.get("board", [])
    boards = [board] if isinstance(board, str) else _read_list("board", board)
    return Overlay(
        title=_read_text("title", found.get("title", "")),
        summary=_read_text("summary", found.get("summary", "")),
        board=tuple(_read_layer(each) for each in boards),
        beside=tuple(
            (_read_pattern_of("beside", key), _read_text(f"the caption of {key!r}", caption))
            for key, caption in _read_object("beside", found.get("beside", {})).items()
        ),
        cells=cells,
        is_checkered=found.get("checkered", False),
        has_hints=found.get("hints", False),
        is_alike=found.get("alike", False),
        columns=_read_axis("columns", found.get("columns", {}), ("left", "right")),
        rows=_read_axis("rows", found.get("rows", {}), ("top", "bottom")),
        places={
            name: _read_pair("places", name, each)
            for name, each in _read_object("places", found.get("places", {})).items()
        },
        lines=tuple(_read_line(each) for each in _read_list("lines", found.get("lines", []))),
        blocks=_read_number("blocks", found.get("blocks", 0), 2),
        sides={
            _read_choice("a side", side, ("left", "right", "top", "bottom")): _read_choice(
                f"the colour of the side {side!r}", each, COLOURS
            )
            for side, each in _read_object("sides", found.get("sides", {})).items()
        },
        points=tuple(
            _read_text("a point", each).lower()
            for each in _read_list("points", found.get("points", []))
        ),
        glyphs={
            symbol.lower(): _read_glyph(symbol, each)
            for symbol, each in _read_object("glyphs", found.get("glyphs", {})).items()
        },
        actions=tuple(
            (_read_action(key), _read_text(f"the name of {key!r}", name))
            for key, name in _read_object("actions", found.get("actions", {})).items()
        ),
        areas={
            name.lower(): tuple(
                _read_text(f"a place of the area {name!r}", each).lower()
                for each in _read_list(f"the area {name!r}", places)
            )
            for name, places in _read_object("areas", found.get("areas", {})).items()
        },
        directions={
            name.lower(): _read_step(name, each)
            for name, each in _read_object("directions", found.get("directions", {})).items()
        },
        words={
            key.lower(): _read_text("a word", each)
            for key, each in _read_object("words", found.get("words", {})).items()
        },
        prompts={
            name.lower(): _read_text(f"the prompt of {name!r}", each)
            for name, each in _read_object("prompts", found.get("prompts", {})).items()
        },
        roles={
            role.lower(): _read_choice(f"the mark of {role!r}", each, ("cross", "ring", *COLOURS))
            for role, each in _read_object("roles", found.get("roles", {})).items()
        },
        scores={
            role.lower(): _read_score(role, each)
            for role, each in _read_object("scores", found.get("scores", {})).items()
        },
        line=line,
        goal=_read_text("goal", found.get("goal", "")),
        lesson=_read_lesson(found.get("lesson", [])),
    )


def _read_lesson(value: Any) -> tuple[LessonPicture, ...]:
    pictures = _read_list("lesson", value)
    if len(pictures) > _MOST_PICTURES:
        raise SheetError(f"the lesson has more than {_MOST_PICTURES} pictures")
    return tuple(map(_read_picture, pictures))


def _read_picture(value: Any) -> LessonPicture:
    picture = _read_object("a picture of the lesson", value)
    if not picture.keys() <= {"text", "after"} or not picture.get("text"):
        raise SheetError('a picture of the lesson must have a "text" and can have "after"')
    actions = _read_list("after", picture.get("after", []))
    return LessonPicture(
        _read_text("a sentence of the lesson", picture["text"]),
        tuple(_read_text("an action of the lesson", each) for each in actions),
    )


def _read_object(what: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise SheetError(f"{what} must be an object in braces")
    return value


def _read_list(what: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise SheetError(f"{what} must be a list in brackets")
    return value


def _read_text(what: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_WORD or not value.isprintable():
        raise SheetError(
            f"{what} must be a text of one line and at most {_LONGEST_WORD} characters"
        )
    return value.strip()


def _read_number(what: str, value: Any, least: int) -> int:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if not is_number or not (value == 0 or least <= value <= 50):
        raise SheetError(f"{what} must be a number from {least} to 50")
    return int(value)


def _read_choice(what: str, value: Any, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise SheetError(f"{what} must be one of {', '.join(choices)}")
    return str(value)


def _read_pattern_of(what: str, value: Any) -> Atom:
    if not isinstance(value, str):
        raise SheetError(f"{what} must be a pattern such as (cell ?column ?row ?symbol)")
    return read_pattern(value)


def _read_layer(value: Any) -> Atom:
    pattern = _read_pattern_of("board", value)
    variables = list(find_variables(pattern))
    is_grid = "column" in variables and "row" in variables
    if is_grid == ("place" in variables):
        raise SheetError(f"board: {value!r} needs ?column and ?row, or else ?place")
    for name in ("column", "row", "place"):
        if variables.count(name) > 1:
            raise SheetError(f"board: {value!r} has ?{name} twice")
    return pattern


def _read_action(text: str) -> Atom:
    pattern = read_pattern(text)
    variables = [each for each in find_variables(pattern) if each]
    if len(set(variables)) < len(variables):
        raise SheetError(f"actions: {text!r} has a variable twice")
    return pattern


def _read_axis(what: str, value: Any, sides: tuple[str, str]) -> Axis:
    found = _read_object(what, value)
    allowed = ("values", "from", "labels", *(["shift"] if what == "rows" else []))
    for key in found:
        if key not in allowed:
            raise SheetError(f"{what} has an unknown key {key[:40]!r}; use {', '.join(allowed)}")
    values = [str(each).lower() for each in _read_list("values", found.get("values", []))]
    if len(set(values)) < len(values):
        raise SheetError(f"{what} has a value twice")
    labels = found.get("labels", "")
    side = found.get("from", "")
    shift = found.get("shift", "")
    if labels:
        _read_choice(f"labels of {what}", labels, ("letters", "numbers", "values", "none"))
    if side:
        _read_choice(f"from of {what}", side, sides)
    if shift:
        _read_choice("shift of rows", shift, ("right", "left", "odd", "even"))
    return Axis(tuple(values), side, labels, shift)


def _read_pair(what: str, name: str, value: Any) -> tuple[float, float]:
    numbers = isinstance(value, list) and len(value) == 2
    for each in value if numbers else ():
        numbers = numbers and isinstance(each, int | float) and abs(each) <= 100
    if not numbers:
        raise SheetError(f"{what}: {name!r} must have two numbers in brackets, of at most 100")
    return float(value[0]), float(value[1])


def _read_step(name: str, value: Any) -> tuple[int, int]:
    columns, rows = _read_pair("directions", name, value)
    if columns % 1 or rows % 1:
        raise SheetError(f"directions: {name!r} must have whole numbers")
    return int(columns), int(rows)


def _read_line(value: Any) -> tuple[str, str, str]:
    texts = value if isinstance(value, list) else []
    if len(texts) not in (2, 3) or not all(isinstance(each, str) for each in texts):
        raise SheetError('lines must be pairs of places, such as ["a", "b"]')
    colour = _read_choice("the colour of a line", texts[2], COLOURS) if texts[2:] else ""
    return texts[0].lower(), texts[1].lower(), colour


def _read_glyph(symbol: str, value: Any) -> Glyph:
    name = ""
    if isinstance(value, dict):
        if not set(value) <= {"glyph", "name"} or "glyph" not in value:
            raise SheetError(f"glyphs: {symbol!r} must have a glyph, may have a name, and no more")
        name = _read_text(f"the name of {symbol!r}", value.get("name", ""))
        value = value["glyph"]
    if not isinstance(value, str):
        raise SheetError(f"glyphs: {symbol!r} must be a text such as 'white pawn'")
    words = value.split()
    is_small = words[:1] == ["small"]
    words = words[is_small:]
    colour = words[0] if len(words) == 2 else ""
    shape = words[-1] if words else ""
    if len(words) > 2 or shape not in SHAPES:
        raise SheetError(f"glyphs: {value!r} is none of the shapes {', '.join(SHAPES)}")
    if shape in COLOURED and colour not in COLOURS:
        raise SheetError(f"glyphs: {shape} needs one of the colours {', '.join(COLOURS)}")
    if shape in PLAIN and colour:
        raise SheetError(f"glyphs: {shape} has a colour of its own")
    return Glyph(shape, colour, is_small, name)


def _read_score(role: str, value: Any) -> "Atom | tuple[str, ...]":
    if isinstance(value, dict):
        if set(value) != {"count"}:
            raise SheetError(f"scores: {role!r} needs a pattern, or symbols to count")
        return tuple(str(each).lower() for each in _read_list("count", value["count"]))
    pattern = _read_pattern_of(f"the score of {role!r}", value)
    if list(find_variables(pattern)).count("n") != 1:
        raise SheetError(f"scores: {get_name(pattern)!r} needs ?n once")
    return pattern
