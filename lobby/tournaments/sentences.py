"""The sentences on the tournaments' pages.

The sentences of the log and of the other refusals are in `lobby.sentences`.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from games.messages import Sentence, ngettext, pgettext

SENTENCES: Mapping[str, Sentence] = {
    "waiting.tournament": _("{event}: your {game} game against {name} has started."),
    # Translators: the name of a tournament that this player organises
    "tournament.of": _("{name}'s tournament"),
    "tournament.feed": _("Tournaments at {site}"),
    # Translators: the name of a tournament: {group} is a class, {game} a game.
    "tournament.of-class": _("{group}: {game}"),
    "tournament.made": _("Tournament created."),
    "tournament.kept": _("Changes saved."),
    "tournament.not-made": _("Please correct the errors below."),
    "tournament.new": _("Create a tournament"),
    "tournament.change": _("Edit the tournament"),
    "tournament.make": _("Create tournament"),
    "tournament.keep": pgettext("button", "Save"),
    "tournament.joined": _("You joined the tournament."),
    "tournament.left": _("You left the tournament."),
    "tournament.bye-asked": _("You have a half-point bye in round {number}."),
    "tournament.added": _("{name} was added."),
    "tournament.invited": _("{name} was invited."),
    "tournament.bye-back": _("Your bye in round {number} was cancelled."),
    "tournament.half-points": ngettext(
        "half a point for {count} round", "half a point for each of {count} rounds"
    ),
    # Translators: for the rounds that a late player missed
    "tournament.no-half-points": _("no points"),
    "tournament.days": ngettext("{count} day", "{count} days"),
    "tournament.here": pgettext("player", "present"),
    "tournament.plays": pgettext("player", "playing"),
    "tournament.playing": _("Live games"),
    "tournament.live": pgettext("game", "Live"),
    # Translators: a player has won this many games in a row.
    "tournament.streak": ngettext("{count}-win streak", "{count}-win streak"),
    "tournament.players": ngettext("{count} player", "{count} players"),
    "tournament.rated": _("rated"),
    "tournament.casual": _("not rated"),
    "tournament.bots": _("Bots may join"),
    "tournament.minutes": ngettext("{count} minute", "{count} minutes"),
    "tournament.rounds": ngettext("{count} round", "{count} rounds"),
    # Translators: a match of that many games
    "tournament.best-of": _("best of {games}"),
    "tournament.double": _("double round"),
    "tournament.run-by": _("organised by {name}"),
    "tournament.numbered-player": _("Player {number}"),
    "tournament.round": _("Round {number} of {rounds}"),
    "tournament.last-games": _("Latest games"),
    # Translators: “bye” is a round without a game; {points} is 1, ½ or 0.
    "tournament.bye-points": _("bye {points}"),
    # Translators: {score} is a result, 1 to 0.
    "tournament.forfeit": _("{score} (not played)"),
    # Translators: the player of this game in a knockout is not known yet.
    "tournament.open-slot": _("to be decided"),
    "tournament.in-minutes": ngettext("In {count} minute", "In {count} minutes"),
    "tournament.at-a-time": _("At a chosen time"),
    "tournament-list.mine": _("Your tournaments"),
    "tournament-list.running": pgettext("tournaments", "In progress"),
    "tournament-list.open": pgettext("tournaments", "Upcoming"),
    "tournament-list.over": pgettext("tournaments", "Finished"),
    "tournament-list.no-mine": _("You have not joined a tournament yet."),
    "tournament-list.no-running": _("No tournaments in progress."),
    "tournament-list.no-open": _("No upcoming tournaments. Create one: it takes a minute."),
    "tournament-list.no-over": _("No finished tournaments yet."),
    "tournament-kind.round-robin": _("Round robin"),
    "tournament-kind.swiss": _("Swiss"),
    "tournament-kind.knockout": _("Knockout"),
    "tournament-kind.arena": _("Arena"),
    "tournament-what.round-robin": _("Everyone plays everyone. Up to 40 players, best with few."),
    "tournament-what.swiss": _("A few rounds against players with the same score."),
    "tournament-what.knockout": _("Losers are out, until one player is left."),
    "tournament-what.arena": _("Play as many games as you can in a set time."),
    "tournament-rule.round-robin": _("A win is worth 1 point, a draw ½."),
    "tournament-rule.swiss": _(
        "A win is worth 1 point, a draw ½. Nobody plays the same opponent twice, "
        "and players take turns moving first."
    ),
    "tournament-rule.knockout": _(
        "The top seeds meet last. A drawn match is extended by two games; if "
        "these are drawn too, the better seed advances."
    ),
    "tournament-rule.arena": _(
        "A win is worth 2 points, a draw 1. After two wins in a row, points count "
        "double until you fail to win. Berserk, giving up half your time before "
        "your first move, earns an extra point for a win. Only players with this "
        "page open are paired."
    ),
    "tournament-rule.bots": _(
        "Bots may join: accounts under which programs play, marked “(bot)”. A bot is paired while "
        "its event stream is open."
    ),
    "tournament-rule.byes": _(
        "With an odd number of players, one of those with the fewest points gets "
        "a full-point bye, at most once each. Each player can request up to "
        "{most} half-point byes."
    ),
    "tournament-rule.late": ngettext(
        "A player who is not there after {count} minute forfeits the game; two "
        "forfeits mean withdrawal.",
        "A player who is not there after {count} minutes forfeits the game; two "
        "forfeits mean withdrawal.",
    ),
    "tournament-rule.late-arena": ngettext(
        "A player who makes no first move within {count} second forfeits the game, and is not "
        "paired again until they return to this page.",
        "A player who makes no first move within {count} seconds forfeits the game, and is not "
        "paired again until they return to this page.",
    ),
    "tournament-rule.time": ngettext(
        "A round lasts {count} minute; unfinished games are then decided.",
        "A round lasts {count} minutes; unfinished games are then decided.",
    ),
    "tournament-state.announced": pgettext("state of a tournament", "Announced"),
    "tournament-state.registration": _("Registration open"),
    "tournament-state.check-in": pgettext("state of a tournament", "Check-in"),
    "tournament-state.starting": pgettext("state of a tournament", "Starting"),
    "tournament-state.running": pgettext("state of a tournament", "Running"),
    "tournament-state.paused": pgettext("state of a tournament", "Paused"),
    "tournament-state.over": pgettext("state of a tournament", "Finished"),
    "tournament-state.called-off": pgettext("state of a tournament", "Cancelled"),
    # Translators: a countdown follows.
    "tournament-next.opens": _("Registration opens in"),
    # Translators: a countdown follows.
    "tournament-next.check-in": _("Check-in opens in"),
    # Translators: a countdown follows.
    "tournament-next.begins": _("Starts in"),
    # Translators: a countdown follows.
    "tournament-next.ends": _("Ends in"),
    # Translators: a countdown follows.
    "tournament-next.round-ends": _("The round ends in"),
    "tournament-bye.bye": _("bye: 1 point"),
    "tournament-bye.half-bye": _("bye: ½ point"),
    "tournament-bye.zero-bye": _("bye: 0 points (absent)"),
    "tournament-bye.free": _("bye"),
    "tournament-bye.walkover": _("bye: advances"),
    "tournament-stage.final": pgettext("knockout", "Final"),
    "tournament-stage.semi": _("Semi-finals"),
    "tournament-stage.quarter": _("Quarter-finals"),
    "tournament-stage.third": pgettext("game for the third place", "Third place"),
    "standings.players": _("Players"),
    "standings.now": _("Standings"),
    "standings.final": _("Final standings"),
    "standings-head.points": _("Points"),
    "standings-head.rating": _("Rating"),
    "standings-head.games": _("Games"),
    "standings-head.wins": _("Wins"),
    "standings-head.performance": _("Performance"),
    "tie-break.buchholz-cut-1": _("Buchholz cut 1"),
    "tie-break.buchholz": _("Buchholz"),
    "tie-break.sonneborn-berger": _("Sonneborn-Berger"),
    "tie-break.direct-encounter": _("Direct encounter"),
    "tie-break.wins": _("Wins"),
    "tie-break.games-won": _("Games won"),
    "tie-break.performance": _("Performance"),
    "tie-how.buchholz-cut-1": _("The sum of your opponents' points, without the lowest."),
    "tie-how.buchholz": _("The sum of your opponents' points."),
    "tie-how.sonneborn-berger": _(
        "The points of the opponents you beat, plus half the points of those you drew with."
    ),
    "tie-how.direct-encounter": _("The games between the tied players."),
    "tie-how.wins": _("The number of rounds in which you scored a full point."),
    "tie-how.games-won": _("The number of games won at the board."),
    "tie-how.performance": _("The rating that your results against these opponents correspond to."),
    "tournament-own.in": _("You are registered. Come back when it starts, or stay on the site."),
    "tournament-own.check-in": _("Check in, or you will not be paired."),
    "tournament-own.here": _("You are checked in. It starts soon."),
    "tournament-own.place": _("Rank {rank}, points: {points}."),
    "tournament-own.out": _("You are out. Rank {rank}, points: {points}."),
    "tournament-own.final": _("Finished. Your rank: {rank}, points: {points}."),
    "tournament-own.waits": _(
        "Rank {rank}, points: {points}. You will be notified anywhere on the site "
        "when your next game starts."
    ),
    "tournament-own.waits-arena": _(
        "Rank {rank}, points: {points}. Stay on this page to be paired again."
    ),
    "tournament-do.start": pgettext("tournament", "Start now"),
    "tournament-do.pause": pgettext("tournament", "Pause"),
    "tournament-do.resume": pgettext("tournament", "Resume"),
    "tournament-do.end": pgettext("tournament", "End"),
    "tournament-do.call-off": _("Cancel tournament"),
    "tournament-do.new-code": _("New code"),
    "tournament-do.close-round": _("Next round"),
    "tournament-do.last-round": _("End the round"),
    "tournament-do.late": pgettext("button", "Late player"),
    "tournament-do.invite": _("Invite a player"),
    "tournament-doing.start": pgettext("tournament", "Starting…"),
    "tournament-doing.resume": pgettext("tournament", "Resuming…"),
    "tournament-doing.pause": pgettext("tournament", "Pausing…"),
    "tournament-doing.end": pgettext("tournament", "Ending…"),
    "tournament-doing.call-off": _("Cancelling…"),
    "tournament-doing.other": _("One moment…"),
    "tournament-action.offline": _("No connection. The buttons work again when it is back."),
    # Translators: {action} is the text of a button.
    "tournament-action.waiting": _(
        "No connection. “{action}” is repeated when it is back, within a minute."
    ),
    "tournament-action.repeating": _("The connection is back. “{action}” is repeated."),
    "tournament-action.too-late": _(
        "“{action}” was not repeated: the connection was away for too long. Look at the "
        "tournament as it is now, and press it again if you still want it."
    ),
    "tournament-action.refused": _("“{action}” was refused. Reload the page and try again."),
    "tournament-action.too-many": _("“{action}”: too many requests. Try again in a minute."),
    # Translators: numbers of players
    "arena.here": _("{entered} entered, {here} here."),
    "arena-why.paused": _("Nobody is paired during a pause."),
    "arena-why.nobody": _(
        "Nobody is paired: no player has this page open. A program is here while its event "
        "stream is open."
    ),
    "arena-why.alone": _("Nobody is paired yet: one player is here, and a second one is needed."),
    "arena-why.odd": _("One player waits until another game ends."),
    "arena-why.rematch": ngettext(
        "The free players have just met. They meet again after they have waited {seconds} second, "
        "or another opponent after the next game.",
        "The free players have just met. They meet again after they have waited {seconds} seconds, "
        "or another opponent after the next game.",
        by="seconds",
    ),
    "director.missing": ngettext("{count} result missing", "{count} results missing"),
    # Translators: numbers of players
    "director.checked-in": _("Check-in · {here} of {count} present"),
    "director.pairing": _("Pairing round {number}…"),
    "director.deciding": _("Deciding the last games…"),
    "director.ending": pgettext("tournament", "Ending…"),
    "director.ask-close": ngettext(
        "{count} game is still being played. The player with more time left wins it; with "
        "equal time, or without clocks, it is a draw.",
        "{count} games are still being played. The player with more time left wins; with "
        "equal time, or without clocks, a game is a draw.",
    ),
    "director.not-there": _("{name} has not opened the game"),
    "director.nobody-there": _("Neither has opened the game"),
    "tournament-ask.end": _("Games in progress are decided, and the standings become final."),
    "tournament-ask.call-off": _("The tournament will be cancelled. This cannot be undone."),
    "tournament-card.place": _("Rank {rank}, points: {points}"),
    "tournament-card.rating": _("Rating {rating}"),
    "tournament-card.gone": pgettext("player", "withdrawn"),
    "tournament-card.first": pgettext("seat", "first"),
    "tournament-card.second": pgettext("seat", "second"),
    "tournament-card.doubled": _("{points} (doubled)"),
    "tournament-card.plain": _("{points}"),
    # Translators: {part} is a number of points that a tie-break leaves out.
    "tournament-card.cut": _("[{part} does not count]"),
    "why.title": _("Why did these two meet?"),
    "why.title-bye": _("Why a bye?"),
    "why.board": _("Board {number}"),
    "why.first-round": _(
        "In the first round all players have 0 points, and the upper half of the seeding "
        "meets the lower half."
    ),
    "why.same-score": _(
        "Score group: both had a score of {points} before round {round}. A Swiss pairs "
        "players with the same number of points."
    ),
    "why.float-odd": ngettext(
        "Score group: {count} player had a score of {points}, an odd number. So {name} met a "
        "player of the next group, with a score of {other}.",
        "Score group: {count} players had a score of {points}, an odd number. So one of them, "
        "{name}, met a player of the next group, with a score of {other}.",
    ),
    "why.float-even": ngettext(
        "Score group: {count} player had a score of {points}. The rules on earlier meetings and "
        "first moves left no pairing inside the group, so {name} met a player with a score of "
        "{other}.",
        "Score group: {count} players had a score of {points}. The rules on earlier meetings and "
        "first moves left no pairing inside the group, so {name} met a player with a score of "
        "{other}.",
    ),
    "why.round-robin": _(
        "Everyone meets everyone. The table of rounds, which was fixed at the start, has this "
        "pair in round {round}."
    ),
    "why.knockout-first": _(
        "The bracket was drawn by seed at the start, so that the top seeds meet last."
    ),
    "why.knockout-later": _(
        "The bracket was drawn by seed at the start. Both reached this place in it."
    ),
    "why.knockout-game": _("This is game {number} of their match. They take turns moving first."),
    "why.arena": _(
        "Both were here and free at the same time. An arena pairs free players who are close in "
        "rank and rating; the longer a player waits, the less that matters."
    ),
    "why.not-met": _("They had not met before in this tournament."),
    "why.met": ngettext(
        "They had met {count} time before in this tournament.",
        "They had met {count} times before in this tournament.",
    ),
    "why.meeting-round": _("Round {number}"),
    "why.meeting-earlier": _("An earlier game of this arena"),
    "why.seats.both-due": _(
        "First move: it was {name}'s turn to move first, and the opponent's to move second."
    ),
    "why.seats.stronger": _(
        "First move: both were due the same turn. It went to the player who had missed it more "
        "often, so {name} moved first."
    ),
    "why.seats.last-turns": _(
        "First move: both were due the same turn. They swap the turns of the last round in which "
        "one of them moved first and the other second, so {name} moved first."
    ),
    "why.seats.rank": _(
        "First move: both were due the same turn for the same reason, so the rank decided: "
        "{name} moved first."
    ),
    "why.seats.seeding": _(
        "First move: neither had played yet. The seeding decided that {name} moved first."
    ),
    "why.seats.round-robin": _(
        "First move: the table of rounds lets everyone move first in about half of their games."
    ),
    "why.seats.arena": _(
        "First move: the player who had moved first less often; if both had equally often, the "
        "one who moved second in the last game."
    ),
    "why.bye.round-robin": _("The number of players is odd, so each has one round without a game."),
    "why.bye.knockout": _(
        "The number of players is not 4, 8, 16 and so on. The top seeds have a bye in the first "
        "round."
    ),
    "why.bye.half": _(
        "The player asked for a half-point bye, or joined late with half a point for this round."
    ),
    "why.bye.absent": _("The player did not take part in this round."),
    "why.bye.swiss": _(
        "An odd number of players took part in this round. The bye goes to a player with few "
        "points who has not had one, and counts as a win."
    ),
    # Translators: a series of tournaments
    "tournament-series.weekly": ngettext("every {count} day", "every {count} days"),
    "tournament-series.best": ngettext(
        "the best {count} result counts", "the best {count} results count"
    ),
    "tournament-series.all": _("all results count"),
    "tournament-series.ended": _("Series ended. The standings are kept."),
    "tournament-entry.open": pgettext("who can join", "Everyone"),
    "tournament-entry.code": _("Players with the code"),
    "tournament-entry.invitation": _("Invited players"),
    "tournament-entry.group": _("Members of {name}"),
    "tournament-pace.ready": _("When all games of the previous round have ended"),
    "tournament-pace.timed": _("When the time of the previous round is up"),
    "tournament-field.name": _("Name"),
    "tournament-field.clock": _("Time per player"),
    "tournament-field.when": pgettext("field", "Start"),
    "tournament-field.starts-at": _("Starts at (UTC)"),
    "tournament-field.rounds": _("Rounds"),
    "tournament-field.minutes": pgettext("field", "Minutes"),
    "tournament-field.best-of": _("Games per match"),
    "tournament-field.registration": _("Who can join"),
    "tournament-field.opens-at": _("Registration opens at (UTC)"),
    "tournament-field.about": _("Description"),
    "tournament-field.most": _("Maximum number of players"),
    "tournament-field.lowest": _("Minimum rating"),
    "tournament-field.highest": _("Maximum rating"),
    "tournament-field.check-in-minutes": _("Check-in (minutes)"),
    "tournament-field.late-minutes": _("Grace period (minutes)"),
    "tournament-field.round-minutes": _("Round length (minutes)"),
    "tournament-field.pace": _("Next round starts"),
    "tournament-field.best": _("Results that count"),
    "tournament-hint.opens-at": _("Leave empty to open immediately."),
    "tournament-hint.rounds": _("5 rounds are enough for 32 players, 7 for more."),
    "tournament-hint.best-of": _("1, 3, 5 or 7. Players take turns moving first."),
    "tournament-hint.check-in-minutes": _(
        "0: no check-in. Players who have not checked in are not paired."
    ),
    "tournament-hint.late-minutes": _("After this time, the game is forfeited."),
    "tournament-hint.round-minutes": _("0: until all games have ended."),
    "tournament-hint.best": _("0: all results."),
    "refused.event-time": _("Enter a date and a time."),
    "refused.no-player": _("There is no player with this name."),
}
