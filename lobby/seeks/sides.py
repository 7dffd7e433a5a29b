"""Who begins: whoever asks, the other one, or who the lot falls on."""

import secrets
from typing import Literal, TypeGuard

Side = Literal["lot", "mine", "theirs"]


def is_side(text: str) -> TypeGuard[Side]:
    """Whether a form's text is a choice of sides."""
    return text in {"lot", "mine", "theirs"}


def begins(side: Side) -> bool:
    """Whether whoever asks takes the first seat."""
    return bool(secrets.randbelow(2)) if side == "lot" else side == "mine"
