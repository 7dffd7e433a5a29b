"""The texts of the sheets that come with the site can be translated."""

import json

from games.boards.sheet_texts import TEXTS
from games.rule_sheets.storage import SHIPPED


def test_every_title_and_summary_is_marked() -> None:
    overlays = [json.loads(path.read_text()) for path in SHIPPED.glob("*.json")]
    assert overlays
    assert {each[key] for each in overlays for key in ("title", "summary")} == TEXTS
