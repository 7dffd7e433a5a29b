"""The log of all finished matches, which nobody can change unseen. `games.signed` writes it."""

from django.db import models

from games.models.match import Match


class LogHead(models.Model):
    """The one row that says how many entries there are; who adds some locks it."""

    size = models.PositiveBigIntegerField(default=0)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.size} entries"


class LogEntry(models.Model):
    """An entry: the hash of a match's record as it was then."""

    index = models.PositiveBigIntegerField(primary_key=True)  # from 0, without gaps
    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="logged", db_index=False
    )
    sha256 = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["match", "-index"], name="log_by_match")]

    def __str__(self) -> str:
        return f"{self.index}: {self.match_id}"


class LogWish(models.Model):
    """A match that is to be looked at: it has ended, or has another result now."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.match_id


class LogNode(models.Model):
    """The hash of 256 nodes below, each time that so many are complete. Level 0 are the entries."""

    level = models.PositiveSmallIntegerField()  # from 1
    index = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["level", "index"], name="one_hash_per_node"),
        ]

    def __str__(self) -> str:
        return f"{self.level}/{self.index}"


class SigningKey(models.Model):
    """The public half of a key that the site signs or has signed with, as notes name it."""

    text = models.CharField(max_length=300, unique=True)
    since = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.text
