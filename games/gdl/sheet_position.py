"""Positions of the games that come from rule sheets."""

import base64
import binascii
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from games.gdl.errors import SheetError
from games.gdl.machine import Machine, View
from games.gdl.network import Network
from games.rules.position import NOOP, Game, IllegalAction, Position, put, remembered

PASS = "pass"  # nosec B105  # noqa: S105  # an action: what the role in control does if it can only wait
LONGEST_NOTATION = 255  # characters: the length of the database's column


class Diagrams(Protocol):
    """The part of a sheet's layout that positions need."""

    def read_diagram(self, state: bytes) -> str:
        """Return one character per element of the board for a state."""

    def find_line(self, diagram: str) -> tuple[int, ...]:
        """Return the elements of the lines of a diagram that end the game, or ()."""


@dataclass(frozen=True, eq=False)
class LoadedSheet:
    """A compiled sheet with its drawing."""

    slug: str
    name: str
    digest: str
    network: Network
    layout: Diagrams
    machine: Machine = field(init=False, repr=False)

    def __post_init__(self) -> None:
        put(self, "machine", Machine(self.network))
        if len(_encode(self.machine.start)) > LONGEST_NOTATION:
            raise SheetError("the states of this sheet are too large to be stored")

    @cached_property
    def actions(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return for each role a mapping from the text of an action to its index."""
        first, second = (
            {self.name_action(role, index): index for index in range(len(actions))}
            for role, actions in enumerate(self.network.actions)
        )
        return first, second

    def name_action(self, role: int, index: int) -> str:
        """Return the text of an action. What would be `NOOP` for the role in control is `PASS`."""
        text = self.network.actions[role][index]
        if text != NOOP:
            return text
        return PASS if PASS not in self.network.actions[role] else f"{PASS} {NOOP}"

    def find_mover(self, state: bytes, view: View) -> int:
        """Return which role is in control: the one that has a choice, or else must not wait."""
        counts = [len(each) for each in view.legal]
        if counts[0] > 1 or counts[1] > 1:
            return int(counts[1] > counts[0])
        waits = [view.legal[role] == (self.network.noops[role],) for role in (0, 1)]
        if waits[0] != waits[1]:
            return int(waits[0])
        second = self.network.control[1]
        return int(second >= 0 and bool(state[second >> 3] >> (7 - (second & 7)) & 1))

    @cached_property
    def game(self) -> Game:
        """Return the game with these rules."""
        return Game(
            slug=self.slug,
            name=self.name,
            roles=self.network.roles,
            start=SheetPosition(self, self.machine.start),
            read=remembered(self.read),
            sheet=self.digest,
        )

    def read(self, notation: str) -> "SheetPosition":
        """Return the position of a notation. Raise `ValueError` if there is none."""
        try:
            state = base64.urlsafe_b64decode(notation + "=" * (-len(notation) % 4))
        except (binascii.Error, ValueError):
            raise ValueError(f"no position of {self.name}: {notation[:80]!r}") from None
        unused = 8 * len(state) - len(self.network.fluents)
        if (
            _encode(state) != notation
            or len(state) != len(self.machine.start)
            or (unused and state[-1] & ((1 << unused) - 1))
        ):
            raise ValueError(f"no position of {self.name}: {notation[:80]!r}")
        return SheetPosition(self, state)


class SheetPosition(Position):
    """A state of a sheet, with its legal actions."""

    __slots__ = ("_goals", "_legal", "_mover", "roles", "sheet", "state", "turn")

    sheet: LoadedSheet
    state: bytes
    """The fluents that hold, as packed bits."""
    _goals: tuple[int, int] | None
    _legal: dict[str, int]
    _mover: int

    def __init__(self, sheet: LoadedSheet, state: bytes) -> None:
        view = sheet.machine.view(state)
        roles = sheet.network.roles
        mover = sheet.find_mover(state, view)
        legal = {} if view.is_over else {
            sheet.name_action(mover, index): index for index in view.legal[mover]
        }  # fmt: skip
        if view.goals is None and not (legal and len(view.legal[1 - mover]) == 1):
            raise ValueError(f"no position of {sheet.name}: it cannot go on from there")
        put(self, "sheet", sheet)
        put(self, "state", state)
        put(self, "roles", roles)
        put(self, "turn", None if view.is_over else roles[mover])
        put(self, "_goals", view.goals)
        put(self, "_legal", legal)
        put(self, "_mover", mover)

    @property
    def diagram(self) -> str:
        return self.sheet.layout.read_diagram(self.state)

    @property
    def notation(self) -> str:
        return _encode(self.state)

    @property
    def goals(self) -> dict[str, int] | None:
        return dict(zip(self.roles, self._goals, strict=True)) if self._goals else None

    @property
    def line(self) -> tuple[int, ...]:
        return self.sheet.layout.find_line(self.diagram) if self.is_over else ()

    def actions(self) -> tuple[str, ...]:
        return tuple(self._legal)

    def may(self, action: str) -> bool:
        return action in self._legal

    def play(self, action: str) -> "SheetPosition":
        chosen = self._legal.get(action) if isinstance(action, str) else None
        if chosen is None:
            raise IllegalAction(f"{action!r} is not legal here")
        return SheetPosition(self.sheet, self.get_successor(chosen))

    @property
    def mover(self) -> int:
        """Return which role is in control, 0 or 1. It has no meaning after the end."""
        return self._mover

    def get_step(self, action: str) -> tuple[str, str]:
        """Return the action of each role as the sheet has it, with its own word for waiting."""
        actions = self.sheet.network.actions
        (other,) = self.sheet.machine.view(self.state).legal[1 - self._mover]
        waiting, chosen = actions[1 - self._mover][other], actions[self._mover][self._legal[action]]
        return (waiting, chosen) if self._mover else (chosen, waiting)

    def get_successor(self, action: int) -> bytes:
        """Return the state after an action of the role in control, given by its index."""
        machine = self.sheet.machine
        (other,) = machine.view(self.state).legal[1 - self._mover]
        return machine.advance(self.state, (other, action) if self._mover else (action, other))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SheetPosition)
            and self.state == other.state
            and self.sheet.digest == other.sheet.digest
        )

    def __hash__(self) -> int:
        return hash(self.state)


def _encode(state: bytes) -> str:
    return base64.urlsafe_b64encode(state).decode().rstrip("=")
