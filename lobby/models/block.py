"""Blocks between players."""

from django.db import models
from django.db.models import F, Q

from lobby.models.player import Player


class Block(models.Model):
    """A block of one player by another. It applies to both, but only its author can see it."""

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
