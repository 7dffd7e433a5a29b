"""A wish to play: by it two players find each other."""

from django.db import models
from django.db.models import Q

from games.match.setup import Setup
from games.models import Match
from games.runtime.ids import LENGTH, new_id
from lobby.models.player import Player


class Seek(models.Model):
    """A player's wish to play. It stays open as long as its player has a lobby socket."""

    id = models.CharField(primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="seeks")
    game = models.CharField(max_length=40)
    # Together with `game` these are the setup: see `games.match.setup`.
    clock = models.CharField(max_length=7, default="", blank=True)  # "3+2"; "" = untimed
    options = models.CharField(max_length=64, default="", db_default="", blank=True)
    rated = models.BooleanField(default=False, db_default=False)
    by_address = models.BooleanField(default=False)  # an invitation, which is not listed
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE)
    created_at = models.DateTimeField()
    seen_at = models.DateTimeField()  # when a lobby socket of its player was last alive
    # Other servers ask whether its player is there: the number of the last question, and of the
    # last one that was answered.
    asks = models.PositiveIntegerField(default=0, db_default=0)
    answers = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ["created_at"]
        indexes = [models.Index(fields=["seen_at"], name="seek_by_age")]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game", "clock", "options", "rated"],
                condition=Q(match__isnull=True, by_address=False),
                name="one_open_seek_of_a_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} seeks {self.game}"

    def get_absolute_url(self) -> str:
        return f"/seek/{self.id}/"

    @property
    def setup(self) -> Setup:
        """What the player wishes to play."""
        return Setup(self.game, self.clock, self.options, self.rated)
