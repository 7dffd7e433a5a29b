"""The gates of a network for one state, computed one after the other by compiled code.

This is five to nine times as fast as numpy. But Numba takes a second to import, and as long again
to compile this module for the first time, so machines do without it until `load_kernel` in
`games/gdl/machine.py` is called.
"""

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from games.gdl.network import Bools, Network

Unsigned = NDArray[np.uint32]
Signed = NDArray[np.int64]
Octets = NDArray[np.uint8]


class GateArrays(NamedTuple):
    """Gates in the order in which they are computed: the first parameters of `compute_gates`."""

    is_and: Bools
    start: Unsigned
    """Where the inputs of each gate begin, and at last their number."""
    inputs: Unsigned
    literals: Unsigned
    """Where the value of each gate goes."""
    loops: Signed
    """For each loop, the index of its first gate and the index after its last one."""


def select_gates(network: Network) -> tuple[GateArrays, GateArrays, GateArrays]:
    """Return the gates for the legal actions, for the goals if these are known, and for the next
    state."""
    legal = network.legal_gates
    rest = legal + network.goal_gates
    following = np.arange(rest, network.gates)
    return (
        _select(network, np.arange(legal)),
        _select(network, np.arange(legal, rest)),
        _select(network, np.concatenate([_find_needed(network, following), following])),
    )


def _find_needed(network: Network, gates: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the gates for the legal actions that others need."""
    start, base = network.start, network.first_gate
    is_needed = np.zeros(network.gates, np.bool_)
    loop_of = {int(last) - 1: int(first) for first, last in network.loops}

    def need(gate: int) -> None:
        nodes = network.inputs[start[gate] : start[gate + 1]] >> 1
        is_needed[nodes[nodes >= base] - base] = True

    for gate in gates.tolist():
        need(gate)
    for gate in range(network.legal_gates - 1, -1, -1):  # what a gate needs comes before it
        first = loop_of.get(gate, gate)
        if is_needed[first : gate + 1].any():
            is_needed[first : gate + 1] = True
        if is_needed[gate]:
            need(gate)
    return np.flatnonzero(is_needed[: network.legal_gates])


def _select(network: Network, gates: NDArray[np.int64]) -> GateArrays:
    counts = np.diff(network.start)[gates]
    start = np.concatenate([[0], np.cumsum(counts)])
    inputs = np.repeat(network.start[gates] - start[:-1], counts) + np.arange(start[-1])
    kept = [pair for pair in network.loops if pair[0] in gates]
    return GateArrays(
        network.is_and[gates],
        start.astype(np.uint32),  # Numba need not check whether they are negative
        network.inputs[inputs].astype(np.uint32),
        (2 * (network.first_gate + gates)).astype(np.uint32),
        np.searchsorted(gates, np.array(kept, np.int64).reshape(-1, 2)).astype(np.int64),
    )


@numba.njit("b1(b1[::1], u4[::1], u4[::1], u4[::1], b1[::1], i8, i8)", cache=True)
def _compute_range(
    is_and: Bools,
    start: Unsigned,
    inputs: Unsigned,
    literals: Unsigned,
    values: Bools,
    begin: int,
    end: int,
) -> bool:
    """Compute the gates from `begin` to `end`. Return whether the value of any has changed."""
    has_changed = False
    at = start[begin]
    for gate in range(begin, end):
        last = start[gate + 1]
        value = is_and[gate]
        for i in range(at, last):
            if values[inputs[i]] != value:  # one false input decides an "and", one true an "or"
                value = not value
                break
        at = last
        literal = literals[gate]
        if values[literal] != value:
            values[literal] = value
            has_changed = True
        values[literal + 1] = not value
    return has_changed


@numba.njit("void(b1[::1], u4[::1], u4[::1], u4[::1], i8[:, ::1], b1[::1])", cache=True)
def compute_gates(
    is_and: Bools,
    start: Unsigned,
    inputs: Unsigned,
    literals: Unsigned,
    loops: Signed,
    values: Bools,
) -> None:
    """Compute the value of each gate. What it reads must be known, or come before it."""
    begin = 0
    for loop in range(len(loops)):
        first, last = loops[loop, 0], loops[loop, 1]
        _compute_range(is_and, start, inputs, literals, values, begin, first)
        for gate in range(first, last):
            values[literals[gate]] = False
            values[literals[gate] + 1] = True
        while _compute_range(is_and, start, inputs, literals, values, first, last):
            pass
        begin = last
    _compute_range(is_and, start, inputs, literals, values, begin, len(literals))


@numba.njit("void(Array(u1, 1, 'C', readonly=True), i8, i8, b1[::1])", cache=True)
def load_state(state: Octets, fluents: int, first_gate: int, values: Bools) -> None:
    """Set the values of the fluents, and let no action be done."""
    for i in range(fluents):
        value = state[i >> 3] >> (7 - (i & 7)) & 1 == 1
        values[2 + 2 * i] = value
        values[3 + 2 * i] = not value
    for node in range(1 + fluents, first_gate):
        values[2 * node] = False
        values[2 * node + 1] = True
