"""The sentences of the lobby, and those about invitations and searches on every page."""

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from games.words import Sentence, ngettext

SENTENCES: Mapping[str, Sentence] = {
    "refused.taken": _("That seek is gone: somebody was faster, or it was withdrawn."),
    "refused.too-many-seeks": _(
        "You have {most} searches open, as many as one player may. Stop one of them first."
    ),
    "refused.too-many-invitations": _(
        "You have {most} invitations open, as many as one player may. Withdraw one of them first."
    ),
    "refused.many-beside": _(
        "You have many games at one screen open. Please finish or resign one first."
    ),
    "refused.challenge-yourself": _("You cannot challenge yourself."),
    "refused.no-challenges": _("{name} takes no challenges just now."),
    "refused.challenged-already": _("You have challenged {name} already. Wait for the answer."),
    "refused.too-many-challenges": _(
        "You have {most} challenges open, as many as one player may. Withdraw one of them first."
    ),
    "refused.challenge-gone": _("That challenge is no longer open."),
    "refused.suspended-now": _("You are suspended, and cannot play."),
    "refused.block-yourself": _("You cannot block yourself."),
    "refused.block-computer": _("The computer cannot be blocked: just do not play it."),
    "refused.many-blocks": _("You have blocked {most} players, as many as one may."),
    "refused.taken-name": _("Somebody has this name already, or one that looks like it."),
    "refused.signed-up": _("You have an account already. Please reload the page."),
    "refused.many-at-once": _("Too many at once from here. Please wait a minute and try again."),
    "refused.rename-first": _("The moderators ask you to choose another name first."),
    "refused.appeal-empty": _("Please write a few words."),
    "refused.appeal-too-long": _("At most {most} characters, please."),
    "refused.appeal-nothing": _("You are not suspended."),
    "refused.appealed-already": _("You have appealed already. The moderators answer once."),
    "refused.appeal-answered": _("This appeal has been answered."),
    "refused.appeal-own": _("Somebody else answers what is said of your own decision."),
    "appeal.sent": _("Sent. The moderators read it, and answer once."),
    "appeal.answer": _("The moderators answer your appeal: {answer}"),
    # -- a guest who has an account
    "merged.done": _("The games of {name} are yours now."),
    "merged.voided": ngettext(
        "You played {count} game against yourself, as {name}. It doesn't count any more.",
        "You played {count} games against yourself, as {name}. They don't count any more.",
    ),
    "merged.too-many": _(
        "Your account has taken over as many guests as it may. The games of {name} stay a guest's."
    ),
    # -- an account's own pages
    "name.changed": _("You are {name} now."),
    "closing.asked": _("Your account will be closed on {on}. Sign in before then to keep it."),
    "closing.undone": _("Your account stays open."),
    "closing.wrong-password": _("This is not your password."),
    "login.too-often": _(
        "There were too many attempts. Please wait a few minutes, then try again."
    ),
    "me.forgotten": _(
        "This browser does not know you any more. What you played stays where it is."
    ),
    # -- passkeys
    "passkey.cancelled": _("No passkey was used. Try again, or go another way."),
    "passkey.known": _("This device has a passkey for this account already."),
    "passkey.insecure": _("This browser, or this address without https, has no passkeys."),
    "passkey.failed": _("That did not work. Please reload the page and try again."),
    # -- the clock
    "clock.none": _("no clock"),
    "clock.some": _("{minutes} min + {seconds} s"),
    "clock.minutes": _("{minutes} min"),
    "clock.seconds": _("{seconds} s a move"),
    # -- who the visitor is
    "me.name": _("You are {name}"),
    "guest.unreachable": _("The site cannot be reached just now. Please try again."),
    "guest.failed": _("That did not work. Please reload the page and try again."),
    "pace.none": _("No clock"),
    "pace.blitz": _("Blitz"),
    "pace.quick": _("Quick"),
    "pace.slow": _("Slow"),
    # -- who is here
    "counts.alone": _("Just you here so far"),
    "counts.others": ngettext("You and {count} other", "You and {count} others"),
    "counts.playing": ngettext("{count} game being played", "{count} games being played"),
    # -- players and their games
    "result.won": _("Won"),
    "result.lost": _("Lost"),
    "result.drawn": _("Draw"),
    "result.none": _("No result"),
    "length.0-9": _("up to 9 moves"),
    "length.10-19": _("10 to 19 moves"),
    "length.20-39": _("20 to 39 moves"),
    "length.40-79": _("40 to 79 moves"),
    "length.80-": _("80 moves and more"),
    "report.no-game": _("This player has not finished a game yet: there is nothing to look at."),
    "block.done": _("You have blocked {name}. They are not told."),
    "block.undone": _("{name} is no longer blocked."),
    # -- challenges
    "decline.later": _("Not now, maybe later."),
    "decline.clock": _("With another time limit, please."),
    "decline.game": _("Another game, please."),
    "decline.no": _("No, thank you."),
    "challenge.declined-by-me": _("You have declined the challenge."),
    "challenge.theirs": _("{name} challenges you: {game}."),
    "challenge.mine": _("You have challenged {name}: {game}."),
    "challenge.accept": _("Accept"),
    "challenge.accept-label": _("Accept the challenge of {name}"),
    "challenge.decline": _("Decline"),
    "challenge.decline-label": _("Decline the challenge of {name}"),
    "challenge.withdraw": _("Withdraw"),
    "challenge.withdraw-label": _("Withdraw the challenge to {name}"),
    "challenge.declined": _("{name} declined your challenge: “{word}”"),
    "challenge.put-away": _("OK"),
    "challenge.put-away-label": _("Put this answer away"),
    # -- preferences
    "preferences.kept": _("Your preferences are kept."),
    "preferences.challenges.anyone": _("Anyone"),
    "preferences.challenges.accounts": _("Only players with an account"),
    "preferences.challenges.nobody": _("Nobody"),
    # -- open seeks
    "seek.what": _("{game}, {clock}"),
    "seek.mine": _("(you)"),
    "seek.join": _("Join"),
    "seek.join-label": _("Join {name} for {game}"),
    "seek.gone": _("Gone"),
    "seeks.more": ngettext(
        "And {count} more. Press Play, and you meet who waits longest for the same.",
        "And {count} more. Press Play, and you meet who waits longest for the same.",
    ),
    # -- games that are played now
    "match.against": _("{one} against {other}"),
    "match.watch": _("Watch {game}: {players}"),
    "match.over": _("Over"),
    "wall.watchers": ngettext("{count} watching", "{count} watching"),
    # -- the player's own games
    "mine.waits": _("Your turn"),
    "mine.waits-label": _("Your turn: {game} against {name}"),
    "mine.theirs": _("Waiting for them"),
    "mine.theirs-label": _("{game} against {name}, who is to move"),
    "mine.over-label": _("{game} against {name}, over"),
    # -- an invitation
    "invitation.copied": _("Copied. Now send it."),
    "invitation.selected": _("The address is selected: copy it with Ctrl+C."),
    "invitation.withdrawn": _("This invitation is withdrawn."),
    # -- the player's own searches and invitations
    "waiting.search": _("Looking for an opponent for {game}."),
    "waiting.invitation": _("Your invitation to {game} is open."),
    "waiting.game": _("{game}, {clock}"),
    "waiting.stop": _("Stop looking"),
    "waiting.stop-label": _("Stop looking for {game}"),
    "waiting.withdraw": _("Withdraw"),
    "waiting.withdraw-label": _("Withdraw the invitation to {game}"),
    "waiting.show": _("Show"),
    "waiting.show-label": _("Show the invitation to {game}"),
    "waiting.begun": _("Your game of {game} has begun: you play against {name}."),
    "waiting.accepted": _("{name} accepted: your game of {game} has begun."),
    "waiting.play": _("Play"),
    "waiting.play-label": _("Play {game} against {name}"),
    "waiting.games": ngettext("{count} game waits for you", "{count} games wait for you"),
    "waiting.no-games": _("No game waits for you now"),
    "waiting.title-games": ngettext("({count}) {title}", "({count}) {title}"),
    "waiting.title": _("Looking… · {title}"),
    "waiting.title-begun": _("Begun! · {title}"),
}
