"""Matches, moves and events. Only `games.journal` writes them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.messages import get_game_name
from games.rules import GAMES, Game
from games.runtime.ids import LENGTH, new_id


class Match(models.Model):
    """One game between two players. `notation` is the position after the moves."""

    class Status(models.TextChoices):
        LIVE = "live", _("live")
        OVER = "over", _("over")
        ABORTED = "aborted", _("cancelled")

    class Ended(models.TextChoices):
        """How a match ended."""

        RULES = "rules", _("by the rules")
        RESIGNATION = "resignation", _("resignation")
        TIME = "time", _("on time")
        AGREEMENT = "agreement", _("agreement")
        ABANDONED = "abandoned", _("abandoned")
        ABORTED = "aborted", _("cancelled")
        VOIDED = "voided", _("voided")
        ADJUDICATED = "adjudicated", _("by the moderators")

    id = models.CharField(primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    game = models.CharField(max_length=40)
    # The seats, in the order of the game's roles.
    first = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="matches_as_first"
    )
    second = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="matches_as_second"
    )
    # The computer's level in that seat; null for a person.
    first_level = models.PositiveSmallIntegerField(null=True, blank=True)
    second_level = models.PositiveSmallIntegerField(null=True, blank=True)
    # A lease while it is the computer's turn: the process that thinks keeps renewing it; if it
    # dies, another one takes over (`games.engine.turns`).
    bot_at = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.LIVE)
    ended = models.CharField(max_length=12, choices=Ended.choices, default="", blank=True)
    first_goal = models.PositiveSmallIntegerField(null=True, blank=True)  # points, 0 to 100
    second_goal = models.PositiveSmallIntegerField(null=True, blank=True)
    ply = models.PositiveIntegerField(default=0)  # the number of actions played
    version = models.PositiveIntegerField(default=0)  # grows by one with every change of this match
    notation = models.CharField(max_length=255)
    last = models.CharField(max_length=64, default="", blank=True)  # the last action
    acted = models.PositiveSmallIntegerField(
        default=0
    )  # seats that acted: 1 first, 2 second, 3 both
    draw_by = models.PositiveSmallIntegerField(null=True, blank=True)  # the seat that offers a draw
    draw_ply = models.PositiveIntegerField(null=True, blank=True)  # when it was last offered
    rematch_by = models.PositiveSmallIntegerField(null=True, blank=True)  # the seat that asks
    rematch = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="rematch_of"
    )
    # With `game`, the setup that the players agreed on: see `games.match.setup`.
    clock = models.CharField(max_length=7, default="", blank=True)  # "3+2"; "" = untimed
    options = models.CharField(max_length=64, default="", db_default="", blank=True)
    rated = models.BooleanField(default=False, db_default=False)
    # Opened by an event: its players can neither cancel it nor offer a rematch.
    arranged = models.BooleanField(default=False, db_default=False)
    # Seats that gave up half of their time for more points: bits as in `acted`. Null: not allowed.
    berserk = models.PositiveSmallIntegerField(null=True, blank=True)
    first_ms = models.PositiveIntegerField(null=True, blank=True)  # time left, as of `acted_at`
    second_ms = models.PositiveIntegerField(null=True, blank=True)
    deadline = models.DateTimeField(
        null=True, blank=True
    )  # if timed: when the match is lost on time, or aborted
    created_at = models.DateTimeField()
    # When the clock of the role in control started: at the last action or the creation, moved on
    # by outages of the site.
    acted_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)  # the first action
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.PositiveSmallIntegerField(
        null=True, blank=True
    )  # the seat whose command ended it
    # The last outage of the site by which the clocks were moved on (`games.store.outages`).
    outage = models.PositiveBigIntegerField(null=True, blank=True)
    # Network delay given back to each seat, see `games.match.clock.return_time`.
    first_lag_ms = models.PositiveIntegerField(null=True, blank=True)
    second_lag_ms = models.PositiveIntegerField(null=True, blank=True)
    resumed_at = models.DateTimeField(null=True, blank=True)  # when the staff resumed it
    # See `games.store.digests`.
    chain = models.CharField(max_length=32, default="", blank=True)  # over the setup and the moves
    digest = models.CharField(
        max_length=32, default="", blank=True
    )  # over the chain and the result

    class Meta:
        verbose_name, verbose_name_plural = _("game"), _("games")  # as people call it
        ordering = ["-created_at"]
        indexes = [
            models.Index(fields=["deadline"], name="match_by_deadline", condition=Q(status="live")),
            models.Index(fields=["first", "-created_at"], name="match_by_first"),
            models.Index(fields=["second", "-created_at"], name="match_by_second"),
            # For the filters of the admin's lists, newest first.
            models.Index(fields=["-created_at", "-id"], name="match_by_age"),
            models.Index(fields=["game", "-created_at", "-id"], name="match_by_game"),
            models.Index(fields=["status", "-created_at", "-id"], name="match_by_status_and_age"),
            models.Index(fields=["ended", "-created_at", "-id"], name="match_by_end"),
            # Of finished matches only, so that a move need not update it.
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
            # For counting them before one more is opened.
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
        """Return whether the player is the computer, which takes its seats with a level."""
        first = Q(first=player_id, first_level__isnull=False)
        return cls.objects.filter(first | Q(second=player_id, second_level__isnull=False)).exists()

    @property
    def rules(self) -> Game:
        return GAMES[self.game]


class Move(models.Model):
    """One accepted action of a match."""

    # No index of its own: the constraint below is one.
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="moves", db_index=False)
    ply = models.PositiveIntegerField()  # the number of actions before this one
    role = models.CharField(max_length=40)
    action = models.CharField(max_length=64)
    at = models.DateTimeField()
    spent_ms = (
        models.PositiveBigIntegerField()
    )  # since the previous action, or the match's creation

    class Meta:
        ordering = ["match", "ply"]
        constraints = [
            models.UniqueConstraint(fields=["match", "ply"], name="one_move_per_ply"),
        ]

    def __str__(self) -> str:
        return f"{self.ply}. {self.role} {self.action}"


class Event(models.Model):
    """A match began, ended, or got another result.

    The journal inserts the event in the transaction of that change, with the result at that time.
    `games.journal.events` delivers it to the rest of the site.
    """

    class Kind(models.TextChoices):
        BEGAN = "began"
        ENDED = "ended"
        VOIDED = "voided"  # it does not count, whether it was live or over
        CORRECTED = "corrected"  # the staff gave a match that was over another result
        RESTORED = "restored"  # a decision of the staff was undone; the match may be live again

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="events", db_index=False
    )
    version = models.PositiveIntegerField()  # of the match; orders its events
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
