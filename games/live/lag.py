"""The delay of one connection, as the server measures it: never what the client says of it."""

import secrets
import time
from collections import deque

_KEPT = 8  # measurements


class Lag:
    """Round trips of one socket: a mark goes out, and is to come back at once."""

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
        """The shortest of the last round trips: who is slow on purpose must be slow each time."""
        return int(min(self._trips, default=0.0) * 1000)
