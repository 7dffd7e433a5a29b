"""Scripts and templates make the same sentences."""

import json
import subprocess
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games.match.outcome import Outcome, get_outcome_for
from games.messages import Counted, Message, build_message, render, render_english
from games.messages.table import TABLE
from tests.builders.sites import ROOT

ROLES = {"xplayer": "Sly Fox", "oplayer": "Kind Otter"}


def sample(code: str, count: int) -> Message:
    """Return the message for a code, with a value for each possible parameter."""
    name = "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}"
    inner = build_message("dots-and-boxes.box", place="B3")
    sentence = TABLE[code]
    message = build_message(
        code, count=count, name="Sly Fox", winner=name, loser="Kind Otter", won=19, lost=6,
        said=inner, better=inner, one=inner, other="b", who=build_message("status.yours"),
        prompt=build_message("six-in-a-row.pick"), game=build_message("six-in-a-row.name"),
        clock=build_message("clock.none"), minutes=3, seconds=2, title="A title",
        row=1, column=2, grid=1, x1=1, y1=2, x2=1, y2=3, ply=4, last=9,
    )  # fmt: skip
    return {**message, sentence.by: count} if isinstance(sentence, Counted) else message


# Loads a catalog as a page of that language does, then evaluates a function of the scripts.
IN_SCRIPTS = """
import { readFileSync } from "node:fs";
const { catalog, lang, dir, values } = JSON.parse(readFileSync(0, "utf8"));
(0, eval)(catalog);
Object.assign(document.documentElement, { lang, dir });
const messages = await import("../../static/js/shared/messages.js");
process.stdout.write(JSON.stringify((%s)(messages, ...values)));
"""
SAY = "({ renderMessage }, all) => all.map(renderMessage)"
TOLD = """({ outcomeMessage, renderMessage }, outcomes, names) => {
  const roles = Object.keys(names);
  const nameOf = (role) => names[role];
  return outcomes.map(([found, you]) =>
    renderMessage(outcomeMessage(found, { you, roles, nameOf })));
}"""


def evaluate(function: str, *values: Any, language: str = "en") -> Any:
    """Return what a function of the scripts returns on a page in that language."""
    catalog = Client().get(reverse("words", args=[language, "0"])).content.decode()
    direction = "rtl" if translation.get_language_info(language)["bidi"] else "ltr"
    done = subprocess.run(
        ["node", "--import", "./page.js", "--input-type=module", "-e", IN_SCRIPTS % function],
        input=json.dumps(
            {"catalog": catalog, "lang": language, "dir": direction, "values": values}
        ),
        cwd=ROOT / "tests/static",
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_scripts_make_the_same_sentences_as_templates(language: str) -> None:
    messages = [
        sample(code, count)
        for code, sentence in TABLE.items()
        for count in ((0, 1, 2, 3, 7, 11, 100) if isinstance(sentence, Counted) else (2,))
    ]
    with translation.override(language):
        wanted = [render(message) for message in messages]
    assert evaluate(SAY, messages, language=language) == wanted


def test_scripts_say_the_same_of_an_end_as_templates() -> None:
    found: list[tuple[dict[str, Any], str | None]] = []
    wanted = []
    stems = {code.rsplit(".", 1)[0] for code in TABLE if code.endswith((".won", ".seen"))}
    for stem in sorted(stems):
        for winner in ROLES:
            for you in (*ROLES, None):
                ended = Outcome(stem, winner, 19, 6)
                found.append(({"code": stem, "winner": winner, "won": 19, "lost": 6}, you))
                wanted.append(render_english(get_outcome_for(ended, ROLES, you)))
    for code in ("end.agreement", "end.cancelled", "tic-tac-toe.full", "end.damaged"):
        found.append(({"code": code, "winner": None, "won": None, "lost": None}, None))
        wanted.append(render_english(get_outcome_for(Outcome(code), ROLES)))
    assert evaluate(TOLD, found, ROLES) == wanted
    assert "Sly Fox won on time" in wanted
