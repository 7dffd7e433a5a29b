"""What a token allows: its scopes, in the order in which they are shown and stored."""

from collections.abc import Iterable
from typing import Literal, get_args

from games.messages.refusal import Refused

Scope = Literal["account:read", "games:read", "games:play", "challenges", "tournaments", "bot"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
"""The sentences that say what each allows are `scope.<scope>`, with a dash for the colon."""


def parse_scopes(asked: Iterable[str]) -> tuple[Scope, ...]:
    """The scopes that somebody asks for, in their order. Raises `Refused` for an unknown one, and
    for none at all."""
    wanted = set(asked)
    if not wanted or not wanted.issubset(SCOPES):
        raise Refused("scopes")
    return tuple(scope for scope in SCOPES if scope in wanted)


def get_sentence_code(scope: Scope) -> str:
    """The code of the sentence that says what it allows."""
    return f"scope.{scope.replace(':', '-')}"
