"""The choices of time controls and sides in forms for a match."""

import secrets
from typing import Literal, TypeGuard

from games.match.clock import describe_clock, spell_out_clock
from games.messages import build_message, render

CONTROLS = ("1+0", "3+2", "5+3", "10+5", "30+20")
"""The time controls that have a button. Players can also enter other time controls."""

RATED_CONTROL = "3+2"
"""The time control that is proposed to players who prefer rated games."""

PACES = {"": "pace.none", "3+2": "pace.blitz", "10+5": "pace.quick", "30+20": "pace.slow"}
"""The named time controls, each with the code of its name."""


def get_paces() -> list[dict[str, str]]:
    """Return the named time controls, with their names and texts, for templates."""
    return [
        {"name": render(build_message(name)), **describe_choice(clock)}
        for clock, name in PACES.items()
    ]


def describe_choice(clock: str) -> dict[str, str]:
    """Return a time control with its short text, and its long one for screen readers."""
    return {
        "clock": clock,
        "short": render(describe_clock(clock)),
        "long": render(spell_out_clock(clock)),
    }


Side = Literal["lot", "mine", "theirs"]


def is_side(text: str) -> TypeGuard[Side]:
    """Return whether a form's text is a choice of sides."""
    return text in {"lot", "mine", "theirs"}


def takes_first_seat(side: Side) -> bool:
    """Return whether the player who requests the match gets the first seat."""
    return bool(secrets.randbelow(2)) if side == "lot" else side == "mine"
