"""Webhooks: addresses of other sites that receive events (`lobby.webhooks`)."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.runtime.ids import new_id
from lobby.models.player import Player

LONGEST_ADDRESS = 500  # characters


class Webhook(models.Model):
    """An address that an account has registered, and the events it subscribes to."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    of_games = models.BooleanField()  # whether games of the account are reported
    of_tournaments = models.BooleanField()  # whether tournaments of the account are reported
    # The encrypted key that signs deliveries.
    secret = models.CharField(max_length=255, editable=False)
    made_at = models.DateTimeField()
    heard_at = models.DateTimeField(null=True)  # when a delivery last succeeded
    failing_since = models.DateTimeField(
        null=True
    )  # when attempts began to fail; null before the first failure and after a success
    off_at = models.DateTimeField(null=True)  # when the webhook was disabled; null if it is enabled

    class Meta:
        default_permissions = ()
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"a webhook of {self.player_id}"


def new_delivery() -> str:
    """Return a random id for a new delivery, with the prefix that Standard Webhooks uses."""
    return f"msg_{new_id()}{new_id()}"


class Delivery(models.Model):
    """The delivery of one event to one address. The body is the same in every attempt."""

    id = models.CharField(primary_key=True, max_length=24, default=new_delivery, editable=False)
    hook = models.ForeignKey(
        Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False
    )
    event = models.CharField(max_length=40)  # the key of the event, which is unique for a webhook
    kind = models.CharField(max_length=24)
    body = models.TextField()  # JSON
    at = models.DateTimeField()
    # The time of the next attempt, or the end of the lease of the current attempt
    # (`games.runtime.leases`). Null if the delivery succeeded or was abandoned.
    due_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)  # failed attempts
    # The fault of the last attempt, or the reason why the delivery was dropped.
    fault = models.CharField(max_length=12, default="", blank=True)
    given_up = models.BooleanField(default=False)

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hook", "event"], name="delivered_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="delivery_due", condition=Q(due_at__isnull=False)),
            models.Index(
                fields=["hook", "due_at", "id"],
                name="delivery_due_of_hook",
                condition=Q(due_at__isnull=False),
            ),
            models.Index(fields=["at"], name="delivery_done", condition=Q(due_at__isnull=True)),
            models.Index(
                fields=["hook", "-at"], name="delivery_given_up", condition=Q(given_up=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.hook_id}"
