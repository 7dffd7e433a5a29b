"""The presence of players and of the site itself, and the networks of players."""

from django.db import models

from games.models.match import Match
from games.runtime.ids import LENGTH


class Pulse(models.Model):
    """The last heartbeat of any server, which shows that the site is up.

    The table has one row, with id 1.
    """

    at = models.DateTimeField()
    up_since = models.DateTimeField()  # the end of the last outage, or the first heartbeat
    # The epoch of the database, see `games.store.epoch`.
    epoch = models.CharField(max_length=LENGTH, default="", db_default="")

    def __str__(self) -> str:
        return f"{self.at}"


class Outage(models.Model):
    """A period in which no server stored a heartbeat.

    The row is deleted once the lost time has been added to all clocks.
    """

    down_from = models.DateTimeField()
    up_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.down_from} to {self.up_at}"


class Watch(models.Model):
    """The last round of any referee. The table has one row, with id 1.

    This is a separate table because the heartbeat of servers locks the row of `Pulse`.
    """

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.at}"


class WriteProbe(models.Model):
    """The row that `/readyz` updates to check that the database is writable.

    The table has one row, with id 1. No other query locks this row.
    """

    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.at}"


class Attendance(models.Model):
    """The presence of a match's players and watchers on one server, as stored by that server."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="attendance")
    server = models.CharField(max_length=LENGTH)
    first_at = models.DateTimeField(null=True)  # when the seat's player was last on this server
    second_at = models.DateTimeField(null=True)
    watchers = models.PositiveIntegerField(default=0)
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "attendance"
        constraints = [
            models.UniqueConstraint(fields=["match", "server"], name="one_attendance_per_server"),
        ]
        indexes = [models.Index(fields=["seen_at"], name="attendance_by_age")]

    def __str__(self) -> str:
        return f"{self.match_id} at {self.server}"


class Connection(models.Model):
    """A player's connection to a live match, with its start, end and network.

    Moderators see these rows. Ratings and the limits for new guests use them, too.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="connections")
    seat = models.PositiveSmallIntegerField()  # 0 for the first, 1 for the second
    server = models.CharField(max_length=LENGTH)
    address = models.CharField(max_length=16)  # a keyed hash of the network
    opened_at = models.DateTimeField()
    seen_at = models.DateTimeField()  # when the player was last known to be there
    closed_at = models.DateTimeField(null=True)  # null while it is open, or if its server died

    class Meta:
        ordering = ["opened_at"]
        indexes = [
            models.Index(fields=["opened_at"], name="connection_by_age"),
            # For finding other players on the same network.
            models.Index(fields=["address", "-opened_at"], name="connection_by_address"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.match_id}"


class ClientNetwork(models.Model):
    """A network from which a player sent a command in a rated match.

    `games.store.client_networks` stores these networks.
    """

    # The constraint below has an index that starts with this column.
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()  # 0 for the first, 1 for the second
    network = models.CharField(max_length=16)  # a keyed hash, like `Connection.address`
    at = models.DateTimeField()  # the time of the first command from that network

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["match", "seat", "network"], name="one_network_per_seat"
            ),
        ]
        indexes = [models.Index(fields=["at"], name="client_network_by_age")]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.match_id}"
