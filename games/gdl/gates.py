"""Building the gates of a network: constants are folded, and equal gates exist once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from games.gdl.errors import SheetError
from games.gdl.network import FALSE, TRUE, Bools, Ints

MOST_GATES = 1_000_000  # while building; most of them are usually dropped in the end


@dataclass(slots=True)
class _Gate:
    is_and: bool
    inputs: tuple[int, ...]
    loop: int  # the number of the loop that the gate is in, or 0


class Gates:
    """The gates that have been built so far, above nodes that are inputs."""

    def __init__(self, inputs: int) -> None:
        self._first = inputs  # the node of the first gate
        self._found: dict[tuple[bool, tuple[int, ...]], int] = {}
        self._gates: list[_Gate] = []
        self._loops = 0
        self._loop = 0

    def conjoin(self, literals: Iterable[int]) -> int:
        """Return the literal that is true if all of these are."""
        return self._join(True, literals)

    def disjoin(self, literals: Iterable[int]) -> int:
        """Return the literal that is true if one of these is."""
        return self._join(False, literals)

    def open_loop(self, count: int) -> list[int]:
        """Return the literals of gates that depend on each other, to be defined by `close_loop`.

        Gates that are built meanwhile belong to the loop, too.
        """
        self._loops += 1
        self._loop = self._loops
        return [self._add(False, ()) for _ in range(count)]

    def close_loop(self, members: Sequence[int], inputs: Sequence[Iterable[int]]) -> None:
        """Define each of the gates as the disjunction of its inputs."""
        for literal, found in zip(members, inputs, strict=True):
            gate = self._gates[(literal >> 1) - self._first]
            gate.inputs = tuple(sorted(set(found) - {FALSE})) or (FALSE,)
        self._loop = 0

    def _join(self, is_and: bool, literals: Iterable[int]) -> int:
        neutral, absorbing = (TRUE, FALSE) if is_and else (FALSE, TRUE)
        wanted = set(literals)
        wanted.discard(neutral)
        if absorbing in wanted or any(each ^ 1 in wanted for each in wanted):
            return absorbing
        if len(wanted) < 2:
            return wanted.pop() if wanted else neutral
        inputs = tuple(sorted(wanted))
        literal = self._found.get((is_and, inputs))
        if literal is None:
            literal = self._found[is_and, inputs] = self._add(is_and, inputs)
        return literal

    def _add(self, is_and: bool, inputs: tuple[int, ...]) -> int:
        if len(self._gates) == MOST_GATES:
            raise SheetError("the rules of this sheet need too many gates")
        self._gates.append(_Gate(is_and, inputs, self._loop))
        return 2 * (self._first + len(self._gates) - 1)

    def arrange(
        self, legal: Iterable[int], goals: Iterable[int], following: Iterable[int]
    ) -> "Arranged":
        """Sort the gates into what the legal actions need, what only the goals need, and the rest.

        What both the goals and the next state need goes to the first part. Gates that feed nothing
        are dropped.
        """
        first, gates = self._first, self._gates
        needed = [self._find_needed(each) for each in (legal, goals, following)]
        part = [-1] * len(gates)
        for index in range(len(gates)):
            wanted = [found[index] for found in needed]
            if wanted[0] or (wanted[1] and wanted[2]):
                part[index] = 0
            elif wanted[1] or wanted[2]:
                part[index] = 1 if wanted[1] else 2
        level = self._find_levels(part)
        order = sorted(
            (index for index in range(len(gates)) if part[index] >= 0),
            key=lambda index: (
                part[index], level[index], gates[index].loop, not gates[index].is_and
            ),
        )  # fmt: skip
        moved = list(range(first)) + [0] * len(gates)
        for place, index in enumerate(order):
            moved[first + index] = first + place
        sources = [
            sorted(2 * moved[literal >> 1] + (literal & 1) for literal in gates[index].inputs)
            for index in order
        ]
        loops: dict[int, list[int]] = {}
        for place, index in enumerate(order):
            if gates[index].loop:
                loops.setdefault(gates[index].loop, [place, 0])[1] = place + 1
        lengths = [len(each) for each in sources]
        return Arranged(
            is_and=np.array([gates[index].is_and for index in order], np.bool_),
            start=np.concatenate(([0], np.cumsum(lengths))).astype(np.int32),
            inputs=np.array([each for found in sources for each in found], np.int32),
            level=np.array([level[index] for index in order], np.int32),
            loops=np.array(sorted(loops.values()), np.int32).reshape(-1, 2),
            legal_gates=sum(1 for index in order if part[index] == 0),
            goal_gates=sum(1 for index in order if part[index] == 1),
            moved=moved,
        )

    def _find_needed(self, outputs: Iterable[int]) -> bytearray:
        """Return for each gate whether one of the outputs depends on it."""
        first = self._first
        is_needed = bytearray(len(self._gates))
        left = [literal >> 1 for literal in outputs]
        while left:
            index = left.pop() - first
            if index >= 0 and not is_needed[index]:
                is_needed[index] = 1
                left += [literal >> 1 for literal in self._gates[index].inputs]
        return is_needed

    def _find_levels(self, part: Sequence[int]) -> list[int]:
        """Return the level of each gate: that of its deepest input and 1, or that of its loop.

        A gate was built after its inputs, except inside a loop.
        """
        first, gates = self._first, self._gates
        level = [0] * len(gates)
        begin = 0
        while begin < len(gates):
            end, loop = begin + 1, gates[begin].loop
            while loop and end < len(gates) and gates[end].loop == loop:
                end += 1
            depth = 0
            for index in range(begin, end):
                if part[index] < 0:
                    continue
                for literal in gates[index].inputs:
                    source = (literal >> 1) - first
                    if 0 <= source < begin:
                        depth = max(depth, level[source] + 1)
            level[begin:end] = [depth] * (end - begin)
            begin = end
        return level


@dataclass(frozen=True)
class Arranged:
    """The sorted gates as arrays (see `Network`), and where each node has moved."""

    is_and: Bools
    start: Ints
    inputs: Ints
    level: Ints
    loops: Ints
    legal_gates: int
    goal_gates: int
    moved: Sequence[int]

    def move(self, literal: int) -> int:
        """Return the literal that a literal has become."""
        return 2 * self.moved[literal >> 1] + (literal & 1)
