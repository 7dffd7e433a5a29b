"""Middleware that renews sessions that are in use."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.store.sessions import SessionStore
from lobby.accounts.sessions import record_activity
from lobby.models import Player


class SessionRenewalMiddleware:
    """Renew a session that is in use. Must come after the session middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        session = request.session
        assert isinstance(session, SessionStore)
        user = getattr(request, "_cached_user", None)  # not request.user, which makes a query
        if getattr(user, "is_staff", False):
            session.end_within(settings.STAFF_SESSION_SECONDS)  # they may be staff only since
        session.renew()
        if isinstance(user, Player) and not user.is_guest and session.session_key:
            record_activity(session.session_key)
        return response
