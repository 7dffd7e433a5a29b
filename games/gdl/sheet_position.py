"""Positions of the games that come from rule sheets."""

import base64
import binascii
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from games.gdl.machine import Machine, View
from games.gdl.network import Network
from games.rules.position import NOOP, Game, IllegalAction, Position, put, remembered

PASS = "pass"  # nosec B105  # noqa: S105  # an action: what the role in control does if it can only wait


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

    @cached_property
    def actions(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return for each role a mapping from the text of an action to its index."""
        first, second = self.names
        return {name: i for i, name in enumerate(first)}, {name: i for i, name in enumerate(second)}

    @cached_property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return for each role the texts of its actions."""
        first, second = (
            tuple(self.name_action(role, index) for index in range(len(actions)))
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

    __slots__ = (
        "_diagram", "_goals", "_legal", "_mover", "_waiting", "roles", "sheet", "state", "turn",
    )  # fmt: skip

    sheet: LoadedSheet
    state: bytes
    """The fluents that hold, as packed bits."""
    _goals: tuple[int, int] | None
    _legal: tuple[int, ...]
    _mover: int
    _waiting: int
    """The only action of the other role."""
    _diagram: str | None

    def __init__(self, sheet: LoadedSheet, state: bytes) -> None:
        view = sheet.machine.view(state)
        roles = sheet.network.roles
        mover = sheet.find_mover(state, view)
        legal, waiting = view.legal[mover], view.legal[1 - mover]
        if view.goals is None and not (legal and len(waiting) == 1 and not view.is_over):
            raise ValueError(f"no position of {sheet.name}: it cannot go on from there")
        put(self, "sheet", sheet)
        put(self, "state", state)
        put(self, "roles", roles)
        put(self, "turn", None if view.is_over else roles[mover])
        put(self, "_goals", view.goals)
        put(self, "_legal", () if view.is_over else legal)
        put(self, "_mover", mover)
        put(self, "_waiting", -1 if view.is_over else waiting[0])
        put(self, "_diagram", None)

    @property
    def diagram(self) -> str:
        if self._diagram is None:
            put(self, "_diagram", self.sheet.layout.read_diagram(self.state))
        return self._diagram or ""

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
        names = self.sheet.names[self._mover]
        return tuple(names[index] for index in self._legal)

    def may(self, action: str) -> bool:
        return self.sheet.actions[self._mover].get(action) in self._legal

    def play(self, action: str) -> "SheetPosition":
        if not (isinstance(action, str) and self.may(action)):
            raise IllegalAction(f"{action!r} is not legal here")
        chosen = self.sheet.actions[self._mover][action]
        return SheetPosition(self.sheet, self.get_successor(chosen))

    @property
    def mover(self) -> int:
        """Return which role is in control, 0 or 1. It has no meaning after the end."""
        return self._mover

    def get_step(self, action: str) -> tuple[str, str]:
        """Return the action of each role as the sheet has it, with its own word for waiting."""
        actions = self.sheet.network.actions
        waiting = actions[1 - self._mover][self._waiting]
        chosen = actions[self._mover][self.sheet.actions[self._mover][action]]
        return (waiting, chosen) if self._mover else (chosen, waiting)

    def get_successor(self, action: int) -> bytes:
        """Return the state after an action of the role in control, given by its index."""
        actions = (self._waiting, action) if self._mover else (action, self._waiting)
        return self.sheet.machine.advance(self.state, actions)

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
