"""A language that wraps every marked sentence, so that the others can be seen."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import translation
from django.utils.translation import trans_real


class Pseudo:
    """A catalogue that has a translation for everything."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, one: str, many: str, number: int) -> str:
        return f"⟦{one if number == 1 else many}⟧"

    def info(self) -> dict[str, str]:
        return {}

    def language(self) -> str:
        return "en"

    to_language = language


@contextmanager
def pseudo() -> Iterator[None]:
    """Activate that language for a while."""
    trans_real._active.value = Pseudo()  # type: ignore[attr-defined]
    try:
        yield
    finally:
        translation.deactivate()


def install() -> None:
    """Make it the only language of this process."""
    trans_real.translation = lambda language: Pseudo()  # type: ignore[assignment,return-value]


def unmarked(text: str) -> str:
    """The parts of a text that are outside of marked sentences."""
    depth, found = 0, []
    for character in text:
        if character == "⟦":
            depth += 1
        elif character == "⟧":
            depth -= 1
        elif depth == 0:
            found.append(character)
    return "".join(found)
