"""What is said of games: on the page of a match, in its analysis, and where something is refused.

A game's own words (its places, its ends) stand with its board.
"""

# ruff: noqa: RUF001  # the points of a game are written with a dash

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from games.messages.table import Sentence, ngettext

SENTENCES: Mapping[str, Sentence] = {
    # -- why something is refused, at a socket or on a page
    "refused.malformed": _("That message could not be read."),
    "refused.unknown-type": _("This site does not know that kind of message."),
    "refused.not-a-player": _("You are not one of the players here."),
    "refused.not-your-turn": _("It is not your turn."),
    "refused.illegal-action": _("The rules do not allow that here."),
    "refused.stale": _("The game has moved on; this is how it stands now."),
    "refused.not-live": _("The game is over."),
    "refused.not-allowed": _("That is not possible now."),
    "refused.too-fast": _("That was too fast; please wait a moment."),
    "refused.many-matches": _(
        "You have begun very many games. Please wait a while, then ask again."
    ),
    "refused.many-open": _(
        "You have many games with the computer open. Please finish or resign one first."
    ),
    "refused.too-many": _(
        "There are too many open pages of this site. Close some, then reload this one."
    ),
    "refused.unavailable": _(
        "The site cannot store anything just now. Please try again in a moment."
    ),
    "refused.suspended": _("You are suspended for good. The reason: {reason}"),
    "refused.suspended-until": _("You are suspended until {until} UTC. The reason: {reason}"),
    "refused.closed": _("This account is closed."),
    "refused.name-too-short": _("A name has at least {least} characters."),
    "refused.name-too-long": _("A name has at most {most} characters."),
    "refused.name-invisible": _("The name has a character that cannot be seen."),
    "refused.name-character": _(
        "A name is made of letters and digits, with spaces and - ' . _ between them."
    ),
    "refused.name-no-letter": _("A name has at least one letter."),
    "refused.name-marks": _("The name has too many marks over or under one letter."),
    "refused.name-mixed": _("The name mixes letters of several scripts."),
    "refused.name-soon": _("You can change your name again on {on}."),
    "refused.name-same": _("That is your name already."),
    "refused.name-reserved": _(
        "The name could be taken for the computer's, or for the moderators'."
    ),
    # -- records of games that somebody brings or asks for
    "refused.record-format": _("There is no such format. There are: {known}."),
    "refused.record-game": _("This format is not for {game}."),
    "refused.record-too-long": _("That is too long: a record has at most {most} kB."),
    "refused.record-unreadable": _(
        "That is no record that can be read here: JSON, SGF, or Little Golem's notation."
    ),
    "refused.record-no-game": _("That is a record of a game that is not played here."),
    "refused.record-move": _("Move {number}, {action}, is not allowed by the rules."),
    "refused.not-signed": _("A record is signed once the game is over."),
    "refused.not-as-logged": _(
        "This record is not the one that the site's log has. It was changed, and is not signed."
    ),
    # -- how a game ended: for who won, for who lost, for anybody else
    "end.rules": _("Draw"),
    "end.rules.won": _("You won"),
    "end.rules.lost": _("You lost"),
    "end.rules.seen": _("{winner} won"),
    "end.score": _("Draw {won}–{lost}"),
    "end.score.won": _("You won {won}–{lost}"),
    "end.score.lost": _("You lost {lost}–{won}"),
    "end.score.seen": _("{winner} won {won}–{lost}"),
    "end.resignation.won": _("You won: {loser} resigned"),
    "end.resignation.lost": _("You lost: you resigned"),
    "end.resignation.seen": _("{winner} won: {loser} resigned"),
    "end.time.won": _("You won on time"),
    "end.time.lost": _("You lost on time"),
    "end.time.seen": _("{winner} won on time"),
    "end.agreement": _("Draw by agreement"),
    "end.dead": _("Draw: nobody can win any more"),
    "end.abandoned": _("Draw: both players left"),
    "end.abandoned.won": _("You won: {loser} left"),
    "end.abandoned.lost": _("You lost: you left the game"),
    "end.abandoned.seen": _("{winner} won: {loser} left"),
    "end.stalled": _("Draw: neither player played on"),
    "end.stalled.won": _("You won: {loser} did not play on"),
    "end.stalled.lost": _("You lost: you did not play on"),
    "end.stalled.seen": _("{winner} won: {loser} did not play on"),
    "end.adjudicated": _("Draw by decision of the moderators"),
    "end.adjudicated.won": _("You won by decision of the moderators"),
    "end.adjudicated.lost": _("You lost by decision of the moderators"),
    "end.adjudicated.seen": _("{winner} won by decision of the moderators"),
    "end.settled": _("Draw: the time of the round was over"),
    "end.settled.won": _("You won: the time of the round was over, and you had more of your own"),
    "end.settled.lost": _("You lost: the time of the round was over, and you had less of your own"),
    "end.settled.seen": _("{winner} won: the time of the round was over"),
    "end.more": _("{said}. {more}"),
    "end.cancelled": _("Game cancelled. It doesn't count."),
    "end.not-begun": _("Game cancelled: nobody began. It doesn't count."),
    "end.one-person": _("Both players turned out to be one person. The game doesn't count."),
    "end.not-come": _("Not played: somebody did not come in time"),
    "end.voided": _("The moderators voided this game. It doesn't count."),
    "end.damaged": _("The game is over. What is stored of its result is damaged."),
    "board.label": _("{game}: {one} against {other}"),
    # -- a match in one line
    "title.against": _("{first} against {second}"),
    "title.drew": _("{first} and {second} drew"),
    "title.beat": _("{winner} beat {loser}"),
    "title.beat-by": _("{winner} beat {loser} {won}–{lost}"),
    # -- what players may say to each other
    "phrase.hello": _("Hello!"),
    "phrase.good-luck": _("Good luck!"),
    "phrase.good-game": _("Good game!"),
    "phrase.well-played": _("Well played!"),
    "phrase.thanks": _("Thanks!"),
    "phrase.oops": _("Oops …"),
    "phrase.sorry": _("Sorry!"),
    # -- how a live game stands
    "status.sending": _("Sending your move…"),
    "status.yours": _("Your turn"),
    "status.theirs": _("{name} is to move"),
    "status.asked": _("{who}. {prompt}."),
    "status.said": _("{who}."),
    "status.offered": _("{status} {offer}"),
    "status.title": _("▶ Your turn · {title}"),
    "status.title-end": _("{end} · {game}"),
    "draw.mine": _("You offer a draw."),
    "draw.theirs": _("{name} offers a draw."),
    "draw.declined-by-me": _("You decline the draw."),
    "draw.declined": _("{name} declines the draw."),
    "news.mine": _("You: {said}."),
    "news.theirs": _("{name}: {said}."),
    "news.turn": _("Your turn."),
    "said.action": _("{action}"),
    "said.two": _("{one} and {other}"),
    "speech.mine": _("You: {words}"),
    "speech.theirs": _("{name}: {words}"),
    "seat.watchers": ngettext("· {count} watching", "· {count} watching"),
    "seat.here": _("here"),
    "seat.away": _("away"),
    "seat.label": _("{name}, {presence}"),
    "seat.label-to-move": _("{name}, {presence}, to move"),
    # -- the buttons beside a board
    "do.resign": _("Resign"),
    "do.resign.ask": _("Really resign?"),
    "do.berserk": _("Half the time, for one point more"),
    "do.abort": _("Cancel the game"),
    "do.abort.ask": _("Really cancel the game?"),
    "do.offer-draw": _("Offer a draw"),
    "do.accept-draw": _("Accept the draw"),
    "do.decline-draw": _("Decline"),
    "do.rematch": _("Rematch"),
    "do.rematch.accept": _("Accept the rematch"),
    "do.claim-draw": _("Nobody can win any more. Claim a draw"),
    "do.claim-abandoned": _("Your opponent left. Claim the win"),
    "do.claim-stalled": _("Your opponent does not play on. Claim the win"),
    "do.yes": _("Yes"),
    "do.no": _("No"),
    "confirm.ask": _("Play this?"),
    "confirm.place": _("Play {place}?"),
    "rematch.asked": _("You asked for a rematch. Waiting for the answer…"),
    "rematch.offered": _("{name} would like a rematch."),
    "rematch.was": _("There was a rematch."),
    "rematch.see": _("See it"),
    "rematch.begins": _("The rematch begins…"),
    "rematch.begun": _("The rematch has begun."),
    "rematch.play": _("Play it"),
    "rematch.there": _("There is a rematch."),
    "rematch.taken": _("There is a rematch. You will be taken there in a moment."),
    "rematch.watch": _("Watch it"),
    "rematch.stay": _("Stay here"),
    # -- the connection
    "connection.lost": _("Reconnecting…"),
    "connection.none": _("There is no connection just now. Please try again in a moment."),
    "connection.4401": _("You have been logged out. Reload the page to go on."),
    "connection.4403": _("You are suspended. Reload the page to see why, and until when."),
    "connection.4404": _("This game does not exist."),
    "connection.4429": _(
        "This page was too busy, or too many are open. Close some, then reload this one."
    ),
    "match.older": _("The site has gone back to an older copy of this game. It goes on from here."),
    # -- stepping through a game, and its analysis
    "replay.after": _("after move {ply} of {last}"),
    "replay.position": _("Position after move {ply} of {last}"),
    "analysis.progress": _("{looked} of {plies} moves"),
    "analysis.start": _("The position before the first move."),
    "analysis.waiting": _("You wait for other games to be analysed. Please ask again in a moment."),
    "analysis.not-over": _("A game can be analysed once it is over."),
    "verdict.none": _("Nothing can be said about this move."),
    "verdict.best.certain": _("Best move (certain)."),
    "verdict.best.estimate": _("Best move (estimate)."),
    "verdict.mistake.certain": ngettext(
        "Mistake (certain), {count} point. Better: {better}.",
        "Mistake (certain), {count} points. Better: {better}.",
    ),
    "verdict.mistake.estimate": ngettext(
        "Mistake (estimate), about {count} point. Better: {better}.",
        "Mistake (estimate), about {count} points. Better: {better}.",
    ),
    "verdict.lead": ngettext(
        "Mistake (certain), {count} point of the lead. Better: {better}.",
        "Mistake (certain), {count} points of the lead. Better: {better}.",
    ),
    "verdict.won.points": ngettext(
        "Won; {count} point was possible. Better: {better}.",
        "Won; {count} points were possible. Better: {better}.",
    ),
    "verdict.unclear": _("Unclear: the search is not sure."),
    "verdict.kept": _("best"),
    "verdict.lost": _("mistake"),
    "verdict.won": _("won"),
    "verdict.open": _("unclear"),
    "summary.line": _("{name}: {mistakes} in {moves}."),
    "summary.mistakes": ngettext("{count} mistake", "{count} mistakes"),
    "summary.moves": ngettext("{count} move", "{count} moves"),
    "chart.label": _("Who stood better after each move: {stretches}"),
    "chart.even": _("even {when}"),
    "chart.better": _("{name} better {when}"),
    "chart.at": _("after {ply}"),
    "chart.between": _("after {first} to {last}"),
    "chart.all": _("All of it is certain."),
    "chart.none": _("What is not certain is an estimate."),
    "chart.from": _("Certain from move {ply} on; before that, an estimate."),
    # -- positions of no match
    "position.first": _("the first player"),
    "position.second": _("the second player"),
    "position.turn": _("To move: {who}."),
    "position.over": _("The game is over, {one} to {other}."),
    "look.best.certain": _("The computer would play {best} (certain)."),
    "look.best.estimate": _("The computer would play {best} (estimate)."),
    "look.value": ngettext(
        "That is worth {count} point of 100 to who is to move.",
        "That is worth {count} points of 100 to who is to move.",
    ),
    "look.waiting": _("The computer thinks…"),
    # -- how well the computer plays
    "level.1": _("Beginner"),
    "level.2": _("Casual"),
    "level.3": _("Steady"),
    "level.4": _("Strong"),
    "level.5": _("Master"),
    # -- what moderators decided
    "decision.void": _("The game was voided."),
    "decision.correct": _("The result was corrected to {one} to {other}."),
    "decision.end": _("The game was ended, {one} to {other}."),
    "decision.warn": _("The player was warned."),
    "decision.suspend": _("The player was suspended for good."),
    "decision.suspend-until": _("The player was suspended until {until} UTC."),
    "decision.rename": _("The player was renamed to {name}."),
    "decision.new-name": _("The player was asked to choose another name."),
    "decision.reverse": _("Decision {number} was reversed."),
    # -- what players report
    "report.thanks": _("Thank you. The moderators will look at it, and you will be told."),
}
