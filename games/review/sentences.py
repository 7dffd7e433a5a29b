"""The sentences for reports and decisions that are refused."""

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from games.words import Sentence

SENTENCES: Mapping[str, Sentence] = {
    # -- to players who report
    "refused.report-reason": _("Choose what the report is about."),
    "refused.report-words": _("Say in a few words what it is about."),
    "refused.report-too-long": _("That is longer than {most} characters."),
    "refused.report-yourself": _("You cannot report yourself."),
    "refused.reported-already": _(
        "You have reported this already. The moderators will look at it."
    ),
    "refused.many-reports": _(
        "You have made {most} reports in a day. The moderators read them all; please come back"
        " tomorrow."
    ),
    "refused.the-computer": _("That is the computer."),
    "refused.no-such": _("There is no such thing to decide on."),
    # -- to those who review
    "refused.no-right": _("You do not have the right to do that."),
    "refused.own-match": _("You played in this match: another reviewer must see to it."),
    "refused.own-report": _("You reported this: another reviewer must see to it."),
    "refused.closed-by": _("{name} has closed this report meanwhile."),
    "refused.taken-by": _("{name} sees to this report already."),
    "refused.not-taken": _("Take the report first: somebody else may be seeing to it."),
    "refused.no-outcome": _("Say whether you acted on the report."),
    "refused.sign-seen": _("Somebody has looked at this sign already."),
    "refused.no-reason": _("A decision needs a reason: write why, the players will read it."),
    "refused.reason-too-long": _("The reason has more than {most} characters."),
    "refused.overtaken": _(
        "Somebody else decided on this meanwhile. Look at it again; nothing was changed."
    ),
    "refused.no-number": _("“{field}” must be a whole number."),
    "refused.suspension-days": _("A suspension lasts from 1 to {most} days."),
    "refused.over-already": _("The match is over already: correct its result instead."),
    "refused.still-live": _("The match is still being played: end it instead."),
    "refused.same-result": _("The match has that result already. Nothing was changed."),
    "refused.not-changed": _("The match could not be changed: what is stored is damaged."),
    "refused.points": _("Points are from 0 to 100, and both together from 1 to 100."),
    "refused.decide-on-yourself": _("You cannot decide on yourself."),
    "refused.on-staff": _("They are staff: only an administrator decides on them."),
    "refused.no-choice": _("A guest chooses no name: rename them instead."),
    "refused.must-rename-already": _("The player must choose another name already."),
    "refused.name-taken": _("Somebody has the name {name} already, or one that looks like it."),
    "refused.a-reversal": _("A reversal is not reversed: decide anew."),
    "refused.reversed-already": _("This decision was reversed already. Nothing was changed."),
    "refused.later-decision": _("A later decision stands on this one: reverse that one first."),
}
