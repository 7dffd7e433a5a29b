"""Presence of players, and of the site itself."""

from django.db import models

from games.models.match import Match
from games.runtime.ids import LENGTH


class Pulse(models.Model):
    """The last heartbeat of any server: the site was up then. One row, with id 1."""

    at = models.DateTimeField()
    up_since = models.DateTimeField()  # the end of the last outage
    # Which history the database holds, see `games.store.epoch`.
    epoch = models.CharField(max_length=LENGTH, default="", db_default="")

    def __str__(self) -> str:
        return f"{self.at}"


class Outage(models.Model):
    """A time in which no server was running. Deleted once all clocks are moved on by it."""

    down_from = models.DateTimeField()
    up_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.down_from} to {self.up_at}"


class Watch(models.Model):
    """The last round of any referee. One row, with id 1.

    A separate table, because servers lock `Pulse` while they beat.
    """

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.at}"


class WriteProbe(models.Model):
    """The row that `/readyz` updates to check that the database can be written. One row, with id 1,
    which no other query locks."""

    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.at}"


class Attendance(models.Model):
    """The presence of a match's players and watchers at one server, as it last stored it."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="attendance")
    server = models.CharField(max_length=LENGTH)
    first_at = models.DateTimeField(null=True)  # when the seat's player was last here
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
    """A player's connection to a live match, with its start and end. Kept for the review."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="connections")
    seat = models.PositiveSmallIntegerField()  # 0 first, 1 second
    server = models.CharField(max_length=LENGTH)
    address = models.CharField(max_length=16)  # a keyed hash of the network
    opened_at = models.DateTimeField()
    seen_at = models.DateTimeField()  # when the player was last certainly there
    closed_at = models.DateTimeField(null=True)  # null: still open, or its server died

    class Meta:
        ordering = ["opened_at"]
        indexes = [
            models.Index(fields=["opened_at"], name="connection_by_age"),
            # For who else came from an address.
            models.Index(fields=["address", "-opened_at"], name="connection_by_address"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.match_id}"


class ClientNetwork(models.Model):
    """A network from which a seat of a rated match acted (`games.store.client_networks`)."""

    # No index of its own: the constraint below is one.
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()  # 0 first, 1 second
    network = models.CharField(max_length=16)  # a keyed hash, as in `Connection.address`
    at = models.DateTimeField()  # of the first action from there

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
