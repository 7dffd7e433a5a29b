"""Seeks (searches for an opponent, and invitations), the pools of rated seeks, and challenges."""

from django.db import models
from django.db.models import F, Q

from games.match.setup import Setup
from games.models import Match
from games.runtime.ids import LENGTH, new_id
from lobby.models.group import WITHIN, Group
from lobby.models.player import Player

LOWEST, HIGHEST = 0, 4000
"""The bounds of a seek that accepts every rating."""

POOLED = Q(rated=True, by_address=False, group__isnull=True)
"""The condition for seeks that are paired in the waves of a pool.

Seeks in a group's lobby and invitations are not.
"""


class Seek(models.Model):
    """A player's search for an opponent, or an invitation by link.

    It is open as long as it has no `match`. Searches of players who no longer have a lobby socket,
    and old invitations, are deleted.
    """

    id = models.CharField(primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="seeks")
    game = models.CharField(max_length=40)
    # Together with `game`, these fields form the setup: see `games.match.setup`.
    clock = models.CharField(max_length=7, default="", blank=True)  # "3+2"; "" for an untimed match
    options = models.CharField(max_length=64, default="", db_default="", blank=True)
    rated = models.BooleanField(default=False, db_default=False)
    # The accepted range of the opponent's rating, if the match is rated.
    lowest = models.PositiveSmallIntegerField(default=LOWEST, db_default=LOWEST)
    highest = models.PositiveSmallIntegerField(default=HIGHEST, db_default=HIGHEST)
    by_address = models.BooleanField(default=False)  # True for an invitation, which is not listed
    # The group in whose lobby the seek is listed; null for the lobby of the site.
    group = models.ForeignKey(
        Group, null=True, blank=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE)
    created_at = models.DateTimeField()
    seen_at = models.DateTimeField()  # when a lobby socket of the player was last alive
    # Other servers ask whether the player is still present. These are the numbers of their last
    # question, and of the last question that was answered.
    asks = models.PositiveIntegerField(default=0, db_default=0)
    answers = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ["created_at"]
        indexes = [
            models.Index(fields=["seen_at"], name="seek_by_age"),
            # Finds the seeks in the pool of a setup, those that have waited longest first.
            models.Index(
                fields=["game", "clock", "options", "created_at"],
                name="seek_by_pool",
                condition=Q(rated=True, by_address=False, match__isnull=True),
            ),
            models.Index(fields=["group"], name="seek_of_group", condition=WITHIN),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game", "clock", "options", "rated"],
                condition=Q(match__isnull=True, by_address=False, group__isnull=True),
                name="one_open_seek_of_a_kind",
            ),
            models.UniqueConstraint(
                fields=["player", "group", "game", "clock", "options", "rated"],
                condition=Q(match__isnull=True) & WITHIN,
                name="one_open_seek_in_a_group",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} seeks {self.game}"

    def get_absolute_url(self) -> str:
        return f"/seek/{self.id}/"

    @property
    def is_pooled(self) -> bool:
        """Whether the seek is paired in the waves of a pool."""
        return self.rated and not self.by_address and self.group_id is None

    @property
    def setup(self) -> Setup:
        """The setup of the requested match."""
        return Setup(self.game, self.clock, self.options, self.rated)


class Pool(models.Model):
    """The players who seek a rated match with one setup, and are paired in waves.

    There is one row per setup.
    """

    game = models.CharField(max_length=40)
    clock = models.CharField(max_length=7)
    options = models.CharField(max_length=64, default="", blank=True)
    # The time of the next wave, or the end of the lease of the current wave
    # (`games.runtime.leases`). Null while nobody is waiting.
    due_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["game", "clock", "options"], name="one_pool_of_a_kind"),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="pool_by_wave", condition=Q(due_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.clock}"

    @property
    def setup(self) -> Setup:
        """The setup of the matches."""
        return Setup(self.game, self.clock, self.options, rated=True)


class Challenge(models.Model):
    """A player's request to play a match against a particular opponent.

    It is open until it is accepted or declined, is withdrawn (which deletes it), or expires.
    """

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
