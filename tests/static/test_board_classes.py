"""Panels are called sheets, and so are the boards of rule sheets: no rule applies to both."""

import re

from tests.builders.sites import ROOT

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTORS = re.compile(r"([^{};]+)\{")
PARENTHESES = re.compile(r"\(.*\)")
COMMA = re.compile(r",(?![^()]*\))")
COMBINATOR = re.compile(r"[\s>+~]+(?![^()]*\))")


def test_the_style_of_a_panel_does_not_apply_to_boards() -> None:
    found = []
    for path in sorted((ROOT / "static/css").glob("*.css")):
        for selectors in SELECTORS.findall(COMMENT.sub("", path.read_text())):
            for selector in COMMA.split(selectors):
                subject = COMBINATOR.split(selector.strip())[-1]
                if re.search(r"\.sheet(?![\w-])", PARENTHESES.sub("", subject)):
                    found.append((path.name, selector.strip(), ".board" in subject))
    assert {name for name, _, _ in found} == {"player.css", "queue.css", "review.css"}
    assert [each for each in found if not each[2]] == []
