"""The sentences for scripts in a language whose plural forms differ from Django's own catalog."""

import json
import re
from gettext import c2py
from pathlib import Path

import pytest
from django.test import override_settings

from games.messages import Counted
from games.messages.script import _catalog
from games.messages.table import TABLE
from tests.builders.catalogs import write_catalog

CODE = "summary.moves"
RULES = {
    # Django's own catalogs have three, four and four forms.
    "es": ("nplurals=2; plural=(n != 1);", ["{count} jugada", "{count} jugadas"]),
    "cs": (
        "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);",
        ["{count} tah", "{count} tahy", "{count} tahů"],
    ),
    "ru": (
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4"
        " && (n%100<12 || n%100>14) ? 1 : 2);",
        ["{count} ход", "{count} хода", "{count} ходов"],
    ),
    "ja": ("nplurals=1; plural=0;", ["{count}手"]),
}


@pytest.mark.parametrize("language", RULES)
def test_scripts_use_the_plural_forms_of_the_sites_catalog(tmp_path: Path, language: str) -> None:
    rule, forms = RULES[language]
    sentence = TABLE[CODE]
    assert isinstance(sentence, Counted)
    write_catalog(tmp_path, language, {}, {(sentence.one, sentence.many): forms}, rule)
    with override_settings(LANGUAGES=[("en", ""), (language, "")], LOCALE_PATHS=[tmp_path]):
        _, text = _catalog.__wrapped__(language)
    found = re.search(r"formOf: \(n\) => Number\((.*)\),\n", text)
    assert found
    sentences = json.loads(text.split("sentences: ", 1)[1].rstrip("};\n") + "}")
    assert sentences[CODE] == forms
    form_of = c2py(found[1])
    numbers = (*range(1000), 10**6)
    assert {form_of(number) for number in numbers} == set(range(len(forms)))
    # A sentence that is not translated has the same number of forms.
    assert {len(each) for each in sentences.values() if isinstance(each, list)} == {len(forms)}
