"""Who of the moderators handles what, and their private notes. Only `games.review` writes it."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.models.match import Match
from games.models.review import WORDS


class Assignment(models.Model):
    """A moderator has the open reports and signs of one player to themselves, for a while."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="assignment",
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignments"
    )
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id} by {self.by_id}"


class Note(models.Model):
    """What a moderator wants the others to know of a player. No player is ever shown it.

    A note is never changed or deleted by the site.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="moderators_notes"
    )
    # The game that was on the screen.
    match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="notes_written"
    )
    at = models.DateTimeField(default=timezone.now)
    words = models.CharField(max_length=WORDS)

    class Meta:
        ordering = ["-at", "-pk"]
        default_permissions = ()
        indexes = [models.Index(fields=["player", "-at"], name="notes_by_player")]
        constraints = [models.CheckConstraint(condition=~models.Q(words=""), name="note_has_words")]

    def __str__(self) -> str:
        return self.words
