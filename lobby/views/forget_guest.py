"""How a guest deletes their session. A guest is a name in a session and nothing else."""

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.messages import build_message
from games.messages import render as render_message


@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: HttpRequest) -> HttpResponse:
    """Explain what it means. By POST, end the session; its sockets then close everywhere."""
    if request.method != "POST":
        return render(request, "lobby/forget.html")
    if not request.user.is_authenticated:
        return redirect("lobby")
    logout(request)
    messages.success(request, render_message(build_message("me.forgotten")))
    response = redirect("lobby")
    response.headers["Clear-Site-Data"] = '"storage"'  # what our scripts stored in the browser
    return response
