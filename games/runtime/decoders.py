"""Decoders of request bodies, each created once by one thread.

msgspec inspects a type when it is first decoded. If two threads do that simultaneously, one of them
uses incomplete data, and the process crashes.
"""

import threading
from typing import Any

import msgspec

_lock = threading.Lock()
_known: dict[Any, msgspec.json.Decoder[Any]] = {}


def get_decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """Return the decoder of a type. It accepts "1" for 1, because forms send text.

    After this call, any thread may also decode the type in other ways, such as `msgspec.convert`.
    """
    found = _known.get(kind)
    if found is None:
        with _lock:
            found = _known.get(kind) or msgspec.json.Decoder(kind, strict=False)
            _known[kind] = found
    return found
