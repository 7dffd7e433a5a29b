"""What the review says: notices to players, refusals, and signs with their figures.

Notices and signs are stored as codes with parameters, so no code of theirs is ever renamed.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from games.messages import Sentence, ngettext

SENTENCES: Mapping[str, Sentence] = {
    # -- notices to players
    "notice.warning": _("Warning from the moderators: {reason}"),
    "notice.renamed": _("The moderators changed your name from {before} to {name}. {reason}"),
    "notice.new-name": _("The moderators ask you to choose another name. {reason}"),
    "notice.undone.new-name": _("You may keep your name. {reason}"),
    "notice.void": _("The moderators voided a game of yours. It does not count. {reason}"),
    "notice.correct": _("The moderators corrected the result of a game of yours. {reason}"),
    "notice.end": _("The moderators ended a game of yours. {reason}"),
    "notice.reversed": _("The moderators reversed a decision on a game of yours. {reason}"),
    "notice.undone.rename": _("You have your former name again. {reason}"),
    "notice.undone.suspend": _("Your suspension is lifted. {reason}"),
    "notice.undone.warn": _("The moderators take back their warning. {reason}"),
    "notice.report-acted": _(
        "Thank you for your report of {name}. The moderators looked at it, and acted."
    ),
    "notice.report-nothing": _(
        "Thank you for your report of {name}. The moderators looked at it, and found nothing to act"
        " on."
    ),
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
    "refused.own-match": _("You played in this game: another moderator must handle it."),
    "refused.own-report": _("You reported this: another moderator must handle it."),
    "refused.nothing-open": _("Nothing about this player is open any more."),
    "refused.taken-by": _("{name} handles this player already."),
    "refused.not-taken": _("Take the player first: somebody else may be handling them."),
    "refused.no-note": _("A note needs some words."),
    "refused.sign-seen": _("Somebody has looked at this sign already."),
    "refused.no-reason": _("A decision needs a reason: write why, the players will read it."),
    "refused.reason-too-long": _("The reason has more than {most} characters."),
    "refused.overtaken": _(
        "Somebody else decided on this meanwhile. Look at it again; nothing was changed."
    ),
    "refused.decided-already": _("You have decided that already. Nothing more was changed."),
    "refused.repeats-reversal": _(
        "{name} reversed the same decision before: “{reason}” Tick “Decide all the same” if you are"
        " sure. Nothing was changed."
    ),
    "refused.no-number": _("“{field}” must be a whole number."),
    "refused.suspension-days": _("A suspension lasts from 1 to {most} days."),
    "refused.over-already": _("The game is over already: correct its result instead."),
    "refused.still-live": _("The game is still being played: end it instead."),
    "refused.same-result": _("The game has that result already. Nothing was changed."),
    "refused.not-changed": _("The game could not be changed: what is stored is damaged."),
    "refused.points": _("Points are from 0 to 100, and both together from 1 to 100."),
    "refused.decide-on-yourself": _("You cannot decide on yourself."),
    "refused.on-staff": _("They are a moderator: only an administrator decides on them."),
    "refused.no-choice": _("A guest chooses no name: rename them instead."),
    "refused.must-rename-already": _("The player must choose another name already."),
    "refused.name-taken": _("Somebody has the name {name} already, or one that looks like it."),
    "refused.a-reversal": _("A reversal is not reversed: decide anew."),
    "refused.reversed-already": _("This decision was reversed already. Nothing was changed."),
    "refused.later-decision": _("A later decision stands on this one: reverse that one first."),
    # -- signs, and the figures that they rest on
    "sign.aborts": ngettext(
        "Aborted {own} of the last {count} game.", "Aborted {own} of the last {count} games."
    ),
    "sign.rhythm": _("{moves} moves took {mean} s each, give or take {spread} s ({share} %)."),
    "sign.pair": _("Won {won} of {decided} games against the same player in {days} days."),
    "sign.address": _("Both players were connected from the same address."),
    "sign.thrown": _("{how}, {why}."),
    "sign.resigned": _("Resigned after {ply} moves"),
    "sign.timed-out": _("Lost on time after {ply} moves"),
    "sign.ahead": _("{own} to {others} ahead"),
    "sign.winning": _("with a winning move to play ({action})"),
    "sign.losing": _(
        "Lost {lost} of the last {among} rated games within {plies} moves, to players with a lower"
        " rating."
    ),
    "sign.farming": _(
        "{given} of the last {won} rated wins were against {opponents} players; {easy} of those"
        " were short, or against a new account."
    ),
    "sign.sudden": _(
        "Scored {scored} points in the last {among} rated games, where the ratings expect"
        " {expected}."
    ),
    "sign.accurate": _(
        "In the last {games} analysed games {kept} of {moves} moves were best where that is proved."
        " Of players with such a rating {usual} % are."
    ),
    "sign.wide": _(
        "After {games} rated games the rating is still uncertain by {deviation} points."
    ),
    # -- what a sign may mean
    "meaning.aborts": _(
        "Somebody who picks opponents or sides leaves many games at their start. So does somebody"
        " with a bad connection."
    ),
    "meaning.rhythm": _(
        "A program answers at an even pace. So does a person who plays moves that were decided long"
        " before, where the end of a game is forced."
    ),
    "meaning.pair": _(
        "Two who help each other to results play each other and always end alike. So do two friends"
        " of unequal strength."
    ),
    "meaning.address": _(
        "One person with two names sits at one address. So do a household, a school and a club."
    ),
    "meaning.losing": _(
        "Who wants weaker opponents loses soon and on purpose. So does somebody who is tired, or"
        " has a bad day."
    ),
    "meaning.farming": _(
        "Who feeds one account with another wins many short games against the same few. So do a"
        " teacher and a pupil, and a club of few people."
    ),
    "meaning.sudden": _(
        "Who uses a program, or lets somebody else play, is stronger all at once. So is somebody"
        " who has learnt elsewhere, or comes back after years."
    ),
    "meaning.wide": _(
        "Who plays seldom, or only those of whom little is known, keeps a rating that moves far."
        " Nearly always it is simply somebody who plays seldom."
    ),
    "meaning.thrown": _(
        "Who loses on purpose resigns or lets the time run out in a position that was better. So"
        " does somebody who was called away."
    ),
}
