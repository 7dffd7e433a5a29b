"""The rule sheets of the site's games that are not written in Python."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.rules import Access


class StoredSheet(models.Model):
    """A rule sheet with its overlay and its compiled network.

    Only `access` ever changes, because matches are replayed by the rules with which they were
    played. `games.rule_sheets.storage` writes these rows.
    """

    class AccessChoice(models.TextChoices):
        """The values of `games.rules.Access`, with names for people."""

        ON = Access.EVERYBODY, pgettext_lazy("game", "everybody")
        INVITATION = Access.INVITED, pgettext_lazy("game", "invited players")
        OFF = Access.NOBODY, pgettext_lazy("game", "nobody")

    slug = models.SlugField(_("Address"), primary_key=True, max_length=40)
    # Texts, as their authors wrote them.
    sheet = models.TextField(_("Rule sheet"))
    overlay = models.TextField(_("Overlay"), default="", blank=True)
    digest = models.CharField("SHA-256", max_length=64)  # of the sheet: its version
    # The bytes of `games.gdl.network.Network`. They are computed again after an update of the
    # compiler.
    network = models.BinaryField()
    access = models.CharField(
        _("Offered to"), max_length=12, choices=AccessChoice.choices, default=AccessChoice.ON
    )
    added_at = models.DateTimeField(_("Added"))

    class Meta:
        verbose_name, verbose_name_plural = _("rule sheet"), _("rule sheets")
        default_permissions = ("add", "change", "view")
        ordering = ("slug",)

    def __str__(self) -> str:
        return self.slug
