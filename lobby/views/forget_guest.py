"""A page on which guests delete their session and with it their access to the name."""

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.messages import build_message
from games.messages import render as render_message
from lobby.views.remembered import COOKIE


@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: HttpRequest) -> HttpResponse:
    """Ask for confirmation. On POST, end the session, which closes its sockets everywhere."""
    if request.method != "POST":
        return render(request, "lobby/forget_guest.html")
    if not request.user.is_authenticated:
        return redirect("lobby")
    logout(request)
    messages.success(request, render_message(build_message("me.forgotten")))
    response = redirect("lobby")
    response.headers["Clear-Site-Data"] = '"storage"'  # what our scripts stored in the browser
    response.delete_cookie(COOKIE)
    return response
