"""The shapes of glyphs, in a square of 100 units around its centre.

A board defines each shape that it uses once, and its elements refer to it. Fill and stroke come
from the style sheets: `static/css/board-symbols.css` has a rule for each colour. The chess pieces
are our own drawings.
"""

from collections.abc import Iterable
from html import escape

from games.gdl.symbols import Symbol

_FOOT = "M-25 24H25A4 4 0 0 1 29 28V34H-29V28A4 4 0 0 1-25 24Z"
_ANNULUS = "M0-36A36 36 0 0 1 0 36A36 36 0 0 1 0-36ZM0-16A16 16 0 0 0 0 16A16 16 0 0 0 0-16Z"

_SHAPES = {
    "stone": '<circle r="42"/>',
    "disc": '<circle r="37"/>',
    "disc-red": '<circle r="37"/><circle class="glyph-line" r="23"/>',
    "disc-blue": '<circle r="37"/><path class="glyph-line" d="M-20 0H20M0-20V20"/>',
    "disc-green": '<circle r="37"/><path class="glyph-line" d="M-20 12 0-20 20 12Z"/>',
    "man": '<circle r="37"/><circle class="glyph-line" r="26"/>',
    "hoop": f'<path d="{_ANNULUS}"/>',
    "block": '<rect x="-33" y="-33" width="66" height="66" rx="6"/>',
    "frame": '<path d="M-33-33H33V33H-33ZM-14-14V14H14V-14Z"/>',
    "triangle": '<path d="M0-38 38 30H-38Z"/>',
    "cross": '<path d="M-28-28 28 28M28-28-28 28"/>',
    "ring": '<circle r="29"/>',
    "dot": '<circle r="12"/>',
    "wall": '<rect x="-42" y="-42" width="84" height="84" rx="8"/>'
    '<path class="glyph-line" d="M-42-14H42M-42 14H42M-10-42V-14M14-14V14M-10 14V42"/>',
    "arrow": '<path d="M0 36V-32M-22-10 0-34 22-10"/>',
    "pawn": '<path d="M-9-3C-8 10-16 15-19 24H19C16 15 8 10 9-3Z"/>'
    f'<circle cy="-16" r="15"/><path d="{_FOOT}"/>',
    "rook": '<path d="M-25-35H-13V-26H-6V-35H6V-26H13V-35H25V-16L16-9V14L21 24H-21L-16 14'
    'V-9L-25-16Z"/>'
    f'<path class="glyph-line" d="M-16-9H16"/><path d="{_FOOT}"/>',
    "knight": '<path d="M-18 24C-20 9-3 5-4-8-10-3-16-2-21 3L-30-5C-26-18-18-25-8-29L-7-39 3-30'
    'C20-25 25-4 21 24Z"/><path class="glyph-line" d="M-9-17H-8.9"/>'
    f'<path d="{_FOOT}"/>',
    "bishop": '<path d="M-9 4C-8 13-15 17-18 24H18C15 17 8 13 9 4Z"/>'
    '<path d="M0-31C16-19 20-6 11 4H-11C-20-6-16-19 0-31Z"/><circle cy="-35" r="5"/>'
    f'<path class="glyph-line" d="M-6-6 6-18"/><path d="{_FOOT}"/>',
    "queen": '<path d="M-30-20-19 24H19L30-20 15-3 10-29 0-6-10-29-15-3Z"/>'
    '<circle cx="-30" cy="-23" r="4.5"/><circle cx="-10" cy="-32" r="4.5"/>'
    '<circle cx="10" cy="-32" r="4.5"/><circle cx="30" cy="-23" r="4.5"/>'
    f'<path class="glyph-line" d="M-18 12H18"/><path d="{_FOOT}"/>',
    "king": '<path d="M-3-41H3V-36H9V-30H3V-22H-3V-30H-9V-36H-3Z"/>'
    '<path d="M0-22C10-32 32-26 29-8 27 3 19 6 18 12L19 24H-19L-18 12C-19 6-27 3-29-8'
    '-32-26-10-32 0-22Z"/>'
    f'<path class="glyph-line" d="M0-22V8M-18 12H18"/><path d="{_FOOT}"/>',
}  # fmt: skip
_PIECES = ("pawn", "rook", "knight", "bishop", "queen", "king")
_LARGER = ' transform="scale(1.15)"'
_TEXTS = ("number", "letter")


def draw_definitions(symbols: Iterable[Symbol]) -> str:
    """Draw the definitions of the shapes that the symbols have."""
    names = dict.fromkeys(_name_shape(each) for each in symbols if each.glyph.shape not in _TEXTS)
    return "".join(
        f'<g id="glyph-{name}"{_LARGER if name in _PIECES else ""}>{_SHAPES[name]}</g>'
        for name in names
    )


def draw_glyph(symbol: Symbol) -> str:
    """Draw a symbol. The CSS shows it only in elements with its mark."""
    glyph = symbol.glyph
    kind = " ".join(filter(None, ("glyph", glyph.colour or glyph.shape)))
    of = f'class="{kind}" data-of="{escape(symbol.mark)}"'
    scale = (0.64 if glyph.is_small else 1) * (1 if len(symbol.text) < 3 else 0.7)
    smaller = f' transform="scale({scale:g})"' if scale < 1 else ""
    if glyph.shape in _TEXTS:
        return f"<text {of}{smaller}>{escape(symbol.text)}</text>"
    return f'<use {of} href="#glyph-{_name_shape(symbol)}"{smaller}/>'


def draw_symbol(symbol: Symbol) -> str:
    """Draw a symbol for display on a button."""
    shape = symbol.glyph.shape
    definition = "" if shape in _TEXTS else f"<defs>{draw_definitions([symbol])}</defs>"
    return (
        '<svg class="symbol" viewBox="-50 -50 100 100" aria-hidden="true">'
        f"{definition}{draw_glyph(symbol)}</svg>"
    )


def _name_shape(symbol: Symbol) -> str:
    """Return the name of a symbol's shape. Discs do not differ in colour alone."""
    glyph = symbol.glyph
    coloured = f"{glyph.shape}-{glyph.colour}"
    return coloured if coloured in _SHAPES else glyph.shape
