"""The symbols of a board: the glyph, the name and the character of each.

A diagram has one character per place. The characters x, o, b, w, r, y, u and g always mean a cross,
a ring, or a round piece in black, white, red, yellow, blue or green, because the badges of the
roles have them too. Other symbols of a board get other letters and digits.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase, digits

from games.gdl.overlay import COLOURS, Glyph, Overlay

EMPTY_MARK = "."
UNKNOWN_MARK = "?"
"""The character of the symbols for which no other character is left."""
COLOUR_MARKS: Mapping[str, str] = {
    "cross": "x", "ring": "o", "black": "b", "white": "w",
    "red": "r", "yellow": "y", "blue": "u", "green": "g",
}  # fmt: skip
"""The character of each colour, and of a cross and a ring."""
MARKS = ascii_lowercase + ascii_uppercase + digits
_POOL = [each for each in ascii_uppercase + MARKS if each not in COLOUR_MARKS.values()]
_WRITTEN = ("number", "letter")
_VARIANTS = ("hoop", "block", "frame", "triangle")
_ROUND = ("stone", "disc", "man")

_EMPTY_NAMES = frozenset((
    "b", "blank", "empty", "e", "none", "nil", "free", "dirt", "space", "nothing", "clear", "null",
    "vacant", "unmarked", "nobody", "-", "_", "no",
))  # fmt: skip
_PIECES = {
    "king": "king", "queen": "queen", "rook": "rook", "castle": "rook", "bishop": "bishop",
    "knight": "knight", "pawn": "pawn", "man": "man", "checker": "man", "piece": "disc",
    "stone": "stone", "disc": "disc", "disk": "disc", "counter": "disc", "wall": "wall",
    "arrow": "arrow", "burnt": "wall", "burned": "wall", "fire": "wall", "block": "wall",
    "hole": "wall", "offlimits": "wall", "line": "wall", "edge": "wall", "ground": "wall",
    "amazon": "queen",
}  # fmt: skip
_LETTERS = {
    "k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn",
    "m": "man", "c": "man", "s": "stone",
}  # fmt: skip
_INITIALS = {"king": "K", "queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "P"}


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a place can hold. Several constants of a sheet can mean one symbol."""

    mark: str
    glyph: Glyph
    text: str = ""
    """The text of a number or letter."""
    name: str = ""
    """The overlay's name, or the sheet's own constant. "" if the glyph says it all."""


def infer_role_marks(roles: tuple[str, str], overlay: Overlay) -> tuple[str, str]:
    """Return a colour, "cross" or "ring" for each role."""
    found = [overlay.roles.get(role) or _find_role_mark(role) for role in roles]
    others = [each for each in ("red", "blue", "green") if each not in found]
    marks = [each or others.pop(0) for each in found]
    if marks[0] == marks[1]:
        marks = ["red", "blue"]
    return marks[0], marks[1]


def _find_role_mark(role: str) -> str:
    if role in ("x", "xplayer", "playerx"):
        return "cross"
    if role in ("o", "oplayer", "playero"):
        return "ring"
    return next((each for each in COLOURS if each in role), "")


def find_empty_symbols(cells: Iterable[str]) -> frozenset[str]:
    """Return the symbol of empty places, given what each place holds at the start.

    It is the most frequent symbol, if its name says that the place is empty.
    """
    counts: dict[str, int] = {}
    for each in cells:
        counts[each] = counts.get(each, 0) + 1
    named = [each for each in counts if each in _EMPTY_NAMES]
    most = max(named, key=lambda each: counts[each], default=None)
    if most is None or (most == "b" and counts[most] < max(counts.values())):
        return frozenset()
    return frozenset((most,))


def choose_symbols(
    names: Sequence[str],
    empty: frozenset[str],
    roles: tuple[str, str],
    role_marks: tuple[str, str],
    overlay: Overlay,
) -> dict[str, Symbol]:
    """Return what each symbol of a sheet looks like. Empty symbols are left out."""
    glyphs: dict[str, Glyph] = {}
    for name in names:
        given = overlay.glyphs.get(name)
        if given is None and name in empty:
            continue
        glyph = given or _infer_glyph(name, names, roles, role_marks)
        if glyph.shape != "empty":
            glyphs[name] = glyph
    _vary([name for name in glyphs if name not in overlay.glyphs], glyphs)
    texts = _shorten_all(name for name, glyph in glyphs.items() if glyph.shape in _WRITTEN)
    found: dict[str, Symbol] = {}
    taken: dict[str, tuple[Glyph, str]] = {}
    for name in sorted(glyphs, key=lambda each: _prefer(glyphs[each]) not in COLOUR_MARKS.values()):
        glyph = glyphs[name]
        is_text = glyph.shape in _WRITTEN
        text = overlay.words.get(name, texts[name])[:4] if is_text else ""
        mark = _choose_mark(glyph, text, taken)
        taken.setdefault(mark, (glyph, text))
        said = glyph.name or overlay.words.get(name, "") or (name if is_text else "")
        found[name] = Symbol(mark, glyph, text, said)
    return {name: found[name] for name in names if name in found}


def _vary(names: Sequence[str], glyphs: dict[str, Glyph]) -> None:
    """Give different glyphs to symbols that would look alike, such as weak and strong red stones.

    If there are more of them than shapes, they are written.
    """
    alike: dict[Glyph, list[str]] = {}
    for name in names:
        if glyphs[name].colour:
            alike.setdefault(glyphs[name], []).append(name)
    for glyph, found in alike.items():
        shapes = [glyph.shape, *(each for each in _VARIANTS if each != glyph.shape)]
        if len(found) > len(shapes):
            glyphs.update(dict.fromkeys(found, Glyph("letter")))
        elif len(found) > 1:
            for name, shape in zip(found, shapes, strict=False):
                glyphs[name] = Glyph(shape, glyph.colour, name=name)


def _infer_glyph(
    name: str, names: Sequence[str], roles: tuple[str, str], role_marks: tuple[str, str]
) -> Glyph:
    if name.lstrip("-").isdigit():
        return Glyph("number")
    if name in ("x", "o"):
        return Glyph("cross" if name == "x" else "ring")
    words = [each for each in re.split(r"[^a-z0-9]+", name) if each]
    colour = _find_colour(words, roles, role_marks)
    shape = next((_PIECES[piece] for piece in _PIECES if any(piece in w for w in words)), "")
    if not shape and len(name) == 2 and name[0] in "wbr" and name[1] in _LETTERS:
        shape = _LETTERS[name[1]]
        colour = {"w": "white", "b": "black", "r": "red"}[name[0]]
    if shape in ("wall", "arrow"):
        return Glyph(shape)
    if colour in ("cross", "ring"):
        return Glyph(colour)
    if colour or shape:
        default = "stone" if colour in ("black", "white") else "disc"
        return Glyph(shape or default, colour or "blue")
    return Glyph("letter")


def _find_colour(words: Sequence[str], roles: tuple[str, str], role_marks: tuple[str, str]) -> str:
    """Return the colour that the words name, or that of the role that they name."""
    for word in words:
        for role, mark in zip(roles, role_marks, strict=True):
            is_part = len(word) > 1 or len(words) == 1
            if word == role or (is_part and (role.startswith(word) or word.startswith(role))):
                return mark
        for colour in COLOURS:
            if word.startswith(colour):
                return colour
    if len(words) == 1 and words[0] in ("w", "b", "r", "y", "g"):
        return next(
            each for each in ("white", "black", "red", "yellow", "green") if each[0] == words[0]
        )
    return ""


def _shorten_all(names: Iterable[str]) -> dict[str, str]:
    """Return a short text for each name. Those that would be equal are cut at their beginnings."""
    texts = {name: _shorten(name) for name in names}
    counts = Counter(texts.values())
    equal = [name for name, text in texts.items() if counts[text] > 1]
    columns = enumerate(zip(*equal, strict=False))  # the first characters, the second ones, ...
    same = next((i for i, column in columns if len(set(column)) > 1), 0)
    return texts | {name: name[same : same + 4].upper() for name in equal}


def _shorten(name: str) -> str:
    if name.lstrip("-").isdigit():
        return name
    words = name.split(" ")
    if len(words) > 1:  # "black 12" becomes "B12"
        return "".join(each if each.isdigit() else each[:1] for each in words).upper()
    return name[:3].upper()


def _prefer(glyph: Glyph) -> str:
    """Return the character that a glyph should have, or "" if any will do."""
    if glyph.is_small:
        return ""
    if glyph.shape in ("cross", "ring"):
        return COLOUR_MARKS[glyph.shape]
    if glyph.shape in _ROUND:
        return COLOUR_MARKS[glyph.colour]
    letter = _INITIALS.get(glyph.shape, "")
    return letter if glyph.colour == "white" else letter.lower()


def _choose_mark(glyph: Glyph, text: str, taken: Mapping[str, tuple[Glyph, str]]) -> str:
    wanted = text if text in digits and len(text) == 1 else _prefer(glyph)
    reserved = set(COLOUR_MARKS.values())
    if wanted in reserved and glyph.shape not in (*_ROUND, "cross", "ring"):
        wanted = ""
    same = next(
        (
            mark
            for mark, (each, said) in taken.items()
            if said == text and each.words == glyph.words
        ),
        "",
    )
    if same:
        return same
    if wanted and wanted not in taken:
        return wanted
    return next((each for each in _POOL if each not in taken), UNKNOWN_MARK)
