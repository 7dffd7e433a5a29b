"""Tables for accounts, such as recovery words, browsers, erasures, tokens and appeals."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from games.models import Decision
from games.models.review import WORDS
from lobby.models.player import Player

LONGEST_REASON = 200  # characters in the reason for an erasure


class RecoveryWords(models.Model):
    """The hash of an account's recovery words. The words can be used once."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="recovery_words")
    hash = models.CharField(max_length=128)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"recovery words of {self.player_id}"


class Device(models.Model):
    """A browser from which the player has logged in, identified by the hash of its cookie."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="devices")
    token = models.CharField(max_length=64)
    seen_at = models.DateTimeField()
    # The login that made the browser known. Null for an account's first browser, and if that login
    # was deleted or never stored.
    sign_in = models.ForeignKey("SignIn", on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "token"], name="device_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["seen_at"], name="device_by_age"),
            models.Index(fields=["token"], name="device_by_token"),
        ]

    def __str__(self) -> str:
        return f"a browser of {self.player_id}"


class SignIn(models.Model):
    """A login from a browser that was new to the account.

    The first browser of an account has no such row.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="sign_ins")
    device = models.CharField(max_length=80)  # such as "Firefox on Linux"
    at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)  # when the owner marked the login as read

    class Meta:
        ordering: ClassVar = ["-at"]
        indexes: ClassVar = [
            models.Index(
                fields=["player", "-at"], condition=Q(seen_at=None), name="sign_in_unread"
            ),
            models.Index(fields=["at"], name="sign_in_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.device}, {self.at:%Y-%m-%d %H:%M}"


class FactorReset(models.Model):
    """A request to remove an account's second factors.

    One senior staff member makes the request, and another one confirms it.
    """

    account = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="factor_resets")
    reason = models.CharField(max_length=500)
    asked_by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    confirmed_by = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="+")
    confirmed_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-asked_at"]
        indexes: ClassVar = [models.Index(fields=["-asked_at"], name="factor_reset_newest")]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(asked_by=F("confirmed_by"))
                & ~Q(asked_by=F("account"))
                & ~Q(confirmed_by=F("account")),
                name="factor_reset_by_two_others",
            )
        ]

    def __str__(self) -> str:
        return f"{self.account}, {self.asked_at:%Y-%m-%d %H:%M}"


class Erasure(models.Model):
    """The erasure or anonymisation of an account by somebody other than its owner.

    The account is hidden immediately. Until `due_at`, it can be restored, which deletes the row.
    """

    class Kind(models.TextChoices):
        ERASE = "erase", "erase: no statistics are kept"
        ANONYMISE = "anonymise", "anonymise: a number instead of the name, statistics are kept"

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="erasure")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    # The class with which the account is erased. Null if the account is erased on its own, or after
    # the class was deleted.
    group = models.ForeignKey("Group", null=True, on_delete=models.SET_NULL, related_name="+")
    # Null if a command on the server erases the account, or if the account of `by` was deleted.
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    # The values to put back if the account is restored, such as the names. Empty once the data is
    # deleted.
    before: Any = models.JSONField(default=dict)

    class Meta:
        default_permissions = ("view",)
        permissions: ClassVar = [("erase_player", "Can erase and anonymise accounts")]
        ordering: ClassVar = ["-asked_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["-asked_at", "-id"], name="erasure_newest"),
            models.Index(fields=["due_at"], name="erasure_due", condition=Q(done_at__isnull=True)),
        ]

    def __str__(self) -> str:
        # Django's admin log stores this text, so it must not contain the name.
        return f"player {self.player_id}, {self.asked_at:%Y-%m-%d %H:%M}"

    @property
    def name(self) -> str:
        """The former name while the account can be restored; later, the displayed name."""
        return str(self.before.get("name") or self.player.name)


class Token(models.Model):
    """A program's credential for an account, stored as a hash. Revoking a token deletes it."""

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
    used_at = models.DateTimeField(null=True)  # updated at most every ten minutes
    # The id of the newest event stream that was opened with the token, or "". Earlier streams end.
    stream = models.CharField(max_length=16, default="", blank=True)

    class Meta:
        default_permissions = ()
        ordering: ClassVar = ["-created_at"]
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="token_by_end")]

    def __str__(self) -> str:
        return f"a token of {self.player_id}"


class AuthorizationCode(models.Model):
    """A code that an application can exchange for a token within a minute.

    The hash is kept for a while after use, to detect a second use.
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


class Appeal(models.Model):
    """An appeal against one suspension. It gets one answer."""

    decision = models.OneToOneField(Decision, on_delete=models.PROTECT, related_name="appeal")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="appeals")
    words = models.CharField(max_length=WORDS)
    at = models.DateTimeField()
    answer = models.CharField(max_length=WORDS, default="", blank=True)
    answered_by = models.ForeignKey(
        Player,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="appeals_answered",
    )
    answered_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["at", "pk"]
        default_permissions = ("view", "change")
        indexes = [
            models.Index(
                fields=["at", "id"], name="open_appeals", condition=Q(answered_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}, {self.at:%Y-%m-%d %H:%M}"
