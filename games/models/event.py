"""What the rest of the site must learn of a match. `games.journal.events` writes and hands on."""

from django.db import models
from django.db.models import Q

from games.models.match import Match


class Event(models.Model):
    """That a match began, that it ended, or that its result is another one now.

    A row is written in the transaction that made it so. The result is the one as of the event.
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
    version = models.PositiveIntegerField()  # of the match; the order of its events
    kind = models.CharField(max_length=9, choices=Kind.choices)
    ended = models.CharField(max_length=12, default="")
    first_goal = models.PositiveSmallIntegerField(null=True)
    second_goal = models.PositiveSmallIntegerField(null=True)
    at = models.DateTimeField()
    # From when on somebody is to hand it on; whoever does moves it on. Null once it is done.
    due_at = models.DateTimeField(null=True)
    tries = models.PositiveIntegerField(default=0)  # that failed

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
