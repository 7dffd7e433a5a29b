"""The search for players by name."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.messages import build_message
from games.messages import render as render_message
from games.runtime.addresses import get_client_network, get_request_network
from games.runtime.limiter import is_within_limit
from lobby.players.people import LONGEST_NAME, search


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """List the players whose names begin with `q`. Redirect to the only one."""
    text = " ".join(request.GET.get("q", "").split())[:LONGEST_NAME]
    if not text:
        return render(request, "lobby/players.html")
    address = get_client_network(get_request_network(request))
    if not is_within_limit(settings.PLAYER_SEARCHES_PER_MINUTE, "player search", address):
        detail = render_message(build_message("refused.many-at-once"))
        return render(request, "429.html", {"detail": detail}, status=429)
    found = search(text, request.user.pk)
    if len(found) == 1:
        return redirect("player", found[0].username)
    return render(request, "lobby/players.html", {"text": text, "found": found})
