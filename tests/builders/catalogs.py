"""Catalogs of translations: extraction from the sources, and a pseudo-language."""

import re
import shutil
import subprocess
import sys
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

PLACES = re.compile(r"%\(\w+\)[sd]|%[sd%]|\{\w*\}|</?[a-z][^>]*>|&#?\w+;")
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


def write_catalog(folder: Path, language: str, translations: dict[str, str]) -> None:
    """Write a small catalog into a folder for `LOCALE_PATHS`."""
    catalog = polib.POFile()
    catalog.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    for msgid, msgstr in translations.items():
        catalog.append(polib.POEntry(msgid=msgid, msgstr=msgstr))
    place = folder / to_locale(language) / "LC_MESSAGES"
    place.mkdir(parents=True)
    catalog.save_as_mofile(str(place / "django.mo"))


def pseudo(text: str) -> str:
    """Return an English text with accents and 40 % longer."""
    head, core, tail = re.fullmatch(r"(\s*)(.*?)(\s*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    bare = PLACES.sub("", core)
    if not any(letter.isalpha() for letter in bare):
        return text
    found, at = [head], 0
    for place in PLACES.finditer(core):
        found += [core[at : place.start()].translate(_ACCENTS), place[0]]
        at = place.end()
    found.append(core[at:].translate(_ACCENTS))
    more = max(1, round(_LONGER * len(bare)) - 1)
    padding = (_PADDING * (more // len(_PADDING) + 1))[:more].strip()
    return "".join([*found, " ", padding, tail])


def _extract(folder: Path) -> None:
    # In a copy, because `makemessages` writes files beside the templates.
    copy = folder / "sources"
    for part in SOURCES:
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
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
