"""Seats, and what games are called. Moments are milliseconds since 1970, durations milliseconds.

`white` and `black` are the first and the second seat of any game; `role` says what the game calls
the player there. Optional parts that do not apply are left out.
"""

from typing import Literal

from msgspec import Struct

Colour = Literal["white", "black"]


COLOURS: tuple[Colour, Colour] = ("white", "black")
"""In the order of the seats."""


UNLIMITED = 2**31 - 1
"""The time left of each player in an untimed game, because clients expect a number."""


class Variant(Struct, frozen=True, rename="camel"):
    """A game: `key` is its slug."""

    key: str
    name: str
    short: str


class Clock(Struct, frozen=True, rename="camel"):
    """A clock in milliseconds."""

    initial: int
    increment: int


class StatusName(Struct, frozen=True, rename="camel"):
    """A status by its name."""

    name: str
