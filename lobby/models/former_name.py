"""The names that people had before."""

from django.db import models

from games.words.names import LONGEST_KEY
from lobby.models.player import Player


class FormerName(models.Model):
    """A name that somebody gave up. Until then it leads to them, and nobody else may have it."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=40)
    name_key = models.CharField(max_length=LONGEST_KEY, unique=True)  # as `Player.name_key`
    until = models.DateTimeField()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["until"], name="former_name_by_age")]

    def __str__(self) -> str:
        return self.name
