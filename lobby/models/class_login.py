"""Log-in of a class: its opening, cards and picture passwords of members, and their real names."""

from django.db import models

from lobby.models.group import Group, Member

LONGEST_REAL_NAME = 80  # characters


class ClassLogin(models.Model):
    """The log-in of a class, which its organiser has opened."""

    group = models.OneToOneField(
        Group, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    # Shown in the classroom. It leads to the class's log-in page with its members' names.
    code = models.CharField(max_length=16, unique=True)
    open_until = models.DateTimeField()
    wrong_pictures = models.PositiveSmallIntegerField(default=0)  # of all members since the opening

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"log-in of {self.group_id}"


class MemberLogin(models.Model):
    """A member's card and picture password. Both belong to this membership and end with it."""

    member = models.OneToOneField(
        Member, primary_key=True, on_delete=models.CASCADE, related_name="login"
    )
    card_hash = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001  # null is no card: only cards are unique
    pictures_hash = models.CharField(max_length=64, default="", blank=True)
    wrong_pictures = models.PositiveSmallIntegerField(default=0)  # since the opening
    changed_at = models.DateTimeField()  # when a secret was last created or revoked

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"log-in of member {self.member_id}"


class RealName(models.Model):
    """The organiser's note of a member's real name.

    Only `lobby.groups.real_names` reads and writes it. It has a table of its own, so that no query
    for members, players or exports can contain it by accident.
    """

    member = models.OneToOneField(
        Member, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    name = models.CharField(max_length=LONGEST_REAL_NAME)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"real name of member {self.member_id}"
