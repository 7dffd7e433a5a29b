"""The computer's analyses of matches and positions, and the players who request its work."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.match import Match


class Analysis(models.Model):
    """The computer's evaluation of each move of a finished match.

    `asked_by` is null if the site requested the analysis, or if the player's account was deleted.
    """

    match = models.OneToOneField(
        Match, primary_key=True, on_delete=models.CASCADE, related_name="analysis"
    )
    # The version of the analysed match. The analysis is invalid for any other version.
    version = models.PositiveIntegerField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)  # a lease, like `bot_at` of a match; null once done
    looked = models.PositiveIntegerField(default=0)  # moves analysed so far
    looks = models.JSONField(default=list)  # the fields of a `Look` for each ply; {} if it failed

    class Meta:
        verbose_name_plural = "analyses"
        indexes = [
            models.Index(
                fields=["due_at"], name="analysis_due", condition=models.Q(due_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"analysis of {self.match_id}"


class Caller(models.Model):
    """A player who uses the computer, in a match against it or for an analysis.

    The processes that search serve networks round-robin, and this table has each player's network.
    """

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="caller"
    )
    address = models.CharField(max_length=16)  # a keyed hash of the network
    at = models.DateTimeField()  # when the player last used the computer

    class Meta:
        indexes = [
            models.Index(fields=["address"], name="caller_by_address"),
            models.Index(fields=["at"], name="caller_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}"


class PositionLook(models.Model):
    """The computer's evaluation of one position, or a request for it, kept for a while."""

    game = models.CharField(max_length=40)
    notation = models.CharField(max_length=1200)
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)  # a lease (`games.runtime.leases`); null once done
    look = models.JSONField(default=dict)  # the fields of a `Look`; {} if the search failed

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["game", "notation"], name="one_look_per_position"),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="position_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["asked_at"], name="position_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.notation}"
