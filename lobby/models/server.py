"""Processes that hold sockets."""

from django.db import models

from games.runtime.ids import LENGTH


class Server(models.Model):
    """A running process that holds sockets, as of its last heartbeat."""

    id = models.CharField(primary_key=True, max_length=LENGTH, editable=False)
    online = models.PositiveIntegerField(default=0)  # players with a socket there
    # Their ids with commas between them, so that nobody counts twice; "" if they are many.
    players = models.TextField(default="", db_default="", blank=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.id
