"""Django's sessions in the database, with two changes: a key of the wrong shape is not looked up,
and a session that is used is renewed."""

import re
from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.backends import db
from django.utils import timezone

_KEY = re.compile(r"[a-z0-9]{32}")
_RENEWED = 0.1  # a session is renewed after this part of its lifetime: a write is not free


def is_key(text: str) -> bool:
    """Whether the text has the shape of a session's key. Others can make PostgreSQL fail."""
    return _KEY.fullmatch(text) is not None


class SessionStore(db.SessionStore):  # its name is part of what signs the sessions: keep it
    """A session."""

    _expires_at: datetime | None = None  # as stored; None if it was not looked up

    def renew(self) -> None:
        """Have a session that is used saved again for its whole lifetime, if part of it is over."""
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
