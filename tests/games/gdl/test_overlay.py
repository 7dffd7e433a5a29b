"""Overlays are read strictly, and each mistake is explained to its author."""

import json

import pytest

from games.gdl.errors import SheetError
from games.gdl.overlay import Axis, Glyph, Overlay, check_overlay, parse_overlay, read_pattern
from games.gdl.terms import Compound, Variable


def test_an_empty_overlay_leaves_everything_to_the_sheet() -> None:
    assert parse_overlay("") == parse_overlay(b"{}") == Overlay()


def test_a_pattern_has_variables_and_constants() -> None:
    assert read_pattern("(Cell ?column 3)") == Compound("cell", (Variable("column"), "3"))
    assert read_pattern("pass") == "pass"


def test_every_key_is_read() -> None:
    overlay = parse_overlay(
        json.dumps(
            {
                "title": "Breakthrough",
                "summary": "Bring a man to the other side.",
                "board": "(cell ?column ?row ?symbol)",
                "beside": {"(hand ?symbol)": "In hand"},
                "cells": "hexagon",
                "checkered": True,
                "hints": True,
                "columns": {"values": ["a", "b"], "labels": "letters", "from": "right"},
                "rows": {"values": [2, 1], "from": "top", "labels": "none", "shift": "odd"},
                "places": {"p": [0, 1.5]},
                "lines": [["P", "q"], ["p", "r", "red"]],
                "blocks": 3,
                "sides": {"top": "red"},
                "points": ["4 D"],
                "glyphs": {
                    "W": "small white pawn",
                    "x": {"glyph": "cross", "name": "a stone of X"},
                    "e": "empty",
                },
                "actions": {"(move ?column ?row ?direction)": "", "pass": "Pass"},
                "areas": {"West": ["1 A", "1 b"]},
                "directions": {"north": [0, 1]},
                "words": {"nw": "upper left"},
                "roles": {"white": "white", "black": "cross"},
                "scores": {"white": "(score white ?n)", "black": {"count": ["b"]}},
                "line": 4,
                "alike": True,
            }
        )
    )
    assert overlay.title == "Breakthrough"
    assert overlay.board == (read_pattern("(cell ?column ?row ?symbol)"),)
    assert overlay.beside == ((read_pattern("(hand ?symbol)"), "In hand"),)
    assert overlay.cells == "hexagon"
    assert overlay.is_checkered
    assert overlay.has_hints
    assert overlay.is_alike
    assert overlay.columns == Axis(("a", "b"), "right", "letters")
    assert overlay.rows == Axis(("2", "1"), "top", "none", "odd")
    assert overlay.places == {"p": (0.0, 1.5)}
    assert overlay.lines == (("p", "q", ""), ("p", "r", "red"))
    assert (overlay.blocks, overlay.sides, overlay.points) == (3, {"top": "red"}, ("4 d",))
    assert overlay.areas == {"west": ("1 a", "1 b")}
    assert overlay.glyphs["w"] == Glyph("pawn", "white", is_small=True)
    assert overlay.glyphs["w"].words == "small white pawn"
    assert overlay.glyphs["x"] == Glyph("cross", name="a stone of X")
    assert overlay.actions == (
        (read_pattern("(move ?column ?row ?direction)"), ""),
        ("pass", "Pass"),
    )
    assert overlay.directions == {"north": (0, 1)}
    assert overlay.words == {"nw": "upper left"}
    assert overlay.roles == {"white": "white", "black": "cross"}
    assert overlay.scores == {"white": read_pattern("(score white ?n)"), "black": ("b",)}
    assert overlay.line == 4


@pytest.mark.parametrize(
    ("overlay", "said"),
    [
        ([], "the overlay must be an object"),
        ({"colour": "red"}, "unknown key 'colour'"),
        ({"cells": "round"}, "cells must be one of square, crossing, hexagon"),
        ({"cells": ["square"]}, "cells must be one of"),
        ({"checkered": "yes"}, "checkered must be true or false"),
        ({"hints": 1}, "hints must be true or false"),
        ({"line": 2}, "line must be"),
        ({"line": True}, "line must be"),
        ({"beside": []}, "beside must be an object"),
        ({"beside": {"(hand ?symbol)": 1}}, "the caption of '(hand ?symbol)' must be a text"),
        ({"blocks": 1}, "blocks must be a number"),
        ({"sides": {"front": "red"}}, "a side must be one of"),
        ({"sides": {"top": "cross"}}, "the colour of the side 'top' must be one of"),
        ({"points": [3]}, "a point must be a text"),
        ({"title": "two\nlines"}, "title must be a text of one line"),
        ({"title": "x" * 201}, "title must be a text"),
        ({"board": 3}, "board must be a list"),
        ({"board": [3]}, "board must be a pattern"),
        ({"board": "(cell ?x ?y ?symbol)"}, "needs ?column and ?row"),
        ({"board": "(cell ?column ?symbol)"}, "needs ?column and ?row"),
        ({"board": "(cell ?column ?row ?place)"}, "or else ?place"),
        ({"board": "(cell ?column ?column ?row)"}, "?column twice"),
        ({"board": "(cell ?place"}, "closed"),
        ({"board": "(cell ?place) (cell ?place)"}, "not one fact"),
        ({"board": "?place"}, "only a variable"),
        ({"board": "((f a) ?place)"}, "must begin with a name"),
        ({"columns": {"labels": "roman"}}, "labels of columns must be one of"),
        ({"columns": {"from": "top"}}, "from of columns must be one of left, right"),
        ({"columns": {"shift": "left"}}, "columns has an unknown key 'shift'"),
        ({"rows": {"shift": "up"}}, "shift of rows must be one of"),
        ({"rows": {"values": ["a", "A"]}}, "a value twice"),
        ({"rows": {"values": "abc"}}, "values must be a list"),
        ({"places": {"a": [1]}}, "'a' must have two numbers"),
        ({"places": {"a": [1, 1e9]}}, "at most 100"),
        ({"directions": {"north": [0, 0.5]}}, "whole numbers"),
        ({"areas": {"west": "1 a"}}, "the area 'west' must be a list"),
        ({"areas": {"west": [1]}}, "a place of the area 'west' must be a text"),
        ({"lines": [["a"]]}, "pairs of places"),
        ({"lines": [["a", 1]]}, "pairs of places"),
        ({"lines": [["a", "b", "pink"]]}, "colour of a line"),
        ({"glyphs": {"x": "white dragon"}}, "'white dragon' is none of the shapes"),
        ({"glyphs": {"x": "pawn"}}, "pawn needs one of the colours"),
        ({"glyphs": {"x": "pink pawn"}}, "pawn needs one of the colours"),
        ({"glyphs": {"x": "white cross"}}, "cross has a colour of its own"),
        ({"glyphs": {"x": ""}}, "none of the shapes"),
        ({"glyphs": {"x": 5}}, "must be a text such as"),
        ({"glyphs": {"x": {"name": "X"}}}, "must have a glyph"),
        ({"actions": ["pass"]}, "actions must be an object"),
        ({"actions": {"(move ?column ?column)": ""}}, "a variable twice"),
        ({"actions": {"pass": 1}}, "the name of 'pass' must be a text"),
        ({"words": {"nw": 1}}, "a word must be a text"),
        ({"roles": {"white": "pawn"}}, "the mark of 'white' must be one of"),
        ({"scores": {"white": "(score white)"}}, "'score' needs ?n once"),
        ({"scores": {"white": {"number": "x"}}}, "symbols to count"),
        ({"scores": {"white": 1}}, "must be a pattern"),
    ],
    ids=str,
)
def test_a_mistake_is_explained(overlay: object, said: str) -> None:
    with pytest.raises(SheetError) as raised:
        check_overlay(overlay)
    assert said in str(raised.value)


@pytest.mark.parametrize("text", ["{", "nonsense", "[" * 10_000, '{"title": "' + "x" * 40_000])
def test_what_is_no_json_or_too_long_is_refused(text: str) -> None:
    with pytest.raises(SheetError, match="overlay"):
        parse_overlay(text)
