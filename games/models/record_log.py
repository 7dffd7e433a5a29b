"""The tables of the transparency log. `games.transparency_log` writes them.

The tables of the former log are only read.
"""

from django.db import models

from games.models.match import Match


class LogHead(models.Model):
    """The state of the log. Its only row (`pk=1`) is locked while entries are appended."""

    size = models.PositiveBigIntegerField(default=0)
    # The peaks of a `games.transparency_log.merkle_tree.Frontier`, hexadecimal.
    peaks = models.TextField(default="", blank=True)
    # The former log: the number of its entries that this log commits to, and the number of entries
    # whose matches were appended here.
    former_size = models.PositiveBigIntegerField(default=0)
    former_taken = models.PositiveBigIntegerField(default=0)

    class Meta:
        default_permissions = ()
        db_table = "games_blindedloghead"

    def __str__(self) -> str:
        return f"{self.size} entries"


class LogEntry(models.Model):
    """The hash of a match's record when it was appended, or the root of the former log.

    The nonce blinds the match's id in the public entry. It is the same in all entries of a match.
    The site publishes it in the signed record of the match, not in the log.
    """

    index = models.PositiveBigIntegerField(primary_key=True)  # counted from 0, without gaps
    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="+", db_index=False, null=True
    )
    nonce = models.CharField(max_length=32, blank=True)  # 16 random bytes, hexadecimal
    former_size = models.PositiveBigIntegerField(null=True)  # set only if the entry has no match
    sha256 = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()
        db_table = "games_blindedlogentry"
        indexes = [models.Index(fields=["match", "-index"], name="blinded_log_by_match")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(match__isnull=False, former_size__isnull=True)
                | models.Q(match__isnull=True, former_size__isnull=False),
                name="log_entry_of_match_or_former",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.index}: {self.match_id}"


class LogNode(models.Model):
    """The hash of 256 complete nodes of the level below. The entries are level 0."""

    level = models.PositiveSmallIntegerField()  # counted from 1
    index = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()
        db_table = "games_blindedlognode"
        constraints = [
            models.UniqueConstraint(fields=["level", "index"], name="one_blinded_hash_per_node"),
        ]

    def __str__(self) -> str:
        return f"{self.level}/{self.index}"


class LogWish(models.Model):
    """A match that ended or whose result changed, and whose record must be appended to the log."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.match_id


class FormerLogHead(models.Model):
    """The size of the former log, which is closed."""

    size = models.PositiveBigIntegerField(default=0)

    class Meta:
        default_permissions = ()
        db_table = "games_loghead"

    def __str__(self) -> str:
        return f"{self.size} entries"


class FormerLogEntry(models.Model):
    """An entry of the former log. Its text, which contains a match id, is no longer published."""

    index = models.PositiveBigIntegerField(primary_key=True)
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="+", db_index=False)
    sha256 = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        db_table = "games_logentry"
        indexes = [models.Index(fields=["match", "-index"], name="log_by_match")]

    def __str__(self) -> str:
        return f"{self.index}: {self.match_id}"


class FormerLogNode(models.Model):
    """A stored hash of a node in the former log's tree."""

    level = models.PositiveSmallIntegerField()
    index = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()
        db_table = "games_lognode"
        constraints = [
            models.UniqueConstraint(fields=["level", "index"], name="one_hash_per_node"),
        ]

    def __str__(self) -> str:
        return f"{self.level}/{self.index}"


class SigningKey(models.Model):
    """The public half of a current or former signing key, in the format of signed notes."""

    text = models.CharField(max_length=300, unique=True)
    since = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.text
