"""Analyses of finished matches, which their players asked for."""

from django.conf import settings
from django.db import models

from games.models.match import Match


class Analysis(models.Model):
    """The computer's view of each move of one finished match."""

    match = models.OneToOneField(
        Match, primary_key=True, on_delete=models.CASCADE, related_name="analysis"
    )
    version = (
        models.PositiveIntegerField()
    )  # of the match that was analysed; void for any other version
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)  # a lease, as the match's `bot_at`; null once done
    looked = models.PositiveIntegerField(default=0)  # moves analysed so far
    looks = models.JSONField(default=list)  # for each ply the fields of a `Look`; {} if it failed

    class Meta:
        verbose_name_plural = "analyses"
        indexes = [
            models.Index(
                fields=["due_at"], name="analysis_due", condition=models.Q(due_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"analysis of {self.match_id}"
