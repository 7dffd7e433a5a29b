"""Who logs in and out, and who fails to, in the log; and how long a session may last."""

from typing import Any

import structlog
from django.conf import settings
from django.http import HttpRequest

from games.runtime.addresses import get_request_network
from games.store.audit import hash_address
from games.store.sessions import SessionStore
from lobby.accounts.limits import remember_login
from lobby.models import Player

log = structlog.get_logger(__name__)


def limit_and_log_session(sender: Any, request: HttpRequest, user: Any, **kwargs: Any) -> None:
    session = request.session
    assert isinstance(session, SessionStore)
    if not user.is_guest:
        session.end_within(
            settings.STAFF_SESSION_SECONDS if user.is_staff else settings.SESSION_MAX_SECONDS
        )
        remember_login(user.get_username(), get_request_network(request))
    address = hash_address(get_request_network(request))
    log.info("logged in", player=user.pk, guest=user.is_guest, staff=user.is_staff, address=address)


def log_logout(sender: Any, request: HttpRequest, user: Any, **kwargs: Any) -> None:
    if user is not None:
        log.info("logged out", player=user.pk, address=hash_address(get_request_network(request)))


def log_failed_login(
    sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: Any
) -> None:
    # Asked whether or not the account exists, so that both cases take the same time.
    name = str(credentials.get("username", ""))
    _log_failure(Player.objects.filter(username=name).values_list("pk", flat=True).first(), request)


def _log_failure(player_id: int | None, request: HttpRequest | None) -> None:
    # Never the name: people sometimes type their password into the wrong field.
    log.warning(
        "login failed", player=player_id, address=hash_address(get_request_network(request))
    )
