"""Histories: the finished matches and the totals of each player.

`lobby.players.history` derives the rows from the matches and from the merges of guests. The rows of
an erased account are deleted (`lobby.accounts.erasure`, `lobby.privacy.account_deletion`).
"""

from django.db import models

from games.models import Match
from lobby.models.player import Player


class Played(models.Model):
    """One seat of a finished match, in the history of its player.

    If the guest in a seat has an account now, `player` or `opponent` is that account. The result is
    that of `player`.
    """

    class Result(models.TextChoices):
        WON = "won"
        LOST = "lost"
        DRAWN = "drawn"
        NONE = "none"  # the match was cancelled or voided

    # Matches protect their players from deletion, so the database need not check these two columns.
    player = models.ForeignKey(
        Player, on_delete=models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False
    )
    opponent = models.ForeignKey(
        Player, on_delete=models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False
    )
    # The constraint below has an index that starts with this column.
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()  # the seat of `player`, 0 or 1
    game = models.CharField(max_length=40)
    result = models.CharField(max_length=5, choices=Result.choices)
    length = models.PositiveSmallIntegerField()  # an index into `lobby.players.history.LENGTHS`
    rated = models.BooleanField()
    ended_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="one_history_of_a_seat"),
        ]
        # Each index lists a player's matches, newest first: all of them, or those that one filter
        # selects. The index for opponents also has the result, so that it can count the results
        # between two people.
        indexes = [
            models.Index(fields=["player", "-ended_at", "-id"], name="played_all"),
            models.Index(fields=["player", "game", "-ended_at", "-id"], name="played_game"),
            models.Index(fields=["player", "result", "-ended_at", "-id"], name="played_result"),
            models.Index(fields=["player", "length", "-ended_at", "-id"], name="played_length"),
            models.Index(fields=["player", "rated", "-ended_at", "-id"], name="played_rated"),
            models.Index(
                fields=["player", "opponent", "-ended_at", "-id", "result"], name="played_opponent"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.seat}"


class Tally(models.Model):
    """The results of a player in one game, against people or against the computer."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    game = models.CharField(max_length=40)
    computer = models.BooleanField()  # whether the results are against the computer
    # Signed, because negative changes may be added.
    won = models.IntegerField(default=0)
    lost = models.IntegerField(default=0)
    drawn = models.IntegerField(default=0)
    none = models.IntegerField(default=0)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["player", "game", "computer"], name="one_tally"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.game}"


class Adoption(models.Model):
    """A guest whose matches are moved to the history of an account."""

    guest = models.OneToOneField(
        Player, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    account = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    is_done = models.BooleanField(default=False)  # whether all rows have been moved

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(fields=["guest"], name="adoption_to_do", condition=models.Q(is_done=False))
        ]

    def __str__(self) -> str:
        return f"{self.guest_id} is {self.account_id}"


class HistoryMark(models.Model):
    """The last match that the search for missing histories has checked.

    The table has a single row. All histories are complete up to this match.
    """

    at = models.DateTimeField()
    match = models.CharField(max_length=40, default="")  # the id of that match, which ended at `at`

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.at}"
