"""The pages of what is one's own: the name, what is stored, closing the account, an appeal."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from games.messages import build_message
from games.messages import render as render_message
from games.messages.names import LONGEST, SHORTEST
from games.messages.refusal import Refused
from games.runtime.addresses import get_request_network
from games.runtime.limiter import is_within_limit
from games.runtime.next_page import get_next_page
from games.store.suspensions import get_suspension
from lobby.accounts.access import require_account
from lobby.accounts.appeals import get_appeal, submit_appeal
from lobby.accounts.limits import may_log_in
from lobby.accounts.renaming import change_name, get_next_rename
from lobby.accounts.sessions import end_other_sessions
from lobby.models import Player
from lobby.privacy.account_deletion import schedule_deletion
from lobby.privacy.export import stream

_TRIES = 20  # names in a minute, which tells who is who
_DOWNLOADS = 3  # in an hour


@require_http_methods(["GET", "HEAD", "POST"])
@require_account
def name(request: HttpRequest) -> HttpResponse:
    """Choose another name. A refusal is said beside what was typed."""
    assert isinstance(request.user, Player)
    asked = request.POST.get("name", "")
    fault, status = "", 200
    if request.method == "POST" and not is_within_limit(_TRIES, "own name", str(request.user.pk)):
        fault, status = render_message(build_message("login.too-often")), 429
    elif request.method == "POST":
        try:
            chosen = change_name(request.user.pk, asked)
        except Refused as refusal:
            fault, status = render_message(refusal.words), 400
        else:
            messages.success(request, render_message(build_message("name.changed", name=chosen)))
            return redirect(get_next_page(request) or "account")
    context = {
        "asked": asked[: 2 * LONGEST] or request.user.username,
        "fault": fault,
        "free_at": get_next_rename(request.user),
        "days": settings.RENAME_INTERVAL_DAYS,
        "kept_days": settings.FORMER_NAME_DAYS,
        "least": SHORTEST,
        "most": LONGEST,
        "next": get_next_page(request),
    }
    return render(request, "accounts/name.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@require_account
def close(request: HttpRequest) -> HttpResponse:
    """Have one's account closed in a week. It asks for the password, and logs out everywhere."""
    player = request.user
    assert isinstance(player, Player)
    fault, status = "", 200
    if request.method == "POST":
        if not may_log_in(player.username, get_request_network(request)):
            fault, status = render_message(build_message("login.too-often")), 429
        elif not player.check_password(request.POST.get("password", "")[:500]):
            fault, status = render_message(build_message("closing.wrong-password")), 400
        elif not schedule_deletion(player.pk):
            fault, status = gettext("Moderators cannot close their account."), 400
        else:
            player.refresh_from_db()
            end_other_sessions(request, player)
            logout(request)
            said = build_message("closing.asked", on=f"{player.closing_at:%Y-%m-%d %H:%M} UTC")
            messages.success(request, render_message(said))
            return redirect("lobby")
    context = {"fault": fault, "days": settings.ACCOUNT_CLOSING_DAYS}
    return render(request, "accounts/close.html", context, status=status)


@require_safe
@require_account
def download(request: HttpRequest) -> HttpResponseBase:
    """Everything that is stored about the viewer, as one JSON file."""
    assert isinstance(request.user, Player)
    if not is_within_limit(_DOWNLOADS, "download", str(request.user.pk), 60):
        detail = render_message(build_message("login.too-often"))
        return render(request, "429.html", {"detail": detail}, status=429)
    response = StreamingHttpResponse(stream(request.user), content_type="application/json")
    response.headers["Content-Disposition"] = 'attachment; filename="my-data.json"'
    response.headers["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def appeals(request: HttpRequest) -> HttpResponse:
    """Answer the staff about one's suspension, once."""
    if not isinstance(request.user, Player):
        return redirect("lobby")
    fault, asked = "", request.POST.get("words", "")
    if request.method == "POST":
        try:
            submit_appeal(request.user.pk, asked)
        except Refused as refusal:
            fault = render_message(refusal.words)
        else:
            messages.success(request, render_message(build_message("appeal.sent")))
            return redirect("appeal")
    held = get_suspension(request.user.pk)
    context = {
        "held": held and render_message(held.refusal.words),
        "appeal": get_appeal(request.user.pk),
        "fault": fault,
        "asked": asked[:2000],
    }
    return render(request, "accounts/appeal.html", context, status=400 if fault else 200)
