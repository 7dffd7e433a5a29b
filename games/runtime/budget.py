"""Limits on the requests per second of each player and each network on this server.

The limits are token buckets in memory: for commands, for frames and for new sockets. Each server
has its own buckets, because they protect its own database thread. A bucket allows bursts, and
refills at a constant rate.
"""

import time
from collections.abc import Hashable

from django.conf import settings

from games.runtime.per_loop import PerLoop

ACTION = 5
"""The tokens that a refused request in a match costs."""
GRANTED = 1
"""The tokens that an accepted request in a match costs. Players' requests are rarely refused, but
nearly all requests of a flood are."""

_SWEEP_EVERY = 60.0  # seconds between two searches for full buckets to drop


class TokenBucket:
    """A bucket of tokens. It starts full, and gains tokens at a constant rate up to `burst`.

    Times are those of a monotonic clock, in seconds.
    """

    __slots__ = ("_at", "_burst", "_per_second", "_tokens")

    def __init__(self, per_second: float, burst: float) -> None:
        self._per_second, self._burst = per_second, burst
        self._tokens, self._at = burst, 0.0

    def level(self, now: float) -> float:
        """Return the number of tokens; negative if some were taken in advance."""
        return min(self._burst, self._tokens + (now - self._at) * self._per_second)

    def is_full(self, now: float) -> bool:
        return self.level(now) >= self._burst

    def take(self, cost: float, now: float) -> None:
        """Take tokens, even if there are not enough. A negative cost returns tokens."""
        self._tokens, self._at = self.level(now) - cost, now

    def try_take(self, cost: float, now: float) -> bool:
        """Take tokens if there are enough, and return whether there were."""
        level = self.level(now)
        if level < cost:
            return False
        self._tokens, self._at = level - cost, now
        return True

    def reserve(self, now: float) -> float:
        """Take a token, possibly in advance, and return the seconds until it is available.

        Callers that wait for that long are served one after the other.
        """
        self.take(1, now)
        return max(0.0, -self._tokens / self._per_second)


class TokenBuckets:
    """A bucket for each key, created at first use and dropped once it is full."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._per_second, self._burst = per_second, burst
        self._buckets: dict[Hashable, TokenBucket] = {}
        self._swept_at = 0.0

    def get(self, key: Hashable, now: float) -> TokenBucket:
        if now - self._swept_at >= _SWEEP_EVERY:
            self._swept_at = now
            for full in [each for each, bucket in self._buckets.items() if bucket.is_full(now)]:
                del self._buckets[full]
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self._per_second, self._burst)
        return bucket

    def __len__(self) -> int:
        return len(self._buckets)


class Budget:
    """The buckets of one server. Without rate limits, every request is allowed."""

    def __init__(self) -> None:
        self.is_on: bool = settings.RATE_LIMITS
        self._players = TokenBuckets(settings.ACTIONS_PER_SECOND, settings.ACTIONS_BURST)
        self._client_networks = TokenBuckets(
            settings.ADDRESS_ACTIONS_PER_SECOND, settings.ADDRESS_ACTIONS_BURST
        )
        self._frames = TokenBuckets(
            settings.ADDRESS_FRAMES_PER_SECOND, settings.ADDRESS_FRAMES_BURST
        )
        self._openings = TokenBuckets(
            settings.SOCKET_OPENINGS_PER_SECOND, settings.SOCKET_OPENINGS_BURST
        )

    def may_act(self, client_network: str, player_id: int, cost: int) -> bool:
        """Take the tokens for a command, or return False if there are too few."""
        if not self.is_on:
            return True
        now = time.monotonic()
        player, network = self._buckets_of(client_network, player_id, now)
        if player.level(now) < cost or network.level(now) < cost:
            return False
        player.take(cost, now)
        network.take(cost, now)
        return True

    def granted(self, client_network: str, player_id: int) -> None:
        """Give back the part of a command's cost that only refused requests pay."""
        if self.is_on:
            now = time.monotonic()
            for bucket in self._buckets_of(client_network, player_id, now):
                bucket.take(GRANTED - ACTION, now)

    def _buckets_of(
        self, client_network: str, player_id: int, now: float
    ) -> tuple[TokenBucket, TokenBucket]:
        networks = self._client_networks
        return self._players.get(player_id, now), networks.get(client_network, now)

    def may_open(self, client_network: str) -> bool:
        """Take a token for another socket, or return False if the bucket is empty."""
        if not self.is_on:
            return True
        now = time.monotonic()
        return self._openings.get(client_network, now).try_take(1, now)

    def reserve_frame(self, client_network: str) -> float:
        """Return the seconds to wait before one more frame of the network is read.

        Frames beyond the budget are not refused, because refusing a frame costs as much as reading
        it. The network's sockets are read in the order of these calls, as fast as the budget
        allows.
        """
        now = time.monotonic()
        return self._frames.get(client_network, now).reserve(now)


budget = PerLoop(Budget)
"""The budget of the running event loop."""
