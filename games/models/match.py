"""Matches, moves and events.

`games.journal` writes them. The exceptions are the clocks, to which `games.store.heartbeat` adds
the lost time after an outage, the leases on the computer's turns (`games.engine.turns`), and demo
data.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.messages import get_game_name
from games.rules import GAMES, Game
from games.runtime.ids import LENGTH, new_id


class Match(models.Model):
    """A match between two players. `notation` is the position after the stored moves."""

    class Status(models.TextChoices):
        LIVE = "live", pgettext_lazy("game", "live")
        OVER = "over", pgettext_lazy("game", "over")
        ABORTED = "aborted", pgettext_lazy("game", "cancelled")

    class Ended(models.TextChoices):
        """How a match ended."""

        RULES = "rules", pgettext_lazy("end of a game", "by the rules")
        RESIGNATION = "resignation", pgettext_lazy("end of a game", "resignation")
        TIME = "time", pgettext_lazy("end of a game", "on time")
        AGREEMENT = "agreement", pgettext_lazy("end of a game", "agreement")
        ABANDONED = "abandoned", pgettext_lazy("end of a game", "abandoned")
        ABORTED = "aborted", pgettext_lazy("end of a game", "cancelled")
        VOIDED = "voided", pgettext_lazy("end of a game", "voided")
        ADJUDICATED = "adjudicated", pgettext_lazy("end of a game", "by the moderators")

    id = models.CharField("ID", primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    game = models.CharField(max_length=40)
    # The players in the two seats, which are in the order of the game's roles.
    first = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="matches_as_first"
    )
    second = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="matches_as_second"
    )
    # The computer's level in each seat; null for a person.
    first_level = models.PositiveSmallIntegerField(null=True, blank=True)
    second_level = models.PositiveSmallIntegerField(null=True, blank=True)
    # A lease while it is the computer's turn. The process that searches renews it; if that process
    # dies, another one takes over (`games.engine.turns`).
    bot_at = models.DateTimeField(null=True, blank=True)
    status = models.CharField(
        _("Status"), max_length=8, choices=Status.choices, default=Status.LIVE
    )
    ended = models.CharField(
        _("Ended"), max_length=12, choices=Ended.choices, default="", blank=True
    )
    first_goal = models.PositiveSmallIntegerField(null=True, blank=True)  # points, 0 to 100
    second_goal = models.PositiveSmallIntegerField(null=True, blank=True)
    ply = models.PositiveIntegerField(_("Moves"), default=0)  # the number of actions played
    # Increases by one with every change of the match, except for changes of `bot_at` alone.
    version = models.PositiveIntegerField(default=0)
    notation = models.CharField(max_length=1200)
    last = models.CharField(max_length=64, default="", blank=True)  # the last action
    # Bits of the seats that have acted: 1 for the first, 2 for the second, 3 for both.
    acted = models.PositiveSmallIntegerField(default=0)
    # The seat that is offering a draw.
    draw_by = models.PositiveSmallIntegerField(null=True, blank=True)
    draw_ply = models.PositiveIntegerField(null=True, blank=True)  # the ply of the last offer
    # The seat that is offering a rematch.
    rematch_by = models.PositiveSmallIntegerField(null=True, blank=True)
    rematch = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="rematch_of"
    )
    # With `game`, the setup that the players agreed on: see `games.match.setup`. The clock of an
    # untimed match is "".
    clock = models.CharField(_("Clock"), max_length=7, default="", blank=True)
    options = models.CharField(max_length=64, default="", db_default="", blank=True)
    rated = models.BooleanField(default=False, db_default=False)
    # Whether a tournament opened the match. If so, the players cannot cancel it or offer a rematch.
    arranged = models.BooleanField(default=False, db_default=False)
    # Bits (as in `acted`) of the seats that gave up half of their time for more points. Null if
    # the match does not allow this.
    berserk = models.PositiveSmallIntegerField(null=True, blank=True)
    first_ms = models.PositiveIntegerField(null=True, blank=True)  # the time left at `acted_at`
    second_ms = models.PositiveIntegerField(null=True, blank=True)
    # When a timed match is lost on time or aborted.
    deadline = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(_("Created"))
    # When the clock of the role in control started: at the creation, at the last action, or when
    # staff resumed the match. The time lost in an outage is added.
    acted_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)  # the time of the first action
    ended_at = models.DateTimeField(null=True, blank=True)
    # The seat whose command ended the match. It is also set if a tournament decided the match, or
    # if the match was voided because its players are one person (`games.match.conduct`).
    ended_by = models.PositiveSmallIntegerField(null=True, blank=True)
    # The last outage of the site whose time was added to the clocks (`games.store.heartbeat`).
    outage = models.PositiveBigIntegerField(null=True, blank=True)
    # The part of the delay budget that each seat has used (`games.match.clock.return_time`).
    first_lag_ms = models.PositiveIntegerField(null=True, blank=True)
    second_lag_ms = models.PositiveIntegerField(null=True, blank=True)
    resumed_at = models.DateTimeField(null=True, blank=True)  # when staff resumed the match
    # A digest of the setup and the moves (`games.store.digests`).
    chain = models.CharField(max_length=32, default="", blank=True)
    # A digest of the chain, the result and, except in old matches, further fields.
    digest = models.CharField(max_length=32, default="", blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("game"), _("games")  # people call a match a game
        ordering = ["-created_at"]
        indexes = [
            models.Index(fields=["deadline"], name="match_by_deadline", condition=Q(status="live")),
            models.Index(fields=["first", "-created_at"], name="match_by_first"),
            models.Index(fields=["second", "-created_at"], name="match_by_second"),
            # For the filters of the admin's lists, which show the newest first.
            models.Index(fields=["-created_at", "-id"], name="match_by_age"),
            models.Index(fields=["game", "-created_at", "-id"], name="match_by_game"),
            models.Index(fields=["status", "-created_at", "-id"], name="match_by_status_and_age"),
            models.Index(fields=["ended", "-created_at", "-id"], name="match_by_end"),
            # Only finished matches are indexed, so that moves do not update the index.
            models.Index(
                fields=["-ply", "-id"], name="match_by_length", condition=~Q(status="live")
            ),
            models.Index(fields=["ended_at"], name="match_by_end_time"),
            models.Index(fields=["bot_at"], name="match_by_bot", condition=Q(bot_at__isnull=False)),
            # For a player's live games.
            models.Index(fields=["first"], name="match_live_by_first", condition=Q(status="live")),
            models.Index(
                fields=["second"], name="match_live_by_second", condition=Q(status="live")
            ),
            # For counting a player's matches against the computer before another one is opened.
            models.Index(
                fields=["first", "second"],
                name="match_with_computer",
                condition=Q(status="live")
                & (Q(first_level__isnull=False) | Q(second_level__isnull=False)),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(first_goal__isnull=True) | Q(first_goal__lte=100),
                name="match_first_goal_to_100",
            ),
            models.CheckConstraint(
                condition=Q(second_goal__isnull=True) | Q(second_goal__lte=100),
                name="match_second_goal_to_100",
            ),
            models.CheckConstraint(
                condition=Q(status="live", ended="", ended_at__isnull=True)
                | (~Q(status="live") & ~Q(ended="") & Q(ended_at__isnull=False)),
                name="match_ended_once",
            ),
            models.CheckConstraint(condition=~Q(first=F("second")), name="match_of_two_people"),
        ]

    def __str__(self) -> str:
        name = get_game_name(self.game) if self.game in GAMES else self.game
        return f"{name} {self.id}"

    def get_absolute_url(self) -> str:
        return f"/match/{self.id}/"

    @classmethod
    def is_computer(cls, player_id: int) -> bool:
        """Return whether the player is the computer, that is, ever had a seat with a level."""
        first = Q(first=player_id, first_level__isnull=False)
        return cls.objects.filter(first | Q(second=player_id, second_level__isnull=False)).exists()

    @property
    def rules(self) -> Game:
        return GAMES[self.game]


class Move(models.Model):
    """One accepted action of a match."""

    # The constraint below has an index that starts with this column.
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="moves", db_index=False)
    ply = models.PositiveIntegerField()  # the number of actions before this one
    role = models.CharField(max_length=40)
    action = models.CharField(max_length=64)
    at = models.DateTimeField()
    # The time (ms) since the previous action, the creation of the match, or its resumption by
    # staff. The delay of the network is subtracted, up to a limit. In timed matches, outages are
    # subtracted, too.
    spent_ms = models.PositiveBigIntegerField()

    class Meta:
        ordering = ["match", "ply"]
        constraints = [
            models.UniqueConstraint(fields=["match", "ply"], name="one_move_per_ply"),
        ]

    def __str__(self) -> str:
        return f"{self.ply}. {self.role} {self.action}"


class Event(models.Model):
    """The start, the end or a changed result of a match.

    The journal inserts the event in the transaction of that change, with the result at that time.
    `games.journal.events` delivers it to the rest of the site.
    """

    class Kind(models.TextChoices):
        BEGAN = "began"
        ENDED = "ended"
        VOIDED = "voided"  # the match does not count, whether it was live or over
        CORRECTED = "corrected"  # staff gave a finished match another result
        RESTORED = "restored"  # a decision of staff was undone, and the match may be live again

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="events", db_index=False
    )
    # The version of the match, which orders its events.
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=9, choices=Kind.choices)
    ended = models.CharField(max_length=12, default="")
    first_goal = models.PositiveSmallIntegerField(null=True)
    second_goal = models.PositiveSmallIntegerField(null=True)
    at = models.DateTimeField()
    # A lease (`games.runtime.leases`); null once delivered.
    due_at = models.DateTimeField(null=True)
    tries = models.PositiveIntegerField(default=0)  # failed deliveries

    class Meta:
        ordering = ["pk"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="one_event_per_version"),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="event_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["at"], name="event_done", condition=Q(due_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.kind}"
