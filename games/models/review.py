"""Reports, signs, cases, decisions, notes and notices.

`games.review` writes them. In addition, `lobby.ratings` stores signs, a guest's notices move to the
account when the guest logs in, and demo data has reports. A decision is never deleted, and changes
only when a deleted player's name is removed from it. Another decision may reverse it.
"""

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.messages import build_message, render
from games.models.match import Match

WORDS = 500  # the maximum length of a reason, a report or a note


class Decision(models.Model):
    """A moderator's decision about a match or a player."""

    class Kind(models.TextChoices):
        VOID = "void", _("void the game")
        CORRECT = "correct", _("correct the result")
        END = "end", _("end the game")
        WARN = "warn", _("warn the player")
        SUSPEND = "suspend", _("suspend the player")
        RENAME = "rename", _("rename the player")
        NEW_NAME = "new-name", _("have the player choose another name")
        REVERSE = "reverse", _("reverse a decision")

    kind = models.CharField(_("Kind"), max_length=8, choices=Kind.choices)
    # A decision about a player may also name the match that shows the reason.
    match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.PROTECT, related_name="decisions"
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="decisions",
    )
    number = models.PositiveIntegerField()  # counted from 1 for its match or its player
    reason = models.CharField(_("Reason"), max_length=WORDS)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="decisions_made"
    )
    at = models.DateTimeField(pgettext_lazy("decision", "When"))
    # The end of a suspension; null if it is permanent, and for other kinds.
    until = models.DateTimeField(null=True, blank=True)
    # The goals, 0 to 100, in decisions to correct the result or to end the game.
    first_goal = models.PositiveSmallIntegerField(null=True, blank=True)
    second_goal = models.PositiveSmallIntegerField(null=True, blank=True)
    # The new name in a decision to rename.
    name = models.CharField(max_length=40, default="", blank=True)
    # The state before the decision, so that the decision can be reversed.
    before = models.JSONField(default=dict)
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversed_by"
    )

    class Meta:
        verbose_name, verbose_name_plural = _("decision"), _("decisions")
        ordering = ["-at", "-pk"]
        default_permissions = ("view",)
        permissions = [
            ("decide", "Can decide on matches and players"),
            ("reverse", "Can reverse a decision"),
        ]
        indexes = [
            models.Index(fields=["-at", "-id"], name="decision_by_age"),
            models.Index(fields=["at", "id"], name="reversal_by_age", condition=Q(kind="reverse")),
            models.Index(fields=["-id"], name="renames", condition=Q(kind="rename")),
            models.Index(
                fields=["player", "until"],
                name="suspension_by_player",
                condition=Q(kind="suspend"),
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="decision_has_a_reason"),
            models.CheckConstraint(
                condition=Q(match__isnull=False) | Q(player__isnull=False),
                name="decision_is_about_something",
            ),
            # If two moderators decide at the same time, one of them is refused.
            models.UniqueConstraint(
                fields=["match", "number"],
                condition=Q(player__isnull=True),
                name="one_decision_at_a_time_per_match",
            ),
            models.UniqueConstraint(
                fields=["player", "number"], name="one_decision_at_a_time_per_player"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.at:%Y-%m-%d %H:%M}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("a decision does not change; reverse it by another")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("a decision stays; reverse it by another")

    @property
    def summary(self) -> str:
        """The decision with its values, as a sentence."""
        match self.kind:
            case self.Kind.CORRECT | self.Kind.END:
                goals = {"one": self.first_goal or 0, "other": self.second_goal or 0}
                return render(build_message(f"decision.{self.kind}", **goals))
            case self.Kind.SUSPEND if self.until is not None:
                return render(
                    build_message("decision.suspend-until", until=f"{self.until:%Y-%m-%d %H:%M}")
                )
            case self.Kind.RENAME:
                return render(build_message("decision.rename", name=self.name))
            case self.Kind.REVERSE:
                return render(build_message("decision.reverse", number=self.reverses_id or 0))
        return render(build_message(f"decision.{self.kind}"))


class BulkAction(models.Model):
    """A moderator's action on many players, which can be undone once, as a whole.

    It dismisses the players' open items, or merges them into one entry of the queue.
    """

    class Kind(models.TextChoices):
        DISMISS = "dismiss", pgettext_lazy("players of the queue", "dismissed")
        MERGE = "merge", pgettext_lazy("players of the queue", "merged")

    # The key of the submitted form, so that a form that is sent twice is handled once.
    key = models.CharField(max_length=32, unique=True)
    kind = models.CharField(_("Kind"), max_length=8, choices=Kind.choices)
    players = models.JSONField(default=list)  # the ids of the players
    # The player whose entry has all of the items; null for a dismissal.
    into = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.CharField(_("Reason"), max_length=WORDS)  # only moderators see it
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bulk_actions"
    )
    at = models.DateTimeField(pgettext_lazy("decision", "When"))
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    undone_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name, verbose_name_plural = _("bulk action"), _("bulk actions")
        ordering = ["-at", "-pk"]
        default_permissions = ("view",)
        indexes = [models.Index(fields=["-at", "-id"], name="bulk_action_by_age")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.at:%Y-%m-%d %H:%M}"


class MergedEntry(models.Model):
    """A player whose open items are handled in another player's entry of the queue."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    into = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    action = models.ForeignKey(BulkAction, on_delete=models.CASCADE, related_name="entries")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id} into {self.into_id}"


class Case(models.Model):
    """The reports about one player in one match, or about one player outside all matches."""

    class Outcome(models.TextChoices):
        ACTED = "acted", _("action taken")
        NOTHING = "nothing", _("no violation found")

    # Null if the reports are about no match, such as those about behaviour in the lobby.
    match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.PROTECT, related_name="cases"
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="cases"
    )
    opened_at = models.DateTimeField(pgettext_lazy("decision", "When"))
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="cases_closed",
    )
    closed_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(
        _("Result"), max_length=8, choices=Outcome.choices, default="", blank=True
    )
    # Whether a moderator who had made one of the reports closed the case, because no other
    # moderator was active (`games.review.moderators`).
    is_own_report = models.BooleanField(default=False, db_default=False)
    # The bulk dismissal that closed the case.
    bulk = models.ForeignKey(
        BulkAction,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="cases",
        db_index=False,
    )
    # When the match was last reported after staff had decided on it.
    disputed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("noun", "report")
        verbose_name_plural = pgettext_lazy("noun", "reports")
        ordering = ["opened_at", "pk"]
        default_permissions = ("view",)
        permissions = [("handle", "Can take and close reports")]
        indexes = [
            models.Index(
                fields=["opened_at", "id"], name="open_cases", condition=Q(closed_at__isnull=True)
            ),
            models.Index(
                fields=["player", "id"],
                name="open_cases_by_player",
                condition=Q(closed_at__isnull=True),
            ),
            models.Index(fields=["opened_at", "id"], name="case_by_age"),
            models.Index(fields=["bulk"], name="cases_of_bulk", condition=Q(bulk__isnull=False)),
            models.Index(
                fields=["disputed_at"],
                name="disputed_cases",
                condition=Q(disputed_at__isnull=False),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "player"],
                condition=Q(closed_at__isnull=True),
                name="one_open_case_per_match_and_player",
            ),
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(closed_at__isnull=True, match__isnull=True),
                name="one_open_case_per_player_without_match",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.match_id}" if self.match_id else str(self.player)


class Report(models.Model):
    """A report by one player about another."""

    class Reason(models.TextChoices):
        CHEATING = "cheating", _("outside help")
        LOSING = "losing", _("lost on purpose")
        STALLING = "stalling", _("stalled or left")
        NAME = "name", _("offensive name")
        LOBBY = "lobby", _("behaviour in the lobby")
        OTHER = "other", _("something else")

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="reports")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="reports_made"
    )
    reason = models.CharField(_("Reason"), max_length=8, choices=Reason.choices)
    words = models.CharField(max_length=WORDS, default="", blank=True)
    at = models.DateTimeField(pgettext_lazy("decision", "When"))

    class Meta:
        ordering = ["at"]
        default_permissions = ("view",)
        indexes = [models.Index(fields=["by", "at"], name="report_by_reporter")]
        constraints = [
            models.UniqueConstraint(fields=["case", "by"], name="one_report_each_per_case"),
        ]

    def __str__(self) -> str:
        return f"{self.get_reason_display()}: {self.words}"


class Sign(models.Model):
    """An automatic indicator that deserves a moderator's attention. It has no effect of its own."""

    class Kind(models.TextChoices):
        ABORTS = "aborts", _("many aborted games")
        RHYTHM = "rhythm", _("moves at constant intervals")
        PAIR = "pair", _("one-sided results against one opponent")
        ADDRESS = "address", _("both players at the same address")
        THROWN = "thrown", _("lost while ahead")
        LOSING = "losing", _("quick losses to weaker players")
        FARMING = "farming", _("rating points from a few easy opponents")
        SUDDEN = "sudden", _("much stronger than the rating")
        WIDE = "wide", _("persistently uncertain rating")

    # A text that identifies the sign, so that the sign is stored only once.
    key = models.CharField(max_length=64, unique=True)
    kind = models.CharField(_("Kind"), max_length=8, choices=Kind.choices)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="signs")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="signs"
    )
    # The message (`games.messages`) with its values. Signs of earlier releases have a text instead.
    said = models.JSONField(null=True)
    words = models.CharField(max_length=300, default="", db_default="", blank=True)
    at = models.DateTimeField(pgettext_lazy("decision", "When"))
    seen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="signs_seen",
    )
    seen_at = models.DateTimeField(null=True, blank=True)
    # The bulk dismissal that closed the sign.
    bulk = models.ForeignKey(
        BulkAction,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="signs",
        db_index=False,
    )

    class Meta:
        # A sign of unfair play.
        verbose_name = pgettext_lazy("noun", "sign")
        verbose_name_plural = pgettext_lazy("noun", "signs")
        ordering = ["at", "pk"]
        default_permissions = ("view",)
        indexes = [
            models.Index(fields=["at", "id"], name="open_signs", condition=Q(seen_at__isnull=True)),
            models.Index(
                fields=["player", "kind"],
                name="open_signs_by_player",
                condition=Q(seen_at__isnull=True),
            ),
            models.Index(fields=["at", "id"], name="sign_by_age"),
            models.Index(fields=["bulk"], name="signs_of_bulk", condition=Q(bulk__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.sentence}"

    @property
    def sentence(self) -> str:
        """The sign as a sentence in the reader's language."""
        return render(self.said) if self.said else self.words


class Assignment(models.Model):
    """A moderator's temporary claim to all open items about one player."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="assignment",
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignments"
    )
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id} by {self.by_id}"


class Note(models.Model):
    """A private note about a player, from one moderator to the others. Players never see it.

    Moderators cannot change or delete a note.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="moderators_notes"
    )
    # The match that the moderator was reviewing.
    match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="notes_written"
    )
    at = models.DateTimeField(default=timezone.now)
    words = models.CharField(max_length=WORDS)

    class Meta:
        ordering = ["-at", "-pk"]
        default_permissions = ()
        indexes = [models.Index(fields=["player", "-at"], name="notes_by_player")]
        constraints = [models.CheckConstraint(condition=~models.Q(words=""), name="note_has_words")]

    def __str__(self) -> str:
        return self.words


class Notice(models.Model):
    """A message from the moderators to a player. Pages show it until the player confirms it."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    # A message (`games.messages`), rendered in the reader's language. Null in notices of earlier
    # releases, which have a text instead.
    said = models.JSONField(null=True)
    words = models.CharField(max_length=WORDS + 200, default="", db_default="", blank=True)
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE)
    at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["at", "pk"]
        default_permissions = ()
        indexes = [
            models.Index(
                fields=["player"], name="unseen_notices", condition=Q(seen_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return self.sentence

    @property
    def sentence(self) -> str:
        """The notice as a sentence in the reader's language."""
        return render(self.said) if self.said else self.words


class SignSearch(models.Model):
    """An ended match, and whether it has been searched for signs since its end."""

    match = models.OneToOneField(
        Match, primary_key=True, on_delete=models.CASCADE, related_name="sign_search"
    )
    at = models.DateTimeField()  # when the result was last reported
    due_at = models.DateTimeField(null=True)  # a lease; null once the match was searched

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(
                fields=["due_at"], name="sign_search_due", condition=Q(due_at__isnull=False)
            ),
            models.Index(fields=["at"], name="sign_search_done", condition=Q(due_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"search of {self.match_id}"
