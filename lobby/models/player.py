"""A person on the site, and the names that they may have."""

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from games.words import say
from games.words.names import LONGEST_KEY, check_name, name_key
from games.words.refusal import Refused

TAKEN = gettext_lazy("Somebody has this name already, or one that looks like it.")


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
        error_messages={"unique": TAKEN},
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
        # Names that differ in case alone have the same key.
        alike = Q(name_key=name_key(self.username)) | Q(username=self.username)
        if others.filter(alike).exists():
            raise ValidationError({"username": TAKEN}, code="taken")

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
