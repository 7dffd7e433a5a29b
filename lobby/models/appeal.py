"""Appeals of suspended players."""

from django.db import models
from django.db.models import Q

from games.models import Decision
from games.models.review import WORDS
from lobby.models.player import Player


class Appeal(models.Model):
    """An appeal against one suspension. It is answered only once."""

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
