"""Groups, which are classes or clubs, with their members, games, transfers and logins."""

from django.db import models
from django.db.models import Q

from games.models import Match
from games.runtime.ids import LENGTH, new_id
from games.store.visibility import HIDDEN_NAME
from lobby.models.player import Player

LONGEST_NAME = 60  # characters in the name of a group


class Closing(models.TextChoices):
    """What happens to a group's class accounts when the group is closed."""

    ARCHIVE = "archive"  # the accounts do not change
    ANONYMISE = "anonymise"
    ERASE = "erase"  # the group is deleted too


class Group(models.Model):
    """A class or club. Its organiser is one of its members."""

    id = models.CharField(primary_key=True, max_length=LENGTH, default=new_id, editable=False)
    name = models.CharField(max_length=LONGEST_NAME)
    # Null if the organiser's account was deleted. Staff can choose another organiser.
    organiser = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # Whether members who do not count as adults are protected: see `lobby.privacy.protection`.
    for_minors = models.BooleanField("members are minors", default=False)
    # The current code for joining. Null if nobody can join with a code.
    code = models.CharField(max_length=16, null=True, unique=True, editable=False)  # noqa: DJ001  # null means no code, and may repeat
    made_at = models.DateTimeField()
    # A closed group is read-only: see `lobby.groups.class_closing`.
    closed_at = models.DateTimeField(null=True, editable=False)
    closed_as = models.CharField(
        max_length=9, choices=Closing.choices, default="", db_default="", editable=False
    )
    # When the accounts of the closed group are erased or anonymised. Null if they are kept, or once
    # this is done.
    erase_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-made_at", "id"]
        verbose_name = "class or club"
        verbose_name_plural = "classes and clubs"
        default_permissions = ("view", "change")
        permissions = [("organise", "Can run groups and make accounts for their members")]
        indexes = [
            models.Index(fields=["-made_at", "id"], name="group_newest"),
            models.Index(
                fields=["erase_at"], name="group_erase", condition=Q(erase_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"/groups/{self.id}/"


class Making(models.Model):
    """A batch of accounts that one form created, or a class account that was transferred.

    If the form is sent again, it is recognised by its `key`.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=64, unique=True)  # the form's hash, or random for a transfer
    shown_until = models.DateTimeField()  # until then, the same form returns its sheet again

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.pk} for {self.group_id}"


class Member(models.Model):
    """A player in a group. Members are never guests."""

    # The constraint below has an index that starts with this column.
    group = models.ForeignKey(
        Group, on_delete=models.CASCADE, related_name="members", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    # The batch that added the account to the group; null for other members.
    making = models.ForeignKey(Making, null=True, on_delete=models.SET_NULL, related_name="members")
    listed_as = models.CharField(max_length=40, default="", blank=True)  # the name on the sheet
    joined_at = models.DateTimeField()
    # Set by the organiser (`lobby.groups.care`): the times until which the member cannot start
    # games, use phrases, or choose another name.
    paused_until = models.DateTimeField(null=True, editable=False)
    muted_until = models.DateTimeField(null=True, editable=False)
    name_kept_until = models.DateTimeField(null=True, editable=False)
    # These attributes are set for one viewer, by `lobby.groups.membership.list_visible_members` and
    # `lobby.views.groups`. All except the first one are set only for the organiser.
    is_hidden = False
    is_in_care = False
    has_class_password = False
    offer: "Transfer | None" = None
    real_name = ""

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["group", "player"], name="member_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} of {self.group_id}"

    @property
    def name(self) -> str:
        """The member's name, as displayed to the viewer."""
        return HIDDEN_NAME if self.is_hidden else self.player.name


class Transfer(models.Model):
    """An offer to move a member to another group, which the organiser of that group can accept."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    source = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="+", db_index=False)
    target = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="+", db_index=False)
    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["source", "player"], name="transfer_once"),
        ]
        indexes = [
            models.Index(fields=["target", "at"], name="transfer_to_group"),
            models.Index(fields=["at"], name="transfer_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} from {self.source_id} to {self.target_id}"


class GroupGame(models.Model):
    """A match between two players who were both members of the group when the match began.

    Only `lobby.groups.games` writes this table.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="+", db_index=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    is_live = models.BooleanField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["group", "match"], name="group_game_once"),
        ]
        indexes = [
            models.Index(fields=["group", "-id"], name="group_game_newest"),
            models.Index(
                fields=["group", "-id"], name="group_game_live", condition=Q(is_live=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} of {self.group_id}"


WITHIN = Q(group__isnull=False)
"""The condition for seeks in the lobby of a group."""


LONGEST_REAL_NAME = 80  # characters


class ClassLogin(models.Model):
    """The login of a class, which its organiser has opened until `open_until`."""

    group = models.OneToOneField(
        Group, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    # The code is shown in the classroom, and leads to the login page with the members' names.
    code = models.CharField(max_length=16, unique=True)
    open_until = models.DateTimeField()
    # The number of wrong attempts with pictures by all members since the login was opened.
    wrong_pictures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"login of {self.group_id}"


class MemberLogin(models.Model):
    """The card and picture password of a member. Both belong to the membership, and end with it."""

    member = models.OneToOneField(
        Member, primary_key=True, on_delete=models.CASCADE, related_name="login"
    )
    card_hash = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001  # null means no card, and may repeat
    pictures_hash = models.CharField(max_length=64, default="", blank=True)
    # The number of wrong attempts with pictures since the login was opened, or since the last
    # correct attempt or change.
    wrong_pictures = models.PositiveSmallIntegerField(default=0)
    # When a card or picture password was last created or revoked.
    changed_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"login of member {self.member_id}"


class RealName(models.Model):
    """A member's real name, noted by the organiser.

    Only `lobby.groups.member_logins` reads and writes this table. It is a table of its own, so that
    queries for members, players or exports can never contain real names by accident.
    """

    member = models.OneToOneField(
        Member, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    name = models.CharField(max_length=LONGEST_REAL_NAME)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"real name of member {self.member_id}"
