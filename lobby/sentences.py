"""The sentences of the lobby application, including most refusals and the log of tournaments.

The other sentences on the tournaments' pages are in `lobby.tournaments.sentences`.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from games.messages import Sentence, ngettext, pgettext

SENTENCES: Mapping[str, Sentence] = {
    "refused.taken": _("This seek is no longer open."),
    "refused.too-many-seeks": _(
        "You have reached the limit of {most} open seeks. Cancel one first."
    ),
    "refused.too-many-invitations": _(
        "You have reached the limit of {most} open invitations. Cancel one first."
    ),
    "refused.game-off": _("This game is switched off."),
    "refused.game-by-invitation": _("This game is played by invitation only."),
    "refused.unrated-game": _(
        "This game cannot be rated, because it is solved: perfect play never loses."
    ),
    "refused.unrated-untimed": _("Games without a time limit are not rated."),
    "refused.unrated-options": _("Only games with the usual rules are rated."),
    "refused.rated-account": _(
        "Rated games need an account. Sign up to keep your name and your games."
    ),
    "refused.rated-guest": _("{name} is a guest. Both players need an account for a rated game."),
    "refused.out-of-range": _(
        "This seek is for ratings from {lowest} to {highest}; yours is {rating}."
    ),
    "refused.many-beside": _(
        "You have too many unfinished games on this device. Finish or resign one first."
    ),
    "refused.challenge-yourself": _("You cannot challenge yourself."),
    "refused.no-challenges": _("{name} is not accepting challenges."),
    "refused.challenged-already": _("You have already challenged {name}. Wait for a reply."),
    "refused.too-many-challenges": _(
        "You have reached the limit of {most} open challenges. Cancel one first."
    ),
    "refused.challenge-gone": _("This challenge is no longer open."),
    "refused.suspended-now": _("You are suspended and cannot play."),
    "refused.block-yourself": _("You cannot block yourself."),
    "refused.block-computer": _("You cannot block the computer."),
    "refused.many-blocks": _("You have reached the limit of {most} blocked players."),
    "refused.taken-name": _("This name, or a similar one, is already taken."),
    "refused.signed-up": _("You already have an account. Please reload the page."),
    "refused.many-at-once": _(
        "Too many requests from your network. Please wait a minute and try again."
    ),
    "refused.rename-first": _("The moderators ask you to choose another name first."),
    "refused.appeal-empty": _("Enter a message."),
    "refused.appeal-too-long": _("Use at most {most} characters."),
    "refused.appeal-nothing": _("You are not suspended."),
    "refused.appealed-already": _("You have already appealed. The moderators reply once."),
    "refused.appeal-answered": _("This appeal has already been answered."),
    "refused.appeal-own": _("Another moderator must answer an appeal against your decision."),
    # -- tokens, and the programs that use them
    "refused.scopes": _("Choose at least one scope."),
    "refused.token-name": _("Enter a description of at most {most} characters."),
    "refused.too-many-tokens": _("You have reached the limit of {most} tokens. Revoke one first."),
    "refused.no-token": _("This needs a token: Authorization: Bearer prl_…"),
    "refused.token-unknown": _("This token is invalid, revoked or expired."),
    "refused.token-in-address": _(
        "Never send a token in a URL, because URLs are logged. Revoke this one."
    ),
    "refused.scope-missing": _("This token lacks the scope. It needs one of: {needs}."),
    "refused.not-found": _("Not found."),
    "refused.wrong-method": _("Method not allowed."),
    "refused.too-large": _("The request body is limited to {most} bytes."),
    "refused.too-often": _("Too many requests. Please wait {seconds} s."),
    "refused.broken": _("Server error. It has been logged."),
    "refused.bots-only": _("Only bot accounts can do this. Upgrade with /api/bot/account/upgrade."),
    "refused.not-for-bots": _("Bots cannot seek opponents in the lobby. Send challenges instead."),
    "refused.bot-has-played": _("Only accounts that have never played can become bots."),
    "refused.rated-apart": _(
        "Bots and people are rated separately: games between them are casual."
    ),
    # Translators: what a token allows
    "scope.account-read": _("Read your email address and preferences."),
    "scope.games-read": _("Read your games."),
    "scope.games-play": _("Play: seek opponents and make moves in your games."),
    "scope.challenges": _("Send and answer challenges."),
    "scope.tournaments": _("Create, join and leave tournaments, including those of your groups."),
    "scope.bot": _("Play as a bot."),
    "refused.oauth-address": _(
        "Authorization failed: the application's redirect address must start with "
        "https:// or be on your own device."
    ),
    "refused.oauth-request": _(
        "Authorization failed: the application sent an invalid request. Tell its "
        "developers: {error}."
    ),
    "refused.hook-address": _(
        "Enter an address that starts with https://, without a user name, a "
        "password or a port below 1024."
    ),
    "refused.hook-private": _(
        "This address belongs to a private network or to this server. Enter a public address."
    ),
    "refused.hook-kinds": _("Choose at least one event."),
    "refused.too-many-hooks": _("You have reached the limit of {most} webhooks. Remove one first."),
    "hook.removed": _("Webhook removed."),
    "hook.on": _("Webhook enabled. It will receive events from now on."),
    "hook.fault.no-name": _("The host name could not be resolved."),
    "hook.fault.private": _("The host name resolves to a private address, which is not allowed."),
    "hook.fault.unreachable": _("Connection failed."),
    "hook.fault.tls": _("Invalid certificate."),
    "hook.fault.timeout": _("Timeout."),
    "hook.fault.no-answer": _("No response."),
    "hook.fault.gone": _("The address answered 410 Gone."),
    "hook.fault.suspended": _("Your account was suspended."),
    "hook.fault.broken": _("Sending failed."),
    "hook.fault.unread": _("The secret can no longer be decrypted. Create a new webhook."),
    # Translators: an HTTP status, such as 500
    "hook.fault.status": _("The address answered with status {status}."),
    "token.revoked": _("“{name}” was revoked."),
    # -- groups
    "refused.group-only": _(
        "Your account is protected: play members on your class's page (see “Your groups”), or the "
        "computer."
    ),
    "refused.not-a-member": _("You are not a member of that group."),
    "refused.no-such-code": _("Invalid code. Ask the organiser whether there is a new one."),
    "refused.group-full": _("This group is full: it has {most} members."),
    "refused.group-no-room": _(
        "A group can have at most {most} members: there is room for {left} more."
    ),
    "refused.group-name": _("Please give the group a name."),
    "refused.group-name-long": _("A group's name can have at most {most} characters."),
    "refused.group-not-empty": _("The group still has members: remove them first."),
    "refused.group-closed": _("This group is closed. Its organiser can open it again."),
    "refused.close-how": _("Choose what happens to the class."),
    "refused.close-unconfirmed": _("Nothing was changed: confirm that you have read the list."),
    "refused.close-changed": _("The class has changed since you opened this page. Check it again."),
    "refused.close-tournaments": _("End or cancel the tournaments of the class first."),
    "refused.erase-done": _("It is too late: the accounts have been deleted."),
    "refused.erase-staff": _("Staff cannot be erased. Take away their rights first."),
    "refused.erase-already": _("This account is erased already."),
    "close.done": _("{name} is closed."),
    "close.undone": _("{name} is open again, with all its accounts."),
    "refused.many-classes": _(
        "You have reached the limit of {most} lists per hour. Please wait a while."
    ),
    "refused.many-groups": _("You have reached the limit of {most} groups."),
    "refused.organiser-stays": _("Organisers cannot leave their own group."),
    "refused.minors-stay": _(
        "Your account belongs to this class. Ask its organiser to move you to another one, or to "
        "remove you."
    ),
    "refused.minors-no-programs": _(
        "Your account is protected, so no program can use it. You can play on your class's page: "
        "see “Your groups”."
    ),
    "refused.class-closes": _("A class created your account. Ask its organiser to close it."),
    # Translators: {until} is a date.
    "refused.games-paused": _(
        "Games are paused until the end of {until}: the organiser of the class set this. Games "
        "that have begun go on. Ask the organiser if you have a question."
    ),
    "refused.muted": _(
        "Phrases are off until the end of {until}: the organiser of your class set this. You can "
        "go on playing."
    ),
    "refused.not-in-care": _(
        "You can pause, mute and rename only pupils of a class: protected members, and those whose "
        "accounts a class created. Anyone else you can remove from the group."
    ),
    "refused.care-date": _("Choose a date from today to a year from now."),
    "refused.transfer-same": _("The member is in this class already."),
    "refused.transfer-over": _(
        "This offer is no longer open. Ask the other organiser for a new one."
    ),
    "refused.transfer-closed": _("That class is closed. Ask for the code of the new one."),
    "refused.transfer-no-organiser": _(
        "This class has no organiser who could accept. Ask the people who run the site."
    ),
    "refused.transfer-not-minors": _(
        "The member is protected, and the other class is not for minors. Ask its organiser to mark "
        "it as a group for minors first."
    ),
    "refused.made-already": _(
        "These accounts have already been created and their sheet was shown. To "
        "replace a lost password, use the group's page."
    ),
    "refused.not-made-here": _(
        "This account belongs to its owner, who can set a new password with the recovery words or "
        "by mail."
    ),
    # -- tournaments
    "refused.no-tournament": _("There is no such tournament."),
    "refused.not-in-this-state": _("This is not possible in the tournament's current state."),
    "refused.event-name": _("Enter a name."),
    "refused.event-name-long": _("A name can have at most {most} characters."),
    "refused.event-about-long": _("Use at most {most} characters."),
    "refused.event-group": _("Choose the group."),
    "refused.event-account": _("This tournament is only for players with an account."),
    "refused.event-full": _("This tournament is full: it has {most} players."),
    "refused.event-range": _(
        "This tournament is for ratings from {lowest} to {highest}, and yours is {rating}."
    ),
    "refused.arena-clock": _("Arenas need a time control."),
    "refused.rounds-players": _("{rounds} rounds are too many for {most} players."),
    "refused.nobody-fits": _("Ratings range from {least} to {most}."),
    "refused.in-the-past": _("This time is in the past."),
    "refused.too-far": _("Choose a start within a year."),
    "refused.opens-late": _("Registration must open before check-in and the start."),
    "refused.opened-already": _("Players have already registered: registration must stay open."),
    "refused.round-minutes": _("For timed rounds, enter the round length."),
    "refused.number-between": _("Enter a number from {least} to {most}."),
    "refused.many-tournaments": _("You have reached the limit of {most} unfinished tournaments."),
    "refused.many-entries": _("Too many: this kind of tournament has at most {most} players."),
    "refused.few-entries": _("A tournament needs at least two players."),
    "refused.late-kind": _("Pairings are fixed from the start: no more players can be added."),
    "refused.wrong-code": _("Wrong code."),
    "refused.event-bot": _("Bots can join only arenas, and only if the organiser allows it."),
    "refused.bots-rated": _(
        "Bots and people are rated separately, so an arena that bots may join cannot be rated."
    ),
    "refused.bots-minors": _("Bots cannot join tournaments of a group for minors."),
    "refused.many-tries": _("Too many attempts. Please wait a few minutes."),
    "refused.not-invited": _("This tournament is by invitation only."),
    "refused.not-entered": _("This player is not in the tournament."),
    "refused.removed-here": _(
        "You are out of this tournament. Only the organiser can change that."
    ),
    "refused.paused": _("The tournament is paused. Resume it first."),
    "refused.own-game": _("You are playing in a game that this would decide. Finish it first."),
    "refused.knockout-out": _("Players cannot rejoin a knockout."),
    "refused.not-checked-in": _(
        "You did not check in before the start, and all pairings are fixed then."
    ),
    "refused.no-bye": _(
        "Byes can be requested only in Swiss tournaments, and not for the last round."
    ),
    "refused.bye-late": _("This round has already been paired."),
    "refused.many-byes": _("You have reached the limit of {most} byes."),
    # Translators: the organiser announced the tournament; these are lines of its log.
    "event.made": _("Announced."),
    "event.made-again": _("Announced as number {number} of its series."),
    "event.edited": _("Changed the game or the schedule."),
    "event.described": _("Changed the name or the description."),
    "event.series": _("Started a series: {name}."),
    "event.registration": _("Registration opened."),
    "event.check-in": _("Check-in opened."),
    "event.not-checked-in": _("{name} did not check in."),
    "event.of-those-present": ngettext(
        "Created with {count} player who was present.",
        "Created with {count} players who were present.",
    ),
    "event.started-early": _("Started early."),
    "event.began": ngettext("Started with {count} player.", "Started with {count} players."),
    "event.fewer-rounds": ngettext(
        "Shortened to {count} round: no more opponents.",
        "Shortened to {count} rounds: no more opponents.",
    ),
    # Translators: lines of a log, followed by the name of the player in brackets
    "event.joined": _("Joined."),
    "event.withdrew": _("Withdrew."),
    "event.came-back": _("Rejoined."),
    "event.bye-asked": _("Requested a bye in round {round}."),
    "event.bye-back": _("Cancelled the bye in round {round}."),
    "event.removed": _("Removed {name}."),
    "event.added": _("Added {name}."),
    "event.added-late": ngettext(
        "Added {name}, with half a point for {count} missed round.",
        "Added {name}, with half a point for each of {count} missed rounds.",
    ),
    "event.barred": _("{name} can no longer play."),
    "event.out": _("{name} was withdrawn after two forfeits."),
    "event.late.1": _("{first} forfeited against {second}: did not show up."),
    "event.late.2": _("{second} forfeited against {first}: did not show up."),
    "event.late.3": _("{first} and {second} both forfeited: neither showed up."),
    "event.forfeit.1": _("{first} forfeited against {second}."),
    "event.forfeit.2": _("{second} forfeited against {first}."),
    "event.forfeit.3": _("{first} and {second} both forfeited."),
    "event.corrected": _("The result of round {round}, board {board}, was changed."),
    "event.handed-over": _("{name} is the new organiser."),
    "event.round-closed": _("Round {number} was ended."),
    # Translators: the tournament
    "event.paused": _("Paused."),
    "event.resumed": _("Resumed."),
    "event.ended-early": _("Ended early."),
    "event.over": _("Finished."),
    "event.called-off": _("Cancelled."),
    "event.called-off.few": _("Cancelled: fewer than two players."),
    "event.cannot.too-few-players": _("Round {round} was not paired: too few players are left."),
    "event.cannot.too-many-rounds": _("Round {round} was not paired: no opponents are left."),
    "event.cannot.no-pairing-left": _("Round {round} was not paired: everybody had a bye."),
    "event.cannot.too-many-players": _("Round {round} was not paired: there are too many players."),
    "refused.real-name": _(
        "Real names can have at most {most} characters, without invisible ones: “{name}”."
    ),
    "refused.login-form-outdated": _(
        "These cards or pictures have changed since the page was loaded. Check the list and try "
        "again."
    ),
    "refused.no-card": _("Choose at least one member."),
    "refused.class-login-closed": _("Log-in is closed. Ask your teacher to open it."),
    "refused.wrong-class-code": _("There is no class with this code today. Check each letter."),
    "refused.wrong-card": _("This card does not work. Ask your teacher for a new one."),
    "refused.wrong-pictures": _("These are not your pictures. Try again."),
    "refused.pictures-locked": _(
        "Too many wrong pictures. Use your card, or ask your teacher to open log-in again."
    ),
    "class.login-opened": _("Log-in is open."),
    "class.login-closed": _("Log-in is closed. Members who are logged in can go on playing."),
    "class.logins-revoked": _("Revoked. These members are logged out on all devices."),
    "class.real-names-kept": _("Real names saved. Only you can see them."),
    "class.empty": _("Enter one name per line."),
    "class.too-many": ngettext(
        "This is {count} name. You can create at most {most} accounts at once.",
        "These are {count} names. You can create at most {most} accounts at once.",
    ),
    "class.how-many": _("How many accounts? From 1 to {most}."),
    "class.twice": _("This name is already in line {line}."),
    "class.alike": _("This is too similar to the name in line {line}."),
    "group.made": _("Group created."),
    "group.kept": _("Changes saved."),
    "group.dissolved": _("Group deleted."),
    "group.joined": _("You joined {name}."),
    "group.left": _("You left {name}."),
    "group.removed": _("{name} was removed from the group."),
    # Translators: {until} is a date.
    "group.paused": _("{name} starts no games until the end of {until}."),
    "group.unpaused": _("{name} can start games again."),
    "group.muted": _("{name} sends no phrases until the end of {until}."),
    "group.unmuted": _("{name} can send phrases again."),
    "group.renamed": _("{before} is now {name}, and keeps that name until the end of {until}."),
    "group.name-free": _("{name} can choose another name again."),
    # Translators: {group} is the name of a class.
    "group.moved": _("{name} is now in {group}."),
    "group.offered": _(
        "{name} was offered to {group}, and stays here until its organiser accepts."
    ),
    "group.accepted": _("{name} is now a member of this class."),
    "group.offer-over": _("The offer is closed. Nobody was moved."),
    # Translators: {target} and {source} are names of classes.
    "notice.class-moved": _("You are now in {target}. You were in {source} before."),
    "notice.class-offered": _(
        "The organiser of {source} offers you a member for {target}. Open your class to answer."
    ),
    "notice.class-accepted": _("A member of {source} whom you offered is now in {target}."),
    "notice.class-declined": _(
        "{target} did not take a member whom you offered. They stay in {source}."
    ),
    "group.lifted": _("{name} is no longer protected."),
    "group.cannot-lift": _(
        "{name} is also in another organiser's group for minors, so only "
        "moderators can lift the protection."
    ),
    "group.still-protected": _(
        "Some members are still protected and cannot play here. To lift someone's "
        "protection, mark the group as a group for minors again and use “More”."
    ),
    "group.lift-unconfirmed": _(
        "Enter a reason and confirm that this person is no longer a minor."
    ),
    "group.new-code": _("New code created. The old one no longer works."),
    "group.no-code": _("Joining with a code is now off."),
    "group.look": pgettext("button", "Watch"),
    "appeal.sent": _("Sent. The moderators will read it and reply once."),
    "appeal.answer": _("The moderators replied to your appeal: {answer}"),
    # -- guests who log in to an account
    "merged.done": _("The games of {name} are now yours."),
    "merged.voided": ngettext(
        "You played {count} game against yourself as {name}. It no longer counts.",
        "You played {count} games against yourself as {name}. They no longer count.",
    ),
    "merged.too-many": _(
        "You have reached the limit of merged guests. The games of {name} were "
        "not added to your account."
    ),
    # -- pages of an account
    "name.changed": _("Your name is now {name}."),
    "closing.asked": _("Your account will be closed on {on} UTC. Log in before then to keep it."),
    "closing.undone": _("Your account stays open."),
    "closing.wrong-password": _("Wrong password."),
    "login.too-often": _("Too many attempts. Please wait a few minutes and try again."),
    "me.forgotten": _("You have been forgotten on this device. Your games are kept."),
    # -- passkeys
    "passkey.cancelled": _("No passkey was used. Try again, or choose another way to log in."),
    "passkey.known": _("This device already has a passkey for this account."),
    "passkey.insecure": _("Passkeys are not available in this browser, or without https."),
    "passkey.failed": _("Something went wrong. Please reload the page and try again."),
    # -- the clock
    "clock.none": _("no clock"),
    # Translators: the minutes per player, and the seconds that each move adds
    "clock.some": _("{minutes} + {seconds}"),
    # Translators: {minutes} is “5 minutes”, {seconds} is “10 seconds per move”.
    "clock.long": _("{minutes} plus {seconds}"),
    "clock.minutes": ngettext("{count} minute", "{count} minutes"),
    "clock.seconds": ngettext("{count} second per move", "{count} seconds per move"),
    # -- the visitor's own name
    # Translators: the name of the visitor
    "me.name": _("You are {name}"),
    "guest.unreachable": _("The site cannot be reached. Please try again."),
    "guest.failed": _("Something went wrong. Please reload the page and try again."),
    "pace.none": _("No clock"),
    "pace.blitz": pgettext("time control", "Blitz"),
    "pace.quick": pgettext("time control", "Quick"),
    "pace.slow": pgettext("time control", "Slow"),
    # -- rated games
    "rated.casual": _("Casual games do not affect ratings."),
    "rated.wanted": _("You meet a player of similar strength."),
    "rated.sign-up": _("Sign up"),
    # -- the number of players online
    "counts.alone": _("Nobody else online"),
    "counts.others": ngettext("You and {count} other online", "You and {count} others online"),
    "counts.playing": ngettext("{count} game being played", "{count} games being played"),
    # -- players and their games
    "result.won": pgettext("game", "Won"),
    "result.lost": pgettext("game", "Lost"),
    "result.drawn": _("Draw"),
    "result.none": _("No result"),
    "length.0-9": _("up to 9 moves"),
    "length.10-19": _("10 to 19 moves"),
    "length.20-39": _("20 to 39 moves"),
    "length.40-79": _("40 to 79 moves"),
    "length.80-": _("80 moves or more"),
    "block.done": _("You blocked {name}. They will not be notified."),
    "block.undone": _("You unblocked {name}."),
    "notice.refund": ngettext(
        "You got {points} rating point back ({game}), because an opponent broke the rules.",
        "You got {points} rating points back ({game}), because an opponent broke the rules.",
        by="points",
    ),
    # Translators: a rating, such as “about 1200”
    "level.about": _("about {rating}"),
    "level.rating": _("{level} about {rating}"),
    # -- challenges
    "decline.later": _("Not now, maybe later."),
    "decline.clock": _("With another time limit, please."),
    "decline.game": _("Another game, please."),
    "decline.no": _("No, thank you."),
    "challenge.declined-by-me": _("You declined the challenge."),
    # Translators: {game} is a game with its clock and “rated”.
    "challenge.theirs": _("{name} challenged you: {game}."),
    "challenge.mine": _("You challenged {name}: {game}."),
    "challenge.accept": _("Accept"),
    "challenge.accept-label": _("Accept the challenge of {name}"),
    "challenge.decline": _("Decline"),
    "challenge.decline-label": _("Decline the challenge of {name}"),
    "challenge.withdraw": pgettext("challenge", "Cancel"),
    "challenge.withdraw-label": _("Cancel the challenge to {name}"),
    "challenge.declined": _("{name} declined your challenge: “{word}”"),
    "challenge.unknown": _("No player is called “{name}”. Check the spelling."),
    "challenge.put-away": _("OK"),
    "challenge.put-away-label": pgettext("notice", "Dismiss"),
    # -- preferences
    "preferences.kept": _("Preferences saved."),
    "preferences.challenges.anyone": pgettext("who can challenge me", "Everyone"),
    "preferences.challenges.accounts": _("Only players with an account"),
    "preferences.challenges.nobody": pgettext("who can challenge me", "Nobody"),
    # -- open seeks
    # Translators: {clock} is a time control such as “5 + 3”.
    "seek.what": _("{game}, {clock}"),
    "seek.rated": _("{game}, {clock}, rated"),
    "seek.rated-from": _("{game}, {clock}, rated, {lowest} and above"),
    "seek.rated-to": _("{game}, {clock}, rated, {highest} and below"),
    "seek.rated-between": _("{game}, {clock}, rated, {lowest} to {highest}"),
    "seek.mine": pgettext("seek", "(you)"),
    "seek.join": pgettext("seek", "Join"),
    "seek.join-label": _("Join {name} for {game}"),
    # Translators: a button, after somebody else has taken the seek
    "seek.gone": pgettext("seek", "Gone"),
    "seeks.more": ngettext(
        "And {count} more. Press Play to be paired with the one who has waited longest.",
        "And {count} more. Press Play to be paired with the one who has waited longest.",
    ),
    # -- cards of games
    "card.waits": _("{name} is waiting"),
    "card.rated": _("{clock}, rated"),
    "card.more": ngettext("and {count} more", "and {count} more"),
    "card.friend": _("Play {game} with a friend"),
    "card.computer": _("Play {game} against the computer"),
    "card.beside": _("Play {game} with two players on this device"),
    "card.rules": _("How to play {game}"),
    "level.line.1": _("Sees only the next move and errs a lot."),
    "level.line.2": _("Takes what is on offer, but misses your plans."),
    "level.line.3": _("Notices most things, and errs here and there."),
    "level.line.4": _("Thinks ahead and makes few mistakes."),
    "level.line.5": _("Plays its best, for up to two seconds a move."),
    # -- live games
    "match.against": _("{one} against {other}"),
    # Translators: {players} is a sentence such as “Anna against Ben”.
    "match.watch": _("Watch {game}: {players}"),
    "match.over": pgettext("game", "Finished"),
    "wall.watchers": ngettext("{count} watching", "{count} watching"),
    # -- the player's own live games
    "mine.waits": _("Your turn"),
    "mine.waits-label": _("Your turn: {game} against {name}"),
    "mine.theirs": _("Waiting for your opponent"),
    "mine.theirs-label": _("{game} against {name}, their turn"),
    "mine.over-label": _("{game} against {name}, finished"),
    # -- invitations
    "invitation.copied": _("Copied"),
    "invitation.selected": _("The link is selected: press Ctrl+C to copy it."),
    "invitation.withdrawn": _("This invitation was cancelled."),
    # -- the player's own seeks and invitations
    "waiting.search": _("Looking for an opponent for {game}."),
    "waiting.invitation": _("Your invitation to {game} is open."),
    "waiting.game": _("{game}, {clock}"),
    "waiting.rated-game": _("{game}, {clock}, rated"),
    "waiting.stop": pgettext("seek", "Cancel"),
    "waiting.stop-label": _("Cancel the seek for {game}"),
    "waiting.withdraw": pgettext("invitation", "Cancel"),
    "waiting.withdraw-label": _("Cancel the invitation to {game}"),
    "waiting.show": pgettext("invitation", "View"),
    "waiting.show-label": _("View the invitation to {game}"),
    # -- offers of other seeks
    # Translators: {clock} is a time control such as “5 + 3”.
    "offer.waits": _("{name} is waiting for {clock}. Play that?"),
    "offer.waits-casual": _("{name} is waiting for {clock}, casual. Play that?"),
    "offer.waits-rated": _("{name} ({rating}) is waiting for {clock}, rated. Play that?"),
    "offer.waits-untimed": _("{name} is waiting for a game without a clock. Play that?"),
    "offer.play": _("Play {clock}"),
    "offer.play-casual": _("Play {clock}, casual"),
    "offer.play-rated": _("Play {clock}, rated"),
    "offer.play-untimed": _("Play without a clock"),
    # Translators: {play} is a sentence such as “Play 5 + 3”.
    "offer.play-label": _("{play}: {game} against {name}"),
    "offer.others": ngettext("{count} other is online.", "{count} others are online."),
    "offer.nobody": _("Nobody else is online right now."),
    "offer.computer": _("Play the computer while you wait"),
    "offer.computer-label": _("Play the computer while you wait: {game}"),
    # Translators: {game} is the name of a game.
    "waiting.begun": _("Your {game} game against {name} has started."),
    "waiting.accepted": _("{name} accepted: your {game} game has started."),
    "waiting.play": _("Play"),
    "waiting.play-label": _("Play {game} against {name}"),
    "waiting.games": ngettext("Your turn in {count} game", "Your turn in {count} games"),
    "waiting.no-games": _("No games where it is your turn"),
    # Translators: the number of games in which it is the player's turn, and the title of the page
    "waiting.title-games": ngettext("({count}) {title}", "({count}) {title}"),
    # Translators: {title} is the title of the page.
    "waiting.title": _("Looking… · {title}"),
    "waiting.title-begun": _("Started! · {title}"),
}
