"""The named time controls of the forms."""

from games.match.clock import clock_words
from games.messages import build_message, render

PACES = {"": "pace.none", "3+2": "pace.blitz", "10+5": "pace.quick", "30+20": "pace.slow"}
"""The name of each time control. Players can also type any other."""


def paces() -> list[dict[str, str]]:
    """Return the named time controls for templates."""
    return [
        {"clock": clock, "name": render(build_message(name)), "said": render(clock_words(clock))}
        for clock, name in PACES.items()
    ]
