"""A language that wraps every translatable sentence, so that the others are visible."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import translation
from django.utils.translation import trans_real
from django.utils.translation.trans_real import CONTEXT_SEPARATOR


class Pseudo:
    """A catalogue with a translation for every sentence."""

    def gettext(self, message: str) -> str:
        return f"⟦{message.rpartition(CONTEXT_SEPARATOR)[2]}⟧"

    def ngettext(self, one: str, many: str, number: int) -> str:
        return f"⟦{one if number == 1 else many}⟧"

    def info(self) -> dict[str, str]:
        return {}

    def language(self) -> str:
        return "en"

    to_language = language


@contextmanager
def activate_pseudo_language() -> Iterator[None]:
    """Activate the language in this thread, for requests too, whose own language is ignored."""
    kept = trans_real.translation
    install()
    trans_real._active.value = Pseudo()  # type: ignore[attr-defined]
    try:
        yield
    finally:
        trans_real.translation = kept
        translation.deactivate()


def install() -> None:
    """Make this the only language of the process."""
    trans_real.translation = lambda language: Pseudo()  # type: ignore[assignment,return-value]


def get_unmarked_text(text: str) -> str:
    """Return the parts of a text that are outside of translated sentences."""
    depth, found = 0, []
    for character in text:
        if character == "⟦":
            depth += 1
        elif character == "⟧":
            depth -= 1
        elif depth == 0:
            found.append(character)
    return "".join(found)
