"""Preferences of accounts, and blocks between players."""

from django.db import models
from django.db.models import F, Q

from lobby.models.player import Player


class Preferences(models.Model):
    """The preferences of an account.

    Without a row, pages use the preferences stored in the browser. `challenges` and `archived`,
    which the browser does not store, have their defaults.
    """

    class Scheme(models.TextChoices):
        SYSTEM = "system"
        LIGHT = "light"
        DARK = "dark"

    class Board(models.TextChoices):
        WOOD = "wood"
        PAPER = "paper"
        SLATE = "slate"

    class Challenges(models.TextChoices):
        """The players whose challenges the account accepts."""

        ANYONE = "anyone"
        ACCOUNTS = "accounts"  # accounts, but no guests
        NOBODY = "nobody"

    class Archived(models.TextChoices):
        """How the player is named in the monthly archives of rated games."""

        NUMBER = "number"
        NAME = "name"

    player = models.OneToOneField(
        Player, primary_key=True, on_delete=models.CASCADE, related_name="preferences"
    )
    scheme = models.CharField(max_length=6, choices=Scheme.choices, default=Scheme.SYSTEM)
    board = models.CharField(max_length=5, choices=Board.choices, default=Board.WOOD)
    sound = models.BooleanField(default=True)
    # True if moves must be confirmed before they are sent. Null: only on touch devices.
    confirm = models.BooleanField(null=True, default=None)
    phrases = models.BooleanField(default=True)  # whether phrases of opponents are shown
    # Whether the player prefers rated games.
    rated = models.BooleanField(default=False, db_default=False)
    challenges = models.CharField(
        max_length=8, choices=Challenges.choices, default=Challenges.ANYONE
    )

    archived = models.CharField(
        max_length=6, choices=Archived.choices, default=Archived.NUMBER, db_default="number"
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"of {self.player_id}"


class Block(models.Model):
    """A block of one player by another. It applies to both, but only its author can see it."""

    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    whom = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["by", "whom"], name="one_block"),
            models.CheckConstraint(condition=~Q(by=F("whom")), name="block_of_another"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} blocks {self.whom_id}"
