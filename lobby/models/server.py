"""The server processes that have sockets."""

from django.db import models

from games.runtime.ids import LENGTH


class Server(models.Model):
    """A running process that has sockets, as of its last heartbeat."""

    id = models.CharField(primary_key=True, max_length=LENGTH, editable=False)
    online = models.PositiveIntegerField(default=0)  # the number of players with a socket here
    # The ids of the players, joined by commas, so that nobody is counted twice; "" if there are too
    # many.
    players = models.TextField(default="", db_default="", blank=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.id
