"""The page of the applications that one has allowed to act for one's account."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.messages import build_message
from games.messages import render as render_message
from lobby.accounts import oauth, tokens
from lobby.accounts.scopes import SCOPES, get_sentence_code
from lobby.models import Player, Token


@never_cache
@require_safe
def applications(request: HttpRequest) -> HttpResponse:
    """Each application once, the newest first, with all that it may."""
    player = request.user
    assert isinstance(player, Player)
    found: dict[tuple[str, str], list[Token]] = {}
    for token in tokens.list_application_tokens(player.pk):
        found.setdefault((token.application, token.name), []).append(token)
    shown = [_shown(*known, of) for known, of in found.items()]
    return render(request, "accounts/applications.html", {"applications": shown})


@require_POST
def revoke(request: HttpRequest) -> HttpResponse:
    """Revoke all tokens of one application; their streams end."""
    player = request.user
    assert isinstance(player, Player)
    name, where = (request.POST.get(key, "").replace("\0", "") for key in ("name", "where"))
    if not tokens.revoke_application(player.pk, name, where):
        raise Http404
    messages.success(request, render_message(build_message("token.revoked", name=name)))
    return redirect("applications")


def _shown(where: str, name: str, of: list[Token]) -> dict[str, Any]:
    allowed = frozenset[str]().union(*(tokens.scopes_of(token) for token in of))
    used = [token.used_at for token in of if token.used_at is not None]
    return {
        "name": name,
        "where": where,
        "is_here": oauth.is_on_own_device(where),
        "allows": [
            render_message(build_message(get_sentence_code(scope)))
            for scope in SCOPES
            if scope in allowed
        ],
        "made_at": min(token.created_at for token in of),
        "used_at": max(used, default=None),
    }
