"""Errors that this process has logged but not stored yet, counted by kind.

`config.monitoring` stores them for the status page. A kind has no personal data: it has the text in
the program without the values, the class of the error, and the place in the code.
"""

import logging
import threading
import traceback
from collections import Counter
from pathlib import Path

from msgspec import Struct

_BASE = Path(__file__).resolve().parents[1]
_MOST = 100  # the maximum number of kinds of errors waiting to be stored


class LoggedError(Struct, frozen=True):
    """A kind of logged error: the event, the class of the error, and the place in the code."""

    event: str
    error: str = ""
    place: str = ""


OTHER = LoggedError("further kinds of errors")

_lock = threading.Lock()
_waiting: Counter[LoggedError] = Counter()


def count_failure(record: logging.LogRecord) -> None:
    """Count a log record as an error."""
    add({_read_kind(record): 1})


def add(found: dict[LoggedError, int]) -> None:
    """Add to the waiting errors. If there are too many kinds, count new kinds as `OTHER`."""
    with _lock:
        for kind, times in found.items():
            known = kind in _waiting or len(_waiting) < _MOST
            _waiting[kind if known else OTHER] += times


def take_all() -> dict[LoggedError, int]:
    """Remove the waiting errors. Return a dictionary that maps each kind to its count."""
    with _lock:
        found = dict(_waiting)
        _waiting.clear()
    return found


def _read_kind(record: logging.LogRecord) -> LoggedError:
    said = record.msg.get("event", "") if isinstance(record.msg, dict) else record.msg
    if record.name.startswith("django.request") and record.args:
        said = "page failed"  # the record's text is only a format string for the path
    info = record.exc_info
    if not info or info[1] is None:
        return LoggedError(f"{said}"[:120], "", f"{record.name}:{record.lineno}"[-120:])
    return LoggedError(f"{said}"[:120], info[1].__class__.__name__[:80], _find_place(info[1]))


def _find_place(error: BaseException) -> str:
    """Return the last place in the site's own code in the error's traceback.

    Return the last place in any code if there is none.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_own(frame.filename)]
    found = (own or frames)[-1:]
    return "".join(f"{_shorten(each.filename)}:{each.lineno}" for each in found)[-120:]


def _is_own(file: str) -> bool:
    return file.startswith(f"{_BASE}/") and "site-packages" not in file


def _shorten(file: str) -> str:
    return file.removeprefix(f"{_BASE}/")
