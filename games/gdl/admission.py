"""Which sheets can be played by turns: many random games show it."""

import time
from collections import Counter
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from games.gdl.errors import SheetError
from games.gdl.machine import compute, plan_parts
from games.gdl.network import Network

LONGEST_GAME = 1000  # plies
PLAYOUTS = 4000
LEAST_PLAYOUTS = 100  # of a sheet whose games take long to play
_MOST_SAMPLES = 64
_SECONDS = 4.0  # after these, fewer playouts must do
_LANES = 256  # games that are played side by side

Bytes = NDArray[np.uint8]


def admit(network: Network, seed: int = 1, playouts: int = PLAYOUTS) -> Network:
    """Return the network with the action by which each role waits, and with samples of states.

    Raise `SheetError` if random games show that the sheet cannot be played by turns: in every
    position exactly one role has a choice, the other one can only wait, the game ends within
    `LONGEST_GAME` plies, and each role then has exactly one goal.
    """
    games = _Playouts(network, seed)
    end = time.monotonic() + _SECONDS
    while games.finished < playouts:
        games.step()
        if games.finished >= LEAST_PLAYOUTS and time.monotonic() > end:
            break
    stride = -(-len(games.samples) // _MOST_SAMPLES)
    return replace(network, noops=games.find_noops(), samples=tuple(games.samples[::stride]))


class _Playouts:
    """Random games that are played side by side, a bit of each byte for one of them."""

    def __init__(self, network: Network, seed: int) -> None:
        self._network = network
        self._random = np.random.default_rng(seed)
        self._plans = plan_parts(network)
        self._values: Bytes = np.zeros(
            (2 * (network.first_gate + network.gates), _LANES // 8), np.uint8
        )
        self._values[1] = 255
        self._initial = np.repeat(network.initial[:, None], _LANES, axis=1)
        self._state = self._initial.copy()
        self._plies = np.zeros(_LANES, np.int32)
        self._waited: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
        self.finished = 0
        self.samples: list[bytes] = []
        self._steps = 0
        self._stride = 1  # steps from one sample to the next

    def find_noops(self) -> tuple[int, int]:
        """Return the action with which each role waits most often while the other one chooses."""
        first, second = (max(each, key=each.__getitem__, default=-1) for each in self._waited)
        return first, second

    def step(self) -> None:
        """Play one ply of all games. A game that is over begins again."""
        self._take_samples()
        network = self._network
        last = 2 + 2 * len(network.fluents)
        self._set(2, last, self._state)
        self._values[last : 2 * network.first_gate : 2] = 0
        self._values[last + 1 : 2 * network.first_gate : 2] = 255
        compute(self._values, self._plans[0])
        is_over = self._get([network.terminal])[0]
        if is_over.any():
            if self._steps == 1:
                raise SheetError("the game is over before it begins")
            self._check_goals(is_over)
        self._state[:, is_over] = self._initial[:, is_over]
        self._plies[is_over] = 0
        self.finished += int(is_over.sum())
        self._play(~is_over, is_over)

    def _take_samples(self) -> None:
        """Keep states of some games now and then, so that the samples are spread over the plies.

        How many games are played at last depends on the machine, so that only the first ones count.
        """
        if self.finished < LEAST_PLAYOUTS and self._steps % self._stride == 0:
            for lane in range(self._steps % 32, _LANES, 32):
                self.samples.append(np.packbits(self._state[:, lane]).tobytes())
            if len(self.samples) > 2 * _MOST_SAMPLES:
                del self.samples[1::2]
                self._stride *= 2
        self._steps += 1

    def _play(self, is_live: NDArray[np.bool_], is_over: NDArray[np.bool_]) -> None:
        network = self._network
        legal = [self._get(each) for each in network.legal]
        counts = [each.sum(axis=0) for each in legal]
        for role, count in enumerate(counts):
            if (is_live & (count == 0)).any():
                raise SheetError(f"{network.roles[role]} has no legal action in some position")
        both = is_live & (counts[0] > 1) & (counts[1] > 1)
        if both.any():
            raise SheetError("both roles have a choice in one position: the moves are simultaneous")
        for role in (0, 1):
            waits = is_live & (counts[role] == 1) & (counts[1 - role] > 1)
            found = legal[role][:, waits].argmax(axis=0)
            self._waited[role].update(found.tolist())
        for role in (0, 1):
            first = 2 * network.first_action[role]
            keys = self._random.random(legal[role].shape, dtype=np.float32)
            chosen = np.where(legal[role], keys, -1).argmax(axis=0)
            done = np.zeros_like(legal[role])
            done[chosen, np.arange(_LANES)] = True
            self._set(first, first + 2 * len(done), done)
        compute(self._values, self._plans[2])
        self._state = self._get(network.next)
        self._state[:, is_over] = self._initial[:, is_over]
        self._plies[is_live] += 1
        if self._plies.max() > LONGEST_GAME:
            raise SheetError(f"a random game did not end within {LONGEST_GAME:,} plies")

    def _check_goals(self, is_over: NDArray[np.bool_]) -> None:
        compute(self._values, self._plans[1])
        for role, goals in enumerate(self._network.goals):
            counts = self._get([literal for _, literal in goals])[:, is_over].sum(axis=0)
            name = self._network.roles[role]
            if (counts == 0).any():
                raise SheetError(f"a game ended in which {name} has no goal")
            if (counts > 1).any():
                raise SheetError(f"a game ended in which {name} has more than one goal")

    def _set(self, first: int, last: int, bits: NDArray[np.bool_]) -> None:
        packed = np.packbits(bits, axis=1)
        self._values[first:last:2] = packed
        self._values[first + 1 : last : 2] = ~packed

    def _get(self, literals: "list[int] | NDArray[np.int32]") -> NDArray[np.bool_]:
        packed = self._values[np.asarray(literals)]
        return np.unpackbits(packed, axis=1, count=_LANES).view(np.bool_)
