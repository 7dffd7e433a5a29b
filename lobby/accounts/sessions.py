"""Ending sessions, which closes their sockets on every server, and renewing sessions in use."""

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from threading import Lock

from allauth.usersessions.models import UserSession
from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from games.live.sessions import end_everywhere
from games.runtime.db import optional_write
from games.store.sessions import SessionStore
from lobby.models import Player


def end_sessions(keys: Iterable[str]) -> None:
    """Delete the sessions with these keys, and close their sockets on every server."""
    found = list(keys)
    if found:
        Session.objects.filter(session_key__in=found).delete()
        async_to_sync(end_everywhere)(found)  # the sockets belong to the server's event loop


def end_user_sessions(sessions: Iterable[UserSession]) -> None:
    """End these sessions, and remove them from the list of the account's sessions."""
    found = list(sessions)
    UserSession.objects.filter(pk__in=[each.pk for each in found]).delete()
    end_sessions([each.session_key for each in found])


def end_other_sessions(request: HttpRequest | None, account: Player) -> None:
    """End all sessions of the account, except the session of a request that the account makes."""
    mine = UserSession.objects.filter(user=account)
    if request is not None and request.user == account:
        mine = mine.exclude(session_key=request.session.session_key)
    end_user_sessions(mine)


_WRITE_INTERVAL = 300.0  # seconds between two writes of this process for one session
_MAX_NOTED = 10_000  # sessions in `_noted`
_noted: OrderedDict[str, float] = OrderedDict()
_lock = Lock()


def record_activity(session_key: str) -> None:
    """Record that the session is in use, at most once every `_WRITE_INTERVAL` seconds."""
    now = time.monotonic()
    with _lock:
        last = _noted.get(session_key)
        if last is not None and now - last < _WRITE_INTERVAL:
            return
        _noted[session_key] = now
        _noted.move_to_end(session_key)
        if len(_noted) > _MAX_NOTED:
            _noted.popitem(last=False)
    with optional_write():
        UserSession.objects.filter(session_key=session_key).update(last_seen_at=timezone.now())


def was_any_used(player_ids: Collection[int], since: datetime) -> bool:
    """Return whether one of these accounts has had a session in use since the given time."""
    return UserSession.objects.filter(user__in=player_ids, last_seen_at__gte=since).exists()


class SessionRenewalMiddleware:
    """Middleware that renews sessions in use, and limits the lifetime of sessions of staff.

    It also records the activity of accounts. It must come after the session middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        session = request.session
        assert isinstance(session, SessionStore)
        user = getattr(request, "_cached_user", None)  # `request.user` would make a query
        if getattr(user, "is_staff", False):
            # The user may have become staff only after the login.
            session.end_within(settings.STAFF_SESSION_SECONDS)
        session.renew()
        if isinstance(user, Player) and not user.is_guest and session.session_key:
            record_activity(session.session_key)
        return response
