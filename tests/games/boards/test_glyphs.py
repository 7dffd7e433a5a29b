"""Every glyph that an overlay can name is drawn, and has its colours in both style sheets."""

import xml.etree.ElementTree as ET

import pytest

from games.boards.glyphs import draw_definitions, draw_glyph, draw_symbol
from games.gdl.overlay import COLOURED, COLOURS, PLAIN, Glyph
from games.gdl.symbols import MARKS, Symbol
from tests.builders.sites import ROOT

GLYPHS = [
    *(Glyph(shape, colour) for shape in COLOURED for colour in COLOURS),
    *(Glyph(shape) for shape in PLAIN if shape != "empty"),
]


@pytest.mark.parametrize("glyph", GLYPHS, ids=lambda glyph: glyph.words)
def test_a_glyph_refers_to_a_definition(glyph: Glyph) -> None:
    symbol = Symbol("Q", glyph, "12")
    definitions = ET.fromstring(f"<defs>{draw_definitions([symbol])}</defs>")
    drawn = ET.fromstring(draw_glyph(symbol))
    if glyph.shape in ("number", "letter"):
        assert drawn.text == "12"
        assert len(definitions) == 0
    else:
        assert drawn.get("href") == f"#{definitions[0].get('id')}"
        assert len(definitions[0]) > 0
    assert drawn.get("data-of") == "Q"
    for sheet in ("static/css/board-symbols.css", "games/previews/picture.css"):
        kind = (drawn.get("class") or "").split()[1]
        known = (ROOT / sheet).read_text()
        assert f".glyph.{kind}" in known or glyph.shape in ("number", "letter")


def test_a_small_glyph_and_a_long_text_are_scaled_down() -> None:
    assert 'transform="scale(0.64)"' in draw_glyph(Symbol("p", Glyph("pawn", "white", True)))
    assert 'transform="scale(0.7)"' in draw_glyph(Symbol("A", Glyph("letter"), "ABC"))
    assert "transform" not in draw_glyph(Symbol("A", Glyph("letter"), "AB"))


def test_the_style_sheet_shows_each_mark() -> None:
    known = (ROOT / "static/css/board-symbols.css").read_text()
    for mark in MARKS:
        assert f'[data-mark="{mark}"] > [data-of="{mark}"]' in known


def test_a_symbol_on_a_button_has_its_own_definition() -> None:
    drawn = ET.fromstring(draw_symbol(Symbol("p", Glyph("pawn", "black"))))
    assert [each.tag for each in drawn] == ["defs", "use"]
