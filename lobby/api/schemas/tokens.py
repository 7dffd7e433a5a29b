"""What is told of tokens."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType


class TokenInfo(Struct, frozen=True, rename="camel"):
    """Whose token it is, what it allows, and until when."""

    user_id: str
    scopes: str
    expires: int | None


class Revoked(Struct, frozen=True, rename="camel"):
    """How many of the tokens were valid, and are no longer."""

    revoked: int


class AuthorizationCode(Struct, frozen=True):
    """A code for which there is a token, and what shows that it is for this application."""

    grant_type: Literal["authorization_code"]
    code: str
    code_verifier: str
    redirect_uri: str
    client_id: str


class Given(Struct, frozen=True):
    """A token by OAuth 2 (RFC 6749). It ends in so many seconds."""

    access_token: str
    token_type: str
    expires_in: int
    scope: str | UnsetType = UNSET


class OAuthFault(Struct, frozen=True):
    """Why there is no token for a code (RFC 6749)."""

    error: str
    error_description: str | UnsetType = UNSET
