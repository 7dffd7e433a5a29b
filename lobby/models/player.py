"""Players, their names, and changes to their protection."""

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, Self

from django.apps import apps
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.messages import render
from games.messages.names import (
    DIGITS,
    LONGEST_KEY,
    check_name,
    compute_coarse_key,
    compute_name_key,
)
from games.messages.refusal import Refused

TAKEN = _("This name, or a similar one, is already taken.")


BOT_MARK = " (bot)"
"""The suffix of a bot's displayed name. People cannot choose names with parentheses."""


def beside_names(host: str) -> tuple[str, ...]:
    """Return names for the second player at a host's screen, the best one first."""
    return f"Friend of {host}", f"A friend of {host}", f"The friend of {host}"


class CoarseKey(models.Func):
    """The SQL version of `games.messages.names.compute_coarse_key`.

    The digits are literals, because SQLite does not use an index on an expression if the query
    passes them as parameters.
    """

    template = "%(expressions)s"
    for _digit, _letter in DIGITS.items():
        template = f"REPLACE({template}, '{_digit}', '{_letter}')"
    arity = 1
    output_field = models.CharField()


class People(UserManager["Player"]):
    """A manager whose `create_user` and `create_superuser` check the name."""

    use_in_migrations = False

    def create_user(
        self,
        username: str,
        email: str | None = None,
        password: str | None = None,
        **more: Any,
    ) -> "Player":
        """Create an account. Raise `ValidationError` if the name is refused or taken."""
        self.model(username=username, is_staff=more.get("is_staff", False)).clean()
        return super().create_user(username, email, password, **more)

    def create_superuser(
        self,
        username: str,
        email: str | None = None,
        password: str | None = None,
        **more: Any,
    ) -> "Player":
        """Create an administrator. Raise `ValidationError` if the name is refused or taken."""
        self.model(username=username, is_staff=True).clean()
        return super().create_superuser(username, email, password, **more)


class Player(AbstractUser):
    """A person, a bot or a computer player. Guests have a name and a session, but no password."""

    objects: ClassVar[People] = People()
    _stored_name: str | None = None  # the name as last read from or written to the database

    username = models.CharField(
        "name",
        max_length=40,
        unique=True,
        error_messages={"unique": TAKEN},
    )
    # See `games.messages.names.compute_name_key`. Null for a name without a key, for a name that
    # `release_name` has set, and for an older name that is too similar to another name.
    name_key = models.CharField(max_length=LONGEST_KEY, null=True, unique=True, editable=False)  # noqa: DJ001  # null means no key, and may repeat
    first_name = None  # type: ignore[assignment]  # this removes the inherited field
    last_name = None  # type: ignore[assignment]  # this removes the inherited field
    is_guest = models.BooleanField(default=False)
    has_rolled = models.BooleanField(
        default=False, db_default=False, editable=False
    )  # whether the guest has already got another random name
    # The host at whose screen this player sits (`lobby.seeks.one_screen`); null for other players.
    beside = models.OneToOneField(
        "self",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="friend",
        editable=False,
    )
    # The level of a computer player; there is one for each level. Null for other players.
    bot_level = models.PositiveSmallIntegerField(null=True, blank=True, unique=True, editable=False)
    # A program plays under this account. Bots are rated separately from people. They cannot seek
    # opponents, but can send and accept challenges, and join arenas that admit bots. The flag is
    # permanent.
    is_bot = models.BooleanField(default=False, db_default=False, editable=False)
    # The account that an alias belongs to: see `games.store.aliases`. Nobody can log in as an
    # alias, and an alias never refers to another alias.
    alias_of = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="aliases",
        db_index=False,
    )
    # When others can choose the name of an alias.
    name_free_at = models.DateTimeField(null=True, editable=False)
    # The displayed name, if it differs from the name: for an alias the name of the account, for a
    # bot the name with a mark, and for a hidden or deleted account a name that identifies nobody.
    shown_as = models.CharField(max_length=48, null=True, editable=False)  # noqa: DJ001  # null means the same name, and "" is not a name
    # The player is a minor, who meets only the computer and members of their groups for minors, and
    # is hidden from everybody else except staff (`lobby.privacy`). The flag is also set for the
    # account's aliases and for the friend at its screen. It stays until somebody ends the
    # protection.
    is_protected = models.BooleanField(
        "protected (a minor)", default=False, db_default=False, editable=False
    )
    # An organiser created the account. The organiser of its class therefore manages its name
    # (`lobby.groups.care`), its password (`lobby.groups.member_passwords`) and its closing.
    is_class_account = models.BooleanField(default=False, db_default=False, editable=False)
    # The language of pages and e-mails, one of `LANGUAGES`. "": the browser's language.
    language = models.CharField(
        max_length=12, blank=True, default="", db_default="", editable=False
    )
    # When the name was last changed by the player or by the organiser of a class.
    named_at = models.DateTimeField(null=True, editable=False)
    # Whether staff require another name.
    must_rename = models.BooleanField(default=False, db_default=False, editable=False)
    # When the account will be deleted at its owner's request. After that, it stays set until
    # the last of the data is deleted.
    closing_at = models.DateTimeField(null=True, editable=False)
    closed_at = models.DateTimeField(null=True, editable=False)  # when it was hidden or deleted

    class Meta(AbstractUser.Meta):
        indexes = [
            models.Index(
                fields=["alias_of"], name="player_alias", condition=Q(alias_of__isnull=False)
            ),
            models.Index(
                fields=["name_free_at"],
                name="player_alias_name",
                condition=Q(name_free_at__isnull=False),
            ),
            models.Index(
                fields=["closing_at"], name="player_closing", condition=Q(closing_at__isnull=False)
            ),
            models.Index(
                fields=["id"], name="player_protected", condition=Q(is_protected=True)
            ),  # used by a filter in the admin
            models.Index(CoarseKey(F("name_key")), name="player_coarse_key"),
        ]
        constraints = [
            models.CheckConstraint(condition=~Q(alias_of=F("pk")), name="alias_of_another"),
            models.CheckConstraint(
                condition=Q(alias_of__isnull=True) | Q(is_active=False), name="alias_logs_in_never"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The displayed name. `username` is the stored name, which is unique."""
        return self.shown_as or self.username

    @classmethod
    def from_db(cls, *args: Any, **more: Any) -> Self:
        made = super().from_db(*args, **more)
        made._stored_name = made.__dict__.get("username")
        return made

    def clean(self) -> None:
        """Convert a new name to its stored form.

        Raise `ValidationError` if the name is refused or taken, or if an alias is active.
        """
        super().clean()
        if self.alias_of_id is not None and self.is_active:
            raise ValidationError(
                {"is_active": _("This account has been merged into another one.")}, code="alias"
            )
        if self.username == self._stored_name or self.bot_level is not None or self.beside_id:
            return
        try:
            self.username = check_name(self.username, self.is_staff, self.is_class_account)
        except Refused as refused:
            raise ValidationError({"username": render(refused.words)}, code=refused.code) from None
        others = Player.objects.exclude(pk=self.pk)
        # Names that differ only in case have the same key.
        alike = Q(name_key=compute_name_key(self.username)) | Q(username=self.username)
        if others.filter(alike).exists() or is_kept(self.username, self.pk):
            raise ValidationError({"username": TAKEN}, code="taken")

    def save(self, *, update_fields: Iterable[str] | None = None, **more: Any) -> None:
        """Save the player, and apply a new name to the player's aliases and friend.

        Raise `IntegrityError` if a new name is taken, reserved, or too similar to another name.
        """
        if self.username != self._stored_name and (
            update_fields is None or "username" in update_fields
        ):
            self.name_key = compute_name_key(self.username) or None
            if self.is_bot:
                self.shown_as = f"{self.username}{BOT_MARK}"
            if update_fields is not None:
                update_fields = [*update_fields, "name_key", "shown_as"]
            with transaction.atomic():
                super().save(update_fields=update_fields, **more)
                must_not_be_kept(self.username, self.pk)
                aliases = Player.objects.filter(alias_of=self, shown_as__isnull=False)
                aliases.update(shown_as=self.username)
            if self._stored_name is not None:
                self._rename_friend()
        else:
            super().save(update_fields=update_fields, **more)
        self._stored_name = self.username

    def _rename_friend(self) -> None:
        """Rename the second player at this player's screen, if one of the names is free."""
        friend = Player.objects.filter(beside=self)
        for name in beside_names(self.username) if friend.exists() else ():
            try:
                with transaction.atomic():
                    friend.update(username=name, name_key=compute_name_key(name))
                    return
            except IntegrityError:
                continue

    def get_full_name(self) -> str:
        return self.name

    def get_short_name(self) -> str:
        return self.name


class FormerName(models.Model):
    """A player's former name. It links to the player and is reserved until `until`."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=40)
    name_key = models.CharField(max_length=LONGEST_KEY, unique=True)  # like `Player.name_key`
    until = models.DateTimeField()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["until"], name="former_name_by_age")]

    def __str__(self) -> str:
        return self.name


class ProtectionChange(models.Model):
    """A change to a player's protection, with its time, author and reason."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="protection_changes")
    is_protected = models.BooleanField()  # whether the player is protected from this change on
    # Null if nobody decided this, as when the player joined a group for minors.
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ("view",)
        permissions = [("change_protection", "Can protect players and lift their protection")]
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.player_id}: {'protected' if self.is_protected else 'no longer protected'}"


def is_kept(name: str, player_id: int | None) -> bool:
    """Return whether the name is reserved for another player, or imitates another player's name.

    See `imitated`.
    """
    key = compute_name_key(name)
    known = FormerName.objects.filter(name_key=key, until__gt=timezone.now())
    if player_id is not None:
        known = known.exclude(player_id=player_id)
    return known.exists() or bool(imitated([key], player_id))


def imitated(keys: Collection[str], player_id: int | None = None) -> set[str]:
    """Return those of the keys that imitate another player's name when digits are read as letters.

    The imitated players are staff, or listed on a leaderboard. For example, "V055" imitates "Voss".
    """
    # The model is not imported, because its module imports this one.
    rating: Any = apps.get_model("lobby", "Rating")
    ratings = rating.objects.filter(player=OuterRef("pk"), listed_until__gt=timezone.now())
    known = Player.objects.alias(coarse=CoarseKey(F("name_key"))).filter(
        Q(is_staff=True) | Exists(ratings),
        coarse__in={compute_coarse_key(key) for key in keys},
        is_active=True,
    )
    if player_id is not None:
        known = known.exclude(pk=player_id)
    found = {compute_coarse_key(key) for key in known.values_list("name_key", flat=True) if key}
    return {key for key in keys if compute_coarse_key(key) in found}


def release_name(player_id: int, **changes: object) -> None:
    """Replace the name of a player with one that nobody can choose, and update other fields.

    `changes` has the new values of these fields.
    """
    Player.objects.filter(pk=player_id).update(
        username=f"~{player_id}", name_key=None, name_free_at=None, **changes
    )


def must_not_be_kept(name: str, player_id: int) -> None:
    """Raise `IntegrityError` if the name that this transaction has just written is not allowed.

    It may be reserved, or imitate another name (see `is_kept`). A name is reserved in the
    transaction that gives it up, and two writers of the same name wait for each other, so no name
    can be missed between the two tables.
    """
    if is_kept(name, player_id):
        raise IntegrityError("the name was somebody else's not long ago, or passes for another")
