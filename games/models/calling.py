"""Players who have the computer think, and from where."""

from django.conf import settings
from django.db import models


class Caller(models.Model):
    """A player who has the computer think, in a match with it or to analyse a finished one.

    The processes that think serve the networks in turn; this tells them the network.
    """

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="caller"
    )
    address = models.CharField(max_length=16)  # of the network: a keyed hash
    at = models.DateTimeField()  # when the player last called the computer

    class Meta:
        indexes = [
            models.Index(fields=["address"], name="caller_by_address"),
            models.Index(fields=["at"], name="caller_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}"
