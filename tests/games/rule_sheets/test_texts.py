"""The texts of the sheets that come with the site can be translated."""

import json
from pathlib import Path

from games.boards.sheet_texts import TEXTS
from games.rule_sheets.preparing import prepare_new_sheet
from games.rule_sheets.storage import SHIPPED
from tests.builders.sites import ROOT


def test_every_sentence_is_marked() -> None:
    overlays = [json.loads(path.read_text()) for path in SHIPPED.glob("*.json")]
    assert overlays
    texts = {each[key] for each in overlays for key in ("title", "summary", "goal")}
    texts |= {picture["text"] for each in overlays for picture in each["lesson"]}
    assert texts == TEXTS


def test_the_sheet_in_the_readme_is_a_game() -> None:
    text = (Path(ROOT) / "README.md").read_text()
    sheet = text.split("```lisp\n")[1].split("```")[0]
    game = prepare_new_sheet(sheet.encode(), b"", "last-row").loaded.game
    position = game.start
    for action in ("mark 1 1", "mark 3 3", "mark 2 1", "mark 1 2", "mark 3 1"):
        position = position.play(action)
    assert position.goals == {"cross": 0, "ring": 100}
