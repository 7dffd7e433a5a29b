"""What the computer thinks of positions that people look at, apart from any match."""

from django.db import models
from django.db.models import Q


class PositionLook(models.Model):
    """One position. Kept for a while, so that the same one is not searched twice."""

    game = models.CharField(max_length=40)
    notation = models.CharField(max_length=255)
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
