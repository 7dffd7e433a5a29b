"""Who calls: the player whose token came with the request."""

from django.http import HttpRequest
from msgspec import Struct

from games.messages.refusal import Refused
from games.store.suspensions import get_suspension
from lobby.accounts import tokens
from lobby.accounts.scopes import Scope
from lobby.models import Player

_SCHEME = "bearer "


class Caller(Struct, frozen=True):
    """The player, and the token by which they call."""

    player: Player
    token_id: int
    scopes: frozenset[str]

    @property
    def player_id(self) -> int:
        return int(self.player.pk)

    @property
    def key(self) -> str:
        """The key of what this caller opens (`games.store.sessions`)."""
        return tokens.get_key(self.token_id)


def token_text(request: HttpRequest) -> str:
    """The token that came with the request; "" for none."""
    given = request.headers.get("Authorization", "")
    if given[: len(_SCHEME)].lower() != _SCHEME:
        return ""
    return given[len(_SCHEME) :].strip()


def look_up(request: HttpRequest) -> Caller | None:
    """Who calls; None for nobody. Raises `Refused` for a token that is none, or no longer one."""
    if not request.headers.get("Authorization"):
        return None
    found = tokens.get_token(token_text(request))
    if found is None:
        raise Refused("token-unknown")
    return Caller(found.player, found.pk, tokens.scopes_of(found))


def must_be_allowed(caller: Caller | None, needs: tuple[Scope, ...]) -> Caller:
    """Raises `Refused` for nobody, for a token without one of the scopes (none named: any token),
    and for a player who is suspended."""
    if caller is None:
        raise Refused("no-token")
    if needs and caller.scopes.isdisjoint(needs):
        raise Refused("scope-missing", needs=" ".join(needs))
    held = get_suspension(caller.player_id)
    if held is not None:
        raise held.refusal
    return caller


def caller_of(request: HttpRequest) -> Caller:
    """Who calls an operation that needs a token."""
    found = maybe_caller(request)
    assert found is not None
    return found


def maybe_caller(request: HttpRequest) -> Caller | None:
    """Who calls; None for nobody."""
    found = getattr(request, "caller", None)
    assert found is None or isinstance(found, Caller)
    return found


def viewer_id(request: HttpRequest) -> int | None:
    """Who looks, for `games.store.visibility`; None for nobody."""
    caller = maybe_caller(request)
    return None if caller is None else caller.player_id
