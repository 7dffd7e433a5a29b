"""Threads for background work release the interpreter's lock sooner.

Python lets a thread keep the lock for 5 ms while others wait for it, and a player's action passes
it on three times: with a few threads that render pages, that is a tenth of a second. While such a
thread works, the interval is half a millisecond. Otherwise the default stays, because frequent
switches reduce the number of actions that a full server can handle.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SOON = 0.0005  # seconds

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
        if _working == max(more, 0):  # the first has begun, or the last has ended
            sys.setswitchinterval(_SOON if _working else _usual)
