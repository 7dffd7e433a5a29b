"""OAuth 2 (RFC 6749, 7636, 9207, 9700): how an application gets a token for an account.

Only the authorization code grant with PKCE's S256 is supported. Applications are not registered:
any https address, and any program on the player's own device, can request a token, and is
identified by its address. A response is therefore never sent to an address before the player has
seen the address and decided. The tokens are the site's own (see `lobby.accounts.tokens`).
"""

import re
from datetime import timedelta
from ipaddress import IPv6Address
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from django.conf import settings
from django.db import transaction
from django.http import QueryDict
from django.utils import timezone
from msgspec import Struct
from oauthlib.common import add_params_to_uri
from oauthlib.oauth2 import (
    AuthorizationCodeGrant,
    AuthorizationEndpoint,
    BearerToken,
    FatalClientError,
    OAuth2Error,
    RequestValidator,
    TokenEndpoint,
)
from oauthlib.oauth2.rfc6749.errors import (
    AccessDeniedError,
    InvalidGrantError,
    InvalidRequestError,
)

from games.messages.refusal import Refused
from games.store.suspensions import get_suspension
from lobby.accounts import tokens
from lobby.accounts.tokens import SCOPES, Scope, parse_scopes
from lobby.models import AuthorizationCode, Player, Token

CODE_SECONDS = 60
TOKEN_DAYS = 365
RESPONSE, GRANT, METHOD = "code", "authorization_code", "S256"
_CLIENT = re.compile(r"[\x21-\x7e]{1,60}")
_CHALLENGE = re.compile(r"[0-9A-Za-z_-]{43}")
_ADDRESS = re.compile(r"[!$%&'()*+,./0-9:;=?@A-Z_a-z~\[\]-]{1,500}")
_HOST = re.compile(r"[0-9a-z](?:[0-9a-z.-]{0,251}[0-9a-z])?")
_VERIFIER = re.compile(r"[0-9A-Za-z._~-]{43,128}")
_ANSWERED = frozenset({"code", "state", "iss", "error", "error_description", "error_uri"})
"""Parameters of responses, which are added to an application's address. An address that already
contains one of them could pass off another player's code as the response."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_LONGEST_STATE = 1000


class AuthorizationRequest(Struct, frozen=True):
    """An application's request: its name for itself, the redirect address, scopes and state."""

    client: str
    redirect: str
    scopes: tuple[Scope, ...]
    state: str


def parse_request(query: QueryDict, player: Player, own_host: str) -> AuthorizationRequest:
    """Parse the request of an application to a player.

    Raise `Refused`: "oauth-address" if the application's name or address is invalid or not safe,
    "oauth-request" if the application cannot have what it requests.
    """
    try:
        scopes, info = _authorization.validate_authorization_request(_address(query))
        found = AuthorizationRequest(
            info["client_id"], info["redirect_uri"], parse_scopes(scopes), info["state"] or ""
        )
    except FatalClientError as error:
        raise Refused("oauth-address") from error
    except OAuth2Error as error:
        raise Refused("oauth-request", error=error.error) from error
    # Refuse addresses of this site, because its access log would contain the code.
    if _is_ours(found.redirect, own_host):
        raise Refused("oauth-address")
    # Only bots can have this scope, because its token could turn a person's account into a bot.
    if "bot" in found.scopes and not player.is_bot:
        raise Refused("oauth-request", error="invalid_scope")
    return found


def allow_request(query: QueryDict, player: Player, issuer: str) -> str:
    """Create a code, and return the address to which the player is redirected with this code.

    The request must have been checked with `parse_request`.
    """
    headers, _, _ = _authorization.create_authorization_response(
        _address(query), credentials={"user": player}
    )
    return str(add_params_to_uri(headers["Location"], [("iss", issuer)]))


def deny_request(found: AuthorizationRequest, issuer: str) -> str:
    """Return the address to which a player who denied the request is redirected."""
    error = AccessDeniedError(state=found.state or None)
    return str(error.in_uri(str(add_params_to_uri(found.redirect, [("iss", issuer)]))))


def exchange_code(address: str, form: QueryDict) -> tuple[dict[str, str], str, int]:
    """Exchange a code for a token. Return the headers, body and status of the response.

    The code's row is locked until the token exists, so only one of two simultaneous uses gets the
    token. Any second use revokes the token.
    """
    with transaction.atomic():
        try:
            headers, body, status = _tokens.create_token_response(address, "POST", _pairs(form), {})
        except OAuth2Error as error:
            return {**_PLAIN, **error.headers}, error.json, error.status_code
    return headers, body, status


def build_malformed_answer(why: str) -> tuple[dict[str, str], str, int]:
    """Return the response to a body that is not a form."""
    error = InvalidRequestError(description=why)
    return dict(_PLAIN), error.json, error.status_code


def is_safe_redirect(address: str) -> bool:
    """Return whether a code may be sent to the address.

    It must use https, or http on the player's own device.
    """
    if _ADDRESS.fullmatch(address) is None:
        return False
    parts = _parts(address)
    if parts is None or "@" in parts.netloc or parts.netloc.endswith(":") or parts.port == 0:
        return False
    if not _is_host(parts) or not _ANSWERED.isdisjoint(dict(parse_qsl(parts.query, True))):
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)


def get_origin(address: str) -> str:
    """Return the scheme, host and port of a safe address for a content security policy.

    Such a policy cannot express IPv6 addresses, for which only the scheme is returned.
    """
    parts = urlsplit(address)
    return f"{parts.scheme}:" if "[" in parts.netloc else f"{parts.scheme}://{parts.netloc.lower()}"


def get_place(address: str) -> str:
    """Return the address by which an application is displayed and identified.

    Ports on the player's own device are left out, because they change with each start of the
    program.
    """
    parts = urlsplit(address)
    host = parts.netloc.lower()
    if parts.scheme == "http" and parts.port is not None:
        host = host.rsplit(":", 1)[0]
    return f"{parts.scheme}://{host}"


def is_on_own_device(where: str) -> bool:
    """Return whether an application at this place runs on the player's own device."""
    return where.startswith("http://")


def build_metadata(issuer: str, consent: str, token: str) -> dict[str, Any]:
    """Return the server metadata of RFC 8414."""
    return {
        "issuer": issuer,
        "authorization_endpoint": consent,
        "token_endpoint": token,
        "scopes_supported": list(SCOPES),
        "response_types_supported": [RESPONSE],
        "response_modes_supported": ["query"],
        "grant_types_supported": [GRANT],
        "token_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": [METHOD],
        "authorization_response_iss_parameter_supported": True,
    }


_PLAIN = {"Content-Type": "application/json", "Cache-Control": "no-store", "Pragma": "no-cache"}


def _parts(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        _ = parts.port  # this raises `ValueError` for an invalid port
    except ValueError:
        return None
    return parts


def _is_host(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    if "[" not in parts.netloc:
        return _HOST.fullmatch(host) is not None
    try:
        return IPv6Address(host).scope_id is None
    except ValueError:
        return False


def _is_ours(address: str, own_host: str) -> bool:
    """Return whether the address belongs to this site, under any of its names."""
    there, usual = urlsplit(address), {"https": 443, "http": 80}
    port = there.port or usual[there.scheme]
    for here in map(urlsplit, (f"//{own_host.lower()}", *settings.ALLOWED_ORIGINS)):
        ports = usual.values() if here.port is None else [here.port]
        if there.hostname == here.hostname and port in ports:
            return True
    return False


def _pairs(fields: QueryDict) -> str:
    """Return the non-empty fields of a form, including duplicates, as encoded text."""
    return urlencode([(key, one) for key, many in fields.lists() for one in many if one])


def _address(query: QueryDict) -> str:
    return f"/oauth?{_pairs(query)}"


class _Client(Struct, frozen=True):
    client_id: str


class _Validator(RequestValidator):
    """The callbacks for oauthlib, for the only supported grant."""

    # -- before the consent

    def validate_client_id(self, client_id: str, request: Any, *args: Any, **more: Any) -> bool:
        return _CLIENT.fullmatch(client_id) is not None

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Any, *args: Any, **more: Any
    ) -> bool:
        return is_safe_redirect(redirect_uri)

    def get_default_redirect_uri(self, client_id: str, request: Any, *a: Any, **more: Any) -> None:
        return None

    def validate_response_type(
        self, client_id: str, response_type: str, client: Any, request: Any, *a: Any, **more: Any
    ) -> bool:
        return response_type == RESPONSE

    def is_pkce_required(self, client_id: str, request: Any) -> bool:
        return True

    def get_default_scopes(self, client_id: str, request: Any, *a: Any, **more: Any) -> list[str]:
        return []

    def validate_scopes(
        self, client_id: str, scopes: list[str], client: Any, request: Any, *a: Any, **more: Any
    ) -> bool:
        return bool(scopes) and set(scopes).issubset(SCOPES)

    def save_authorization_code(
        self, client_id: str, code: dict[str, str], request: Any, *args: Any, **more: Any
    ) -> None:
        AuthorizationCode.objects.create(
            player=request.user,
            hash=tokens.hash_token(code["code"]),
            client=client_id,
            redirect=request.redirect_uri,
            challenge=request.code_challenge,
            scopes=" ".join(parse_scopes(request.scopes)),
            expires_at=timezone.now() + timedelta(seconds=CODE_SECONDS),
        )

    # -- the exchange

    def client_authentication_required(self, request: Any, *args: Any, **more: Any) -> bool:
        return False

    def authenticate_client_id(
        self, client_id: str | None, request: Any, *a: Any, **m: Any
    ) -> bool:
        request.client = _Client(client_id or "")
        return client_id is not None and _CLIENT.fullmatch(client_id) is not None

    def validate_grant_type(
        self, client_id: str, grant_type: str, client: Any, request: Any, *a: Any, **more: Any
    ) -> bool:
        return grant_type == GRANT

    def validate_code(
        self, client_id: str, code: str, client: Any, request: Any, *args: Any, **more: Any
    ) -> bool:
        """Use up the code, and return whether it is valid.

        The code is used up even if the exchange fails later. A second use revokes its token.
        """
        row = AuthorizationCode.objects.filter(hash=tokens.hash_token(code))
        # The player is locked first, as in account deletion and `create_token`.
        of = Player.objects.filter(pk__in=row.values("player"))
        list(of.select_for_update(no_key=True).values_list("pk"))
        found = row.select_for_update().first()
        if found is None:
            return False
        if found.is_used:
            tokens.revoke_tokens(Token.objects.filter(codes=found))
            return False
        AuthorizationCode.objects.filter(pk=found.pk).update(is_used=True)
        request.row, request.user, request.scopes = found, found.player, found.scopes.split()
        is_good = found.client == client_id and found.expires_at > timezone.now()
        return is_good and get_suspension(found.player_id) is None

    def get_code_challenge(self, code: str, request: Any) -> str:
        return str(request.row.challenge)

    def get_code_challenge_method(self, code: str, request: Any) -> str:
        return METHOD

    def confirm_redirect_uri(
        self, client_id: str, code: str, redirect_uri: str, client: Any, request: Any, *a: Any,
        **more: Any,
    ) -> bool:  # fmt: skip
        return bool(redirect_uri == request.row.redirect)

    def save_bearer_token(self, token: Any, request: Any, *args: Any, **more: Any) -> None:
        AuthorizationCode.objects.filter(pk=request.row.pk).update(token=request.made)

    def invalidate_authorization_code(
        self, client_id: str, code: str, request: Any, *args: Any, **more: Any
    ) -> None:
        """Do nothing, because `validate_code` has already used up the code."""


def _proves(verifier: str, challenge: str) -> bool:
    """Return whether the verifier matches the challenge.

    Short verifiers, which oauthlib would accept, do not match.
    """
    is_hash_of = AuthorizationCodeGrant._code_challenge_methods[METHOD]
    return _VERIFIER.fullmatch(verifier) is not None and bool(is_hash_of(verifier, challenge))


class _Grant(AuthorizationCodeGrant):
    _code_challenge_methods = {METHOD: _proves}


def _refuse_duplicates(request: Any) -> dict[str, Any]:
    """Refuse duplicate parameters, of which oauthlib would use the last one."""
    if request.duplicate_params:
        raise InvalidRequestError(description="A parameter is there twice.", request=request)
    return {}


def _check_parameters(request: Any) -> dict[str, Any]:
    """Refuse invalid values of parameters that oauthlib does not check."""
    state = request.state or ""
    if _CHALLENGE.fullmatch(request.code_challenge or "") is None:
        raise InvalidRequestError(description="code_challenge is no SHA-256.", request=request)
    if request.response_mode not in (None, "query") or len(state) > _LONGEST_STATE:
        raise InvalidRequestError(request=request)
    # The state was not valid UTF-8, so it cannot be returned unchanged.
    if "\N{REPLACEMENT CHARACTER}" in state:
        raise InvalidRequestError(request=request)
    return {}


def _create_token(request: Any) -> str:
    """Create the token, and return its text. Raise `InvalidGrantError` if it is refused."""
    row, until = request.row, timezone.now() + timedelta(days=TOKEN_DAYS)
    try:
        made = tokens.create_token(
            row.player_id, row.client, row.scopes.split(), until, get_place(row.redirect)
        )
    except Refused as refusal:
        raise InvalidGrantError(description=refusal.code, request=request) from refusal
    request.made = made.id
    return made.text


_validator = _Validator()
_grant = _Grant(
    _validator,
    refresh_token=False,
    post_auth=[_refuse_duplicates, _check_parameters],
    pre_token=[_refuse_duplicates],
)
_bearer = BearerToken(_validator, token_generator=_create_token, expires_in=TOKEN_DAYS * 24 * 3600)
_authorization = AuthorizationEndpoint(RESPONSE, _bearer, {RESPONSE: _grant})
_tokens = TokenEndpoint(GRANT, _bearer, {GRANT: _grant})
