"""Style sheets lay pages out from start to end, so that they work in both directions of writing."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.sites import ROOT

SHEETS = sorted((ROOT / "static/css").glob("*.css"))
SCRIPTS = sorted((ROOT / "static/js").rglob("*.js"))

SIDE = re.compile(r"\b(left|right)\b")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
STRING = re.compile(r'"[^"]*"')
DECLARATION = re.compile(r"(?<=[{;])\s*([\w-]+)\s*:\s*([^;{}]+)(?=[;}])")
FOUR_SIDES = {"margin", "padding", "inset", "border-width", "border-color", "border-style",
              "scroll-margin", "scroll-padding"}  # fmt: skip
DISTANCE = r"-?(?:\d|\.\d)"  # the start of a length that is written out
SIDEWAYS = {  # properties whose first value is a distance to the right
    "translate": re.compile(rf"^(?!0\b){DISTANCE}"),
    "transform": re.compile(rf"translate(?:X|3d)?\(\s*(?!0\b){DISTANCE}"),
    "background-position": re.compile(rf"^(?!0\b){DISTANCE}"),
    "box-shadow": re.compile(rf"(?:^|,)\s*(?:inset\s+)?(?!0\b){DISTANCE}"),
    "text-shadow": re.compile(rf"(?:^|,)\s*(?!0\b){DISTANCE}"),
}
IN_SCRIPTS = re.compile(
    r"""\.style\.(?:left|right|\w+(?:Left|Right))|setProperty\(["'](?:left|right)"""
)


def list_declarations(sheet: str) -> Iterator[tuple[str, str]]:
    text = STRING.sub('""', COMMENT.sub("", sheet))
    for name, value in DECLARATION.findall(text):
        yield name, " ".join(value.split())


def split_values(value: str) -> list[str]:
    """Split a value at spaces outside of parentheses."""
    parts, depth = [""], 0
    for character in value:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == " " and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part != "!important"]


def is_physical(name: str, value: str) -> bool:
    """Return whether a declaration means the left or the right side."""
    if SIDE.search(name.replace("-", " ")) or SIDE.search(value):
        return not name.startswith("grid-")  # names of areas
    values = split_values(value)
    if name in FOUR_SIDES and len(values) == 4:
        return values[1] != values[3]
    if name == "border-radius" and len(values) > 1:
        top_left, top_right, *bottom = values
        bottom_right, bottom_left, *_ = [*bottom, *values[len(bottom) :]]
        return (top_left, bottom_left) != (top_right, bottom_right)
    return name in SIDEWAYS and bool(SIDEWAYS[name].search(value))


@pytest.mark.parametrize("sheet", SHEETS, ids=[sheet.name for sheet in SHEETS])
def test_a_style_sheet_names_no_side(sheet: Path) -> None:
    found = [
        f"{name}: {value}"
        for name, value in list_declarations(sheet.read_text("utf-8"))
        if is_physical(name, value)
    ]
    assert found == []


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.stem for script in SCRIPTS])
def test_a_script_places_nothing_at_a_side(script: Path) -> None:
    assert IN_SCRIPTS.findall(script.read_text("utf-8")) == []
