"""The table of sentences by code.

A sentence is English text, which is also the key of its translations. `{name}` stands for a
parameter. A sentence that depends on a number has a singular and a plural form, and a parameter,
usually `count`, selects one. A word that English uses for several things has a context. Each text
is marked for `makemessages` where it is written.

Parameters are formatted for the reader's language: dates and times such as "2026-11-25" and
"2026-11-25 16:30", and decimals such as "0.4". They are stored and sent in these forms.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple, Union

from django.utils import formats, translation

from games.messages.names import isolate_name

Message = Mapping[str, Union[str, int, "Message"]]
"""The code of a sentence, and its parameters. A parameter may be a message too."""


class Counted(NamedTuple):
    """An English sentence in its singular form, and in its plural form for any other number."""

    one: str
    many: str
    by: str = "count"
    """The parameter with the number."""


class InContext(NamedTuple):
    """A text with a context that tells it from the same English text with another meaning."""

    context: str
    text: str


Sentence = str | Counted | InContext

_PLACE = re.compile(r"\{(\w+)\}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d)?")
_DECIMAL = re.compile(r"\d+\.\d+")
_STAND_INS = ("Hidden player", "Deleted player", "Computer (")  # the starts of the stand-in names
_NUMBERED = re.compile(r"Deleted player (\d+)")
_table: dict[str, Sentence] = {}
TABLE: Mapping[str, Sentence] = MappingProxyType(_table)
"""The sentences that have a code, by that code. Other sentences are written in the templates."""


def ngettext(one: str, many: str, by: str = "count") -> Counted:
    """Build a counted sentence. The function has this name because `makemessages` looks for it."""
    return Counted(one, many, by)


def pgettext(context: str, text: str) -> InContext:
    """Build a text with a context. The function has this name because of `makemessages`, too."""
    return InContext(context, text)


def add_sentences(sentences: Mapping[str, Sentence], within: str = "") -> None:
    """Add sentences to the table. If `within` is given, their codes get it and a dot as a prefix.

    Raise `ValueError` if a code already has another sentence.
    """
    for code, sentence in sentences.items():
        full = f"{within}.{code}" if within else code
        if _table.setdefault(full, sentence) != sentence:
            raise ValueError(f"two sentences for {full!r}")


def has_sentences(prefix: str) -> bool:
    """Return whether there are codes that begin with the prefix and a dot."""
    return any(code.startswith(f"{prefix}.") for code in _table)


def build_message(code: str, /, **params: "str | int | Message") -> Message:
    """Return a message that can be sent and stored."""
    return {"code": code, **params}


def render(what: Message) -> str:
    """Return the sentence in the active language, or the code if it has no sentence."""
    return _said(what, translate)


def translate(sentence: Sentence, number: int = 0) -> str:
    """Return a sentence in the active language, in the form for the number if it is counted."""
    if isinstance(sentence, Counted):
        return translation.ngettext(sentence.one, sentence.many, number)
    if isinstance(sentence, InContext):
        return translation.pgettext(sentence.context, sentence.text)
    return translation.gettext(sentence)


def get_game_name(game: str) -> str:
    """Return a game's name in the active language."""
    return render(build_message(f"{game}.name"))


def render_english(what: Message) -> str:
    """Return the sentence in English, independent of the active language."""
    with translation.override("en"):
        return _said(what, _get_english)


def show_name(name: str) -> str:
    """Return a player's name as readers see it.

    Only names that stand in for players, such as "Deleted player", are translated.
    """
    if not name.startswith(_STAND_INS):
        return name
    numbered = _NUMBERED.fullmatch(name)
    if numbered:
        return render(build_message("name.deleted-number", number=int(numbered[1])))
    return get_stand_ins().get(name, name)


def get_stand_ins() -> dict[str, str]:
    """Return a dictionary that maps each name that stands in for a player to its translation.

    These are the names of players who are hidden or deleted, and of the computer's levels. The
    translations are in the active language.
    """
    codes = [code for code in _table if re.fullmatch(r"name\.(hidden|deleted|computer\.\d)", code)]
    return {_get_english(_table[code]): translate(_table[code]) for code in codes}


def join_list(items: Iterable[str]) -> str:
    """Join the items of a list as the active language does."""
    # Translators: the separator between the items of a list, with its space.
    return translation.pgettext("list", ", ").join(items)


def format_date(text: str) -> str:
    """Format a date such as "2026-11-25", or a time such as "2026-11-25 16:30", for the reader."""
    if " " in text:
        return formats.date_format(datetime.fromisoformat(text), "DATETIME_FORMAT")
    return formats.date_format(date.fromisoformat(text), "DAY_FORMAT")


def _get_english(sentence: Sentence, number: int = 0) -> str:
    if isinstance(sentence, Counted):
        return sentence.one if number == 1 else sentence.many
    return sentence.text if isinstance(sentence, InContext) else sentence


def _said(what: Message, translate: Callable[[Sentence, int], str]) -> str:
    code = str(what["code"])
    sentence = _table.get(code, code)
    number = 0
    if isinstance(sentence, Counted):
        count = what[sentence.by]
        assert isinstance(count, int), f"{code} needs a number as `{sentence.by}`"
        number = count
    text = translate(sentence, number)
    if len(what) == 1:
        return text

    def fill(place: re.Match[str]) -> str:
        value = what.get(place[1], place[0])
        if isinstance(value, str):
            return _format(value)
        return str(value) if isinstance(value, int) else _said(value, translate)

    return _PLACE.sub(fill, text)


def _format(value: str) -> str:
    if _DATE.fullmatch(value):
        try:
            return format_date(value)
        except ValueError:
            return value
    if _DECIMAL.fullmatch(value):
        return formats.number_format(Decimal(value))
    return isolate_name(show_name(value))
