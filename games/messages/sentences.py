"""Sentences about matches, such as those of the match page, of analyses and of refusals.

Sentences that depend on the game, such as names of places, are in `games.boards`.
"""

# ruff: noqa: RUF001 # scores are written with an en dash

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from games.messages.table import Sentence, ngettext, pgettext

SENTENCES: Mapping[str, Sentence] = {
    # -- refusals, on sockets and pages
    "refused.malformed": _("The message could not be read."),
    "refused.unknown-type": _("Unknown message type."),
    "refused.not-a-player": _("You are not a player in this game."),
    "refused.not-your-turn": _("It is not your turn."),
    "refused.illegal-action": _("The rules do not allow that here."),
    "refused.stale": _("The position has changed. This is the current one."),
    "refused.not-live": _("The game is over."),
    "refused.not-allowed": _("That is not possible right now."),
    "refused.too-fast": _("Too fast. Please wait a moment."),
    "refused.many-matches": _(
        "You have started too many games. Please wait a while and try again."
    ),
    "refused.many-open": _(
        "You have too many unfinished games against the computer. Finish or resign one first."
    ),
    "refused.too-many": _(
        "You have too many pages of this site open. Close some and reload this one."
    ),
    "refused.unavailable": _(
        "The site cannot save anything right now. Please try again in a moment."
    ),
    "refused.suspended": _("You are permanently suspended. Reason: {reason}"),
    "refused.suspended-until": _("You are suspended until {until} UTC. Reason: {reason}"),
    "refused.closed": _("This account is closed."),
    "refused.name-too-short": _("A name needs at least {least} characters."),
    "refused.name-too-long": _("A name can have at most {most} characters."),
    "refused.name-invisible": _("The name contains an invisible character."),
    "refused.name-character": _(
        "A name can contain only letters, digits, spaces and - ' . _ between them."
    ),
    "refused.name-no-letter": _("A name needs at least one letter."),
    "refused.name-marks": _("The name has too many accents on one letter."),
    "refused.name-mixed": _("The name mixes letters from different scripts."),
    "refused.name-soon": _("You can change your name again on {on}."),
    "refused.name-same": _("That is already your name."),
    "refused.name-reserved": _("This name is reserved."),
    # -- imported and requested records
    "refused.record-format": _("Unknown format. Available formats: {known}."),
    "refused.record-game": _("This format is not available for {game}."),
    "refused.record-too-long": _("The record is too long: the limit is {most} kB."),
    "refused.record-unreadable": _(
        "This record cannot be read. Supported formats: JSON, SGF and Little Golem notation."
    ),
    "refused.record-no-game": _("This record is of a game that is not available here."),
    # Translators: {action} is a move, such as “B2”.
    "refused.record-move": _("Move {number}, {action}, is illegal."),
    "refused.not-signed": _("Only finished games are signed."),
    "refused.not-as-logged": _(
        "This record differs from the one in the site's log, so it is not signed."
    ),
    # -- ends of games: for the winner, the loser and others
    # Translators: the result, a noun
    "end.rules": _("Draw"),
    "end.rules.won": _("You won"),
    "end.rules.lost": _("You lost"),
    "end.rules.seen": _("{winner} won"),
    # Translators: {result} is the result, such as “You won”, and the numbers are the points.
    "end.score": _("{result} {won}–{lost}"),
    "end.score.won": _("{result} {won}–{lost}"),
    "end.score.lost": _("{result} {lost}–{won}"),
    "end.score.seen": _("{result} {won}–{lost}"),
    "end.resignation.won": _("{result}: {loser} resigned"),
    "end.resignation.lost": _("{result}: you resigned"),
    "end.resignation.seen": _("{result}: {loser} resigned"),
    # Translators: {result} is the result, such as “You won”: the loser's time ran out.
    "end.time.won": _("{result} on time"),
    "end.time.lost": _("{result} on time"),
    "end.time.seen": _("{result} on time"),
    "end.agreement": _("{result} by agreement"),
    "end.dead": _("{result}: neither player can win"),
    "end.abandoned": _("{result}: both players left"),
    "end.abandoned.won": _("{result}: {loser} left"),
    "end.abandoned.lost": _("{result}: you left the game"),
    "end.abandoned.seen": _("{result}: {loser} left"),
    "end.stalled": _("{result}: neither player moved"),
    "end.stalled.won": _("{result}: {loser} stopped playing"),
    "end.stalled.lost": _("{result}: you stopped playing"),
    "end.stalled.seen": _("{result}: {loser} stopped playing"),
    "end.adjudicated": _("{result} by moderator decision"),
    "end.adjudicated.won": _("{result} by moderator decision"),
    "end.adjudicated.lost": _("{result} by moderator decision"),
    "end.adjudicated.seen": _("{result} by moderator decision"),
    "end.settled": _("{result}: the round ended"),
    "end.settled.won": _("{result}: the round ended, and you were ahead"),
    "end.settled.lost": _("{result}: the round ended, and you were behind"),
    "end.settled.seen": _("{result}: the round ended"),
    # Translators: both are sentences about the end of the game.
    "end.more": _("{said}. {more}"),
    "end.cancelled": _("Game cancelled. It doesn't count."),
    "end.not-begun": _("Game cancelled before the first move. It doesn't count."),
    "end.one-person": _("Both players were the same person. The game doesn't count."),
    "end.not-come": _("Not played: forfeited"),
    "end.voided": _("The moderators voided this game. It doesn't count."),
    "end.damaged": _("The game is over, but its stored result is damaged."),
    # Translators: names of the game and the two players
    "board.label": _("{game}: {one} against {other}"),
    # -- names that stand for players
    "name.hidden": _("Hidden player"),
    "name.deleted": _("Deleted player"),
    "name.deleted-number": _("Deleted player {number}"),
    # Translators: the names of the computer's levels as a player.
    "name.computer.1": _("Computer (beginner)"),
    "name.computer.2": _("Computer (casual)"),
    "name.computer.3": _("Computer (steady)"),
    "name.computer.4": _("Computer (strong)"),
    "name.computer.5": _("Computer (master)"),
    # -- titles of matches
    # Translators: titles of pages: names of players
    "title.against": _("{first} against {second}"),
    "title.drew": _("{first} and {second} drew"),
    "title.beat": _("{winner} beat {loser}"),
    # Translators: {won} and {lost} are points.
    "title.beat-by": _("{winner} beat {loser} {won}–{lost}"),
    # -- preset phrases of players
    "phrase.hello": _("Hello!"),
    "phrase.good-luck": _("Good luck!"),
    "phrase.good-game": _("Good game!"),
    "phrase.well-played": _("Well played!"),
    "phrase.thanks": _("Thanks!"),
    "phrase.oops": _("Oops …"),
    "phrase.sorry": _("Sorry!"),
    # -- the state of a live game
    "status.sending": _("Sending your move…"),
    # Translators: the place to choose after a first one, as the target of a move.
    "status.next-place": _("Now the next place"),
    "status.yours": _("Your turn"),
    # Translators: it is this player's turn.
    "status.theirs": _("{name} to move"),
    # Translators: {who} says whose turn it is, and {prompt} what to do.
    "status.asked": _("{who}. {prompt}."),
    "status.said": _("{who}."),
    "status.offered": _("{status} {offer}"),
    # Translators: {title} is the title of the page.
    "status.title": _("▶ Your turn · {title}"),
    "status.title-end": _("{end} · {game}"),
    "draw.mine": _("You offered a draw."),
    "draw.theirs": _("{name} offered a draw."),
    "draw.declined-by-me": _("You declined the draw."),
    "draw.declined": _("{name} declined the draw."),
    "news.mine": _("You: {said}."),
    # Translators: {said} is a move, such as “B2” or “picks black”.
    "news.theirs": _("{name}: {said}."),
    "news.turn": _("Your turn."),
    "said.action": _("{action}"),
    "said.two": _("{one} and {other}"),  # earlier releases stored this code
    "speech.mine": _("You: {words}"),
    "speech.theirs": _("{name}: {words}"),
    "seat.watchers": ngettext("· {count} watching", "· {count} watching"),
    "seat.here": pgettext("player", "here"),
    "seat.away": pgettext("player", "away"),
    "seat.left": pgettext("player", "left"),
    # Translators: {time} is a countdown such as “0:25”.
    "seat.claim": _("Claim the win in {time}"),
    "seat.clock-stopped": _("Clock of {name}, stopped"),
    "seat.label": _("{name}, {presence}"),
    "seat.label-to-move": _("{name}, {presence}, to move"),
    # -- the buttons beside a board
    "do.resign": _("Resign"),
    "do.resign.ask": _("Resign the game?"),
    "do.berserk": _("Berserk: half the time, one extra point"),
    "do.abort": _("Cancel the game"),
    "do.abort.short": pgettext("game", "Cancel"),
    "do.abort.ask": _("Cancel the game?"),
    "do.offer-draw": _("Offer a draw"),
    # Translators: a button that offers a draw
    "do.offer-draw.short": pgettext("button", "Draw"),
    "do.accept-draw": _("Accept the draw"),
    "do.accept-draw.short": _("Accept"),
    "do.decline-draw": _("Decline"),
    "do.rematch": _("Rematch"),
    "do.rematch.accept": _("Accept the rematch"),
    "do.rematch.accept.short": _("Accept"),
    "do.claim-draw": _("Neither player can win. Claim a draw"),
    "do.claim-abandoned": _("Your opponent left. Claim the win"),
    "do.claim-stalled": _("Your opponent stopped playing. Claim the win"),
    "do.yes": pgettext("answer", "Yes"),
    "do.no": pgettext("answer", "No"),
    "confirm.ask": _("Play this?"),
    # Translators: {place} is a place on the board, such as “B2”.
    "confirm.place": _("Play {place}?"),
    "rematch.asked": _("{name} is thinking about a rematch…"),
    "rematch.absent": _("{name} left. Your rematch offer waits for them here."),
    "rematch.offered": _("{name} offered a rematch."),
    "rematch.was": _("A rematch was played."),
    "rematch.see": pgettext("button", "View"),
    "rematch.begins": _("The rematch is starting…"),
    "rematch.begun": _("The rematch has started."),
    "rematch.play": pgettext("rematch", "Play it"),
    "rematch.there": _("A rematch has started."),
    "rematch.taken": _("A rematch has started. Taking you there in a moment."),
    "rematch.watch": pgettext("rematch", "Watch it"),
    "rematch.stay": _("Stay here"),
    # -- the connection
    "connection.lost": _("Reconnecting…"),
    "connection.none": _("You are offline. Please try again in a moment."),
    "connection.4401": _("You have been logged out. Reload the page to continue."),
    "connection.4403": _("You are suspended. Reload the page for details."),
    "connection.4404": _("This game does not exist."),
    "connection.4429": _("Too many requests or open pages. Close some pages and reload this one."),
    "match.older": _("The site was restored from a backup. The game continues from this position."),
    # -- replays and their analysis
    "replay.after": _("after move {ply} of {last}"),
    "replay.position": _("Position after move {ply} of {last}"),
    "analysis.progress": _("{looked} of {plies} moves"),
    "analysis.start": _("The position before the first move."),
    "analysis.waiting": _("Other games are being analysed. Please try again in a moment."),
    "analysis.not-over": _("Only finished games can be analysed."),
    "verdict.none": _("No verdict on this move."),
    "verdict.good.certain": _("Good (certain)."),
    "verdict.good.estimate": _("Good (estimate)."),
    "verdict.missed.certain": _("Missed win: {better} (certain)."),
    "verdict.missed.estimate": _("Missed win: {better} (estimate)."),
    "verdict.block.certain": _("Should have blocked: {better} (certain)."),
    "verdict.block.estimate": _("Should have blocked: {better} (estimate)."),
    "verdict.mistake.certain": ngettext(
        "Mistake: {better} was better by {count} point (certain).",
        "Mistake: {better} was better by {count} points (certain).",
    ),
    "verdict.mistake.estimate": ngettext(
        "Mistake: {better} was better by about {count} point (estimate).",
        "Mistake: {better} was better by about {count} points (estimate).",
    ),
    "verdict.lead": ngettext(
        "Mistake: {better} kept {count} more point of the lead (certain).",
        "Mistake: {better} kept {count} more points of the lead (certain).",
    ),
    "verdict.won-less": ngettext(
        "Won, but more was possible: {count} point with {better}.",
        "Won, but more was possible: {count} points with {better}.",
    ),
    "verdict.winning": ngettext(
        "Still winning, but {count} more point was possible: {better} (certain).",
        "Still winning, but {count} more points were possible: {better} (certain).",
    ),
    "verdict.unclear": _("Unclear: the computer is not sure."),
    # Translators: labels of moves in the list of moves
    "verdict-label.good": _("good"),
    "verdict-label.missed": _("missed win"),
    "verdict-label.block": _("should have blocked"),
    "verdict-label.mistake": _("mistake"),
    "verdict-label.won-less": _("won, more possible"),
    "verdict-label.winning": _("winning, more possible"),
    "verdict-label.unclear": _("unclear"),
    "analysis.legend": _("Certain: proved. Estimate: may be wrong."),
    # Translators: such as “Anna: 2 mistakes in 13 moves.”
    "summary.line": _("{name}: {mistakes} in {moves}."),
    "summary.mistakes": ngettext("{count} mistake", "{count} mistakes"),
    "summary.moves": ngettext("{count} move", "{count} moves"),
    # Translators: {stretches} is a list: who stood better after which moves.
    "chart.label": _("Advantage after each move: {stretches}"),
    # Translators: the numbers are numbers of moves.
    "chart.even-at": _("even after {ply}"),
    "chart.even-between": _("even after {first} to {last}"),
    "chart.better-at": _("{name} better after {ply}"),
    "chart.better-between": _("{name} better after {first} to {last}"),
    "chart.all": _("All verdicts are certain."),
    "chart.none": _("Verdicts that are not certain are estimates."),
    "chart.from": _("Certain from move {ply} on; estimates before."),
    # -- positions outside a match
    "position.first": _("The first player"),
    "position.second": _("The second player"),
    # Translators: {who} is “The first player” or “The second player”.
    "position.turn": _("{who} to move."),
    "position.over": _("Game over: {one} to {other}."),
    "look.best.certain": _("Best move: {best} (certain)."),
    "look.best.estimate": _("Best move: {best} (estimate)."),
    "look.value": ngettext(
        "Expected result for the player to move: {count} point of 100.",
        "Expected result for the player to move: {count} points of 100.",
    ),
    "look.waiting": _("Thinking…"),
    # -- levels of the computer
    "level.1": pgettext("computer level", "Beginner"),
    "level.2": pgettext("computer level", "Casual"),
    "level.3": pgettext("computer level", "Steady"),
    "level.4": pgettext("computer level", "Strong"),
    "level.5": pgettext("computer level", "Master"),
    # -- decisions of moderators
    "decision.void": _("The game was voided."),
    "decision.correct": _("The result was corrected to {one} to {other}."),
    "decision.end": _("The game was ended, {one} to {other}."),
    "decision.warn": _("The player was warned."),
    "decision.suspend": _("The player was permanently suspended."),
    "decision.suspend-until": _("The player was suspended until {until} UTC."),
    "decision.rename": _("The player was renamed to {name}."),
    "decision.new-name": _("The player was asked to choose another name."),
    "decision.reverse": _("Decision {number} was reversed."),
    # -- reports by players
    "report.thanks": _("Thank you. The moderators will review your report and notify you."),
}
