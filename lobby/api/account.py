"""Operations on the caller's account and tokens."""

from typing import Annotated

from allauth.account.models import EmailAddress
from django.http import HttpRequest, HttpResponse

from games.messages.refusal import Refused
from lobby.accounts import tokens
from lobby.api import names
from lobby.api.caller import get_caller
from lobby.api.matches import read_matches, serialize_own_game, to_milliseconds
from lobby.api.operations import ANY_TOKEN, Ok, call, text_of
from lobby.api.parameters import up_to
from lobby.api.schemas.games import Playing
from lobby.api.schemas.people import Email, Prefs, User
from lobby.api.schemas.tokens import Revoked, TokenInfo
from lobby.api.users import serialize_users
from lobby.models import Token
from lobby.players import bots, preferences
from lobby.players import games as played

_MOST_TESTED = 100
_PREFERENCES = ("scheme", "board", "sound", "confirm", "phrases", "rated", "challenges")
_MOST_PLAYING = 50


@call("GET", "/account", tag="Account", gives=User, needs=ANY_TOKEN)
def account(request: HttpRequest) -> User:
    """Get your account."""
    return serialize_users([get_caller(request).player])[0]


@call("GET", "/account/email", tag="Account", gives=Email, needs=("account:read",))
def email(request: HttpRequest) -> Email:
    """Get your confirmed e-mail address."""
    mine = EmailAddress.objects.filter(user=get_caller(request).player, verified=True).first()
    return Email("" if mine is None else mine.email)


@call("GET", "/account/preferences", tag="Account", gives=Prefs, needs=("account:read",))
def own_preferences(request: HttpRequest) -> Prefs:
    """Get your preferences."""
    found = preferences.get_preferences(get_caller(request).player)
    return Prefs({name: getattr(found, name) for name in _PREFERENCES})


@call(
    "GET",
    "/account/playing",
    tag="Account",
    gives=Playing,
    needs=("games:read", "games:play", "bot"),
)
def playing(request: HttpRequest, nb: Annotated[int, up_to(_MOST_PLAYING)] = 9) -> Playing:
    """List up to `nb` of your live games. Those in which it is your turn come first."""
    me = get_caller(request).player_id
    live = played.list_live(me, me)
    seats = {each.state.id: each.seat for each in live}
    found = read_matches(seats, me)
    games = [serialize_own_game(found[pk], seat) for pk, seat in seats.items() if pk in found]
    games.sort(key=lambda game: not game.is_my_turn)
    return Playing(games[:nb])


@call("POST", "/bot/account/upgrade", tag="Bot", needs=("bot",))
def upgrade(request: HttpRequest) -> Ok:
    """Turn your account into a bot account, permanently. It must not have played any games."""
    bots.upgrade_to_bot(get_caller(request).player_id)
    return Ok()


# -- tokens


@call("DELETE", "/token", tag="Tokens", needs=ANY_TOKEN)
def revoke_token(request: HttpRequest) -> HttpResponse:
    """Revoke the token of this request."""
    tokens.revoke_tokens(Token.objects.filter(pk=get_caller(request).token_id))
    return HttpResponse(status=204)


@call("POST", "/token/test", tag="Tokens", gives=dict[str, TokenInfo | None], takes=str)
def check_tokens(request: HttpRequest) -> dict[str, TokenInfo | None]:
    """Describe up to 100 tokens, separated by commas in the body. Invalid tokens are null."""
    texts = [each.strip() for each in text_of(request).split(",") if each.strip()]
    if len(texts) > _MOST_TESTED:
        raise Refused("malformed")
    found = tokens.get_tokens(texts)
    return {text: _info(found.get(text)) for text in texts}


@call("POST", "/token/found", tag="Tokens", gives=Revoked, takes=str)
def found_tokens(request: HttpRequest) -> Revoked:
    """Revoke the first 100 tokens in a text, for example if you find a published token."""
    return Revoked(tokens.revoke_leaked_tokens(text_of(request)))


def _info(token: Token | None) -> TokenInfo | None:
    if token is None:
        return None
    expires = None if token.expires_at is None else to_milliseconds(token.expires_at)
    return TokenInfo(names.get_id(token.player.name), token.scopes.replace(" ", ","), expires)
