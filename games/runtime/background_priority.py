"""Threads that work in the background let the others have the interpreter's lock sooner.

Python lets a thread keep the lock for 5 ms while others wait for it, and a player's action passes
it on three times: with a few threads that make pages, that is a tenth of a second. While such a
thread works, the lock is asked for after half a millisecond. Otherwise the longer time stays, as
each change of threads costs some of the actions that a full server carries out.
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
    """What is done within is not urgent."""
    _count(1)
    try:
        yield
    finally:
        _count(-1)


def _count(more: int) -> None:
    global _working  # noqa: PLW0603  # it counts for the process, as the interval does
    with _lock:
        _working += more
        if _working == max(more, 0):  # the first has begun, or the last has ended
            sys.setswitchinterval(_SOON if _working else _usual)
