"""Scopes of tokens, in the order in which they are displayed and stored."""

from collections.abc import Iterable
from typing import Literal, get_args

from games.messages.refusal import Refused

Scope = Literal["account:read", "games:read", "games:play", "challenges", "tournaments", "bot"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
"""The sentences that say what each allows are `scope.<scope>`, with a dash for the colon."""


def parse_scopes(asked: Iterable[str]) -> tuple[Scope, ...]:
    """Return the requested scopes in order. Raise `Refused` if one is unknown or none is given."""
    wanted = set(asked)
    if not wanted or not wanted.issubset(SCOPES):
        raise Refused("scopes")
    return tuple(scope for scope in SCOPES if scope in wanted)


def get_sentence_code(scope: Scope) -> str:
    """Return the code of the sentence that describes the scope."""
    return f"scope.{scope.replace(':', '-')}"
