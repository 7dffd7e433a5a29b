"""Evaluation of a network: what a state allows, and which state follows.

The server evaluates one state at a time, so this needs no compiler: each level of the network is
computed by a few operations of numpy.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from games.gdl.network import Ints, Network

_CACHED = 4096  # states whose view is kept


@dataclass(frozen=True, slots=True)
class View:
    """What a state allows."""

    legal: tuple[tuple[int, ...], tuple[int, ...]]
    """For each role, the legal actions as indices in `Network.actions`."""
    is_over: bool
    goals: tuple[int, int] | None
    """The points of each role if the game is over and the sheet gives each role one goal."""


@dataclass(frozen=True, slots=True)
class Step:
    """Gates of one kind and level, which are next to each other."""

    is_and: bool
    first: int  # where their values begin, in pairs of literals
    last: int
    inputs: Ints
    start: Ints


class Machine:
    """Evaluates the states of one network. A state is a string of bytes with a bit per fluent."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.start: bytes = np.packbits(network.initial).tobytes()
        self.view = lru_cache(_CACHED)(self._view)
        self.advance = lru_cache(_CACHED)(self._advance)
        self._fluents = len(network.fluents)
        self._values = np.zeros(2 * (network.first_gate + network.gates), np.bool_)
        self._values[1] = True
        split = network.state_gates
        self._early = list(find_steps(network, 0, split))
        self._late = list(find_steps(network, split, network.gates))
        self._goals = [
            (np.array([points for points, _ in goals]), np.array([each for _, each in goals]))
            for goals in network.goals
        ]
        self._outputs = np.concatenate([network.legal[0], network.legal[1], [network.terminal]])

    def _view(self, state: bytes) -> View:
        """Return what a state allows. Raise `ValueError` if it is no state of this network."""
        values = self._load(state)
        found = values[self._outputs]
        count = len(self.network.actions[0])
        is_over = bool(found[-1])
        legal = (
            tuple(np.flatnonzero(found[:count]).tolist()),
            tuple(np.flatnonzero(found[count:-1]).tolist()),
        )
        return View(legal, is_over, self._read_goals() if is_over else None)

    def _advance(self, state: bytes, actions: tuple[int, int]) -> bytes:
        """Return the state after one action of each role. The actions must be legal."""
        self._load(state)
        for role, action in enumerate(actions):
            _set(self._values, self.network.first_action[role] + action, True)
        for step in self._late:
            self._compute(step)
        following = np.packbits(self._values[self.network.next]).tobytes()
        for role, action in enumerate(actions):
            _set(self._values, self.network.first_action[role] + action, False)
        return following

    def name_fluents(self, state: bytes) -> list[str]:
        """Return the facts of a state in KIF."""
        bits = np.unpackbits(np.frombuffer(state, np.uint8), count=self._fluents)
        return [self.network.fluents[index] for index in np.flatnonzero(bits)]

    def _read_goals(self) -> tuple[int, int] | None:
        points = [values[self._values[literals]] for values, literals in self._goals]
        if any(len(each) != 1 for each in points):
            return None
        return int(points[0][0]), int(points[1][0])

    def _load(self, state: bytes) -> NDArray[np.bool_]:
        """Compute the gates that depend on the state only."""
        if len(state) != -(-self._fluents // 8):
            raise ValueError("a state of another network")
        bits = np.unpackbits(np.frombuffer(state, np.uint8), count=self._fluents).view(np.bool_)
        values = self._values
        last = 2 + 2 * self._fluents
        values[2:last:2] = bits
        values[3:last:2] = ~bits
        values[last + 1 : 2 * self.network.first_gate : 2] = True
        values[last : 2 * self.network.first_gate : 2] = False
        for step in self._early:
            self._compute(step)
        return values

    def _compute(self, step: Step) -> None:
        values = self._values
        join = np.logical_and if step.is_and else np.logical_or
        found = join.reduceat(values[step.inputs], step.start)
        values[step.first : step.last : 2] = found
        values[step.first + 1 : step.last : 2] = ~found


def _set(values: NDArray[np.bool_], node: int, value: bool) -> None:
    values[2 * node] = value
    values[2 * node + 1] = not value


def find_steps(network: Network, begin: int, end: int) -> Iterator[Step]:
    """Split gates into runs of one kind and level, so that a run needs nothing of itself."""
    first = network.first_gate
    kinds: Sequence[tuple[int, bool]] = list(
        zip(network.level[begin:end].tolist(), network.is_and[begin:end].tolist(), strict=True)
    )
    at = 0
    while at < len(kinds):
        last = at
        while last < len(kinds) and kinds[last] == kinds[at]:
            last += 1
        lowest, highest = begin + at, begin + last
        inputs_from = network.start[lowest]
        yield Step(
            is_and=kinds[at][1],
            first=2 * (first + lowest),
            last=2 * (first + highest),
            inputs=network.inputs[inputs_from : network.start[highest]],
            start=network.start[lowest:highest] - inputs_from,
        )
        at = last
