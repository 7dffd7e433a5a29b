"""How much one player, and one household, may ask of this server in a second.

Token buckets in memory, each server's own: every frame takes a token, and the buckets protect this
server's own database thread. A bucket holds a burst and fills evenly.
"""

import asyncio
import time
from collections.abc import Hashable

from django.conf import settings

from games.runtime.per_loop import PerLoop

ACTION = 5
"""What a request in a match costs, if it is refused."""
GRANTED = 1
"""What it costs if it is not. Players rarely ask for what is refused, floods for little else."""

_SWEEP_EVERY = 60.0  # seconds between two searches for buckets that are full again


class Buckets:
    """Many buckets of tokens, each made at first use and dropped once it is full."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._rate, self._burst = per_second, burst
        self._levels: dict[Hashable, tuple[float, float]] = {}  # tokens, and as of when
        self._swept_at = 0.0

    def level(self, who: Hashable, now: float) -> float:
        """How many tokens the bucket holds; negative if some were taken in advance."""
        found = self._levels.get(who)
        if found is None:
            return self._burst
        return min(self._burst, found[0] + (now - found[1]) * self._rate)

    def take(self, who: Hashable, cost: float, now: float) -> None:
        self._levels[who] = (self.level(who, now) - cost, now)
        if now - self._swept_at >= _SWEEP_EVERY:
            self._swept_at = now
            full = [each for each in self._levels if self.level(each, now) >= self._burst]
            for each in full:
                del self._levels[each]

    def wait(self, who: Hashable, now: float) -> float:
        """Take a token, perhaps in advance; the seconds until it would have been there.

        So several callers who wait for the same bucket go on one after the other, in order.
        """
        self.take(who, 1, now)
        return max(0.0, -self.level(who, now) / self._rate)

    def __len__(self) -> int:
        return len(self._levels)


class Budget:
    """One server's buckets. Without the rate limits it grants everything."""

    def __init__(self) -> None:
        self.is_on: bool = settings.RATE_LIMITS
        self._players = Buckets(settings.ACTIONS_PER_SECOND, settings.ACTIONS_BURST)
        self._households = Buckets(
            settings.ADDRESS_ACTIONS_PER_SECOND, settings.ADDRESS_ACTIONS_BURST
        )
        self._frames = Buckets(settings.ADDRESS_FRAMES_PER_SECOND, settings.ADDRESS_FRAMES_BURST)
        self._openings = Buckets(
            settings.SOCKET_OPENINGS_PER_SECOND, settings.SOCKET_OPENINGS_BURST
        )

    def may_act(self, household: str, player_id: int, cost: int) -> bool:
        """Whether the player may ask for something that costs a transaction; if so, take the
        tokens for it."""
        if not self.is_on:
            return True
        now = time.monotonic()
        if (
            self._players.level(player_id, now) < cost
            or self._households.level(household, now) < cost
        ):
            return False
        self._take(household, player_id, cost, now)
        return True

    def granted(self, household: str, player_id: int) -> None:
        """Give back what an `ACTION` that is refused costs more than one that is `GRANTED`."""
        if self.is_on:
            self._take(household, player_id, GRANTED - ACTION, time.monotonic())

    def _take(self, household: str, player_id: int, cost: int, now: float) -> None:
        self._players.take(player_id, cost, now)
        self._households.take(household, cost, now)

    def may_open(self, household: str) -> bool:
        """Whether the household may open one more socket now; if so, it is counted."""
        if not self.is_on:
            return True
        now = time.monotonic()
        if self._openings.level(household, now) < 1:
            return False
        self._openings.take(household, 1, now)
        return True

    async def read(self, household: str) -> None:
        """Return when one more frame of the household may be read.

        Frames beyond the budget are not refused, as that would cost as much as reading them. The
        household's sockets are read in turn, as fast as the budget allows.
        """
        if self.is_on:
            wait = self._frames.wait(household, time.monotonic())
            if wait > 0:
                await asyncio.sleep(wait)


budget = PerLoop(Budget)
"""The budget of the running event loop."""
