"""A lower priority for threads that work in the background.

Python lets a thread keep the interpreter's lock for 5 ms (the switch interval) while others are
waiting for it, and handling a player's action passes the lock on three times. With a few threads
that render pages, this adds up to a tenth of a second. While a background thread is working, the
interval is therefore half a millisecond. Otherwise the interval keeps its default, because frequent
switches reduce the number of actions that a full server can handle.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SOON = 0.0005  # seconds, a tenth of Python's default

_lock = threading.Lock()
_working = 0
_usual = sys.getswitchinterval()


@contextmanager
def background_priority() -> Iterator[None]:
    """Mark the work in this context as not urgent."""
    _count(1)
    try:
        yield
    finally:
        _count(-1)


def _count(more: int) -> None:
    global _working  # noqa: PLW0603  # the interval is global to the process too
    with _lock:
        _working += more
        if _working == max(more, 0):  # the first thread has begun, or the last one has ended
            sys.setswitchinterval(_SOON if _working else _usual)
