"""The propositional network of a sheet: integer arrays that compute what a state allows.

A *literal* is an integer: `2 * node`, or `2 * node + 1` for the negation of the node. Node 0 is
false, so that literal 0 is false and literal 1 is true. The fluents come next, then the actions of
the first and of the second role, and then the gates.

A gate comes after everything that it reads, except in a *loop*: a range of gates that depend on
each other. Their value is the least fixed point: they are false at first, and are then computed
again and again until nothing changes. No gate of a loop reads the negation of another one.
"""

import io
import zlib
from dataclasses import dataclass
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

VERSION = 4
"""The version of the compiler. A network of another version is compiled again."""

FALSE, TRUE = 0, 1  # literals

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

_ARRAYS = ("is_and", "start", "inputs", "level", "loops", "initial", "next")


@dataclass(frozen=True, eq=False)
class Network:
    """A compiled sheet. All arrays are read-only by convention."""

    roles: tuple[str, str]
    fluents: tuple[str, ...]
    """The facts that a state consists of, in KIF; the index is the fluent's bit in a state."""
    actions: tuple[tuple[str, ...], tuple[str, ...]]
    """For each role, every action that can ever be legal."""
    is_and: Bools
    """For each gate, whether it is the conjunction of its inputs. Otherwise, the disjunction."""
    start: Ints
    """For each gate, where its inputs begin in `inputs`, and at last the number of inputs."""
    inputs: Ints
    """The inputs of all gates, as literals."""
    level: Ints
    """For each gate, the length of the longest path to it. Each of the three parts is sorted by it.
    All gates of a loop have the same."""
    loops: Ints
    """For each loop, its first gate and the gate after its last one."""
    legal_gates: int
    """The number of gates that the legal actions and the end of the game need: the first part."""
    goal_gates: int
    """The number of gates that only the goals need: the second part. Only the next state needs the
    others."""
    initial: Bools
    legal: tuple[Ints, Ints]
    """For each role and action, the literal that is true if the action is legal."""
    next: Ints
    """For each fluent, the literal that is true if the fluent holds in the next state."""
    terminal: int
    goals: tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
    """For each role, pairs of points and the literal that is true if the role gets them."""
    control: tuple[int, int] = (-1, -1)
    """For each role, the fluent that says that it is the role's turn; -1 if there is none."""
    noops: tuple[int, int] = (-1, -1)
    """For each role, the action by which it waits; -1 if it never waits."""
    samples: tuple[bytes, ...] = ()
    """States of random games, with a bit for each fluent. The layout learns from them which facts
    exclude each other."""

    @property
    def first_action(self) -> tuple[int, int]:
        """Return the node of the first action of each role."""
        first = 1 + len(self.fluents)
        return first, first + len(self.actions[0])

    @property
    def first_gate(self) -> int:
        """Return the node of the first gate."""
        return 1 + len(self.fluents) + len(self.actions[0]) + len(self.actions[1])

    @property
    def gates(self) -> int:
        return len(self.is_and)

    def encode(self) -> bytes:
        """Return the network as a compressed file of numpy. `decode_network` reads it."""
        file = io.BytesIO()
        arrays: dict[str, Any] = {name: getattr(self, name) for name in _ARRAYS}
        for role in (0, 1):
            arrays[f"legal{role}"] = self.legal[role]
            arrays[f"goals{role}"] = np.array(self.goals[role], np.int32).reshape(-1, 2)
        arrays["numbers"] = np.array(
            [VERSION, self.legal_gates, self.goal_gates, self.terminal, *self.control, *self.noops],
            np.int32,
        )
        arrays["samples"] = np.frombuffer(b"".join(self.samples), np.uint8)
        texts = (self.roles, self.fluents, *self.actions)
        joined = "\0".join("\n".join(each) for each in texts)
        arrays["texts"] = np.frombuffer(joined.encode(), np.uint8)
        np.savez_compressed(file, **arrays)
        return file.getvalue()


def decode_network(data: bytes) -> Network:
    """Read what `Network.encode` returned. Raise `ValueError` for anything else."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
        numbers = [int(each) for each in arrays["numbers"]]
        texts = [
            tuple(part.split("\n")) if part else ()
            for part in arrays["texts"].tobytes().decode().split("\0")
        ]
        first, second = texts[0]
        if numbers[0] != VERSION:
            raise ValueError(f"a network of version {numbers[0]}, and {VERSION} is needed")
        goals = [
            tuple((int(points), int(literal)) for points, literal in arrays[f"goals{role}"])
            for role in (0, 1)
        ]
        return _assemble((first, second), texts, arrays, numbers, goals)
    except (OSError, KeyError, EOFError, IndexError, BadZipFile, zlib.error) as error:
        raise ValueError("not the network of a sheet") from error


def _assemble(
    roles: tuple[str, str],
    texts: list[tuple[str, ...]],
    arrays: dict[str, Any],
    numbers: list[int],
    goals: list[tuple[tuple[int, int], ...]],
) -> Network:
    return Network(
        roles=roles,
        fluents=texts[1],
        actions=(texts[2], texts[3]),
        **{name: arrays[name] for name in _ARRAYS},
        legal_gates=numbers[1],
        goal_gates=numbers[2],
        legal=(arrays["legal0"], arrays["legal1"]),
        terminal=numbers[3],
        goals=(goals[0], goals[1]),
        control=(numbers[4], numbers[5]),
        noops=(numbers[6], numbers[7]),
        samples=tuple(map(bytes, arrays["samples"].reshape(-1, -(-len(texts[1]) // 8)))),
    )
