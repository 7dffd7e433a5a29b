"""The page of one's tokens: what programs may do with one's account."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.messages import build_message
from games.messages import render as render_message
from games.messages.refusal import Refused
from lobby.accounts import tokens as stored
from lobby.accounts.one_time_secrets import NewSecret, create_on_post
from lobby.accounts.scopes import SCOPES, Scope, get_sentence_code
from lobby.models import Player, Token

_DAYS = {"30": 30, "90": 90, "365": 365, "": None}
"""For how many days a token may be made; "": until it is revoked."""


@never_cache
def tokens(request: HttpRequest) -> HttpResponse:
    """One's tokens; by POST a new one, whose text is on this answer alone."""
    player = request.user
    assert isinstance(player, Player)
    found = create_on_post(request, "token", lambda: _made(player, request.POST))
    context = {
        "tokens": [_shown(each) for each in stored.list_own_tokens(player.pk)],
        "made": found.made,
        "fault": found.fault,
        "asked": request.POST.get("name", "")[: stored.LONGEST_NAME] if found.fault else "",
        "ticked": request.POST.getlist("scope") if found.fault else [],
        "scopes": [
            (scope, render_message(build_message(get_sentence_code(scope)))) for scope in SCOPES
        ],
        "days": [days for days in _DAYS if days],
        "most": stored.LONGEST_NAME,
        "is_bot": player.is_bot,
    }
    return render(request, "accounts/tokens.html", context, status=found.status)


@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke one of one's tokens; its streams end."""
    found = get_object_or_404(Token, pk=pk, player=request.user, application="")
    stored.revoke_tokens(Token.objects.filter(pk=found.pk))
    messages.success(request, render_message(build_message("token.revoked", name=found.name)))
    return redirect("tokens")


def _made(player: Player, form: QueryDict) -> NewSecret:
    asked = form.get("days")
    if asked not in _DAYS:
        raise Refused("malformed")
    days = _DAYS[asked]
    until = None if days is None else timezone.now() + timedelta(days=days)
    return stored.create_token(player.pk, form.get("name", ""), form.getlist("scope"), until)


def _shown(token: Token) -> dict[str, Any]:
    allowed = stored.scopes_of(token)
    said = [_said(scope) for scope in SCOPES if scope in allowed]
    return {"token": token, "allows": said}


def _said(scope: Scope) -> str:
    return render_message(build_message(get_sentence_code(scope)))
