"""Tables for the status page: processes, errors and the last backup."""

from typing import ClassVar

from django.db import models

from games.runtime.ids import LENGTH


class ProcessBeat(models.Model):
    """A process of the site, as of its last report. The row is deleted some time later."""

    id = models.CharField(primary_key=True, max_length=LENGTH, editable=False)
    command = models.CharField(max_length=16)  # "serve", "listen", "referee" or "bots"
    machine = models.CharField(max_length=64)
    version = models.CharField(max_length=64)
    # The number of concurrent searches for the computer.
    bots = models.PositiveSmallIntegerField(default=0)
    began_at = models.DateTimeField()
    at = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.command} on {self.machine}"


class FailureCount(models.Model):
    """How often one kind of error was logged on one day, by all processes.

    It has no personal data, only text from the program, the class of the error, and the place in
    the code.
    """

    day = models.DateField(db_index=True)  # the day in UTC
    event = models.CharField(max_length=120)
    error = models.CharField(max_length=80)
    place = models.CharField(max_length=120)
    times = models.PositiveIntegerField()
    last_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["day", "event", "error", "place"], name="one_count_of_failures"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} on {self.day}"


class LastBackup(models.Model):
    """The last successful backup. The table has one row, with id 1."""

    at = models.DateTimeField()
    machine = models.CharField(max_length=64)
    file = models.CharField(max_length=500)
    bytes = models.PositiveBigIntegerField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.file} of {self.at}"
