"""Tokens, by which programs act for an account (`lobby.api`), and the codes that lead to some."""

from typing import ClassVar

from django.db import models

from lobby.models.player import Player


class Token(models.Model):
    """What a program shows instead of a password. Its hash is stored; a revoked one is gone."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    # What it is for, in its owner's words; or what the application calls itself that got it.
    name = models.CharField(max_length=60)
    # Where the application is that was allowed to get it; "": its owner made it.
    application = models.CharField(max_length=280, default="", db_default="", blank=True)
    hash = models.CharField(max_length=64, unique=True)
    scopes = models.CharField(max_length=120)  # see `lobby.accounts.scopes`, parted by spaces
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)  # some minutes late
    # Of its streams of events the one that was opened last: the others end.
    stream = models.CharField(max_length=16, default="", blank=True)

    class Meta:
        default_permissions = ()
        ordering: ClassVar = ["-created_at"]
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="token_by_end")]

    def __str__(self) -> str:
        return f"a token of {self.player_id}"


class AuthorizationCode(models.Model):
    """What somebody's consent gives to an application, for one token within a minute. Its hash is
    stored, and kept for a while after its use, to notice a second one."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="codes")
    hash = models.CharField(max_length=64, unique=True)
    client = models.CharField(max_length=60)  # what the application calls itself
    redirect = models.CharField(max_length=500)  # the address to which the code was given
    challenge = models.CharField(max_length=43)  # the hash of what its application must know
    scopes = models.CharField(max_length=120)
    expires_at = models.DateTimeField()
    is_used = models.BooleanField(default=False)
    token = models.ForeignKey(Token, on_delete=models.SET_NULL, null=True, related_name="codes")

    class Meta:
        default_permissions = ()
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="code_by_end")]

    def __str__(self) -> str:
        return f"a code of {self.player_id}"
