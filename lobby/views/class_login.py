"""Class login with cards and pictures: the pages of pupils, and those of the organiser.

Codes are sent by POST, and never in an address that reaches the server. In the addresses of QR
codes, they follow a `#`, and `static/js/lobby/class-login.js` enters them into the form.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.internal.flows.login import perform_login
from allauth.account.models import Login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.messages import build_message
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.runtime.addresses import get_request_network, is_loopback_host
from games.runtime.limiter import is_within_limit
from games.store.sessions import SessionStore
from lobby.accounts.audit_events import log_event
from lobby.accounts.devices import SHARED_DEVICE
from lobby.accounts.qr_codes import draw_qr_code
from lobby.groups import class_login
from lobby.groups.codes import format_code
from lobby.groups.membership import can_manage
from lobby.models import ClassLogin, Group, Player
from lobby.views.classes import for_organiser
from lobby.views.groups import member

_CODE_SIZE = 4  # a class's code is displayed in parts of this many letters
_HOUR = 60  # minutes
_ROWS = tuple(f"picture{number}" for number in range(1, class_login.PICTURES_EACH + 1))


# -- pages of pupils


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("code")
@ensure_csrf_cookie
def class_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code of the class.

    A POST with the right code redirects to the login page of the class, which then shows the
    members' names.
    """
    fault, status = "", 200
    if request.method == "POST":
        if not class_login.is_within_error_limit(get_request_network(request)):
            return _refuse_too_often(request)
        opened = class_login.find_open_login(request.POST.get("code", ""))
        if opened is not None:
            response = redirect("class-login", opened.group_id)
            _remember_code(response, opened)
            return response
        class_login.count_error(get_request_network(request))
        fault, status = render_message(build_message("refused.wrong-class-code")), 400
    context = {"fault": fault, "letters": class_login.CODE_LETTERS}
    return render(request, "lobby/class_code.html", context, status=status)


def while_open(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the open login of the class to a pupil's page.

    Respond to a POST with 429 after too many errors from the address. If the login is closed, the
    response is the same as for a class that does not exist.
    """

    @wraps(view)
    def shown(request: HttpRequest, group_id: str, **more: Any) -> HttpResponse:
        opened = class_login.get_open_login(group_id)
        if opened is None:
            return _show_closed(request)
        if request.method == "POST" and not class_login.is_within_error_limit(
            get_request_network(request)
        ):
            return _refuse_too_often(request)
        try:
            return view(request, opened, **more)
        except Refused:  # the login has been closed in the meantime
            return _show_closed(request)

    return shown


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("code")
@ensure_csrf_cookie
@while_open
def class_login_page(request: HttpRequest, opened: ClassLogin) -> HttpResponse:
    """Show the login of a class. A POST with the code of a card logs in the card's owner.

    Redirect the organiser to the page for the classroom.
    """
    fault = ""
    if request.method == "POST":
        code = request.POST.get("code", "")
        answer = _try(request, opened, lambda: class_login.lock_card_owner(opened.group_id, code))
        if isinstance(answer, HttpResponse):
            return answer
        fault = render_message(answer.words)
    elif isinstance(request.user, Player) and can_manage(request.user, opened.group):
        return redirect("class-login-board", opened.group_id)
    knows_code = _knows_code(request, opened)
    context = {
        "group": opened.group if knows_code else None,
        "group_id": opened.group_id,
        "members": class_login.list_picture_members(opened.group) if knows_code else [],
        "fault": fault,
        "letters": class_login.CARD_LETTERS,
    }
    return render(request, "lobby/class_login.html", context, status=400 if fault else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters(*_ROWS)
@while_open
def class_login_pictures(request: HttpRequest, opened: ClassLogin, player_id: int) -> HttpResponse:
    """Ask a member for the pictures. A POST logs the member in if the pictures are right.

    If the device does not know the code of the class, redirect to the page that asks for it.
    """
    if not _knows_code(request, opened):
        return redirect("class-code")
    members = class_login.list_picture_members(opened.group)
    found = next((each for each in members if each.player_id == player_id), None)
    if found is None:
        return redirect("class-login", opened.group_id)
    fault = ""
    if request.method == "POST":
        chosen = [request.POST.get(name, "") for name in _ROWS]
        if all(each in class_login.PICTURES for each in chosen):
            answer = _try(
                request,
                opened,
                lambda: class_login.check_pictures(opened.group_id, player_id, chosen),
                player_id,
            )
            if isinstance(answer, HttpResponse):
                return answer
            fault = render_message(answer.words)
        else:
            fault = gettext("Choose one picture in each row.")
    context = {
        "group_id": opened.group_id,
        "member": found,
        "rows": list(enumerate(_ROWS, 1)),
        "pictures": class_login.PICTURES.items(),
        "fault": fault,
    }
    return render(request, "lobby/class_login_pictures.html", context, status=400 if fault else 200)


def _try(
    request: HttpRequest,
    opened: ClassLogin,
    check: Callable[[], Player | Refused],
    player_id: int | None = None,
) -> HttpResponse | Refused:
    """Log in the player that `check` returns, in the same transaction, or count the failure.

    Return the response, or the refusal that `check` returned. `player_id` is None for a card.
    """
    how = "a card" if player_id is None else "pictures"
    with transaction.atomic():
        answer = check()
        if isinstance(answer, Player):
            return _log_in(request, opened, answer, how)
    class_login.count_error(get_request_network(request))
    log_event(f"login with {how} failed", request, player_id, group=opened.group_id)
    return answer


def _log_in(request: HttpRequest, opened: ClassLogin, player: Player, how: str) -> HttpResponse:
    """Log the member in with a new session, which ends when the opening ends.

    A device in a classroom passes from child to child. The previous child's session therefore ends,
    no data of a guest is transferred to the account, and the device is not remembered as the
    member's own.
    """
    logout(request)
    login = Login(
        user=player,
        redirect_url=opened.group.get_absolute_url(),
        signal_kwargs={SHARED_DEVICE: True},
    )
    response: HttpResponse = perform_login(request, login)
    session = request.session
    assert isinstance(session, SessionStore)
    session.end_within((opened.open_until - timezone.now()).total_seconds())
    log_event(f"logged in with {how}", request, player.pk, group=opened.group_id)
    return response


def _show_closed(request: HttpRequest) -> HttpResponse:
    return render(request, "lobby/class_login_closed.html", status=403)


def _refuse_too_often(request: HttpRequest) -> HttpResponse:
    detail = render_message(build_message("login.too-often"))
    return render(request, "429.html", {"detail": detail}, status=429)


def _remember_code(response: HttpResponse, opened: ClassLogin) -> None:
    """Let this device show the names of the class until the opening ends.

    This uses a separate cookie, because it must outlive the sessions of the children who share the
    device.
    """
    response.set_cookie(
        _cookie(),
        opened.code,
        expires=opened.open_until,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _knows_code(request: HttpRequest, opened: ClassLogin) -> bool:
    return class_login.has_code(opened, request.COOKIES.get(_cookie(), "")[:40])


def _cookie() -> str:
    return "__Host-class" if settings.SESSION_COOKIE_SECURE else "class"


# -- pages of organisers


@require_POST
@for_organiser
def class_login_open(request: HttpRequest, group: Group) -> HttpResponseBase:
    """Open the login of the class, and show the page for the classroom."""
    player = member(request)
    if not is_within_limit(
        settings.CLASS_LOGIN_OPENINGS_PER_HOUR, "class login opened", str(player.pk), _HOUR
    ):
        return _refuse_too_often(request)
    hours = request.POST.get("hours", "")
    try:
        class_login.open_login(
            group, player, int(hours) if hours in {"1", "2"} else settings.CLASS_LOGIN_HOURS
        )
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
        return redirect(group)
    log_event("class login opened", request, player.pk, group=group.pk)
    messages.success(request, render_message(build_message("class.login-opened")))
    return redirect("class-login-board", group.pk)


@require_POST
@for_organiser
def class_login_close(request: HttpRequest, group: Group) -> HttpResponseBase:
    """Close the login of the class."""
    player = member(request)
    try:
        class_login.close_login(group, player)
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
        return redirect(group)
    log_event("class login closed", request, player.pk, group=group.pk)
    messages.success(request, render_message(build_message("class.login-closed")))
    return redirect(group)


@require_safe
@for_organiser
def class_login_board(request: HttpRequest, group: Group) -> HttpResponseBase:
    """Show how to log in, in letters that the whole classroom can read."""
    opened = class_login.get_open_login(group.pk)
    if opened is None:
        return redirect(group)
    address = request.build_absolute_uri(reverse("class-code"))
    context = {
        "group": group,
        "opened": opened,
        "code": format_code(opened.code, _CODE_SIZE),
        "address": address.partition("://")[2].rstrip("/"),
        "is_loopback": is_loopback_host(request),
        "qr": draw_qr_code(f"{address}#{opened.code}", gettext("QR code of this class's log-in")),
        "is_locked": opened.wrong_pictures >= settings.PICTURE_ERRORS_PER_CLASS,
        "has_pictures": bool(class_login.list_picture_members(group)),
    }
    return render(request, "lobby/class_login_board.html", context)
