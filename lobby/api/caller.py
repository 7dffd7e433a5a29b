"""The caller of the API: the owner of the request's token."""

from django.http import HttpRequest
from msgspec import Struct

from games.messages.refusal import Refused
from games.store.suspensions import get_suspension
from lobby.accounts import tokens
from lobby.accounts.tokens import Scope
from lobby.models import Player

_SCHEME = "bearer "


class ApiCaller(Struct, frozen=True):
    """A player and the token of the request."""

    player: Player
    token_id: int
    scopes: frozenset[str]

    @property
    def player_id(self) -> int:
        return int(self.player.pk)

    @property
    def key(self) -> str:
        """The session key for streams that this caller opens (`games.store.sessions`)."""
        return tokens.get_key(self.token_id)


def get_token_text(request: HttpRequest) -> str:
    """Return the token of the request, or "" if it has none."""
    given = request.headers.get("Authorization", "")
    if given[: len(_SCHEME)].lower() != _SCHEME:
        return ""
    return given[len(_SCHEME) :].strip()


def look_up_token(request: HttpRequest) -> ApiCaller | None:
    """Return the caller, or None if the request has no `Authorization` header.

    Raise `Refused` if the header contains no valid token.
    """
    if not request.headers.get("Authorization"):
        return None
    found = tokens.get_token(get_token_text(request))
    if found is None:
        raise Refused("token-unknown")
    return ApiCaller(found.player, found.pk, tokens.scopes_of(found))


def must_be_allowed(caller: ApiCaller | None, needs: tuple[Scope, ...]) -> ApiCaller:
    """Return the caller.

    Raise `Refused` if there is no token, if it has none of the scopes in `needs`, or if the player
    is suspended. If `needs` is empty, any token is accepted.
    """
    if caller is None:
        raise Refused("no-token")
    if needs and caller.scopes.isdisjoint(needs):
        raise Refused("scope-missing", needs=" ".join(needs))
    held = get_suspension(caller.player_id)
    if held is not None:
        raise held.refusal
    return caller


def get_caller(request: HttpRequest) -> ApiCaller:
    """Return the caller of an operation that needs a token."""
    found = find_caller(request)
    assert found is not None
    return found


def find_caller(request: HttpRequest) -> ApiCaller | None:
    """Return the caller, or None without a token."""
    found = getattr(request, "caller", None)
    assert found is None or isinstance(found, ApiCaller)
    return found


def get_viewer_id(request: HttpRequest) -> int | None:
    """Return the viewer's id for `games.store.visibility`, or None without a token."""
    caller = find_caller(request)
    return None if caller is None else caller.player_id
