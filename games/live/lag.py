"""The delay of one connection, as the server measures it. What the client claims does not count."""

import secrets
import time
from collections import deque

_KEPT = 8  # measurements


class Lag:
    """Round trips of one socket: it is sent a mark, and echoes it at once."""

    def __init__(self) -> None:
        self._trips: deque[float] = deque(maxlen=_KEPT)
        self._mark = ""
        self._marked_at = 0.0

    def mark(self) -> str:
        """A new mark to be echoed; an older one counts no more."""
        self._mark = secrets.token_hex(4)
        self._marked_at = time.monotonic()
        return self._mark

    def echoed(self, mark: str) -> None:
        if self._mark and mark == self._mark:
            self._trips.append(time.monotonic() - self._marked_at)
            self._mark = ""

    def ms(self) -> int:
        """The shortest of the last round trips, so that one slow echo on purpose gains nothing."""
        return int(min(self._trips, default=0.0) * 1000)
