"""Where finished matches were won and lost, as their players asked."""

from django.conf import settings
from django.db import models

from games.models.match import Match


class Analysis(models.Model):
    """What the computer makes of each move of one match that is over."""

    match = models.OneToOneField(
        Match, primary_key=True, on_delete=models.CASCADE, related_name="analysis"
    )
    version = models.PositiveIntegerField()  # of the match; of another one it says nothing
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)  # as the match's `bot_at`; null once it is done
    looked = models.PositiveIntegerField(default=0)  # moves that were looked at so far
    looks = models.JSONField(default=list)  # for each ply the parts of a `Look`; {} where it failed

    class Meta:
        verbose_name_plural = "analyses"
        indexes = [
            models.Index(
                fields=["due_at"], name="analysis_due", condition=models.Q(due_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"analysis of {self.match_id}"
