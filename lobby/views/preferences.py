"""The page of the player's preferences and blocks, and the form that changes the language."""

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST

from games.lessons import LESSONS
from games.messages import build_message
from games.messages import render as render_message
from games.rules import GAMES
from games.runtime.next_page import get_next_page
from lobby.models import Player, Preferences
from lobby.players import blocks
from lobby.players import preferences as stored

_PREVIEWS = 2  # boards that preview the preferences


@require_http_methods(["GET", "HEAD", "POST"])
@ensure_csrf_cookie
def preferences(request: HttpRequest) -> HttpResponse:
    """Show all preferences. A POST by an account changes some of them.

    If the form contains `first`, it has the preferences stored in the browser, and the account gets
    them only if it has none yet. The response to a script is 204.
    """
    player = request.user if isinstance(request.user, Player) else None
    if request.method != "POST":
        return render(request, "lobby/preferences.html", _context(player))
    if player is None or player.is_guest:
        raise PermissionDenied  # guests keep their preferences in the browser
    keep = stored.store_first_preferences if request.POST.get("first") else stored.store_preferences
    try:
        keep(player, request.POST)
    except ValueError:
        return render(request, "400.html", status=400)
    if request.headers.get("Accept") == "application/json":
        return HttpResponse(status=204)
    messages.success(request, render_message(build_message("preferences.kept")))
    return redirect("preferences")


def _context(player: Player | None) -> dict[str, object]:
    return {
        "kept": stored.get_preferences(player)
        if player is not None and not player.is_guest
        else None,
        "challenges": [
            (value, render_message(build_message(f"preferences.challenges.{value}")))
            for value in Preferences.Challenges.values
        ],
        "previews": [
            (slug, lesson.typical) for slug, lesson in LESSONS.items() if not GAMES[slug].sheet
        ][-_PREVIEWS:],
        "blocked": blocks.list_blocked(player.pk) if player is not None else [],
    }


@require_POST
@csrf_exempt
def language(request: HttpRequest) -> HttpResponse:
    """Store the language that the visitor chose, and show the same page again.

    The form has no CSRF token, because pages would then give every visitor a cookie, and error
    pages could not have the form. A form of another site cannot change a player's language, because
    browsers do not send the session's cookie with it (`SESSION_COOKIE_SAMESITE`).
    """
    chosen = request.POST.get("language", "")
    if chosen not in dict(settings.LANGUAGES):
        return render(request, "400.html", status=400)
    if isinstance(request.user, Player):
        Player.objects.filter(pk=request.user.pk).update(language=chosen)
    response = redirect(get_next_page(request) or "lobby")
    stored.set_language_cookie(response, chosen)
    return response
