"""The choice of sides: the first seat, the second seat, or a random one."""

import secrets
from typing import Literal, TypeGuard

Side = Literal["lot", "mine", "theirs"]


def is_side(text: str) -> TypeGuard[Side]:
    """Return whether a form's text is a choice of sides."""
    return text in {"lot", "mine", "theirs"}


def begins(side: Side) -> bool:
    """Return whether the player who asks takes the first seat."""
    return bool(secrets.randbelow(2)) if side == "lot" else side == "mine"
