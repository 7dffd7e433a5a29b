"""API tokens, and the OAuth codes exchanged for them."""

from typing import ClassVar

from django.db import models

from lobby.models.player import Player


class Token(models.Model):
    """A program's credential for an account, stored as a hash. Revoked tokens are deleted."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    # The owner's label, or the name of the application that uses the token.
    name = models.CharField(max_length=60)
    # The address of that application; "" if the owner created the token.
    application = models.CharField(max_length=280, default="", db_default="", blank=True)
    hash = models.CharField(max_length=64, unique=True)
    # Scopes of `lobby.accounts.tokens`, separated by spaces.
    scopes = models.CharField(max_length=120)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)  # updated every few minutes
    # The id of the newest event stream. Earlier streams end.
    stream = models.CharField(max_length=16, default="", blank=True)

    class Meta:
        default_permissions = ()
        ordering: ClassVar = ["-created_at"]
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="token_by_end")]

    def __str__(self) -> str:
        return f"a token of {self.player_id}"


class AuthorizationCode(models.Model):
    """A code that an application can exchange for a token within a minute.

    The hash is kept after use, to detect a second use.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="codes")
    hash = models.CharField(max_length=64, unique=True)
    client = models.CharField(max_length=60)  # the name that the application gave itself
    redirect = models.CharField(max_length=500)  # the address that received the code
    challenge = models.CharField(max_length=43)  # the PKCE challenge
    scopes = models.CharField(max_length=120)
    expires_at = models.DateTimeField()
    is_used = models.BooleanField(default=False)
    token = models.ForeignKey(Token, on_delete=models.SET_NULL, null=True, related_name="codes")

    class Meta:
        default_permissions = ()
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="code_by_end")]

    def __str__(self) -> str:
        return f"a code of {self.player_id}"
