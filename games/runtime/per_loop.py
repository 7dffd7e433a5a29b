"""One instance of an object for each event loop. A process of the site has one event loop."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import ReferenceType, WeakKeyDictionary, ref

T = TypeVar("T")


class PerLoop(Generic[T]):
    """A callable that returns the running loop's instance, and creates it at the first call."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = WeakKeyDictionary()
        # The last loop and its instance. A server calls this object several times for each frame.
        self._last: tuple[ReferenceType[asyncio.AbstractEventLoop], T] | None = None

    def __call__(self) -> T:
        loop = asyncio.get_running_loop()
        if self._last is not None and self._last[0]() is loop:
            return self._last[1]
        found = self._made.get(loop)
        if found is None:
            found = self._made[loop] = self._make()
        self._last = (ref(loop), found)
        return found
