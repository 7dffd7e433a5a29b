"""The sentences of the lobby, and those about invitations and searches on every page."""

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from games.messages import Sentence, ngettext

SENTENCES: Mapping[str, Sentence] = {
    "refused.taken": _("That seek is gone: somebody was faster, or it was withdrawn."),
    "refused.too-many-seeks": _(
        "You have {most} searches open, as many as one player may. Stop one of them first."
    ),
    "refused.too-many-invitations": _(
        "You have {most} invitations open, as many as one player may. Withdraw one of them first."
    ),
    "refused.unrated-game": _(
        "This game is never rated: it is small and solved, and who knows it never loses."
    ),
    "refused.unrated-untimed": _("Games without a time limit are not rated."),
    "refused.rated-account": _(
        "Rated games need an account. Sign up: your name and your games stay yours."
    ),
    "refused.rated-guest": _("{name} is a guest. Rated games need two accounts."),
    "refused.out-of-range": _(
        "This search is for ratings from {lowest} to {highest}, and yours is {rating}."
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
    # -- tokens, and programs that use them
    "refused.scopes": _("Please choose what it may do."),
    "refused.token-name": _("Please say what it is for, in at most {most} characters."),
    "refused.too-many-tokens": _("You have {most} tokens, as many as one may. Revoke one first."),
    "refused.no-token": _("This needs a token: Authorization: Bearer prl_…"),
    "refused.token-unknown": _("This token is none, or revoked, or has run out."),
    "refused.token-in-address": _(
        "A token does not belong into an address, which is logged on its way. Revoke this one."
    ),
    "refused.scope-missing": _("This token does not allow that. It needs one of: {needs}."),
    "refused.not-found": _("There is nothing at this address."),
    "refused.wrong-method": _("This address does not take that method."),
    "refused.too-large": _("A request may bring {most} bytes at the most."),
    "refused.too-often": _("That was too often. Please wait {seconds} s."),
    "refused.broken": _("Something broke. It is our fault, and noted."),
    "refused.bots-only": _("This is for bots. Make the account one by /api/bot/account/upgrade."),
    "refused.not-for-bots": _("A bot does not look for opponents in the lobby: challenge them."),
    "refused.bot-has-played": _("Only an account that has never played becomes a bot."),
    "refused.rated-apart": _(
        "Bots and people are rated apart: with each other they play casually."
    ),
    "scope.account-read": _("Read your mail address and preferences."),
    "scope.games-read": _("Read which games you play."),
    "scope.games-play": _("Play: seek opponents, and act in your games."),
    "scope.challenges": _("Challenge players, and answer their challenges."),
    "scope.tournaments": _("Make tournaments, and enter and leave them; see your groups' ones."),
    "scope.bot": _("Play as a bot."),
    "refused.oauth-address": _(
        "The application that sent you here names no safe address of its own, so nothing was "
        "allowed. Its address begins with https://, or is on your own device."
    ),
    "refused.oauth-request": _(
        "The application that sent you here does not ask as it should, so nothing was allowed. "
        "Tell its makers: {error}."
    ),
    "refused.hook-address": _(
        "Please give an address that begins with https://, with no name or password in it, and no"
        " port below 1024."
    ),
    "refused.hook-private": _(
        "This address is of a private network or of this server. Please give a public one."
    ),
    "refused.hook-kinds": _("Please choose what it is told."),
    "refused.too-many-hooks": _(
        "You have {most} webhooks, as many as one may. Remove one of them first."
    ),
    "hook.removed": _("The webhook is removed."),
    "hook.on": _("The webhook is on again. It is told of what happens from now on."),
    "hook.fault.no-name": _("Its name could not be found."),
    "hook.fault.private": _("Its name stands for a private address, where nothing is sent."),
    "hook.fault.unreachable": _("No connection could be made."),
    "hook.fault.tls": _("Its certificate is not valid."),
    "hook.fault.timeout": _("It took too long."),
    "hook.fault.no-answer": _("It gave no answer."),
    "hook.fault.gone": _("It answered that it is gone for good (410)."),
    "hook.fault.suspended": _("Your account was suspended."),
    "hook.fault.broken": _("This site could not send it."),
    "hook.fault.unread": _("Its secret can no longer be read here. Please make a new webhook."),
    "hook.fault.status": _("It answered with {status}."),
    "token.revoked": _("“{name}” is revoked."),
    # -- groups
    "refused.group-only": _(
        "You play in your group's own lobby, with its members, or against the computer."
    ),
    "refused.not-a-member": _("You are not in that group."),
    "refused.no-such-code": _("No group is joined by this code. Perhaps there is a new one."),
    "refused.group-full": _("This group is full: it has {most} members."),
    "refused.group-no-room": _(
        "A group has at most {most} members: there is room for {left} more."
    ),
    "refused.group-name": _("Please give the group a name."),
    "refused.group-name-long": _("A group's name has at most {most} characters."),
    "refused.group-not-empty": _("Somebody is in the group still: remove them first."),
    "refused.many-classes": _(
        "You have made {most} classes within an hour, as many as one may. Please wait a while."
    ),
    "refused.many-groups": _("You are in {most} groups, as many as one player may be."),
    "refused.organiser-stays": _("Who runs a group does not leave it."),
    "refused.minors-stay": _(
        "Your account was made for this group. Ask its organiser to remove you."
    ),
    "refused.made-already": _(
        "These accounts were made already, and their sheet was shown. Who has lost a password gets "
        "a new one on the group's page."
    ),
    "refused.not-made-here": _(
        "This account was not made for the group: only its owner changes the password."
    ),
    # -- tournaments
    "refused.no-tournament": _("There is no such tournament."),
    "refused.not-in-this-state": _("That cannot be done with the tournament as it is now."),
    "refused.event-name": _("Please give it a name."),
    "refused.event-name-long": _("A name has at most {most} characters."),
    "refused.event-about-long": _("At most {most} characters, please."),
    "refused.event-group": _("Please say of which group the tournament is."),
    "refused.event-account": _("This tournament is for players with an account."),
    "refused.event-full": _("This tournament is full: it has {most} players."),
    "refused.event-range": _(
        "This tournament is for ratings from {lowest} to {highest}, and yours is {rating}."
    ),
    "refused.arena-clock": _("An arena needs a clock, so that no game lasts for ever."),
    "refused.rounds-players": _(
        "{rounds} rounds are too many for {most} players: nobody has so many opponents."
    ),
    "refused.nobody-fits": _("Nobody has such a rating. Ratings go from {least} to {most}."),
    "refused.in-the-past": _("That time is over already."),
    "refused.too-far": _("Please choose a start within a year."),
    "refused.opens-late": _("Registration must open before check-in and the start."),
    "refused.opened-already": _("Somebody has registered already: registration is open."),
    "refused.round-minutes": _("For rounds at given times, please say how long a round lasts."),
    "refused.number-between": _("Please choose a number from {least} to {most}."),
    "refused.many-tournaments": _(
        "You have {most} tournaments that are not over, as many as one may."
    ),
    "refused.many-entries": _("These are too many: such a tournament has at most {most} players."),
    "refused.few-entries": _("A tournament needs two players at least."),
    "refused.late-kind": _(
        "Who meets whom is settled from the start here: nobody can be added any more."
    ),
    "refused.wrong-code": _("This is not the code of this tournament."),
    "refused.event-bot": _("Tournaments are for people, not for bots."),
    "refused.many-tries": _("There were too many attempts. Please wait a few minutes."),
    "refused.not-invited": _("Only who is invited takes part."),
    "refused.not-entered": _("That player does not take part."),
    "refused.removed-here": _(
        "You are out of this tournament. Only its organiser can change that."
    ),
    "refused.own-game": _("You play in a game that this would decide. Finish it first."),
    "refused.knockout-out": _("Who has left a knockout does not come back."),
    "refused.no-bye": _("A bye can be asked for in a Swiss, and not for the last round."),
    "refused.bye-late": _("That round is paired already."),
    "refused.many-byes": _("You have asked for {most} byes, as many as one may."),
    "event.made": _("Announced."),
    "event.made-again": _("Announced, number {number} of its series."),
    "event.edited": _("Changed what is played, or when."),
    "event.described": _("Changed the name or the description."),
    "event.series": _("Made it the first one of a series: {name}."),
    "event.registration": _("Registration is open."),
    "event.check-in": _("Checking in begins."),
    "event.not-checked-in": _("{name} has not checked in."),
    "event.started-early": _("Started it before its time."),
    "event.began": ngettext("It began with {count} player.", "It began with {count} players."),
    "event.fewer-rounds": ngettext(
        "There are no more opponents: it has {count} round.",
        "There are no more opponents: it has {count} rounds.",
    ),
    "event.joined": _("Joined."),
    "event.withdrew": _("Withdrew."),
    "event.came-back": _("Came back."),
    "event.bye-asked": _("Asked for a bye in round {round}."),
    "event.bye-back": _("Plays in round {round} after all."),
    "event.removed": _("Removed {name}."),
    "event.added": _("Added {name}."),
    "event.added-late": ngettext(
        "Added {name}, with half a point for {count} missed round.",
        "Added {name}, with half a point for each of {count} missed rounds.",
    ),
    "event.barred": _("{name} may not play on."),
    "event.out": _("{name} did not come twice, and is out."),
    "event.late.1": _("{first} did not come to the game against {second}."),
    "event.late.2": _("{second} did not come to the game against {first}."),
    "event.late.3": _("Neither {first} nor {second} came to their game."),
    "event.forfeit.1": _("{first} forfeits the game against {second}."),
    "event.forfeit.2": _("{second} forfeits the game against {first}."),
    "event.forfeit.3": _("{first} and {second} both forfeit their game."),
    "event.corrected": _("The result of round {round}, board {board}, was changed."),
    "event.handed-over": _("{name} runs it from now on."),
    "event.paused": _("Paused."),
    "event.resumed": _("Goes on."),
    "event.ended-early": _("Ended it early."),
    "event.over": _("It is over."),
    "event.called-off": _("Called it off."),
    "event.called-off.few": _("Called off: fewer than two players came."),
    "event.cannot.too-few-players": _("Round {round} was not paired: too few players are left."),
    "event.cannot.too-many-rounds": _("Round {round} was not paired: no opponents are left."),
    "event.cannot.no-pairing-left": _("Round {round} was not paired: everybody had a bye."),
    "event.cannot.too-many-players": _("Round {round} was not paired: there are too many players."),
    "class.empty": _("Please write the names, one in each line."),
    "class.too-many": _("These are {count} names. At most {most} accounts are made at once."),
    "class.how-many": _("How many accounts? From 1 to {most}."),
    "class.twice": _("This name stands in line {line} already."),
    "class.alike": _("This looks like the name in line {line}."),
    "group.made": _("Your group is there."),
    "group.kept": _("Your changes are kept."),
    "group.dissolved": _("The group is gone."),
    "group.joined": _("You are in {name} now."),
    "group.left": _("You have left {name}."),
    "group.removed": _("{name} is no longer in the group."),
    "group.lifted": _("{name} is no longer protected."),
    "group.cannot-lift": _(
        "{name} is also in a group for minors that somebody else runs, so only the staff can lift "
        "the protection."
    ),
    "group.still-protected": _(
        "Some members are still protected, and meet nobody here. To lift the protection of "
        "somebody who is no minor, set the group to minors again and lift it under “More”."
    ),
    "group.lift-unconfirmed": _("Please give a reason, and confirm that they are no minor."),
    "group.new-code": _("There is a new code. The old one leads nowhere."),
    "group.no-code": _("Nobody can join by a code now."),
    "group.look": _("Watch"),
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
    "closing.asked": _("Your account will be closed on {on}. Log in before then to keep it."),
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
    # -- rated games
    "rated.casual": _("Casual games count for no rating."),
    "rated.wanted": _("You meet somebody of about your strength within a few seconds."),
    "rated.sign-up": _("Sign up"),
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
    "notice.refund": _(
        "You have got {points} points of your rating back ({game}): an opponent did not play by the"
        " rules."
    ),
    "level.about": _("about {rating}"),
    "rating.change": _("{before} → {after}"),
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
    "seek.rated": _("{game}, {clock}, rated"),
    "seek.rated-from": _("{game}, {clock}, rated, for {lowest} and more"),
    "seek.rated-to": _("{game}, {clock}, rated, for {highest} and less"),
    "seek.rated-between": _("{game}, {clock}, rated, for {lowest} to {highest}"),
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
    "waiting.rated-game": _("{game}, {clock}, rated"),
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
