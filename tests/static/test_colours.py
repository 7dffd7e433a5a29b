"""Colours on the pages have enough contrast, computed as in WCAG 2.2."""

import re

import pytest

from games.templatetags.avatars import HUES
from tests.builders.sites import ROOT

LIGHT, DARK = "light", "dark"
THEMES = ("paper", "slate")  # of the boards; wood is the default by day and by night

# (colour, its background, minimum). 3 for lines, marks and field borders, which are not text.
PAIRS = [
    ("ink", "page", 4.5),
    ("ink", "surface", 4.5),
    ("ink", "raised", 4.5),
    ("soft", "page", 4.5),
    ("soft", "surface", 4.5),
    ("soft", "raised", 4.5),
    ("accent", "page", 4.5),
    ("accent", "surface", 4.5),
    ("on-accent", "accent", 4.5),
    ("on-accent", "accent-strong", 4.5),
    ("on-bar", "bar", 4.5),
    ("gold", "bar", 3),
    ("warn-ink", "warn-back", 4.5),
    ("bad-ink", "bad-back", 4.5),
    ("bad-ink", "raised", 4.5),
    ("ink", "board-fresh", 4.5),
    ("soft", "board-fresh", 4.5),
    ("focus", "page", 3),
    ("focus", "surface", 3),
    ("focus", "board-back", 3),
    ("focus", "wood", 3),
    ("good", "surface", 3),
    ("good", "page", 3),
    ("field-edge", "page", 3),
    ("field-edge", "surface", 3),
    ("field-edge", "raised", 3),
    # the boards: their lines, their captions
    ("board-line", "board-back", 3),
    ("wood-line", "wood", 3),
    ("wood-caption", "wood", 4.5),
    ("wood-line", "surface", 3),  # in the lobby
    ("wood-caption", "surface", 4.5),  # in the review
    ("board-caption", "board-back", 4.5),
    ("board-hint", "board-back", 3),
    ("board-ink", "board-back", 3),
    ("board-ink", "box-x", 3),
    ("board-ink", "box-o", 3),
    # crosses and rings on any background
    *((mark, ground, 3.0) for mark in ("mark-x", "mark-o")
      for ground in ("board-back", "board-fresh", "board-won", "board-chosen", "surface")),
    ("mark-x", "box-x", 3),
    ("mark-o", "box-o", 3),
    # the last move, the winning line, and better moves
    ("board-fresh-edge", "board-back", 3),
    ("board-fresh-core", "board-ink", 3),
    ("board-won-edge", "board-back", 3),
    ("board-won-edge", "board-won", 3),  # the stroke on its halo
    ("board-won-edge", "wood", 3),
    ("good", "board-back", 3),
    ("good", "wood", 3),
    # avatars, on their own tint of the page's colours
    *((f"avatar-{hue}", ground, 4.5)
      for hue in range(HUES) for ground in ("raised", "surface", "page")),
    # stones
    ("stone-black", "stone-white", 3),
    ("stone-white-edge", "wood", 3),
    ("stone-black-edge", "wood", 3),
    ("stone-fresh-on-black", "stone-black", 3),
    ("stone-fresh-on-white", "stone-white", 3),
    # coloured pieces: the lines on them
    *((f"piece-{colour}-edge", f"piece-{colour}", 3.0)
      for colour in ("red", "yellow", "blue", "green")),
    ("stone-black-light", "stone-white", 3),
]  # fmt: skip


def colours(scheme: str) -> dict[str, str]:
    """The colours by day or by night, or only those of a board's material."""
    day = (ROOT / "static/css/colours.css").read_text()
    if scheme in THEMES:
        return written(day.split(f'[data-board="{scheme}"]')[1].split("}")[0])
    found = written(day.split("[data-board=")[0])
    if scheme == DARK:
        found |= written((ROOT / "static/css/dark.css").read_text())
    return found


def written(text: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", text))


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
@pytest.mark.parametrize(("colour", "ground", "least"), PAIRS)
def test_it_stands_out(scheme: str, colour: str, ground: str, least: float) -> None:
    must_stand_out(scheme, colour, ground, least)


@pytest.mark.parametrize("theme", THEMES)
def test_it_stands_out_on_every_stuff_of_the_boards(theme: str) -> None:
    known = colours(theme)
    all_of_them = {name for name in colours(LIGHT) if name.startswith(("board-", "mark-", "box-"))}
    assert all_of_them <= set(known)
    for colour, ground, least in PAIRS:
        if colour in known and ground in known:
            must_stand_out(theme, colour, ground, least)


@pytest.mark.parametrize("scheme", [LIGHT, DARK, *THEMES])
@pytest.mark.parametrize("colour", ["red", "yellow", "blue", "green"])
@pytest.mark.parametrize("ground", ["board-back", "board-fresh", "board-won", "board-chosen"])
def test_a_piece_stands_out_by_its_colour_or_its_edge(
    scheme: str, colour: str, ground: str
) -> None:
    known = colours(scheme)
    parts = known[f"piece-{colour}"], known[f"piece-{colour}-edge"]
    assert max(contrast(part, known[ground]) for part in parts) >= 3


def must_stand_out(scheme: str, colour: str, ground: str, least: float) -> None:
    known = colours(scheme)
    found = contrast(known[colour], known[ground])
    assert found >= least, f"{colour} on {ground}: {found:.2f}"


def test_the_measure_is_that_of_wcag() -> None:
    assert round(contrast("#000000", "#ffffff"), 2) == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


def test_no_colour_is_written_elsewhere() -> None:
    """The colours checked here are the ones that pages show."""
    for sheet in (ROOT / "static/css").glob("*.css"):
        if sheet.name not in {"colours.css", "dark.css"}:
            written = re.findall(r"#[0-9a-fA-F]{3,8}\b(?!\w)(?=[;\s])", sheet.read_text())
            assert set(written) <= {"#f5dd5d"}, sheet.name  # the admin's own
