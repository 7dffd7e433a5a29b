"""Decoders of request bodies. Each is created once, by one thread.

msgspec inspects a type when it is first decoded. If two threads do that simultaneously, one of them
uses incomplete data, and the process crashes.
"""

import threading
from typing import Any

import msgspec

_lock = threading.Lock()
_known: dict[Any, msgspec.json.Decoder[Any]] = {}


def get_decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """Return the decoder of a type. It accepts "1" for 1, as forms need it.

    After this call any thread may decode the type in other ways too, such as `msgspec.convert`.
    """
    found = _known.get(kind)
    if found is None:
        with _lock:
            found = _known.get(kind) or msgspec.json.Decoder(kind, strict=False)
            _known[kind] = found
    return found
