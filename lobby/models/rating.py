"""Ratings, the ledger of rated games, and figures computed from rated games.

`lobby.ratings` writes these tables. The rows of the ledger (`RatedGame`) never change. `Rating` has
the latest values of each player, for fast queries.
"""

from typing import Any, NoReturn

from django.db import models
from django.db.models import Q

from games.models import Match
from lobby.models.player import Player


class Rating(models.Model):
    """A player's rating in one game, after their last rated game."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    game = models.CharField(max_length=40)
    rating = models.FloatField()
    deviation = models.FloatField()  # the deviation at `rated_at`; it grows with time
    volatility = models.FloatField()
    games = models.PositiveIntegerField()
    best = models.FloatField()  # the highest rating that was not provisional, or 0
    streak = models.PositiveIntegerField()  # consecutive wins, up to the last game
    longest = models.PositiveIntegerField()  # the longest streak
    key = models.CharField(max_length=64)  # the key of the last rated game
    rated_at = models.DateTimeField()  # when the last rated game ended
    previous_at = models.DateTimeField(null=True)  # when the game before it ended
    # When the player will leave the leaderboard, unless another game is rated before then. Null if
    # the player is not listed.
    listed_until = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["player", "game"], name="one_rating"),
        ]
        indexes = [
            # For the leaderboard and the ranks, with the strongest players first.
            models.Index(
                fields=["game", "-rating", "player", "listed_until"],
                name="rating_listed",
                condition=Q(listed_until__isnull=False),
            ),
            models.Index(
                fields=["listed_until"],
                name="rating_listed_until",
                condition=Q(listed_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.game} {self.rating:.0f}"


class RatedGame(models.Model):
    """The changes in both players' ratings after a rated game, or a refund of points.

    Games are ordered by `at` and `lot`. When a result changes later, rows with higher revisions
    replace the rows of all affected games. Only the highest revision of each key counts.
    """

    class Kind(models.TextChoices):
        RATED = "rated"
        REVERSED = "reversed"  # the game or refund does not count
        RECOMPUTED = "recomputed"  # this game or an earlier one changed
        REFUNDED = "refunded"  # not a game: `first` got `points` back

    # The key of the match, or of a refund (see `lobby.ratings.refunds`).
    key = models.CharField(max_length=64)
    revision = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    game = models.CharField(max_length=40)
    # The players. Matches protect them from deletion, so the database need not check these columns.
    first = models.ForeignKey(
        Player, on_delete=models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False
    )
    second = models.ForeignKey(
        Player,
        null=True,
        on_delete=models.DO_NOTHING,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    score = models.FloatField(null=True)  # the score of `first`: 1, 0.5 or 0
    # The advantage of the first role in rating points, as used for this game.
    advantage = models.FloatField(default=0.0)
    version = models.PositiveSmallIntegerField()  # the version of the algorithm
    at = models.DateTimeField()  # when the game ended
    # A number derived from the key, which orders games that ended at the same time.
    lot = models.BigIntegerField()
    points = models.FloatField(null=True)  # the points of a refund
    # For each player, the values before the game: when the previous game ended, and the rating, its
    # deviation at the time `at`, and its volatility. The values after the game follow, as in
    # `Rating`.
    first_since = models.DateTimeField(null=True)
    first_rating = models.FloatField()
    first_deviation = models.FloatField()
    first_volatility = models.FloatField()
    first_new_rating = models.FloatField()
    first_new_deviation = models.FloatField()
    first_new_volatility = models.FloatField()
    first_games = models.PositiveIntegerField()
    first_best = models.FloatField()
    first_streak = models.PositiveIntegerField()
    first_longest = models.PositiveIntegerField()
    second_since = models.DateTimeField(null=True)
    second_rating = models.FloatField(null=True)
    second_deviation = models.FloatField(null=True)
    second_volatility = models.FloatField(null=True)
    second_new_rating = models.FloatField(null=True)
    second_new_deviation = models.FloatField(null=True)
    second_new_volatility = models.FloatField(null=True)
    second_games = models.PositiveIntegerField(null=True)
    second_best = models.FloatField(null=True)
    second_streak = models.PositiveIntegerField(null=True)
    second_longest = models.PositiveIntegerField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["key", "revision"], name="one_rating_of_a_game"),
        ]
        indexes = [
            models.Index(fields=["game", "at", "lot"], name="rated_in_order"),
            models.Index(fields=["first", "game", "at"], name="rated_by_first"),
            models.Index(fields=["second", "game", "at"], name="rated_by_second"),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.revision}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("a rated game does not change; write its next revision")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("a rated game stays; write its next revision")


class UncountedMatch(models.Model):
    """A rated match that affects no rating, as decided when it first ended.

    Every match that `lobby.ratings.eligibility.get_ratable_matches` returns is either here or in
    the ledger, once the events of the match are handled.
    """

    match = models.OneToOneField(
        Match, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.match_id)


class Recount(models.Model):
    """The time from which the ratings of a game must be replayed.

    If a game has no row, its ratings do not need to be replayed.
    """

    game = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()
    # The lot of the first game to replay. Games that ended at the same time are ordered by lot.
    lot = models.BigIntegerField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.game} from {self.at}"


class RoleAdvantage(models.Model):
    """The rating advantage of a game's first role, which applies from the time `at`."""

    game = models.CharField(max_length=40)
    advantage = models.FloatField()
    games = models.PositiveIntegerField()  # the number of games from which it was fitted
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["game", "at"], name="one_advantage_then")]

    def __str__(self) -> str:
        return f"{self.game} {self.advantage:.0f}"


class RatingSpread(models.Model):
    """The number of a game's established ratings in each step of 25 points."""

    game = models.CharField(max_length=40, primary_key=True)
    # A dictionary that maps the lower end of each step, as text, to the number of ratings in it.
    counts = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.game


class ComputerGame(models.Model):
    """A game between a person with a reliable rating and a level of the computer.

    The rating of the level is computed from its newest games. Older ones are deleted.
    """

    match = models.OneToOneField(
        Match, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    game = models.CharField(max_length=40)
    level = models.PositiveSmallIntegerField()
    person = models.ForeignKey(
        Player, on_delete=models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False
    )
    seat = models.PositiveSmallIntegerField()  # the seat of the computer, 0 or 1
    score = models.FloatField()  # the score of the computer: 1, 0.5 or 0
    rating = models.FloatField()  # the rating of the person at that time
    deviation = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["game", "level", "-at"], name="computer_games_of_a_level")]

    def __str__(self) -> str:
        return f"{self.match_id} {self.level}"


class LevelRating(models.Model):
    """The rating of a level of the computer in one game, from its games against rated people."""

    game = models.CharField(max_length=40)
    level = models.PositiveSmallIntegerField()
    rating = models.FloatField()
    games = models.PositiveIntegerField()  # the number of games from which it was computed
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["game", "level"], name="one_level_rating")]

    def __str__(self) -> str:
        return f"{self.game} {self.level} {self.rating:.0f}"


class Accuracy(models.Model):
    """How often a player's moves in a rated game kept the proved value of the position."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    game = models.CharField(max_length=40)
    # The band of the player's rating at that time (see `lobby.ratings.accuracy`).
    band = models.PositiveSmallIntegerField()
    # The number of moves that count (see `lobby.ratings.accuracy.count_choices`).
    moves = models.PositiveSmallIntegerField()
    kept = models.PositiveSmallIntegerField()  # the number of these moves that kept the value
    at = models.DateTimeField()  # when the game ended

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="one_accuracy")]
        indexes = [
            models.Index(fields=["player", "game", "-at"], name="accuracy_of_player"),
            models.Index(fields=["game", "band", "-at"], name="accuracy_near_a_rating"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.kept} of {self.moves}"
