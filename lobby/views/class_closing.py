"""Pages on which organisers close a class at the end of the year, export it, or reopen it."""

from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.messages import build_message
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.runtime.limiter import is_within_limit
from games.runtime.streaming import ChunkedResponse
from lobby.accounts.access import require_account
from lobby.accounts.audit_events import log_event
from lobby.groups import class_closing
from lobby.groups.membership import is_organiser_of
from lobby.models import Group
from lobby.models.group import Closing
from lobby.views.class_export import stream_class
from lobby.views.classes import View, for_organiser
from lobby.views.groups import found_for, member, tell

_HOUR = 60  # minutes


def for_organiser_of_closed(view: View) -> View:
    """Admit the organiser of a group, even if it is closed.

    Other members get a 403, and everybody else a 404.
    """

    @wraps(view)
    def shown(request: HttpRequest, group_id: str, *args: Any, **more: Any) -> HttpResponseBase:
        found = found_for(request, group_id)
        if not is_organiser_of(member(request), found):
            return render(request, "403.html", status=403)
        return view(request, found, *args, **more)

    return require_account(shown)


@require_http_methods(["GET", "HEAD", "POST"])
@for_organiser
def close(request: HttpRequest, group: Group) -> HttpResponse:
    """Show the ways to close a class at the end of the year. A POST carries one of them out."""
    asked, fault = request.POST.get("closing", ""), ""
    if request.method == "POST":
        try:
            if asked not in Closing.values:
                raise Refused("close-how")
            if not request.POST.get("confirmed"):
                raise Refused("close-unconfirmed")
            mark = request.POST.get("mark", "")
            players = [each.player_id for each in group.members.all()]
            class_closing.close_class(member(request), group.pk, asked, mark)
        except Refused as refusal:
            fault = render_message(refusal.words)
        else:
            log_event("class closed", request, member(request).pk, group=group.pk, how=asked)
            tell({}, *players)
            messages.success(request, render_message(build_message("close.done", name=group.name)))
            return redirect(group)
    context = {
        "group": group,
        "accounts": class_closing.list_accounts(group),
        "unfinished": class_closing.list_unfinished_tournaments(group),
        "days": settings.ACCOUNT_CLOSING_DAYS,
        "asked": asked,
        "fault": fault,
    }
    return render(request, "lobby/group_close.html", context, status=400 if fault else 200)


@require_POST
@for_organiser_of_closed
def reopen(request: HttpRequest, group: Group) -> HttpResponse:
    """Undo the closing of a class."""
    try:
        class_closing.reopen_class(member(request), group.pk)
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
    else:
        log_event("class reopened", request, member(request).pk, group=group.pk)
        tell({}, *(each.player_id for each in group.members.all()))
        messages.success(request, render_message(build_message("close.undone", name=group.name)))
    return redirect(group)


@require_safe
@for_organiser_of_closed
def export(request: HttpRequest, group: Group) -> HttpResponseBase:
    """Download the games and results of a class as a ZIP file."""
    player = member(request)
    if not is_within_limit(settings.DOWNLOADS_PER_HOUR, "class", str(player.pk), _HOUR):
        detail = render_message(build_message("login.too-often"))
        return render(request, "429.html", {"detail": detail}, status=429)
    if request.method == "HEAD":
        answer: HttpResponseBase = HttpResponse()
    else:
        log_event("class exported", request, player.pk, group=group.pk)
        answer = ChunkedResponse(stream_class(group, player.pk))
    answer.headers["Content-Type"] = "application/zip"
    name = slugify(group.name) or "class"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    answer.headers["Cache-Control"] = "no-store"
    return answer
