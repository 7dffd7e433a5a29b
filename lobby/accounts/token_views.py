"""The pages for a player's tokens and applications, and the page that asks for consent."""

from datetime import timedelta
from functools import wraps
from time import time
from typing import Any

from allauth.account import app_settings
from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.messages import build_message
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.runtime.limiter import is_within_limit
from games.store.suspensions import get_suspension
from lobby.accounts import oauth
from lobby.accounts import tokens as stored
from lobby.accounts.access import View, require_account
from lobby.accounts.one_time_secrets import NewSecret, create_on_post
from lobby.accounts.tokens import SCOPES, Scope, get_sentence_code
from lobby.models import Player, Token
from lobby.privacy.protection import must_be_open_to_programs

_DAYS = {"30": 30, "90": 90, "365": 365, "": None}
"""The choices for a token's lifetime in days. A token with "" is valid until it is revoked."""


@never_cache
def tokens(request: HttpRequest) -> HttpResponse:
    """List the player's tokens.

    A POST creates a token. Only the response to this POST contains the token's text.
    """
    player = request.user
    assert isinstance(player, Player)
    found = create_on_post(request, "token", lambda: _create(player, request.POST))
    context = {
        "tokens": [_describe_token(each) for each in stored.list_own_tokens(player.pk)],
        "made": found.made,
        "fault": found.fault,
        "asked": request.POST.get("name", "")[: stored.LONGEST_NAME] if found.fault else "",
        "ticked": request.POST.getlist("scope") if found.fault else [],
        "scopes": [(scope, _describe(scope)) for scope in SCOPES],
        "days": [days for days in _DAYS.values() if days],
        "most": stored.LONGEST_NAME,
        "is_bot": player.is_bot,
    }
    return render(request, "accounts/tokens.html", context, status=found.status)


@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke a token that the player created, and end its streams."""
    found = get_object_or_404(Token, pk=pk, player=request.user, application="")
    stored.revoke_tokens(Token.objects.filter(pk=found.pk))
    messages.success(request, render_message(build_message("token.revoked", name=found.name)))
    return redirect("tokens")


def _create(player: Player, form: QueryDict) -> NewSecret:
    asked = form.get("days")
    if asked not in _DAYS:
        raise Refused("malformed")
    days = _DAYS[asked]
    until = None if days is None else timezone.now() + timedelta(days=days)
    return stored.create_token(player.pk, form.get("name", ""), form.getlist("scope"), until)


def _describe_token(token: Token) -> dict[str, Any]:
    allowed = stored.scopes_of(token)
    return {"token": token, "allows": [_describe(scope) for scope in SCOPES if scope in allowed]}


def _describe(scope: Scope) -> str:
    return render_message(build_message(get_sentence_code(scope)))


@never_cache
@require_safe
def applications(request: HttpRequest) -> HttpResponse:
    """List the applications that may act for the player, newest first, each with all its scopes."""
    player = request.user
    assert isinstance(player, Player)
    found: dict[tuple[str, str], list[Token]] = {}
    for token in stored.list_application_tokens(player.pk):
        found.setdefault((token.application, token.name), []).append(token)
    shown = [_describe_application(*known, of) for known, of in found.items()]
    return render(request, "accounts/applications.html", {"applications": shown})


@require_POST
def revoke_application(request: HttpRequest) -> HttpResponse:
    """Revoke all tokens of one application, and end their streams."""
    player = request.user
    assert isinstance(player, Player)
    name, where = (request.POST.get(key, "").replace("\0", "") for key in ("name", "where"))
    if not stored.revoke_application(player.pk, name, where):
        raise Http404
    messages.success(request, render_message(build_message("token.revoked", name=name)))
    return redirect("applications")


def _describe_application(where: str, name: str, of: list[Token]) -> dict[str, Any]:
    allowed = frozenset[str]().union(*(stored.scopes_of(token) for token in of))
    used = [token.used_at for token in of if token.used_at is not None]
    return {
        "name": name,
        "where": where,
        "is_here": oauth.is_on_own_device(where),
        "allows": [_describe(scope) for scope in SCOPES if scope in allowed],
        "made_at": min(token.created_at for token in of),
        "used_at": max(used, default=None),
    }


_ANSWERS = 30  # applications' requests that one player can answer per hour


def _just_proved(view: View) -> View:
    """Ask the player to authenticate again, unless the last authentication was recent."""

    @wraps(view)
    def shown(request: HttpRequest) -> HttpResponseBase:
        records = get_authentication_records(request, request.user)
        last = max((each["at"] for each in records), default=0)
        if time() - last < app_settings.REAUTHENTICATION_TIMEOUT:
            return view(request)
        return reauthentication_required(view)(request)

    return shown


@require_http_methods(["GET", "HEAD", "POST"])
@require_account
@never_cache
@_just_proved
def consent(request: HttpRequest) -> HttpResponse:
    """Show what an application requests.

    A POST allows or denies the request, and redirects to the application.
    """
    player = request.user
    assert isinstance(player, Player)
    held = get_suspension(player.pk)
    if held is not None:
        return _refused(request, held.refusal, 403)
    try:
        must_be_open_to_programs(player)
    except Refused as refusal:
        return _refused(request, refusal, 403)
    try:
        asked = oauth.parse_request(request.GET, player, request.get_host())
    except Refused as refusal:
        return _refused(request, refusal, 400)
    if request.method == "POST":
        return _answered(request, player, asked)
    where = oauth.get_place(asked.redirect)
    context = {
        "asked": asked,
        "where": where,
        "is_here": oauth.is_on_own_device(where),
        "said": [_describe(scope) for scope in asked.scopes],
        "days": oauth.TOKEN_DAYS,
    }
    page = render(request, "accounts/consent.html", context)
    # Chromium also applies this page's `form-action` policy to redirects that follow the form.
    policy = {"form-action": [oauth.get_origin(asked.redirect)]}
    page._csp_update = policy  # type: ignore[attr-defined]
    return page


def get_issuer(request: HttpRequest) -> str:
    """Return the site's issuer identifier for OAuth."""
    return f"{request.scheme}://{request.get_host()}"


def _answered(
    request: HttpRequest, player: Player, asked: oauth.AuthorizationRequest
) -> HttpResponse:
    if not is_within_limit(_ANSWERS, "consent", str(player.pk), 60):
        detail = render_message(build_message("login.too-often"))
        return render(request, "429.html", {"detail": detail}, status=429)
    if request.POST.get("answer") == "allow":
        where = oauth.allow_request(request.GET, player, get_issuer(request))
    else:
        where = oauth.deny_request(asked, get_issuer(request))
    return HttpResponse(status=303, headers={"Location": where})


def _refused(request: HttpRequest, refusal: Refused, status: int) -> HttpResponse:
    fault = render_message(refusal.words)
    return render(request, "accounts/consent.html", {"fault": fault}, status=status)
