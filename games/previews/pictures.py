"""Pictures of positions and animations of matches, rendered from the boards' own drawings."""

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from threading import Lock

import resvg_py
from django.conf import settings
from django.utils.translation import get_language
from msgspec import Struct

from games.boards import BOARDS
from games.boards.animation import LAST, animate
from games.boards.board import Board
from games.boards.drawing import draw
from games.rules import Position

WIDTH, HEIGHT = 1200, 630  # pixels: the size that other sites expect of a preview
_SIDE = 600  # pixels: the longer side of a board without text
_KEPT = 64  # pictures in each of the two caches; each picture is about 40 kB
_BOARD = (470, 470)  # pixels: the maximum size of the board in a preview
_FONT = settings.BASE_DIR / "static/fonts/fraunces-600.ttf"
_LONGEST = 20  # the maximum number of characters in a line of the title
_drawing = Lock()  # rendering keeps one core busy, so only one picture is rendered at a time


class Scene(Struct, frozen=True):
    """The content of a picture."""

    game: str
    diagram: str
    words: str
    below: str = ""
    fresh: tuple[int, ...] = ()
    line: tuple[int, ...] = ()

    @property
    def etag(self) -> str:
        """A hash that differs for every picture that looks different."""
        content = repr((_EDITION, settings.SITE_NAME, get_language(), self)).encode()
        return f'"{sha256(content).hexdigest()[:32]}"'


_EDITION = 2  # increase this number when the design of pictures changes


@lru_cache(maxsize=_KEPT)
def render_png(scene: Scene) -> bytes:
    """Render a preview with a board and a title as PNG."""
    text = render_svg(scene)
    # Names in other scripts need the system's fonts, which take longer to load.
    is_ours = set(scene.words + scene.below + settings.SITE_NAME) <= _letters()
    with _drawing:
        return resvg_py.svg_to_bytes(
            svg_string=text,
            font_files=[str(_FONT)],
            font_family="Fraunces",
            skip_system_fonts=is_ours,
        )


def render_svg(scene: Scene) -> str:
    """Render a preview as SVG. Text from users is escaped."""
    board = BOARDS[scene.game]
    drawing = draw(
        board, scene.diagram, fresh=scene.fresh, line=scene.line, sparse=True, label=scene.game
    )
    scale = min(_BOARD[0] / board.width, _BOARD[1] / board.height)
    width, height = board.width * scale, board.height * scale
    left, top = 70 + (_BOARD[0] - width) / 2, (HEIGHT - height) / 2
    placed = drawing.replace(
        "<svg ",
        f'<svg x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" ',
        1,
    )
    lines = _lines(scene.words)
    start = HEIGHT / 2 - 32 * (len(lines) - 1)
    words = "".join(
        f'<text class="words" x="620" y="{start + 64 * i:g}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    under = (
        f'<text class="below" x="620" y="{start + 64 * len(lines):g}">{escape(scene.below)}</text>'
    )
    pad = 26
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}"><style>{_style()}</style>'
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>'
        f'<rect class="table {board.traits}" x="{left - pad:g}" y="{top - pad:g}" '
        f'width="{width + 2 * pad:g}" height="{height + 2 * pad:g}" rx="24"/>{placed}{words}{under}'
        f'<text class="site" x="620" y="{HEIGHT - 70}">{escape(settings.SITE_NAME)}</text></svg>'
    )


@lru_cache(maxsize=_KEPT)
def render_board_png(scene: Scene) -> bytes:
    """Render the board of a scene without text, as PNG."""
    return rasterize(render_board_svg(scene))


def rasterize(svg: str) -> bytes:
    """Render a standalone SVG of a board as PNG."""
    with _drawing:
        return resvg_py.svg_to_bytes(
            svg_string=svg,
            font_files=[str(_FONT)],
            font_family="Fraunces",
            skip_system_fonts=True,
        )


def draw_picture(board: Board, position: Position) -> str:
    """Draw a position as a standalone SVG, also of a game that the site does not offer."""
    drawing = draw(board, position.diagram, line=position.line, sparse=True, label=board.slug)
    return _alone(board, drawing)


def render_board_svg(scene: Scene) -> str:
    """Render the board of a scene without text, as a standalone SVG."""
    board = BOARDS[scene.game]
    drawing = draw(
        board, scene.diagram, fresh=scene.fresh, line=scene.line, sparse=True, label=scene.words
    )
    return _alone(board, drawing)


def render_animation(game: str, positions: Sequence[Position], label: str) -> str:
    """Render all positions of a match as an animation.

    For readers who prefer reduced motion, only the last position is shown.
    """
    board = BOARDS[game]
    diagrams = [position.diagram for position in positions]
    return _alone(board, animate(board, diagrams, label, positions[-1].line))


def svg_content_policy() -> str:
    """Return the content security policy for the pictures, which allows only an SVG's own style."""
    digest = b64encode(sha256(_board_style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'"


def _alone(board: Board, drawing: str) -> str:
    pad = 26
    width, height = board.width + 2 * pad, board.height + 2 * pad
    scale = _SIDE / max(width, height)
    placed = drawing.replace(
        "<svg ", f'<svg x="{pad}" y="{pad}" width="{board.width:g}" height="{board.height:g}" ', 1
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:g}" '
        f'height="{height * scale:g}" viewBox="0 0 {width:g} {height:g}">'
        f"<style>{_board_style()}</style>"
        f'<rect class="table {board.traits}" width="{width:g}" height="{height:g}" rx="12"/>'
        f"{placed}</svg>"
    )


@cache
def _board_style() -> str:
    return _style() + (
        "@media (prefers-reduced-motion: reduce) "
        f"{{ .{LAST} {{ opacity: 1 !important; }} .past {{ opacity: 0 !important; }} }}"
    )


def _lines(words: str) -> list[str]:
    """Break a title into at most four lines. Overlong lines, and any further lines, are cut off."""
    lines: list[str] = []
    for word in words.split():
        if lines and len(lines[-1]) + len(word) < _LONGEST:
            lines[-1] += f" {word}"
        else:
            lines.append(word[: 2 * _LONGEST])
    return [line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…" for line in lines[:4]]


@cache
def _style() -> str:
    """Return `picture.css` with the site's light colours."""
    sheet = (settings.BASE_DIR / "static/css/colours.css").read_text()
    wood = sheet.split("[data-board=", 1)[0]  # the following rules are those of other materials
    colours = dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", wood))
    return re.sub(
        r"var\(--([\w-]+)\)",
        lambda found: colours[found[1]],
        Path(__file__).with_name("picture.css").read_text(),
    )


@cache
def _letters() -> frozenset[str]:
    """Return the characters of the site's own font: Latin with accents, digits and punctuation."""
    ranges = (range(0x20, 0x7F), range(0xA0, 0x180), range(0x2010, 0x2016), range(0x2018, 0x201F))
    return frozenset(chr(code) for each in ranges for code in each) | {"…", "€", "•"}
