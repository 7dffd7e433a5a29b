"""The choices of a setup in forms: time controls and sides."""

import secrets
from typing import Literal, TypeGuard

from games.match.clock import describe_clock
from games.messages import build_message, render

CONTROLS = ("1+0", "3+2", "5+3", "10+5", "30+20")
"""The time controls with a button of their own. Players can also type any other."""

RATED_CONTROL = "3+2"
"""The time control that is suggested to players who prefer rated games."""

PACES = {"": "pace.none", "3+2": "pace.blitz", "10+5": "pace.quick", "30+20": "pace.slow"}
"""The name of each time control. Players can also type any other."""


def get_paces() -> list[dict[str, str]]:
    """Return the named time controls for templates."""
    return [
        {"clock": clock, "name": render(build_message(name)), "said": render(describe_clock(clock))}
        for clock, name in PACES.items()
    ]


Side = Literal["lot", "mine", "theirs"]


def is_side(text: str) -> TypeGuard[Side]:
    """Return whether a form's text is a choice of sides."""
    return text in {"lot", "mine", "theirs"}


def takes_first_seat(side: Side) -> bool:
    """Return whether the player who asks takes the first seat."""
    return bool(secrets.randbelow(2)) if side == "lot" else side == "mine"
