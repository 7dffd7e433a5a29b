"""The table of sentences by code.

A sentence is English text, which is also the key of its translations. `{name}` stands for a
parameter. A sentence that depends on a number has a singular and a plural form, and the parameter
`count` selects one. Each text is marked for `makemessages` where it is written.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple, Union

from django.utils import translation

from games.messages.names import isolate_name

Message = Mapping[str, Union[str, int, "Message"]]
"""The code of a sentence, and its parameters. A parameter may be a message too."""


class Counted(NamedTuple):
    """An English sentence in its singular form, and in its plural form for any other `count`."""

    one: str
    many: str


Sentence = str | Counted

_PLACE = re.compile(r"\{(\w+)\}")
_table: dict[str, Sentence] = {}
TABLE: Mapping[str, Sentence] = MappingProxyType(_table)
"""The sentences that have a code, by that code. Other sentences are written in the templates."""


def ngettext(one: str, many: str) -> Counted:
    """Build a counted sentence. The function has this name because `makemessages` looks for it."""
    return Counted(one, many)


def add_sentences(sentences: Mapping[str, Sentence], within: str = "") -> None:
    """Add sentences to the table. If `within` is given, their codes get it and a dot as a prefix.

    Raise `ValueError` if a code already has another sentence.
    """
    for code, sentence in sentences.items():
        full = f"{within}.{code}" if within else code
        if _table.setdefault(full, sentence) != sentence:
            raise ValueError(f"two sentences for {full!r}")


def build_message(code: str, /, **params: "str | int | Message") -> Message:
    """Return a message that can be sent and stored."""
    return {"code": code, **params}


def render(what: Message) -> str:
    """Return the sentence in the active language, or the code if it has no sentence."""
    return _said(what, translation.gettext, translation.ngettext)


def get_game_name(game: str) -> str:
    """Return a game's name in the active language."""
    return render(build_message(f"{game}.name"))


def render_english(what: Message) -> str:
    """Return the sentence in English, independent of the active language."""
    return _said(what, str, lambda one, many, count: one if count == 1 else many)


def _said(
    what: Message, one_text: Callable[[str], str], by_count: Callable[[str, str, int], str]
) -> str:
    code = str(what["code"])
    sentence = _table.get(code, code)
    if isinstance(sentence, Counted):
        count = what["count"]
        assert isinstance(count, int), f"{code} needs a number as `count`"
        text = by_count(sentence.one, sentence.many, count)
    else:
        text = one_text(sentence)
    if len(what) == 1:
        return text

    def fill(place: re.Match[str]) -> str:
        value = what.get(place[1], place[0])
        if isinstance(value, str):
            return isolate_name(value)
        return str(value) if isinstance(value, int) else _said(value, one_text, by_count)

    return _PLACE.sub(fill, text)
