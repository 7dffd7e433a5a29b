"""Django's sessions in the database, with some changes: a key of the wrong shape is not looked up;
a session that is used is renewed, but not beyond its end if it has one; a new key is told.

A client can also log in with other kinds of keys: see `key_sources`.
"""

import re
import time
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.db.utils import Error
from django.dispatch import Signal
from django.utils import timezone

from games.runtime.db import is_unavailable
from games.runtime.metrics import count_database_error

_KEY = re.compile(r"[a-z0-9]{32}")
_ENDS_AT = "_ends_at"  # in seconds since 1970
_RENEWED = 0.1  # a session is renewed after this part of its lifetime: a write is not free

key_changed = Signal()
"""A session goes on under another key. Given: `former` and `key`."""


def is_key(text: str) -> bool:
    """Whether the text has the shape of a session's key. Others can make PostgreSQL fail."""
    return _KEY.fullmatch(text) is not None


key_sources: list[Callable[[Collection[str]], dict[str, int]]] = []
"""Functions for other kinds of keys. Each returns the players of those keys that are of its kind
and valid now. Such a key contains a colon; the key of a session does not. `config.wiring` sets
them."""


def get_players_by_key(keys: Collection[str]) -> dict[str, int]:
    """The player whom each of these keys admits; sessions, and keys that are not valid, are left
    out."""
    others = [key for key in keys if ":" in key]
    found: dict[str, int] = {}
    for source in key_sources if others else ():
        found |= source(others)
    return found


class SessionStore(db.SessionStore):  # its name is part of what signs the sessions: keep it
    """A session."""

    _expires_at: datetime | None = None  # as stored; None if it was not looked up
    _is_only_renewed = False  # it is to be saved for its new end alone

    def renew(self) -> None:
        """Have a session that is used saved again for its whole lifetime, if part of it is over."""
        if self._expires_at is None or self.is_empty():
            return
        whole = timedelta(seconds=self.get_expiry_age())
        left = self._expires_at - timezone.now()
        if not (1 - _RENEWED) * whole <= left <= whole:
            self._is_only_renewed = not self.modified
            self.modified = True

    def save(self, must_create: bool = False) -> None:
        """Save the session. If the database cannot be written, raise that error, which Django would
        report as a deleted session; a session that is only renewed is then renewed later."""
        try:
            super().save(must_create)
        except (UpdateError, Error) as error:
            reason = error.__context__ if isinstance(error, UpdateError) else error
            if not isinstance(reason, Error) or not is_unavailable(reason):
                raise
            if not self._is_only_renewed:
                raise reason from reason.__cause__
            count_database_error(reason)

    def end_within(self, seconds: float) -> None:
        """Have the session end so much later from now, however much it is used; or sooner, if that
        was said before."""
        ends_at = time.time() + seconds
        known = self.get(_ENDS_AT)
        if known is None or ends_at < known:
            self[_ENDS_AT] = ends_at

    def get_expiry_age(self, **kwargs: Any) -> int:
        """Seconds until it ends if it is not used any more."""
        age = int(super().get_expiry_age(**kwargs))
        ends_at = self.get(_ENDS_AT)
        return age if ends_at is None else max(0, min(age, int(ends_at - time.time())))

    def get_expiry_date(self, **kwargs: Any) -> datetime:
        return timezone.now() + timedelta(seconds=self.get_expiry_age(**kwargs))

    def cycle_key(self) -> None:
        former = self.session_key
        super().cycle_key()
        if former:
            self.save()  # else a socket that is looked up now would find nobody in it
            key_changed.send(sender=SessionStore, former=former, key=self.session_key)

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and is_key(key)

    def _get_session_from_db(self) -> Any:
        found = super()._get_session_from_db()  # type: ignore[misc]  # not in the stubs
        if found is not None:
            self._expires_at = found.expire_date
        return found
