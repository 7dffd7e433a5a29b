"""The schemas of tokens in requests and responses."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType


class TokenInfo(Struct, frozen=True, rename="camel"):
    """The owner, the scopes and the expiry of a token."""

    user_id: str
    scopes: str
    expires: int | None


class Revoked(Struct, frozen=True, rename="camel"):
    """The number of tokens that were revoked."""

    revoked: int


class AuthorizationCodeSchema(Struct, frozen=True):
    """An authorization code, with the proof that it belongs to this application."""

    grant_type: Literal["authorization_code"]
    code: str
    code_verifier: str
    redirect_uri: str
    client_id: str


class Given(Struct, frozen=True):
    """An OAuth 2 token (RFC 6749). It expires after `expires_in` seconds."""

    access_token: str
    token_type: str
    expires_in: int
    scope: str | UnsetType = UNSET


class OAuthFault(Struct, frozen=True):
    """An OAuth 2 error (RFC 6749)."""

    error: str
    error_description: str | UnsetType = UNSET
