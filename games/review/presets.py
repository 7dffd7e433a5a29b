"""Preset reasons for decisions, which moderators can edit before they send them."""

from collections.abc import Collection, Mapping

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from games.models import Decision, Report

Kind, Reason = Decision.Kind, Report.Reason

_PRESETS: Mapping[str, tuple[tuple[str, str], ...]] = {
    Kind.WARN: (
        (Reason.CHEATING, _("Your moves look computer-assisted. Please play on your own.")),
        (Reason.LOSING, _("Please do not lose games on purpose.")),
        (
            Reason.STALLING,
            _("Please finish or resign your games instead of leaving your opponent waiting."),
        ),
        (Reason.OTHER, _("Please be kind to other players.")),
    ),
    Kind.SUSPEND: (
        (Reason.CHEATING, _("You used outside help in your games.")),
        (Reason.LOSING, _("You lost games on purpose.")),
        (Reason.STALLING, _("You left many games without finishing them.")),
        (Reason.OTHER, _("You used a second account during a suspension.")),
    ),
    Kind.RENAME: (
        (Reason.NAME, _("Your name may offend other players.")),
        (Reason.OTHER, _("Your name is too similar to another player's.")),
    ),
    Kind.VOID: (
        (Reason.CHEATING, _("One of the players used outside help.")),
        (Reason.LOSING, _("The result was agreed beforehand.")),
        (Reason.OTHER, _("One person played both sides.")),
    ),
    Kind.CORRECT: (
        (Reason.OTHER, _("One of the players resigned by mistake.")),
        (Reason.STALLING, _("A site error decided the game.")),
    ),
    Kind.END: ((Reason.STALLING, _("One of the players stopped playing.")),),
}


def list_presets(kind: str, reasons: Collection[str]) -> list[str]:
    """Return the preset reasons for a kind of decision, first those that match the reports."""
    found = sorted(_PRESETS.get(kind, ()), key=lambda preset: preset[0] not in reasons)
    return [gettext(text) for _reason, text in found]
