"""Who wants nothing to do with whom."""

from django.db import models
from django.db.models import F, Q

from lobby.models.player import Player


class Block(models.Model):
    """A player has blocked another one. It holds in both directions; only who made it knows."""

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
