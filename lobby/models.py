"""People, and the seeks by which they find each other."""

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from games.match.setup import Setup
from games.models import Match
from games.runtime.ids import LENGTH, new_id
from games.words import say
from games.words.names import LONGEST_KEY, check_name, name_key
from games.words.refusal import Refused

_TAKEN = gettext_lazy("Somebody has this name already, or one that looks like it.")


class People(UserManager["Player"]):
    """Makes accounts under names that are allowed, for commands as well."""

    use_in_migrations = False

    def create_user(
        self,
        username: str,
        email: str | None = None,
        password: str | None = None,
        **more: Any,
    ) -> "Player":
        """Raises ValidationError for a name that is refused or taken."""
        self.model(username=username, is_staff=more.get("is_staff", False)).clean()
        return super().create_user(username, email, password, **more)

    def create_superuser(
        self,
        username: str,
        email: str | None = None,
        password: str | None = None,
        **more: Any,
    ) -> "Player":
        """Raises ValidationError for a name that is refused or taken."""
        self.model(username=username, is_staff=True).clean()
        return super().create_superuser(username, email, password, **more)


class Player(AbstractUser):
    """A person on the site. A guest has a name and a session, and no password."""

    objects: ClassVar[People] = People()
    _stored_name: str | None = None  # the name as it was read from the database

    username = models.CharField(
        "name",
        max_length=40,
        unique=True,
        error_messages={"unique": _TAKEN},
    )
    # See `games.words.names.name_key`. Null if an older name was too similar to another one.
    name_key = models.CharField(max_length=LONGEST_KEY, null=True, unique=True, editable=False)  # noqa: DJ001  # null is no key: only keys are unique
    first_name = None  # type: ignore[assignment]  # one name is enough here
    last_name = None  # type: ignore[assignment]
    is_guest = models.BooleanField(default=False)
    has_rolled = models.BooleanField(
        default=False, db_default=False, editable=False
    )  # another name
    # Of the computer, which is a player at each of its levels; null for people.
    bot_level = models.PositiveSmallIntegerField(null=True, blank=True, unique=True, editable=False)

    def __str__(self) -> str:
        return self.username

    @classmethod
    def from_db(cls, *args: Any, **more: Any) -> Self:
        made = super().from_db(*args, **more)
        made._stored_name = made.__dict__.get("username")
        return made

    def clean(self) -> None:
        """Check a name that is new. Raises ValidationError."""
        super().clean()
        if self.username == self._stored_name or self.bot_level is not None:
            return
        try:
            self.username = check_name(self.username, of_staff=self.is_staff)
        except Refused as refused:
            raise ValidationError({"username": say(refused.words)}, code=refused.code) from None
        others = Player.objects.exclude(pk=self.pk)
        alike = Q(name_key=name_key(self.username)) | Q(username__iexact=self.username)
        if others.filter(alike).exists():
            raise ValidationError({"username": _TAKEN}, code="taken")

    def save(self, *, update_fields: Iterable[str] | None = None, **more: Any) -> None:
        """Raises IntegrityError if somebody has a name that could be mistaken for this one."""
        if self.username != self._stored_name and (
            update_fields is None or "username" in update_fields
        ):
            self.name_key = name_key(self.username) or None
            if update_fields is not None:
                update_fields = [*update_fields, "name_key"]
        super().save(update_fields=update_fields, **more)
        self._stored_name = self.username

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username


class Seek(models.Model):
    """A player's wish to play. It stays open as long as its player has a lobby socket."""

    id = models.CharField(primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="seeks")
    game = models.CharField(max_length=40)
    # Together with `game` these are the setup: see `games.match.setup`.
    clock = models.CharField(max_length=7, default="", blank=True)  # "3+2"; "" = untimed
    options = models.CharField(max_length=64, default="", db_default="", blank=True)
    rated = models.BooleanField(default=False, db_default=False)
    by_address = models.BooleanField(default=False)  # an invitation, which is not listed
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE)
    created_at = models.DateTimeField()
    seen_at = models.DateTimeField()  # when a lobby socket of its player was last alive
    # Other servers ask whether its player is there: the number of the last question, and of the
    # last one that was answered.
    asks = models.PositiveIntegerField(default=0, db_default=0)
    answers = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ["created_at"]
        indexes = [models.Index(fields=["seen_at"], name="seek_by_age")]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game", "clock", "options", "rated"],
                condition=Q(match__isnull=True, by_address=False),
                name="one_open_seek_of_a_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} seeks {self.game}"

    def get_absolute_url(self) -> str:
        return f"/seek/{self.id}/"

    @property
    def setup(self) -> Setup:
        """What the player wishes to play."""
        return Setup(self.game, self.clock, self.options, self.rated)


class Server(models.Model):
    """One running process that holds sockets, as of its last heartbeat."""

    id = models.CharField(primary_key=True, max_length=LENGTH, editable=False)
    online = models.PositiveIntegerField(default=0)  # players with a socket there
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.id
