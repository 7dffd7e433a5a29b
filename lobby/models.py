"""People, and the seeks by which they find each other."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q

from games.ids import LENGTH, new_id
from games.models import Match


class Player(AbstractUser):
    """A person on the site. A guest has a name and a session, and no password."""

    username = models.CharField(
        "name",
        max_length=40,
        unique=True,
        error_messages={"unique": "Somebody has this name already."},
    )
    first_name = None  # type: ignore[assignment]  # one name is enough here
    last_name = None  # type: ignore[assignment]
    is_guest = models.BooleanField(default=False)
    # Of the computer, which is a player at each of its levels; null for people.
    bot_level = models.PositiveSmallIntegerField(null=True, blank=True, unique=True, editable=False)

    def __str__(self) -> str:
        return self.username

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username


class Seek(models.Model):
    """A player's wish to play. It lives while a lobby socket of its player does."""

    id = models.CharField(primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="seeks")
    game = models.CharField(max_length=40)
    clock = models.CharField(max_length=7, default="", blank=True)  # "3+2"; "" = untimed
    by_address = models.BooleanField(default=False)  # for whoever is sent the address; not listed
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE)
    created_at = models.DateTimeField()
    seen_at = models.DateTimeField()  # when a lobby socket of its player was last alive
    # Questions of other servers whether its player is there, and the last that was answered.
    asks = models.PositiveIntegerField(default=0, db_default=0)
    answers = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ["created_at"]
        indexes = [models.Index(fields=["seen_at"], name="seek_by_age")]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game", "clock"],
                condition=Q(match__isnull=True, by_address=False),
                name="one_open_seek_of_a_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} seeks {self.game}"

    def get_absolute_url(self) -> str:
        return f"/seek/{self.id}/"


class Server(models.Model):
    """One running process that holds sockets, as of its last heartbeat."""

    id = models.CharField(primary_key=True, max_length=LENGTH, editable=False)
    online = models.PositiveIntegerField(default=0)  # players with a socket there
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.id
