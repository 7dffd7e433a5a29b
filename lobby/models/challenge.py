"""Challenges: requests for a match to one player, by name."""

from django.db import models
from django.db.models import F, Q

from games.match.setup import Setup
from games.models import Match
from games.runtime.ids import LENGTH, new_id
from lobby.models.player import Player


class Challenge(models.Model):
    """A challenge, open until it is accepted, declined, withdrawn (and deleted) or expired."""

    class Side(models.TextChoices):
        """The challenger's seat."""

        ANY = ""
        FIRST = "first"
        SECOND = "second"

    class Answer(models.TextChoices):
        OPEN = ""
        ACCEPTED = "accepted"
        DECLINED = "declined"

    id = models.CharField(primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    # The constraint below has an index that starts with this column.
    challenger = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    challenged = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    # These fields form the setup: see `games.match.setup`.
    game = models.CharField(max_length=40)
    clock = models.CharField(max_length=7, default="", blank=True)
    options = models.CharField(max_length=64, default="", blank=True)
    rated = models.BooleanField(default=False)
    side = models.CharField(max_length=6, choices=Side.choices, default=Side.ANY, blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    answer = models.CharField(max_length=8, choices=Answer.choices, default=Answer.OPEN, blank=True)
    # The reason for declining, a code of `lobby.seeks.challenges.WORDS`.
    word = models.CharField(max_length=12, default="", blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE)

    class Meta:
        default_permissions = ()
        ordering = ["created_at"]
        indexes = [
            models.Index(fields=["expires_at"], name="challenge_by_end"),
            models.Index(fields=["challenger"], name="challenge_by_challenger"),
            models.Index(fields=["created_at"], name="challenge_by_age"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["challenger", "challenged"],
                condition=Q(answer=""),
                name="one_open_challenge",
            ),
            models.CheckConstraint(
                condition=~Q(challenger=F("challenged")), name="challenge_of_another"
            ),
            models.CheckConstraint(
                condition=Q(answer="", answered_at=None, match=None)
                | Q(answer="declined", answered_at__isnull=False, match=None)
                | Q(answer="accepted", answered_at__isnull=False, match__isnull=False),
                name="challenge_answered_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.challenger_id} challenges {self.challenged_id}"

    def get_absolute_url(self) -> str:
        return f"/challenge/{self.id}/"

    @property
    def setup(self) -> Setup:
        """The setup of the requested match."""
        return Setup(self.game, self.clock, self.options, self.rated)
