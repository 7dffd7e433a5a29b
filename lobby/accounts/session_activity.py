"""When each session of an account was last used, for the account's own list of them."""

import time
from collections import OrderedDict
from threading import Lock

from allauth.usersessions.models import UserSession
from django.utils import timezone

from games.runtime.db import optional_write

_EVERY = 300.0  # seconds between two notes about a session
_MOST = 10_000  # sessions that are remembered here
_noted: OrderedDict[str, float] = OrderedDict()
_lock = Lock()


def record_activity(session_key: str) -> None:
    """Note that the session is used, now and then."""
    now = time.monotonic()
    with _lock:
        last = _noted.get(session_key)
        if last is not None and now - last < _EVERY:
            return
        _noted[session_key] = now
        _noted.move_to_end(session_key)
        if len(_noted) > _MOST:
            _noted.popitem(last=False)
    with optional_write():
        UserSession.objects.filter(session_key=session_key).update(last_seen_at=timezone.now())
