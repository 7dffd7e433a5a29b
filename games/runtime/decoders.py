"""Decoders for what pages are sent, each made once and by one thread.

msgspec works out how to read a type when it is first read. Where two threads are the first at the
same time, one of them finds that half done, and the process dies.
"""

import threading
from typing import Any

import msgspec

_lock = threading.Lock()
_known: dict[Any, msgspec.json.Decoder[Any]] = {}


def get_decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """The decoder of a type, which takes "1" for 1 as forms need it. After this call any thread may
    read the type in other ways too, such as by `msgspec.convert`."""
    found = _known.get(kind)
    if found is None:
        with _lock:
            found = _known.get(kind) or msgspec.json.Decoder(kind, strict=False)
            _known[kind] = found
    return found
