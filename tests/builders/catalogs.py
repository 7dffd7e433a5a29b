"""Catalogs of translations: extraction from the sources, and a pseudo-language."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from gettext import c2py
from pathlib import Path

import allauth
import django
import polib
from django.utils.translation import to_locale

from tests.builders.prepared import prepared
from tests.builders.sites import ROOT

SOURCES = ("config", "games", "lobby", "templates")
PSEUDO = "en-xa"
"""The pseudo-language: English with accents, and 40 % longer."""

PLACES = re.compile(r"%\(\w+\)[sdf]|%[sd%]|\{\w*\}|</?[a-z][^>]*>|&#?\w+;")
"""The parts of a sentence that a translation must keep: parameters, tags and entities."""

_ACCENTS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀćđéƒǧħíĵķłɱñóƥɋŕšŧúṽŵẋýžÁƁĆĐÉƑǦĦÍĴĶŁḾÑÓƤɊŔŠŦÚṼŴẊÝŽ",
)
_PADDING = "óñé ŧŵó ŧħŕéé ƒóúŕ ƒíṽé šíẋ "
_LONGER = 0.4
_EXTRACT = """
import django, sys
from django.conf import settings
settings.configure(USE_I18N=True, LOCALE_PATHS=[sys.argv[1]])
django.setup()
from django.core.management import call_command
call_command("makemessages", locale=["en_XA"], verbosity=0)
"""


def extract_messages() -> polib.POFile:
    """Return an entry for each marked sentence of the sources, as `makemessages` finds them."""
    folder = prepared("messages", _extract)
    assert folder
    return polib.pofile(str(folder / "en_XA/LC_MESSAGES/django.po"))


def build_pseudo_catalog() -> Path:
    """Return a folder for `LOCALE_PATHS` with the pseudo-language's catalog."""
    folder = prepared("pseudo", _build_pseudo)
    assert folder
    return folder


def write_catalog(
    folder: Path,
    language: str,
    translations: dict[str, str],
    plurals: dict[tuple[str, str], list[str]] | None = None,
    rule: str = "nplurals=2; plural=(n != 1);",
) -> None:
    """Write a small catalog into a folder for `LOCALE_PATHS`."""
    catalog = polib.POFile()
    catalog.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Plural-Forms": rule}
    for msgid, msgstr in translations.items():
        catalog.append(polib.POEntry(msgid=msgid, msgstr=msgstr))
    for (one, many), forms in (plurals or {}).items():
        entry = polib.POEntry(msgid=one, msgid_plural=many, msgstr_plural=dict(enumerate(forms)))
        catalog.append(entry)
    place = folder / to_locale(language) / "LC_MESSAGES"
    place.mkdir(parents=True)
    catalog.save_as_mofile(str(place / "django.mo"))


def list_faults(catalog: polib.POFile, messages: polib.POFile) -> list[str]:
    """Return what is wrong with a catalog of translations of these messages."""
    rule = catalog.metadata.get("Plural-Forms", "")
    found = re.fullmatch(r"nplurals=(\d+); plural=(.+);", rule)
    if found is None:
        return [f"no plural forms: {rule!r}"]
    forms, form_of = int(found[1]), c2py(found[2])
    faults = []
    if {form_of(number) for number in range(1000)} != set(range(forms)):
        faults.append(f"the rule does not select each of {forms} plural forms")
    wanted = {(e.msgctxt, e.msgid, e.msgid_plural) for e in messages if not e.obsolete}
    found_here = {(e.msgctxt, e.msgid, e.msgid_plural) for e in catalog if not e.obsolete}
    faults += [f"missing: {key}" for key in sorted(map(str, wanted - found_here))]
    faults += [f"not in the sources: {key}" for key in sorted(map(str, found_here - wanted))]
    for entry in catalog:
        faults += [f"{entry.msgid!r}: {fault}" for fault in _list_faults_of_entry(entry, forms)]
    return faults


def _list_faults_of_entry(entry: polib.POEntry, forms: int) -> list[str]:
    if entry.obsolete or entry.fuzzy:
        return ["is obsolete" if entry.obsolete else "is fuzzy"]
    if not entry.msgid_plural:
        return _list_faults_of_text(entry.msgid, entry.msgstr, Counter(_places(entry.msgid)))
    if sorted(entry.msgstr_plural) != list(range(forms)):
        return [f"has {len(entry.msgstr_plural)} of {forms} plural forms"]
    # A form for one thing may leave out the number; the form for most numbers may not.
    allowed = {*_places(entry.msgid), *_places(entry.msgid_plural)}
    faults = []
    for form, text in entry.msgstr_plural.items():
        must = set(_places(entry.msgid_plural)) if form == forms - 1 else set()
        faults += _list_faults_of_text(entry.msgid_plural, text)
        if not must <= set(_places(text)) <= allowed:
            faults.append(f"form {form} has other placeholders: {text!r}")
    return faults


def _list_faults_of_text(msgid: str, text: str, places: Counter[str] | None = None) -> list[str]:
    faults = []
    if not text.strip():
        faults.append("is not translated")
    elif places is not None and Counter(_places(text)) != places:
        faults.append(f"has other placeholders: {text!r}")
    for edge in ("startswith", "endswith"):
        if getattr(msgid, edge)("\n") != getattr(text, edge)("\n"):
            faults.append(f"begins or ends on another line: {text!r}")
    return faults


def _places(text: str) -> list[str]:
    return PLACES.findall(text)


def accent(text: str) -> str:
    """Return an English text with accents."""
    return text.translate(_ACCENTS)


def pseudo(text: str) -> str:
    """Return an English text with accents and 40 % longer."""
    head, core, tail = re.fullmatch(r"(\s*)(.*?)(\s*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    bare = PLACES.sub("", core)
    if not any(letter.isalpha() for letter in bare):
        return text
    found, at = [head], 0
    for place in PLACES.finditer(core):
        found += [accent(core[at : place.start()]), place[0]]
        at = place.end()
    found.append(accent(core[at:]))
    more = max(1, round(_LONGER * len(bare)) - 1)
    padding = (_PADDING * (more // len(_PADDING) + 1))[:more].strip()
    return "".join([*found, " ", padding, tail])


def _extract(folder: Path) -> None:
    # In a copy, because `makemessages` writes files beside the templates. It would also write the
    # entries of `config` into a folder `config/locale`.
    copy = folder / "sources"
    ignored = shutil.ignore_patterns("__pycache__", "locale")
    for part in SOURCES:
        shutil.copytree(ROOT / part, copy / part, ignore=ignored)
    subprocess.run([sys.executable, "-c", _EXTRACT, str(folder)], cwd=copy, check=True)
    shutil.rmtree(copy)


def _build_pseudo(folder: Path) -> None:
    catalog = polib.POFile()
    catalog.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    seen: set[tuple[str, str]] = set()
    for entry in (*extract_messages(), *_entries_of_libraries()):
        key = (entry.msgctxt or "", entry.msgid)
        if key in seen or entry.obsolete:
            continue
        seen.add(key)
        more = (
            {"msgid_plural": entry.msgid_plural,
             "msgstr_plural": {0: pseudo(entry.msgid), 1: pseudo(entry.msgid_plural)}}
            if entry.msgid_plural
            else {"msgstr": pseudo(entry.msgid)}
        )  # fmt: skip
        catalog.append(polib.POEntry(msgctxt=entry.msgctxt, msgid=entry.msgid, **more))
    place = folder / "en_XA" / "LC_MESSAGES"
    place.mkdir(parents=True)
    catalog.save_as_mofile(str(place / "django.mo"))
    catalog.save(str(place / "django.po"))


def _entries_of_libraries() -> list[polib.POEntry]:
    """Return the entries of Django and allauth, whose own catalogs lack the pseudo-language."""
    own = Path(django.__file__).parent
    found: list[polib.POEntry] = []
    for part in ("conf", "contrib/admin", "contrib/auth", "contrib/sessions"):
        found += polib.pofile(str(own / part / "locale/en/LC_MESSAGES/django.po"))
    found += polib.pofile(str(Path(allauth.__file__).parent / "locale/en/LC_MESSAGES/django.po"))
    return found
