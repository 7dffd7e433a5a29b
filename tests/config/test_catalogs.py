"""The catalogs of translations are complete and agree with the sources."""

import copy
import re
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation import get_language_info, to_locale

from tests.builders.catalogs import (
    PSEUDO,
    build_pseudo_catalog,
    extract_messages,
    list_faults,
    pseudo,
)
from tests.builders.sites import ROOT

FOLDER = ROOT / "config" / "locale"
TRANSLATED = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def get_catalog(folder: Path, language: str) -> polib.POFile:
    return polib.pofile(str(folder / to_locale(language) / "LC_MESSAGES" / "django.po"))


def test_each_language_has_a_catalog_and_each_catalog_a_language() -> None:
    found = {path.parents[1].name for path in FOLDER.glob("*/LC_MESSAGES/django.po")}
    assert found == {to_locale(language) for language in TRANSLATED}


def test_every_catalog_is_complete() -> None:
    messages = extract_messages()
    faults = {
        language: list_faults(get_catalog(FOLDER, language), messages) for language in TRANSLATED
    }
    assert {language: found for language, found in faults.items() if found} == {}


def test_every_compiled_catalog_has_what_its_source_has() -> None:
    for language in TRANSLATED:
        source = get_catalog(FOLDER, language)
        place = FOLDER / to_locale(language) / "LC_MESSAGES" / "django.mo"
        assert list_texts(polib.mofile(str(place))) == list_texts(source), language


# Numbers with a dash or a plus between them change places in a sentence from right to left.
def test_scores_and_clocks_keep_their_order_from_right_to_left() -> None:
    place = r"(?:\{\w+\}|%\(\w+\)[sd])"
    loose = re.compile(rf"(?<!\u2066){place} ?[\u2013+] ?{place}")
    assert loose.search("{won}\u2013{lost}")
    assert not loose.search("\u2066{won}\u2013{lost}\u2069")
    for language in TRANSLATED:
        if get_language_info(language)["bidi"]:
            for entry in get_catalog(FOLDER, language):
                texts = [entry.msgstr, *entry.msgstr_plural.values()]
                assert not any(map(loose.search, texts)), entry.msgid


def list_texts(catalog: polib.POFile | polib.MOFile) -> list[tuple[object, ...]]:
    rows = (
        (e.msgctxt, e.msgid, e.msgstr, sorted(e.msgstr_plural.items()))
        for e in catalog
        if not e.obsolete
    )
    return sorted(rows, key=repr)


def test_the_pseudo_language_is_complete_and_longer() -> None:
    messages = extract_messages()
    keys = {(e.msgctxt, e.msgid) for e in messages}
    catalog = get_catalog(build_pseudo_catalog(), PSEUDO)
    catalog[:] = [e for e in catalog if (e.msgctxt, e.msgid) in keys]  # without Django's own
    assert list_faults(catalog, messages) == []
    assert pseudo("Play <b>{game}</b>\n").startswith("Ƥłáý <b>{game}</b> ")
    lengths = [(len(e.msgid), len(e.msgstr)) for e in catalog if len(e.msgid) > 40 and e.msgstr]
    assert 1.25 < sum(long for _, long in lengths) / sum(short for short, _ in lengths) < 1.5


@pytest.mark.parametrize(
    ("msgstr", "fault"),
    [
        ("", "is not translated"),
        ("%(name)s", "has other placeholders"),
        ("%(nam)s <b>spielt</b>", "has other placeholders"),
        ("%(name)s <b>spielt", "has other placeholders"),
        ("%(name)s <b>spielt</b>\n", "begins or ends on another line"),
    ],
)
def test_a_fault_of_a_sentence_is_found(msgstr: str, fault: str) -> None:
    messages = polib.POFile()
    messages.append(polib.POEntry(msgid="%(name)s <b>plays</b>"))
    catalog = copy.deepcopy(messages)
    catalog.metadata = {"Plural-Forms": "nplurals=2; plural=(n != 1);"}
    catalog[0].msgstr = "<b>Es spielt</b> %(name)s"
    assert list_faults(catalog, messages) == []
    catalog[0].msgstr = msgstr
    assert fault in list_faults(catalog, messages)[0]


def test_faults_of_a_catalog_are_found() -> None:
    messages = polib.POFile()
    messages.append(polib.POEntry(msgid="%(n)s move", msgid_plural="%(n)s moves"))
    catalog = copy.deepcopy(messages)
    assert "no plural forms" in list_faults(catalog, messages)[0]
    catalog.metadata = {"Plural-Forms": "nplurals=2; plural=(n != 1);"}
    catalog[0].msgstr_plural = {0: "ein Zug", 1: "%(n)s Züge"}
    assert list_faults(catalog, messages) == []
    for forms, fault in (
        ({0: "ein Zug"}, "has 1 of 2 plural forms"),
        ({0: "ein Zug", 1: "Züge"}, "form 1 has other placeholders"),
        ({0: "%(m)s Zug", 1: "%(n)s Züge"}, "form 0 has other placeholders"),
        ({0: "", 1: "%(n)s Züge"}, "is not translated"),
    ):
        catalog[0].msgstr_plural = forms
        assert fault in list_faults(catalog, messages)[0]
    catalog[0].msgstr_plural = {0: "ein Zug", 1: "%(n)s Züge"}
    catalog[0].flags = ["fuzzy"]
    assert "is fuzzy" in list_faults(catalog, messages)[0]
    catalog[0].flags = []
    catalog.metadata["Plural-Forms"] = "nplurals=3; plural=(n != 1);"
    assert "does not select each of 3" in list_faults(catalog, messages)[0]
    catalog.metadata["Plural-Forms"] = "nplurals=2; plural=(n != 1);"
    catalog.append(polib.POEntry(msgid="Former", msgstr="Früher"))
    assert "not in the sources" in list_faults(catalog, messages)[0]
    assert "missing" in list_faults(messages_of(catalog, 1), messages)[0]


def messages_of(catalog: polib.POFile, start: int) -> polib.POFile:
    """Return the catalog without its first entries."""
    found = copy.deepcopy(catalog)
    found[:] = found[start:]
    return found
