"""The log-in of a class: openings, members' cards and picture passwords, and real names."""

from django.db import models

from lobby.models.group import Group, Member

LONGEST_REAL_NAME = 80  # characters


class ClassLogin(models.Model):
    """A log-in that the organiser of a class has opened."""

    group = models.OneToOneField(
        Group, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    # The code is shown in the classroom, and leads to the log-in page with the members' names.
    code = models.CharField(max_length=16, unique=True)
    open_until = models.DateTimeField()
    # Wrong attempts by all members since the opening.
    wrong_pictures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"log-in of {self.group_id}"


class MemberLogin(models.Model):
    """The card and picture password of a member. Both belong to the membership, and end with it."""

    member = models.OneToOneField(
        Member, primary_key=True, on_delete=models.CASCADE, related_name="login"
    )
    card_hash = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001  # null means no card, and may repeat
    pictures_hash = models.CharField(max_length=64, default="", blank=True)
    wrong_pictures = models.PositiveSmallIntegerField(default=0)  # wrong attempts since the opening
    # When a card or picture password was last created or revoked.
    changed_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"log-in of member {self.member_id}"


class RealName(models.Model):
    """A member's real name, noted by the organiser.

    Only `lobby.groups.real_names` reads and writes this table. It is a table of its own, so that
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
