"""The form that gives a guest another name, and the page that makes a browser forget its player."""

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.messages import build_message
from games.messages import render as render_message
from games.runtime.addresses import get_request_network
from games.runtime.next_page import get_next_page
from lobby.accounts.guests import can_reroll_name, reroll_name
from lobby.models import Player
from lobby.seeks.limits import may_ask_for_name
from lobby.views.lobby import COOKIE


@require_POST
def another_name(request: HttpRequest) -> HttpResponse:
    """Give the guest another name, if possible, and return to the page of the request."""
    if not isinstance(request.user, Player):
        return redirect("lobby")
    if not may_ask_for_name(get_request_network(request)):
        detail = render_message(build_message("refused.many-at-once"))
        return render(request, "429.html", {"detail": detail}, status=429)
    if not reroll_name(request.user):
        messages.error(
            request, _("You can change your name only once, and only before your first game.")
        )
    return redirect(get_next_page(request) or "lobby")


def is_offered(request: HttpRequest) -> bool:
    """Return whether the page offers another name to a guest, or to a visitor of the lobby."""
    user = getattr(request, "user", None)
    if isinstance(user, Player):
        return can_reroll_name(user)
    return user is not None and request.path == "/"


@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: HttpRequest) -> HttpResponse:
    """Ask for confirmation. A POST ends the session, and deletes the site's data in the browser.

    The sockets of the session are closed on all servers.
    """
    if request.method != "POST":
        return render(request, "lobby/forget_guest.html")
    if not request.user.is_authenticated:
        return redirect("lobby")
    logout(request)
    messages.success(request, render_message(build_message("me.forgotten")))
    response = redirect("lobby")
    # Delete what the site's scripts have stored, except cookies.
    response.headers["Clear-Site-Data"] = '"storage"'
    response.delete_cookie(COOKIE)
    return response
