"""The time controls that are offered at one click."""

from games.match.clock import clock_words
from games.words import say, words

PACES = {"": "pace.none", "3+2": "pace.blitz", "10+5": "pace.quick", "30+20": "pace.slow"}
"""What each is called. People may also type any other."""


def paces() -> list[dict[str, str]]:
    """The same for templates."""
    return [
        {"clock": clock, "name": say(words(name)), "said": say(clock_words(clock))}
        for clock, name in PACES.items()
    ]
