"""The page of consent: may this application act for you?"""

from functools import wraps
from time import time

from allauth.account import app_settings
from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import reauthentication_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.messages import build_message
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.runtime.limiter import is_within_limit
from games.store.suspensions import get_suspension
from lobby.accounts import oauth
from lobby.accounts.access import View, require_account
from lobby.accounts.scopes import get_sentence_code
from lobby.models import Player

_ANSWERS = 30  # given by one player in an hour


def _just_proved(view: View) -> View:
    """Who logged in some time ago proves once more who they are, as before making a token."""

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
    """Shows what an application asks for; a POST answers it, and sends the player back there."""
    player = request.user
    assert isinstance(player, Player)
    held = get_suspension(player.pk)
    if held is not None:
        return _refused(request, held.refusal, 403)
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
        "said": [render_message(build_message(get_sentence_code(scope))) for scope in asked.scopes],
        "days": oauth.TOKEN_DAYS,
    }
    page = render(request, "accounts/consent.html", context)
    # Chromium asks the policy of the page with the form whether its answer may lead elsewhere.
    policy = {"form-action": [oauth.get_origin(asked.redirect)]}
    page._csp_update = policy  # type: ignore[attr-defined]
    return page


def get_issuer(request: HttpRequest) -> str:
    """The site's name in OAuth."""
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
