"""The gates of a network for one state, computed one after the other by compiled code.

This is five to nine times as fast as numpy. But Numba takes a second to import, and as long again
to compile this module for the first time, so machines do without it until `load_kernel` in
`games/gdl/machine.py` is called.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from games.gdl.network import Bools, Network

Unsigned = NDArray[np.uint32]
Loops = NDArray[np.int64]
Gates = tuple[Bools, Unsigned, Unsigned, Loops, int]
"""The first parameters of `compute_part`."""


def read_gates(network: Network) -> Gates:
    """Return the gates of a network as the compiled functions need them."""
    return (
        network.is_and.copy(),  # one that is read-only would have another type for Numba
        network.start.astype(np.uint32),  # Numba need not check whether they are negative
        network.inputs.astype(np.uint32),
        network.loops.reshape(-1, 2).astype(np.int64),
        network.first_gate,
    )


@numba.njit("b1(b1[::1], u4[::1], u4[::1], i8, b1[::1], i8, i8)", cache=True)
def _compute_gates(
    is_and: Bools, start: Unsigned, inputs: Unsigned, base: int, values: Bools, begin: int, end: int
) -> bool:
    """Compute the gates from `begin` to `end`. Return whether the value of any has changed.

    `base` is the node of the first gate.
    """
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
        literal = 2 * (base + gate)
        if values[literal] != value:
            values[literal] = value
            has_changed = True
        values[literal + 1] = not value
    return has_changed


@numba.njit("void(b1[::1], u4[::1], u4[::1], i8[:, ::1], i8, b1[::1], i8, i8)", cache=True)
def compute_part(
    is_and: Bools,
    start: Unsigned,
    inputs: Unsigned,
    loops: Loops,
    base: int,
    values: Bools,
    begin: int,
    end: int,
) -> None:
    """Compute the gates of a part. The values of everything that they read must be known."""
    for loop in range(len(loops)):
        first, last = loops[loop, 0], loops[loop, 1]
        if first < begin or first >= end:
            continue
        _compute_gates(is_and, start, inputs, base, values, begin, first)
        for node in range(base + first, base + last):
            values[2 * node] = False
            values[2 * node + 1] = True
        while _compute_gates(is_and, start, inputs, base, values, first, last):
            pass
        begin = last
    _compute_gates(is_and, start, inputs, base, values, begin, end)
