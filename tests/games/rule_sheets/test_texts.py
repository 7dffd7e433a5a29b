"""The texts of the sheets that come with the site can be translated."""

import json
import re
from pathlib import Path

from django.utils import translation

from games import messages
from games.boards.board import Caption
from games.boards.sheet_texts import TEXTS
from games.messages import render
from games.rule_sheets.preparing import prepare_new_sheet
from games.rule_sheets.storage import SHIPPED, prepare_shipped_sheet
from tests.builders.board_sheets import keep_catalogue
from tests.builders.sites import ROOT


def list_texts(path: Path) -> set[str]:
    """Return what people read of a sheet: its overlay's sentences, and the words on its board."""
    overlay = json.loads(path.with_suffix(".json").read_text())
    board = prepare_shipped_sheet(path.stem).board
    sentences = {overlay[key] for key in ("title", "summary", "goal")}
    sentences |= {picture["text"] for picture in overlay["lesson"]}
    words = {*board.words.values(), *board.sentences.values()}
    # A role that can only wait has an action of that name, which never becomes legal in Reversi.
    words |= {button.label for button in board.buttons} - {"Pass noop"}
    return sentences | {each for each in words if isinstance(each, str) and is_word(each)}


def is_word(text: str) -> bool:
    return len(text) > 1 and any(map(str.isalpha, re.sub(r"{\w+}", "", text)))


def test_every_text_is_marked() -> None:
    texts = set[str]().union(*map(list_texts, SHIPPED.glob("*.kif")))
    assert texts == TEXTS


def test_actions_and_pieces_are_named_in_the_language_of_the_reader() -> None:
    quarto, mill = (prepare_shipped_sheet(slug).board for slug in ("quarto", "nine-mens-morris"))
    give, take = (
        quarto.phrases["give black-small-round-hollow"],
        mill.phrases["take d 5"],
    )
    hand = next(each.text for each in quarto.below if isinstance(each, Caption) and each.x > 600)
    assert not isinstance(hand, str)
    with keep_catalogue():
        for board in (quarto, mill):
            messages.add_sentences(board.sentences, within=board.slug)
        said = [render(each) for each in (give, take, mill.phrases["pass"], hand)]
        assert said == ["Give small hollow black disc", "Take D5", "Pass", "In hand"]
        with translation.override("de"):
            said = [render(each) for each in (give, take, mill.phrases["pass"], hand)]
    assert said == [
        "kleine runde hohle schwarze Figur geben",
        "D5 wegnehmen",
        "Passen",
        "In der Hand",
    ]


def test_the_sheet_in_the_readme_is_a_game() -> None:
    text = (Path(ROOT) / "README.md").read_text()
    sheet = text.split("```lisp\n")[1].split("```")[0]
    game = prepare_new_sheet(sheet.encode(), b"", "last-row").loaded.game
    position = game.start
    for action in ("mark 1 1", "mark 3 3", "mark 2 1", "mark 1 2", "mark 3 1"):
        position = position.play(action)
    assert position.goals == {"cross": 0, "ring": 100}
