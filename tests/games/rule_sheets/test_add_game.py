"""The command that checks a rule sheet, shows what the site makes of it, and stores it."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.management.commands import add_game
from tests.builders.gdl_sheets import RACE, SHIPPED


def check(*arguments: object) -> str:
    output = StringIO()
    call_command(add_game.Command(), "--only-check", *map(str, arguments), stdout=output)
    return output.getvalue()


def test_a_sheet_is_described_and_drawn(tmp_path: Path) -> None:
    overlay = tmp_path / "overlay.json"
    overlay.write_text(json.dumps({"title": "Four", "line": 4}))
    text = check(SHIPPED["connect-four"], "--overlay", overlay, "--pictures", tmp_path / "drawn")
    assert "Four: red and yellow." in text
    assert "The board has 42 places (square), with" in text
    assert "Not drawn: (control red) (control yellow)." in text
    assert "Actions: 1 with a button, 7 with one click." in text
    pictures = sorted((tmp_path / "drawn").iterdir())
    assert [path.name for path in pictures] == [
        f"connect-four-{part}.png" for part in ("end", "middle", "start")
    ]
    assert len({path.read_bytes() for path in pictures}) == 3
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)


def test_a_sheet_without_a_board_has_buttons(tmp_path: Path) -> None:
    sheet = tmp_path / "Odd name!.kif"
    sheet.write_text(RACE)
    assert "Odd name: left and right." in check(sheet)


@pytest.mark.parametrize(
    ("text", "overlay", "words"),
    [
        ("(role white", None, "test.kif: line 1: this parenthesis is never closed."),
        (RACE + "(role third)", None, "the sheet has more than two roles."),
        (RACE, "{", "test.kif: "),
        (RACE, '{"colour": 1}', "test.kif: "),
    ],
)
def test_a_refusal_is_one_line(text: str, overlay: str | None, words: str, tmp_path: Path) -> None:
    sheet, drawing = tmp_path / "test.kif", tmp_path / "test.json"
    sheet.write_text(text)
    more = []
    if overlay is not None:
        drawing.write_text(overlay)
        more = ["--overlay", drawing]
    with pytest.raises(CommandError) as refused:
        check(sheet, *more, "--pictures", tmp_path / "drawn")
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "drawn").exists()


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        check(tmp_path / "none.kif")
