"""Evaluation of a network: what a state allows, and which state follows.

The server evaluates one state at a time. At first each level of the network is computed by a few
operations of numpy, which needs no compiler. `load_kernel` replaces them by compiled code.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import pairwise
from threading import Lock
from types import ModuleType
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from games.gdl.network import Ints, Network

_CACHED = 4096  # states whose view is kept
_LEGAL, _GOALS, _NEXT = range(3)  # for what gates are computed


@dataclass(frozen=True, slots=True)
class View:
    """The legal actions in a state, and whether and how the game is over."""

    legal: tuple[tuple[int, ...], tuple[int, ...]]
    """For each role, the legal actions as indices in `Network.actions`."""
    is_over: bool
    goals: tuple[int, int] | None
    """The points of each role if the game is over and the sheet gives each role one goal."""


@dataclass(frozen=True, slots=True)
class _Step:
    """Gates of one kind that need nothing of each other, and are next to each other."""

    is_and: bool
    first: int  # where their values begin and end, counted in literals
    last: int
    inputs: Ints
    start: Ints


@dataclass(frozen=True, slots=True)
class _Loop:
    """Gates that depend on each other."""

    steps: tuple[_Step, ...]


Plan = Sequence[_Step | _Loop]
"""In which order to compute gates."""

Values = NDArray[np.bool_] | NDArray[np.uint8]
"""The value of each literal in one state, or a row of bits for each, one for every state."""


def load_kernel() -> None:
    """Let all machines of this process compute with compiled code from now on."""
    Machine.kernel = import_module("games.gdl.kernel")


class Machine:
    """Evaluates the states of one network. A state is a string of bytes with a bit per fluent."""

    kernel: ClassVar[ModuleType | None] = None
    """The module `games.gdl.kernel`, once it is loaded."""
    steps: ClassVar[int] = 0
    """How many successors this process has computed."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.start: bytes = np.packbits(network.initial).tobytes()
        self.view = lru_cache(_CACHED)(self._view)
        self.advance = lru_cache(_CACHED)(self._advance)
        self._fluents = len(network.fluents)
        self._first_gate = network.first_gate
        self._lock = Lock()  # all threads share the values
        self._values = np.zeros(2 * (self._first_gate + network.gates), np.bool_)
        self._values[1] = True
        legal, final, following = plan_parts(network)
        self._plans = (legal, final, [*legal, *following])
        self._gates: tuple[tuple[object, ...], ...] = ()  # for the kernel
        self._goals = [
            (np.array([points for points, _ in goals]), np.array([each for _, each in goals]))
            for goals in network.goals
        ]
        self._outputs = np.concatenate([network.legal[0], network.legal[1], [network.terminal]])

    def _view(self, state: bytes) -> View:
        """Return what a state allows. Raise `ValueError` if it is no state of this network."""
        with self._lock:
            return self._compute_view(state)

    def _advance(self, state: bytes, actions: tuple[int, int]) -> bytes:
        """Return the state after one action of each role. The actions must be legal."""
        with self._lock:
            return self._compute_successor(state, actions)

    def _compute_view(self, state: bytes) -> View:
        values = self._load(state)
        self._compute(_LEGAL)
        found = np.flatnonzero(values[self._outputs]).tolist()
        is_over = found[-1:] == [len(self._outputs) - 1]
        if is_over:
            found.pop()
        count = len(self.network.actions[0])
        second = bisect_left(found, count)
        legal = tuple(found[:second]), tuple(each - count for each in found[second:])
        return View(legal, is_over, self._read_goals() if is_over else None)

    def _compute_successor(self, state: bytes, actions: tuple[int, int]) -> bytes:
        Machine.steps += 1
        values = self._load(state)
        for role, action in enumerate(actions):
            _set(values, self.network.first_action[role] + action, True)
        self._compute(_NEXT)
        following = np.packbits(values[self.network.next]).tobytes()
        for role, action in enumerate(actions):
            _set(values, self.network.first_action[role] + action, False)
        return following

    def name_fluents(self, state: bytes) -> list[str]:
        """Return the facts of a state in KIF."""
        bits = np.unpackbits(np.frombuffer(state, np.uint8), count=self._fluents)
        return [self.network.fluents[index] for index in np.flatnonzero(bits)]

    def _read_goals(self) -> tuple[int, int] | None:
        self._compute(_GOALS)
        points = [values[self._values[literals]] for values, literals in self._goals]
        if any(len(each) != 1 for each in points):
            return None
        return int(points[0][0]), int(points[1][0])

    def _load(self, state: bytes) -> NDArray[np.bool_]:
        """Set the values of the fluents, and let no action be done."""
        if len(state) != -(-self._fluents // 8):
            raise ValueError("a state of another network")
        values, kernel, octets = self._values, self.kernel, np.frombuffer(state, np.uint8)
        if kernel is not None:
            kernel.load_state(octets, self._fluents, self._first_gate, values)
            return values
        bits = np.unpackbits(octets, count=self._fluents).view(np.bool_)
        last = 2 + 2 * self._fluents
        values[2:last:2] = bits
        values[3:last:2] = ~bits
        values[last + 1 : 2 * self._first_gate : 2] = True
        values[last : 2 * self._first_gate : 2] = False
        return values

    def _compute(self, purpose: int) -> None:
        """Compute the gates for the legal actions, for the goals then, or for the next state."""
        kernel = self.kernel
        if kernel is None:
            compute(self._values, self._plans[purpose])
            return
        self._gates = self._gates or kernel.select_gates(self.network)
        kernel.compute_gates(*self._gates[purpose], self._values)


def _set(values: NDArray[np.bool_], node: int, value: bool) -> None:
    values[2 * node] = value
    values[2 * node + 1] = not value


def plan_parts(network: Network) -> tuple[Plan, Plan, Plan]:
    """Return the plans for the legal actions, for the goals and for the next state."""
    goals = network.legal_gates
    rest = goals + network.goal_gates
    return (
        list(_plan(network, 0, goals)),
        list(_plan(network, goals, rest)),
        list(_plan(network, rest, network.gates)),
    )


def compute(values: Values, plan: Plan) -> None:
    """Compute the gates of a plan. The values of everything that they read must be known."""
    for each in plan:
        if isinstance(each, _Step):
            _compute_step(values, each)
            continue
        first, last = each.steps[0].first, each.steps[-1].last
        values[first:last:2] = 0
        values[first + 1 : last : 2] = ~values[first:last:2]
        before = None
        while before is None or not np.array_equal(before, values[first:last]):
            before = values[first:last].copy()
            for step in each.steps:
                _compute_step(values, step)


def _compute_step(values: Values, step: _Step) -> None:
    join = np.bitwise_and if step.is_and else np.bitwise_or
    found = join.reduceat(values[step.inputs], step.start, axis=0)
    values[step.first : step.last : 2] = found
    values[step.first + 1 : step.last : 2] = ~found


def _plan(network: Network, begin: int, end: int) -> Iterator[_Step | _Loop]:
    loops = [(int(first), int(last)) for first, last in network.loops if begin <= first < end]
    for first, last in loops:
        yield from _split_steps(network, begin, first)
        yield _Loop(tuple(_split_steps(network, first, last)))
        begin = last
    yield from _split_steps(network, begin, end)


def _split_steps(network: Network, begin: int, end: int) -> Iterator[_Step]:
    """Split gates into runs of one kind and level."""
    levels, kinds = network.level[begin:end], network.is_and[begin:end]
    changes = np.flatnonzero((np.diff(levels) != 0) | (np.diff(kinds) != 0)) + 1
    bounds = [begin, *(begin + changes).tolist(), end] if end > begin else []
    for lowest, highest in pairwise(bounds):
        inputs_from = network.start[lowest]
        yield _Step(
            is_and=bool(network.is_and[lowest]),
            first=2 * (network.first_gate + lowest),
            last=2 * (network.first_gate + highest),
            inputs=network.inputs[inputs_from : network.start[highest]],
            start=network.start[lowest:highest] - inputs_from,
        )
