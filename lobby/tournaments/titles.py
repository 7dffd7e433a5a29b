"""The names of tournaments and series, and what is said of them, as they are stored."""

from games.messages.refusal import Refused
from lobby.models.tournament import LONGEST_ABOUT, LONGEST_TITLE


def title(text: str) -> str:
    """A name. Raises `Refused`."""
    text = " ".join(text.split())
    if not text or not text.isprintable():
        raise Refused("event-name")
    if len(text) > LONGEST_TITLE:
        raise Refused("event-name-long", most=LONGEST_TITLE)
    return text


def about(text: str) -> str:
    """What is said of it; lines are kept. Raises `Refused`."""
    text = "\n".join(" ".join(line.split()) for line in text.splitlines()).strip()
    if len(text) > LONGEST_ABOUT:
        raise Refused("event-about-long", most=LONGEST_ABOUT)
    return text
