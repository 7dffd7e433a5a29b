"""Django's database sessions, extended by renewal, a fixed end, and other kinds of keys.

Keys of an invalid shape are not looked up, sessions in use are renewed but never beyond a fixed
end, and a signal reports a changed key. A client can also log in with other kinds of keys: see
`key_sources`.
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
_ENDS_AT = "_ends_at"  # the key of the fixed end, in seconds since 1970
_RENEWED = 0.1  # the share of the lifetime after which a session is renewed, to limit writes
_ROUNDING = timedelta(seconds=1)  # ages are whole seconds

key_changed = Signal()
"""The signal that the key of a session has changed, with the arguments `former` and `key`."""


def is_key(text: str) -> bool:
    """Return whether the text has the shape of a session key.

    Other texts can cause PostgreSQL errors.
    """
    return _KEY.fullmatch(text) is not None


key_sources: list[Callable[[Collection[str]], dict[str, int]]] = []
"""Functions for other kinds of keys. Each returns a dictionary that maps the valid keys of its kind
to the ids of their players. Such a key contains a colon; the key of a session does not.
`config.wiring` sets them."""


def get_players_by_key(keys: Collection[str]) -> dict[str, int]:
    """Return a dictionary that maps each valid key among these to the id of its player.

    Keys of sessions are left out.
    """
    others = [key for key in keys if ":" in key]
    found: dict[str, int] = {}
    for source in key_sources if others else ():
        found |= source(others)
    return found


# Do not rename this class: its name is part of the signature of sessions.
class SessionStore(db.SessionStore):
    """A session with renewal and an optional fixed end."""

    _expires_at: datetime | None = None  # the stored end; None if it has not been looked up yet
    _is_only_renewed = False  # whether nothing but the expiry changed

    def renew(self) -> None:
        """Extend a session in use to its full lifetime, unless it was extended recently."""
        if self._expires_at is None or self.is_empty():
            return
        whole = timedelta(seconds=self.get_expiry_age())
        left = self._expires_at - timezone.now()
        if not (1 - _RENEWED) * whole <= left <= whole + _ROUNDING:
            self._is_only_renewed = not self.modified
            self.modified = True

    def save(self, must_create: bool = False) -> None:
        """Save the session. If the database is not writable, raise its error.

        Django would report a deleted session instead. A failed renewal is ignored and tried again
        later.
        """
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
        """End the session after `seconds`, even if it is in use. An earlier end is kept."""
        ends_at = time.time() + seconds
        known = self.get(_ENDS_AT)
        if known is None or ends_at < known:
            self[_ENDS_AT] = ends_at

    def get_expiry_age(self, **kwargs: Any) -> int:
        """Return the number of seconds until the session expires if it is not used."""
        age = int(super().get_expiry_age(**kwargs))
        ends_at = self.get(_ENDS_AT)
        return age if ends_at is None else max(0, min(age, int(ends_at - time.time())))

    def get_expiry_date(self, **kwargs: Any) -> datetime:
        return timezone.now() + timedelta(seconds=self.get_expiry_age(**kwargs))

    def cycle_key(self) -> None:
        former = self.session_key
        super().cycle_key()
        if former:
            self.save()  # otherwise, a socket that opens now would find a session without a player
            key_changed.send(sender=SessionStore, former=former, key=self.session_key)

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and is_key(key)

    def _get_session_from_db(self) -> Any:
        found = super()._get_session_from_db()  # type: ignore[misc]  # the stubs lack it
        if found is not None:
            self._expires_at = found.expire_date
        return found
