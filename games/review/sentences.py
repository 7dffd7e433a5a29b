"""Sentences of the review: notices to players, refusals, signs and their possible meanings.

Notices and signs are stored as codes with parameters, so their codes must never be renamed.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from games.messages import Sentence, ngettext

SENTENCES: Mapping[str, Sentence] = {
    # -- notices to players
    "notice.warning": _("Warning from the moderators: {reason}"),
    "notice.renamed": _("The moderators changed your name from {before} to {name}. {reason}"),
    "notice.new-name": _("The moderators ask you to choose another name. {reason}"),
    "notice.undone.new-name": _("You can keep your name. {reason}"),
    "notice.void": _("The moderators voided a game of yours. It does not count. {reason}"),
    "notice.correct": _("The moderators corrected the result of a game of yours. {reason}"),
    "notice.end": _("The moderators ended a game of yours. {reason}"),
    "notice.reversed": _("The moderators reversed a decision on a game of yours. {reason}"),
    "notice.undone.rename": _("Your former name was restored. {reason}"),
    "notice.undone.suspend": _("Your suspension is lifted. {reason}"),
    "notice.undone.warn": _("The moderators withdrew their warning. {reason}"),
    "notice.report-acted": _(
        "Thank you for reporting {name}. The moderators reviewed your report and took action."
    ),
    "notice.report-nothing": _(
        "Thank you for reporting {name}. The moderators reviewed your report and "
        "found no violation."
    ),
    # -- for players who report
    "refused.report-reason": _("Choose a reason."),
    "refused.report-needs-game": _(
        "This player has not finished a game yet: report their name, their behaviour in the lobby,"
        " or something else."
    ),
    "refused.report-words": _("Describe the problem in a few words."),
    "refused.report-too-long": _("Use at most {most} characters."),
    "refused.report-yourself": _("You cannot report yourself."),
    "refused.reported-already": _("You have already reported this. The moderators will review it."),
    "refused.many-reports": _(
        "You have reached the limit of {most} reports per day. Please try again tomorrow."
    ),
    "refused.the-computer": _("That is the computer."),
    "refused.no-such": _("This item does not exist."),
    # -- for moderators
    "refused.no-right": _("You do not have permission to do that."),
    "refused.own-match": _("You played in this game: another moderator must handle it."),
    "refused.own-report": _(
        "You reported this: another moderator must handle it. You can do it yourself once no other"
        " moderator has been active for {hours} hours."
    ),
    "refused.merged-into": _("This player is handled together with {name}."),
    "refused.merged-already": _("Other players are already handled together with this one."),
    "refused.merge-two": _("Select at least two players with open items that you can handle."),
    "refused.concerned": _("You played in one of the games, or reported this player."),
    "refused.bulk-nobody": _("Select at least one player."),
    "refused.bulk-many": _("Select at most {most} players."),
    "refused.bulk-nothing": _("These players have no open items of this kind any more."),
    "refused.bulk-reason": _("Enter a reason for the other moderators."),
    "refused.undone-already": _("This was already undone."),
    "refused.undo-of-another": _("Only this moderator or a senior reviewer can undo it."),
    "refused.undo-nothing": _("There is nothing to undo any more: the items were handled again."),
    "refused.nothing-open": _("This player has no open items any more."),
    "refused.taken-by": _("{name} is already handling this player."),
    "refused.not-taken": _("Assign this player to yourself first."),
    "refused.no-note": _("The note is empty."),
    "refused.sign-seen": _("This sign has already been reviewed."),
    "refused.no-reason": _("Enter a reason. The players will see it."),
    "refused.reason-too-long": _("The reason is limited to {most} characters."),
    "refused.overtaken": _(
        "Another moderator has decided on this in the meantime. Nothing was "
        "changed: review it again."
    ),
    "refused.decided-already": _("You have already made this decision. Nothing was changed."),
    "refused.repeats-reversal": _(
        "{name} previously reversed the same decision: “{reason}” Select “Decide "
        "anyway” if you are sure. Nothing was changed."
    ),
    "refused.no-number": _("“{field}” must be a whole number."),
    "refused.suspension-days": _("A suspension lasts from 1 to {most} days."),
    "refused.over-already": _("The game is already over: correct its result instead."),
    "refused.still-live": _("The game is still being played: end it instead."),
    "refused.same-result": _("The game already has this result. Nothing was changed."),
    "refused.not-changed": _("The game could not be changed: its stored data is damaged."),
    "refused.points": _("Enter points from 0 to 100 each, with a total from 1 to 100."),
    "refused.decide-on-yourself": _("You cannot decide on yourself."),
    "refused.on-staff": _("This player is a moderator: only an administrator can decide."),
    "refused.no-choice": _("Guests cannot choose a name: rename them instead."),
    "refused.must-rename-already": _("The player has already been asked to choose another name."),
    "refused.name-taken": _("The name {name}, or a similar one, is already taken."),
    "refused.a-reversal": _("A reversal cannot be reversed: make a new decision."),
    "refused.reversed-already": _("This decision has already been reversed. Nothing was changed."),
    "refused.later-decision": _("A later decision builds on this one: reverse that one first."),
    # -- signs, with the values that they are based on
    "sign.aborts": ngettext(
        "Aborted {own} of the last {count} game.", "Aborted {own} of the last {count} games."
    ),
    "sign.rhythm": _(
        "{moves} moves took {mean} s each on average, with a spread of {spread} s ({share} %)."
    ),
    "sign.pair": _("Won {won} of {decided} games against the same player in {days} days."),
    "sign.address": _("Both players were connected from the same address."),
    # Translators: {how} is “Resigned after 20 moves”, {why} is “12 to 3 ahead”.
    "sign.thrown": _("{how}, {why}."),
    "sign.resigned": ngettext("Resigned after {ply} move", "Resigned after {ply} moves", by="ply"),
    "sign.timed-out": ngettext(
        "Lost on time after {ply} move", "Lost on time after {ply} moves", by="ply"
    ),
    # Translators: points in the game
    "sign.ahead": _("{own} to {others} ahead"),
    # Translators: {action} is a move.
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
        "Scored {scored} points in the last {among} rated games; expected by rating: {expected}."
    ),
    "sign.accurate": _(
        "In the last {games} analysed games, {kept} of {moves} moves were "
        "provably best. The usual share at this rating is {usual} %."
    ),
    "sign.wide": ngettext(
        "After {games} rated game the rating is still uncertain by {deviation} points.",
        "After {games} rated games the rating is still uncertain by {deviation} points.",
        by="games",
    ),
    # -- possible meanings of signs
    "meaning.aborts": _(
        "A player who picks opponents or sides leaves many games early. So does a "
        "player with a bad connection."
    ),
    "meaning.rhythm": _(
        "A program moves at an even pace. So does a person who plays out forced "
        "moves at the end of a game."
    ),
    "meaning.pair": _(
        "Two players who arrange results always produce the same one. So do two "
        "friends of unequal strength."
    ),
    "meaning.address": _(
        "One person with two accounts uses one address. So do a household, a school or a club."
    ),
    "meaning.losing": _(
        "A player who wants weaker opponents loses quickly on purpose. So may a "
        "player who is tired or has a bad day."
    ),
    "meaning.farming": _(
        "A player who boosts one account with another wins many short games "
        "against the same few opponents. So do a teacher with a pupil, or a small "
        "club."
    ),
    "meaning.sudden": _(
        "A player who uses a program, or lets someone else play, suddenly becomes "
        "stronger. So does a player who learnt elsewhere or returns after years."
    ),
    "meaning.wide": _(
        "A player who plays rarely, or only against provisional opponents, keeps "
        "a volatile rating. Usually the player simply plays rarely."
    ),
    "meaning.thrown": _(
        "A player who loses on purpose resigns or runs out of time in a better "
        "position. So may a player who was called away."
    ),
}
