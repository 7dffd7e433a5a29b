"""Ending sessions, and their sockets on every server."""

from collections.abc import Iterable

from allauth.usersessions.models import UserSession
from asgiref.sync import async_to_sync
from django.contrib.sessions.models import Session
from django.http import HttpRequest

from games.live.sessions import end_everywhere
from lobby.models import Player


def end_sessions(keys: Iterable[str]) -> None:
    """End the sessions of these keys."""
    found = list(keys)
    if found:
        Session.objects.filter(session_key__in=found).delete()
        async_to_sync(end_everywhere)(found)  # the sockets live on the server's event loop


def end_user_sessions(sessions: Iterable[UserSession]) -> None:
    """End some of the sessions that an account is shown."""
    found = list(sessions)
    UserSession.objects.filter(pk__in=[each.pk for each in found]).delete()
    end_sessions([each.session_key for each in found])


def end_other_sessions(request: HttpRequest | None, account: Player) -> None:
    """End all sessions of the account but that of the request, if it is the account's."""
    mine = UserSession.objects.filter(user=account)
    if request is not None and request.user == account:
        mine = mine.exclude(session_key=request.session.session_key)
    end_user_sessions(mine)
