"""What the rest of the site must learn of a match. Stored and delivered by the journal's events."""

from django.db import models
from django.db.models import Q

from games.models.match import Match


class Event(models.Model):
    """A match began, ended, or has another result now.

    The event is written in the transaction of that change, with the result as of then.
    """

    class Kind(models.TextChoices):
        BEGAN = "began"
        ENDED = "ended"
        VOIDED = "voided"  # it counts for nobody, whether it was live or over
        CORRECTED = "corrected"  # the staff gave a match that was over another result
        RESTORED = "restored"  # a decision of the staff was undone; the match may be live again

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="events", db_index=False
    )
    version = models.PositiveIntegerField()  # of the match; which orders its events
    kind = models.CharField(max_length=9, choices=Kind.choices)
    ended = models.CharField(max_length=12, default="")
    first_goal = models.PositiveSmallIntegerField(null=True)
    second_goal = models.PositiveSmallIntegerField(null=True)
    at = models.DateTimeField()
    # When it is to be delivered. Whoever delivers it moves this on first. Null once delivered.
    due_at = models.DateTimeField(null=True)
    tries = models.PositiveIntegerField(default=0)  # failed deliveries

    class Meta:
        ordering = ["pk"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="one_event_per_version"),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="event_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["at"], name="event_done", condition=Q(due_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.kind}"
