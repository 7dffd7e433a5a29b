"""OAuth operations for applications: exchanging a code for a token, and the metadata."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.messages.refusal import Refused
from games.runtime.addresses import get_request_network
from games.runtime.limiter import is_within_limit
from lobby.accounts import oauth
from lobby.accounts.token_views import get_issuer
from lobby.api.operations import call
from lobby.api.responses import API
from lobby.api.schemas.tokens import AuthorizationCodeSchema, Given, OAuthFault

_FORM = "application/x-www-form-urlencoded"
_PER_MINUTE = 30  # the maximum number of codes that one client network can try per minute


@call(
    "POST",
    "/token",
    tag="Tokens",
    gives=Given,
    takes=AuthorizationCodeSchema,
    is_form=True,
    faults=OAuthFault,
)
def exchange_code(request: HttpRequest) -> HttpResponse:
    """Exchange an authorization code for a token. OAuth errors have the form of RFC 6749."""
    if not is_within_limit(_PER_MINUTE, "code", get_request_network(request)):
        raise Refused("too-often", seconds=60)
    if request.content_type == _FORM:
        headers, body, status = oauth.exchange_code(request.get_full_path(), request.POST)
    else:
        headers, body, status = oauth.build_malformed_answer(f"The body must be {_FORM}.")
    return HttpResponse(body, status=status, headers=headers)


@require_safe
def metadata(request: HttpRequest) -> HttpResponse:
    """Return the authorization server's metadata (RFC 8414)."""
    name = get_issuer(request)
    told = oauth.build_metadata(name, f"{name}{reverse('oauth')}", f"{name}{API}token")
    answer = JsonResponse(told)
    answer.headers["Access-Control-Allow-Origin"] = "*"
    answer.headers["Cache-Control"] = "public, max-age=300"
    return answer
