"""Signs in rated games that moderators may want to look at, each with the figures it rests on.

None acts by itself, and each has innocent causes, which are shown beside it. What is searched is a
match that has been rated, with the last rated games of its two players in that game.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from math import sqrt

from django.db.models import Q
from msgspec import Struct

from games.messages import Message, build_message
from games.models import Match, Sign
from games.rules import GAMES
from games.store.records import MatchRecord
from lobby.models import Player
from lobby.ratings import accuracy, ledger
from lobby.ratings.glicko import expected_score
from lobby.ratings.ledger import Entry, Kind

# When a sign is given.
LOST_AMONG = 7  # the player's last games
LOST_FROM = 3  # so many of them lost soon, to somebody weaker
FARM_AMONG = 30
FARM_FROM = 10  # games won
FARM_OPPONENTS = 2  # so few opponents
FARM_SHARE = 0.7  # have given so much of the wins
FARM_EASY = 0.5  # and so much of those were short, or against a new account
NEW_DAYS = 14  # so long an account is new
SUDDEN_AMONG = 15
SUDDEN_FROM = 3.0  # standard deviations by which results are better than the ratings expect
WIDE_GAMES = 40
WIDE_DEVIATION = 100.0  # after so many games; others have less than 80 by then


class Played(Struct, frozen=True):
    """A rated game as one of its players sees it."""

    entry: Entry
    player_id: int
    plies: int

    @property
    def is_first(self) -> bool:
        return self.entry.first_id == self.player_id

    @property
    def opponent_id(self) -> int:
        return (self.entry.second_id if self.is_first else self.entry.first_id) or 0

    @property
    def score(self) -> float:
        score = self.entry.score or 0.0
        return score if self.is_first else 1 - score

    @property
    def is_short(self) -> bool:
        return self.plies <= GAMES[self.entry.game].short_plies

    @property
    def expected(self) -> float:
        own, other = self.entry.side_of(self.player_id), self.entry.side_of(self.opponent_id)
        advantage = self.entry.advantage if self.is_first else -self.entry.advantage
        return expected_score(own.before, other.before, advantage)


def signs_of(record: MatchRecord) -> Iterator[Sign]:
    """The signs of a match, if it was rated. Those in its moves come later, from its analysis: it
    is asked for here."""
    entry = ledger.known([record.state.id]).get(record.state.id) if record.state.rated else None
    if entry is None or not entry.counts or entry.second_id is None:
        return
    accuracy.ask_often(entry)
    for player in entry.players:
        games = last_games(player, entry, FARM_AMONG)
        better = better_by(games[:SUDDEN_AMONG])
        accuracy.ask_about([game.entry.key for game in games], better)
        for kind, said in (
            (Sign.Kind.LOSING, lost_on_purpose(games[:LOST_AMONG])),
            (Sign.Kind.FARMING, farmed(games)),
            (Sign.Kind.SUDDEN, suddenly_strong(games[:SUDDEN_AMONG])),
            (Sign.Kind.WIDE, rating_manipulation(entry, player)),
        ):
            if said is not None:
                key = f"{kind}:{player}:{entry.game}:{entry.at:%Y-%m}"  # once a month
                yield Sign(
                    key=key, kind=kind, match_id=entry.key, player_id=player, said=said, at=entry.at
                )


def last_games(player_id: int, until: Entry, most: int) -> list[Played]:
    """The player's rated games up to that one, the newest first."""
    rows = ledger.current(until.game).exclude(kind=Kind.REVERSED)
    rows = rows.filter(second__isnull=False, at__lte=until.at).order_by("-at", "-lot")
    found = [
        entry
        for own in (Q(first=player_id), Q(second=player_id))
        for entry in ledger.entries(rows.filter(own)[:most])
    ]
    found.sort(key=lambda entry: entry.position, reverse=True)
    plies = Match.objects.filter(pk__in=[entry.key for entry in found[:most]])
    lengths = dict(plies.values_list("pk", "ply"))
    return [Played(entry, player_id, lengths.get(entry.key, 0)) for entry in found[:most]]


def lost_on_purpose(games: Sequence[Played]) -> Message | None:
    """How many of these games the player lost soon although they were stronger, if many."""
    lost = [game for game in games if game.score == 0 and game.is_short and game.expected > 0.5]
    if not games or games[0] not in lost or len(lost) < LOST_FROM:
        return None
    return build_message(
        "sign.losing",
        lost=len(lost),
        among=len(games),
        plies=GAMES[games[0].entry.game].short_plies,
    )


def farmed(games: Sequence[Played]) -> Message | None:
    """How many wins came from how few opponents who were easy to beat, if nearly all did."""
    won = [game for game in games if game.score == 1]
    if len(won) < FARM_FROM:
        return None
    most = Counter(game.opponent_id for game in won).most_common(FARM_OPPONENTS)
    few = dict(most)
    share = sum(few.values()) / len(won)
    given = [game for game in won if game.opponent_id in few]
    joined = dict(Player.objects.filter(pk__in=few).values_list("pk", "date_joined"))
    new = timedelta(days=NEW_DAYS)
    easy = [
        game
        for game in given
        if game.is_short or game.entry.at - joined.get(game.opponent_id, game.entry.at) < new
    ]
    if share < FARM_SHARE or len(easy) < FARM_EASY * len(given):
        return None
    return build_message(
        "sign.farming", won=len(won), given=len(given), opponents=len(few), easy=len(easy)
    )


def suddenly_strong(games: Sequence[Played]) -> Message | None:
    """By how much the player's results are better than the ratings expect, if by very much."""
    if better_by(games) < SUDDEN_FROM:
        return None
    scored, expected = sum(game.score for game in games), sum(game.expected for game in games)
    return build_message(
        "sign.sudden", scored=f"{scored:g}", expected=f"{expected:.1f}", among=len(games)
    )


def better_by(games: Sequence[Played]) -> float:
    """By how many standard deviations the results are better than the ratings expect; 0 for fewer
    than SUDDEN_AMONG games."""
    expected = [game.expected for game in games]
    spread = sqrt(sum(each * (1 - each) for each in expected))
    if len(games) < SUDDEN_AMONG or not spread:
        return 0.0
    return (sum(game.score for game in games) - sum(expected)) / spread


def rating_manipulation(entry: Entry, player_id: int) -> Message | None:
    """How uncertain a rating still is after many games, if it is."""
    side = entry.side_of(player_id)
    if side.games < WIDE_GAMES or side.after.deviation < WIDE_DEVIATION:
        return None
    return build_message("sign.wide", games=side.games, deviation=round(side.after.deviation))
