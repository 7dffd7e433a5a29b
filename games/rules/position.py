"""What every game's rules have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TypeVar

NOOP = "noop"  # the waiting role's only action; it changes nothing


class IllegalAction(ValueError):  # noqa: N818  # the contract's name
    """The position does not allow this action, for whatever reason."""


put = object.__setattr__  # for constructors only: later a position never changes


class Position(ABC):
    """A state of a game: immutable, hashable, equal by value, and without a history.

    `diagram` has one character per element of the board, '.' where nothing is marked.
    `notation` is one short line of ASCII that holds the whole position.
    """

    __slots__ = ()

    turn: str | None
    """The role in control; None once the game is over."""
    roles: tuple[str, str]

    @property
    @abstractmethod
    def diagram(self) -> str:
        """One character per element of the board, in the board's order."""

    @property
    @abstractmethod
    def notation(self) -> str:
        """The whole position in one short line of ASCII."""

    @property
    @abstractmethod
    def goals(self) -> dict[str, int] | None:
        """The points of each role, 0 to 100, once the game is over; else None."""

    @property
    @abstractmethod
    def line(self) -> tuple[int, ...]:
        """The elements of the line or lines that ended the game, as indices into the diagram."""

    @abstractmethod
    def actions(self) -> tuple[str, ...]:
        """The legal actions of the role in control; () once over."""

    @abstractmethod
    def may(self, action: str) -> bool:
        """Whether the role in control may play the action."""

    @abstractmethod
    def play(self, action: str) -> "Position":
        """The position after the action of the role in control. Raises `IllegalAction`."""

    @property
    def open(self) -> str | None:
        """The elements on which the role in control may act: "1" or "0" for each, in the order of
        the diagram. A game may give None; then they are found by its actions. With hundreds of
        actions that takes longer than all the rest of a state frame."""
        return None

    @property
    def is_over(self) -> bool:
        return self.turn is None

    @property
    def is_dead(self) -> bool:
        """True if it is proved that neither role can still win."""
        return False

    @property
    def is_flat(self) -> bool:
        """True if each role can keep the other from winning by answering every threat."""
        return self.is_dead

    def legal(self, role: str | None = None) -> tuple[str, ...]:
        """The legal actions of a role, by default of the one in control; () once over.

        Raises ValueError for a role that the game does not have.
        """
        if role is not None and role not in self.roles:
            raise ValueError(f"no role {role!r} in this game")
        if role is None or role == self.turn or self.turn is None:
            return self.actions()
        return (NOOP,)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a position does not change: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a position does not change: {name}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.notation == other.notation

    def __hash__(self) -> int:
        return hash(self.notation)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.notation}>"


P = TypeVar("P", bound=Position)


def remembered(read: Callable[[str], P]) -> Callable[[str], P]:
    """Let a game's `read` keep its last results, and raise ValueError for what is no string."""
    remembering = lru_cache(maxsize=32768)(read)

    @wraps(read)
    def reading(notation: str) -> P:
        if not isinstance(notation, str):
            raise ValueError(f"no position: a {type(notation).__name__} is no notation")
        return remembering(notation)

    return reading


@dataclass(frozen=True)
class Game:
    """One game: its names, where it starts, how its positions are read, and what is known of it."""

    slug: str
    name: str
    roles: tuple[str, str]
    start: Position
    read: Callable[[str], Position]
    """Gives the position of a notation. Raises ValueError for any other text."""
    options: tuple[str, ...] = ("",)
    """The options that the game can be played with, as canonical texts; "" are the defaults."""
    is_default: bool = False
    """Whether this is the game to propose if none is named. Exactly one game has it."""
    can_be_rated: bool = True
    """False for a game so small that a player who knows it never loses."""
    is_balanced: bool = False
    """Whether neither role has an advantage from the start."""
    can_be_dead: bool = False
    """Whether the game goes on in a position that is dead: see `Position.is_dead`."""
    short_plies: int = 0
    """In a game of this many plies or fewer, nobody can have been outplayed yet."""
    formats: frozenset[str] = frozenset()
    """The formats of `games.formats`, besides JSON, in which its matches can be written."""
