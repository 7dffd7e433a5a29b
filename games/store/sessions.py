"""Sessions in the database, as Django keeps them: keys are checked for their shape before they
are looked up, and they are renewed with use."""

import re
from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.backends import db
from django.utils import timezone

_KEY = re.compile(r"[a-z0-9]{32}")
_RENEWED = 0.1  # of its time that a session may lose before it is renewed: a write is not free


def is_key(text: str) -> bool:
    """Whether it has the shape of a session's key. PostgreSQL fails at some that have not."""
    return _KEY.fullmatch(text) is not None


class SessionStore(db.SessionStore):  # its name is part of what signs the sessions: keep it
    """One session."""

    _expires_at: datetime | None = None  # as stored; None while it was not looked up

    def renew(self) -> None:
        """If it was used, and is some way to its end, let it be saved for its whole time again."""
        if self._expires_at is None or self.is_empty():
            return
        whole = timedelta(seconds=self.get_expiry_age())
        left = self._expires_at - timezone.now()
        if not (1 - _RENEWED) * whole <= left <= whole:
            self.modified = True

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and is_key(key)

    def _get_session_from_db(self) -> Any:
        found = super()._get_session_from_db()  # type: ignore[misc]  # not in the stubs
        if found is not None:
            self._expires_at = found.expire_date
        return found
