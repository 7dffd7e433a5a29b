"""Tournaments: their settings, entries, rounds, pairings and log.

`lobby.tournaments` writes these tables. Entries, organisers and names in the log are also changed
elsewhere, when accounts are deleted, merged or protected or become bots. Points and ranks are
derived from the results of matches (`lobby.tournaments.verification`).
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

from games.match.setup import Setup
from games.models import Match
from games.runtime.ids import LENGTH, new_id
from lobby.models.group import Group
from lobby.models.player import Player

LONGEST_TITLE = 60  # characters in the name of a tournament
LONGEST_ABOUT = 2000  # characters in the organiser's description


class Series(models.Model):
    """A series of tournaments at regular intervals, with one table for the season."""

    id = models.CharField(primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    name = models.CharField(max_length=LONGEST_TITLE)
    organiser = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    group = models.ForeignKey(
        Group, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    # Days between two tournaments; 0 if there will be no more.
    every_days = models.PositiveSmallIntegerField(default=7)
    best = models.PositiveSmallIntegerField(default=0)  # the number of results that count; 0: all
    # The total number of tournaments; 0: as many as `lobby.tournaments.series` allows.
    length = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, blank=True)  # when the next tournament starts
    # The requested number of rounds of a Swiss.
    rounds = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["-made_at", "id"], name="series_newest")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"/tournaments/series/{self.id}/"


class Tournament(models.Model):
    """A tournament. Its state determines the allowed actions (`lobby.tournaments.states`)."""

    class Kind(models.TextChoices):
        ROUND_ROBIN = "round-robin"
        SWISS = "swiss"
        KNOCKOUT = "knockout"
        ARENA = "arena"

    class State(models.TextChoices):
        ANNOUNCED = "announced"  # registration is not open yet
        REGISTRATION = "registration"
        CHECK_IN = "check-in"  # registered players confirm their presence
        RUNNING = "running"
        OVER = "over"
        CALLED_OFF = "called-off"

    class Registration(models.TextChoices):
        """The condition for taking part."""

        OPEN = "open"
        CODE = "code"
        GROUP = "group"  # the members of the tournament's group
        INVITATION = "invitation"

    class Pace(models.TextChoices):
        """When the next round begins."""

        READY = "ready"  # when all games of the previous round are over
        TIMED = "timed"  # `round_minutes` after the previous round began

    id = models.CharField(primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    name = models.CharField(max_length=LONGEST_TITLE)
    about = models.CharField(max_length=LONGEST_ABOUT, default="", blank=True)
    kind = models.CharField(max_length=11, choices=Kind.choices)
    # These fields form the setup: see `games.match.setup`.
    game = models.CharField(max_length=40)
    clock = models.CharField(max_length=7, default="", blank=True)
    options = models.CharField(max_length=64, default="", blank=True)
    rated = models.BooleanField(default=False)
    # The requested number of rounds of a Swiss. For other kinds, the rounds follow from the number
    # of players at the start. 0 for an arena.
    rounds = models.PositiveSmallIntegerField(default=0)
    is_double = models.BooleanField(default=False)  # whether players meet twice in a round robin
    minutes = models.PositiveSmallIntegerField(default=0)  # duration of an arena
    # The number of games in a match of a knockout. A draw is followed by extra games.
    best_of = models.PositiveSmallIntegerField(default=1)
    third_place = models.BooleanField(
        default=False
    )  # whether a knockout has a match for third place
    # Codes of `lobby.tournaments.pairing.standings`, in order of precedence, separated by commas.
    tie_breaks = models.CharField(max_length=120, default="", blank=True)
    registration = models.CharField(
        max_length=10, choices=Registration.choices, default=Registration.OPEN
    )
    code = models.CharField(max_length=16, null=True, unique=True, editable=False)  # noqa: DJ001  # null means no code, and may repeat
    group = models.ForeignKey(
        Group, null=True, blank=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    guests = models.BooleanField(default=False)  # whether guests can take part
    # Whether the organiser of an arena lets bots take part: see `admits_bots`.
    bots = models.BooleanField(default=False, db_default=False)
    lowest = models.PositiveSmallIntegerField(default=0)  # the lowest allowed rating
    highest = models.PositiveSmallIntegerField(default=4000)
    most = models.PositiveSmallIntegerField()  # the maximum number of players
    # When registration opens; null: immediately.
    opens_at = models.DateTimeField(null=True, blank=True)
    # How many minutes before the start players can begin to check in; 0: no check-in.
    check_in_minutes = models.PositiveSmallIntegerField(default=0)
    starts_at = models.DateTimeField()
    pace = models.CharField(max_length=5, choices=Pace.choices, default=Pace.READY)
    # After how many minutes the unfinished games of a round are adjudicated; 0: never. With the
    # pace `TIMED`, the next round begins then.
    round_minutes = models.PositiveSmallIntegerField(default=0)
    # After how many minutes absent players forfeit.
    late_minutes = models.PositiveSmallIntegerField(default=5)
    # Null if the organiser's account was deleted. Some staff can also act as the organiser: see
    # `lobby.tournaments.locking.can_manage`.
    organiser = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    series = models.ForeignKey(
        Series, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    # The number of the tournament in its series, from 1.
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    state = models.CharField(max_length=12, choices=State.choices, default=State.ANNOUNCED)
    paused_at = models.DateTimeField(null=True, blank=True)  # null if the tournament is not paused
    round = models.PositiveSmallIntegerField(default=0)  # the last paired round, from 1
    pairings = models.PositiveIntegerField(
        default=0
    )  # the number of pairings so far; in an arena, also the number of the last board
    made_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    # The end of an arena, which pauses postpone.
    ends_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # Increased with every change that may affect the next pairing.
    version = models.PositiveIntegerField(default=0)
    # The time of the next step, or the end of the lease of the current step
    # (`games.runtime.leases`). Null if no further step is due.
    due_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions = ("view", "change")
        indexes = [
            models.Index(fields=["state", "starts_at", "id"], name="tournament_by_state"),
            models.Index(
                fields=["-ended_at", "id"],
                name="tournament_over",
                condition=Q(ended_at__isnull=False),
            ),
            models.Index(
                fields=["due_at"], name="tournament_due", condition=Q(due_at__isnull=False)
            ),
            models.Index(fields=["organiser", "-starts_at"], name="tournament_of_organiser"),
            models.Index(
                fields=["group", "-starts_at"],
                name="tournament_of_group",
                condition=Q(group__isnull=False),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["series", "number"], name="one_of_a_series"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"/tournaments/{self.id}/"

    @property
    def setup(self) -> Setup:
        """The setup of every match."""
        return Setup(self.game, self.clock, self.options, self.rated)

    @property
    def is_paused(self) -> bool:
        return self.paused_at is not None

    @property
    def is_arena(self) -> bool:
        return self.kind == self.Kind.ARENA

    @property
    def is_for_minors(self) -> bool:
        return self.group is not None and self.group.for_minors

    @property
    def admits_bots(self) -> bool:
        """Whether accounts that are marked as bots can take part.

        Bots and people are rated separately, so only casual arenas admit bots. Arenas of a group
        for minors do not, even if the group was marked as one later.
        """
        return self.bots and self.is_arena and not self.rated and not self.is_for_minors

    @property
    def expected_end(self) -> datetime | None:
        """When the tournament ended or, for an arena, when it is expected to end.

        None for other tournaments that are not over.
        """
        if self.ended_at is not None or not self.is_arena:
            return self.ended_at
        return self.ends_at or self.starts_at + timedelta(minutes=self.minutes)


class Entry(models.Model):
    """A player's entry in a tournament, or the invitation of a player to it."""

    class State(models.TextChoices):
        INVITED = "invited"  # does not take part yet
        IN = "in"
        WITHDRAWN = "withdrawn"  # by the player, or because the player did not check in
        REMOVED = "removed"  # by the organiser, or because the player may no longer take part
        OUT = "out"  # after two forfeits

    # The constraint below has an index that starts with this column.
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="entries", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    state = models.CharField(max_length=9, choices=State.choices, default=State.IN)
    # The place by rating at the start; 1 is the strongest. Late players get the next numbers.
    seed = models.PositiveSmallIntegerField(null=True, blank=True)
    # The rating at the start; null without a rating in this game.
    rating = models.FloatField(null=True, blank=True)
    entered_at = models.DateTimeField()
    checked_in_at = models.DateTimeField(null=True, blank=True)
    # The rounds for which a half-point bye was requested, in order, separated by commas.
    byes = models.CharField(max_length=80, default="", blank=True)
    since_round = models.PositiveSmallIntegerField(
        default=1
    )  # the first round in which the player can be paired
    # The current pairing. A player with a current pairing is not paired again.
    playing = models.ForeignKey(
        "Pairing",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    free_since = models.DateTimeField(
        null=True, blank=True
    )  # when the player last became free to be paired in an arena
    # When the player was last present on the tournament's page. Null if the player has left it.
    seen_at = models.DateTimeField(null=True, blank=True)
    # Values that are derived from the pairings and stored for lists. Points are hundredths of a
    # game (100 for a win), or of an arena's points (200 for a win). The rank is set when the
    # tournament is over.
    points = models.PositiveIntegerField(default=0)
    games = models.PositiveSmallIntegerField(default=0)
    wins = models.PositiveSmallIntegerField(default=0)
    forfeits = models.PositiveSmallIntegerField(default=0)  # games lost by absence
    streak = models.PositiveSmallIntegerField(
        default=0
    )  # games won in a row in an arena, including the last one
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    # For the next pairing in an arena: how many more games the player began than their opponents,
    # whether the player began the last game, and the entry of the last opponent.
    sides = models.SmallIntegerField(default=0)
    began = models.BooleanField(default=False)
    opponent = models.PositiveBigIntegerField(null=True, blank=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entered_once"),
        ]
        indexes = [
            models.Index(fields=["player", "-id"], name="entry_of_player"),
            models.Index(
                fields=["player"], name="entry_playing", condition=Q(playing__isnull=False)
            ),
            models.Index(
                fields=["playing"], name="entry_by_pairing", condition=Q(playing__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.tournament_id}"

    @property
    def is_in(self) -> bool:
        return self.state == self.State.IN

    @property
    def bye_rounds(self) -> tuple[int, ...]:
        """The rounds for which the player requested a half-point bye."""
        return tuple(int(each) for each in self.byes.split(",") if each)


class Round(models.Model):
    """A paired round. Arenas have no rounds."""

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    number = models.PositiveSmallIntegerField()  # the number of the round, from 1
    began_at = models.DateTimeField()
    # When the unfinished games of the round are adjudicated; null: never. Pauses postpone this
    # time.
    ends_at = models.DateTimeField(null=True, blank=True)
    is_over = models.BooleanField(default=False)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_round"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.number}"


class Pairing(models.Model):
    """Two players who are paired, or one player with a bye.

    Its entries and its match never change. The first entry moves first. Points are hundredths of a
    game. With a `match`, the points follow from its current result, and are null while it is live.
    """

    class Kind(models.TextChoices):
        PLAYED = "played"
        FORFEIT = "forfeit"  # a player was absent or has left, or the match was cancelled or voided
        BYE = "bye"  # without an opponent; counts as a win
        HALF_BYE = "half-bye"  # requested by the player, or given for joining late
        ZERO_BYE = "zero-bye"  # for a round before a late entry, or a round robin's odd player

    # The constraint below has an index that starts with this column.
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    round = models.PositiveSmallIntegerField()  # counted from 1; 0 in an arena
    board = models.PositiveIntegerField()  # counted from 1, in the order of the pairings
    leg = models.PositiveSmallIntegerField(
        default=1
    )  # the number of the game within a knockout match
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, null=True, on_delete=models.CASCADE, related_name="+")
    match = models.OneToOneField(Match, null=True, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.PLAYED)
    first_points = models.PositiveSmallIntegerField(null=True)
    second_points = models.PositiveSmallIntegerField(null=True)
    # The bits of the players who went berserk: 1 for the first player, 2 for the second.
    berserk = models.PositiveSmallIntegerField(default=0)
    # The bits of the players who forfeited, as in `berserk`.
    absent = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField()
    # When to check that both players have arrived. Null if no check is necessary.
    late_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "round", "board", "leg"], name="paired_once"
            ),
            models.CheckConstraint(condition=~Q(first=models.F("second")), name="pairing_of_two"),
            models.CheckConstraint(
                condition=Q(match__isnull=False, second__isnull=False)
                | Q(match__isnull=True, ended_at__isnull=False),
                name="pairing_has_a_match",
            ),
        ]
        indexes = [
            models.Index(
                fields=["tournament"], name="pairing_live", condition=Q(ended_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.round}.{self.board}"

    @property
    def is_live(self) -> bool:
        return self.ended_at is None


class LogLine(models.Model):
    """An entry in the log of a tournament, which everybody who can see the tournament can read.

    It records an action of a player, of the organiser, or of the system.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    at = models.DateTimeField()
    # Null for an action of the system, or if the player's account was deleted.
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    # A message (`games.messages`), which is rendered in the reader's language.
    said = models.JSONField()

    if TYPE_CHECKING:
        tournament_id: str

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["tournament", "-id"], name="log_newest")]

    def __str__(self) -> str:
        return str(self.said.get("code"))
