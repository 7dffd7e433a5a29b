"""Building the gates of a network: constants are folded, and equal gates exist once."""

from collections.abc import Iterable, Sequence

import numpy as np

from games.gdl.errors import SheetError
from games.gdl.network import FALSE, TRUE, Bools, Ints

MOST_GATES = 1_500_000  # while building; most of them are usually dropped in the end


class Gates:
    """The gates that have been built so far, above nodes that are inputs."""

    def __init__(self, inputs: int) -> None:
        self._first = inputs  # the node of the first gate
        self._found: dict[tuple[bool, tuple[int, ...]], int] = {}
        self._gates: list[tuple[bool, tuple[int, ...]]] = []

    def conjoin(self, literals: Iterable[int]) -> int:
        """Return the literal that is true if all of these are."""
        return self._join(True, literals)

    def disjoin(self, literals: Iterable[int]) -> int:
        """Return the literal that is true if one of these is."""
        return self._join(False, literals)

    def _join(self, is_and: bool, literals: Iterable[int]) -> int:
        neutral, absorbing = (TRUE, FALSE) if is_and else (FALSE, TRUE)
        wanted = set(literals)
        wanted.discard(neutral)
        if absorbing in wanted or any(each ^ 1 in wanted for each in wanted):
            return absorbing
        if len(wanted) < 2:
            return wanted.pop() if wanted else neutral
        key = (is_and, tuple(sorted(wanted)))
        node = self._found.get(key)
        if node is None:
            if len(self._gates) == MOST_GATES:
                raise SheetError("the rules of this sheet need too many gates")
            node = self._first + len(self._gates)
            self._found[key] = node
            self._gates.append(key)
        return 2 * node

    def arrange(self, outputs: Sequence[int], late: range) -> "Arranged":
        """Drop what feeds no output, and sort the rest.

        `late` are the input nodes of actions: gates that depend on one of them come last.
        """
        first = self._first
        is_needed = bytearray(len(self._gates))
        for literal in outputs:
            if literal >> 1 >= first:
                is_needed[(literal >> 1) - first] = 1
        for index in range(len(self._gates) - 1, -1, -1):
            if is_needed[index]:
                for literal in self._gates[index][1]:
                    if literal >> 1 >= first:
                        is_needed[(literal >> 1) - first] = 1
        level = [0] * len(self._gates)
        is_late = bytearray(len(self._gates))
        for index, (_, inputs) in enumerate(self._gates):
            if not is_needed[index]:
                continue
            for literal in inputs:
                node = literal >> 1
                if node >= first:
                    level[index] = max(level[index], level[node - first] + 1)
                    is_late[index] |= is_late[node - first]
                elif node in late:
                    is_late[index] = 1
        order = sorted(
            (index for index in range(len(self._gates)) if is_needed[index]),
            key=lambda index: (is_late[index], level[index], not self._gates[index][0]),
        )
        moved = list(range(first)) + [0] * len(self._gates)
        for place, index in enumerate(order):
            moved[first + index] = first + place
        sources = [
            sorted(2 * moved[literal >> 1] + (literal & 1) for literal in self._gates[index][1])
            for index in order
        ]
        lengths = [len(each) for each in sources]
        return Arranged(
            is_and=np.array([self._gates[index][0] for index in order], np.bool_),
            start=np.concatenate(([0], np.cumsum(lengths))).astype(np.int32),
            inputs=np.array([each for part in sources for each in part], np.int32),
            level=np.array([level[index] for index in order], np.int32),
            state_gates=sum(1 for index in order if not is_late[index]),
            moved=moved,
        )


class Arranged:
    """The sorted gates as arrays, and where each literal has moved."""

    def __init__(
        self,
        is_and: Bools,
        start: Ints,
        inputs: Ints,
        level: Ints,
        state_gates: int,
        moved: list[int],
    ) -> None:
        self.is_and, self.start, self.inputs, self.level = is_and, start, inputs, level
        self.state_gates = state_gates
        self._moved = moved

    def move(self, literal: int) -> int:
        """Return the literal that a literal has become."""
        return 2 * self._moved[literal >> 1] + (literal & 1)
