"""The interface of every game's rules."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from typing import TypeVar

NOOP = "noop"  # the waiting role's only action; it changes nothing


class IllegalAction(ValueError):  # noqa: N818  # the interface of the rules has this name
    """The position does not allow this action."""


put = object.__setattr__  # for constructors only, because positions are immutable


class Position(ABC):
    """A position of a game: immutable, hashable, compared by value, and without a history.

    `diagram` has one character for each element of the board, '.' if nothing is marked. `notation`
    is one short line of ASCII that describes the whole position. Anything that a rule counts over
    several actions must be part of the position and its notation.
    """

    __slots__ = ()

    turn: str | None
    """The role in control; None once the game is over."""
    roles: tuple[str, str]

    @property
    @abstractmethod
    def diagram(self) -> str:
        """Return one character per element of the board, in the board's order."""

    @property
    @abstractmethod
    def notation(self) -> str:
        """Return the whole position as one short line of ASCII."""

    @property
    @abstractmethod
    def goals(self) -> dict[str, int] | None:
        """Return the points of each role, 0 to 100, if the game is over; else None."""

    @property
    @abstractmethod
    def line(self) -> tuple[int, ...]:
        """Return the elements of the lines that ended the game, as indices in the diagram.

        Return () if no line ended it.
        """

    @abstractmethod
    def actions(self) -> tuple[str, ...]:
        """Return the legal actions of the role in control; () if the game is over."""

    @abstractmethod
    def may(self, action: str) -> bool:
        """Return whether the role in control may play the action."""

    @abstractmethod
    def play(self, action: str) -> "Position":
        """Return the position after this action by the role in control.

        Raise `IllegalAction` if the position does not allow the action.
        """

    @property
    def open(self) -> str | None:
        """Return a string with "1" for each element that the role in control may act on, else "0".

        The order is that of the diagram. If a game returns None, the caller derives the elements
        from the legal actions. For games with hundreds of actions, this takes longer than building
        the rest of a state frame.
        """
        return None

    @property
    def is_over(self) -> bool:
        return self.turn is None

    @property
    def is_dead(self) -> bool:
        """Return whether it is proved that neither role can still win.

        If `Game.can_be_dead` is true, players may then claim a draw. The game itself does not end.
        """
        return False

    @property
    def is_flat(self) -> bool:
        """Return whether it is proved that each role can prevent the other from winning.

        To do so, a role only has to answer each threat. False means that there is no proof.
        """
        return self.is_dead

    def legal(self, role: str | None = None) -> tuple[str, ...]:
        """Return the legal actions of a role, by default the role in control.

        The waiting role has only `NOOP`. Return () if the game is over. Raise `ValueError` for an
        unknown role.
        """
        if role is not None and role not in self.roles:
            raise ValueError(f"no role {role!r} in this game")
        if role is None or role == self.turn or self.turn is None:
            return self.actions()
        return (NOOP,)

    def get_step(self, action: str) -> tuple[str, str]:
        """Return the action of each role when the role in control plays a legal action.

        These are the actions that the rules have in GDL, the Game Description Language.
        """
        first, _ = self.roles
        return (action, NOOP) if self.turn == first else (NOOP, action)

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
    """Wrap a game's `read` to cache recent results and to raise `ValueError` for non-strings."""
    remembering = lru_cache(maxsize=32768)(read)

    @wraps(read)
    def reading(notation: str) -> P:
        if not isinstance(notation, str):
            raise ValueError(f"no position: a {type(notation).__name__} is no notation")
        return remembering(notation)

    return reading


@dataclass(frozen=True)
class Game:
    """A game: its names, starting position, notation parser and properties."""

    slug: str
    name: str
    roles: tuple[str, str]
    start: Position
    read: Callable[[str], Position]
    """A parser that returns the position of a notation. It raises `ValueError` for invalid text."""
    other_starts: Mapping[str, Position] = field(default_factory=dict, hash=False)
    """A mapping from the text of each set of options, except the defaults, to its starting
    position."""
    first_options: str = ""
    """The options of games against the lowest levels of the computer if the player chooses none."""
    is_default: bool = False
    """True for the site's `DEFAULT_GAME`. There is exactly one such game."""
    can_be_rated: bool = True
    """False for a game so small that a player who knows it never loses."""
    is_balanced: bool = False
    """True if neither role has an advantage at the start."""
    can_be_dead: bool = False
    """True if the game continues in a dead position: see `Position.is_dead`."""
    short_plies: int = 0
    """The number of plies up to which a match is too short for anybody to have been outplayed."""
    sheet: str = ""
    """The SHA-256 of the rule sheet that the game comes from; "" for a game written in Python."""
    formats: frozenset[str] = frozenset()
    """The formats in `games.formats`, besides JSON, in which matches of the game can be written."""

    @property
    def options(self) -> tuple[str, ...]:
        """The options that the game has, as canonical texts; "" stands for the defaults."""
        return ("", *self.other_starts)

    @property
    def version(self) -> dict[str, str]:
        """Return what records of matches say about the rules: {"sheet": …}, or nothing."""
        return {"sheet": self.sheet} if self.sheet else {}

    def get_start(self, options: str) -> Position:
        """Return the starting position with these options. Unknown options are ignored."""
        return self.other_starts.get(options, self.start)
