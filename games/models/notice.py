"""What the moderators let a player know. `games.review.notices` writes it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.messages import render
from games.models.match import Match
from games.models.review import WORDS


class Notice(models.Model):
    """Something that the moderators tell one player, on every page until the player has read it."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    # What is told: words (`games.messages`), said in the reader's language. Null in a notice of an
    # older release, which has a text instead.
    said = models.JSONField(null=True)
    words = models.CharField(max_length=WORDS + 200, default="", db_default="", blank=True)
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE)
    at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["at", "pk"]
        default_permissions = ()
        indexes = [
            models.Index(
                fields=["player"], name="unseen_notices", condition=Q(seen_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return self.sentence

    @property
    def sentence(self) -> str:
        """What is told, in the reader's language."""
        return render(self.said) if self.said else self.words
