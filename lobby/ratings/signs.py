"""Signs of rating abuse for moderators, each with the figures that it is based on.

A sign has no effect until a moderator acts. Each may have innocent causes, which are displayed next
to it. The search starts from one rated match, and covers the latest rated matches of both players
in the same game.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from math import sqrt

from msgspec import Struct

from games.messages import Message, build_message
from games.models import Match, Sign
from games.rules import GAMES
from games.runtime.prepared_query import FixedQuery, PreparedQuery
from games.store.records import MatchRecord
from lobby.models import Player
from lobby.ratings import accuracy, ledger
from lobby.ratings.glicko import compute_mutual_expected_score
from lobby.ratings.ledger import Kind, LedgerEntry

# Thresholds of the signs.
LOST_AMONG = 7  # the number of the player's last games to consider
LOST_FROM = 3  # the minimum number of quick losses to weaker players among these
FARM_AMONG = 30
FARM_FROM = 10  # the minimum number of games that the player must have won
FARM_OPPONENTS = 2  # the number of most frequently beaten opponents to consider
FARM_SHARE = 0.7  # the minimum share of the wins that were against these opponents
FARM_EASY = 0.5  # the minimum share of those wins that were short or against a new account
NEW_DAYS = 14  # days for which an account is new
SUDDEN_AMONG = 15
SUDDEN_FROM = 3.0  # standard deviations by which the results must exceed the expectation
WIDE_GAMES = 40
WIDE_DEVIATION = 100.0  # a deviation of at least this is unusual after `WIDE_GAMES` games


class PlayerGame(Struct, frozen=True):
    """A rated game from the view of one player."""

    entry: LedgerEntry
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
        return compute_mutual_expected_score(own.before, other.before, advantage)


def find_signs(record: MatchRecord) -> Iterator[Sign]:
    """Yield the signs of a match, if it was rated.

    Also request analyses, which may later add signs about the accuracy of moves.
    """
    entry = (
        ledger.get_known_entries([record.state.id]).get(record.state.id)
        if record.state.rated
        else None
    )
    if entry is None or not entry.counts or entry.second_id is None:
        return
    accuracy.sample_analysis(entry)
    for player in entry.players:
        games = list_last_games(player, entry)
        better = compute_excess(games[:SUDDEN_AMONG])
        accuracy.request_analyses([game.entry.key for game in games], better)
        for kind, said in (
            (Sign.Kind.LOSING, find_deliberate_losses(games[:LOST_AMONG])),
            (Sign.Kind.FARMING, find_farming(games)),
            (Sign.Kind.SUDDEN, find_sudden_strength(games[:SUDDEN_AMONG])),
            (Sign.Kind.WIDE, find_rating_manipulation(entry, player)),
        ):
            if said is not None:
                key = f"{kind}:{player}:{entry.game}:{entry.at:%Y-%m}"  # at most one sign per month
                yield Sign(
                    key=key, kind=kind, match_id=entry.key, player_id=player, said=said, at=entry.at
                )


def list_last_games(player_id: int, until: LedgerEntry) -> list[PlayerGame]:
    """Return up to `FARM_AMONG` of the player's rated games up to an entry, newest first."""
    rows = [row for last in _last_games for row in last(player_id, until.game, until.at)]
    found = sorted(map(ledger.parse_entry, rows), key=lambda entry: entry.position, reverse=True)
    del found[FARM_AMONG:]
    lengths = dict(_lengths([entry.key for entry in found]))
    return [PlayerGame(entry, player_id, lengths.get(entry.key, 0)) for entry in found]


def _prepare_last_games(seat: str) -> FixedQuery:
    """Prepare the query for a player's last games in one seat, in a game and up to a time."""
    return FixedQuery(
        lambda player_id, game, until: (
            ledger.get_current_revisions(game)
            .exclude(kind=Kind.REVERSED)
            .filter(second__isnull=False, at__lte=until, **{seat: player_id})
            .order_by("-at", "-lot")
            .values_list(*ledger.COLUMNS)[:FARM_AMONG]
        ),
        *(int, str, datetime),
    )


_last_games = _prepare_last_games("first"), _prepare_last_games("second")
_lengths = PreparedQuery(
    lambda ids: Match.objects.filter(pk__in=ids).values_list("pk", "ply"), of=str
)


def find_deliberate_losses(games: Sequence[PlayerGame]) -> Message | None:
    """Return a message if the player often lost quickly against weaker players.

    The latest game must be one of these losses.
    """
    lost = [game for game in games if game.score == 0 and game.is_short and game.expected > 0.5]
    if not games or games[0] not in lost or len(lost) < LOST_FROM:
        return None
    return build_message(
        "sign.losing",
        lost=len(lost),
        among=len(games),
        plies=GAMES[games[0].entry.game].short_plies,
    )


def find_farming(games: Sequence[PlayerGame]) -> Message | None:
    """Return a message if most of the player's wins were against one or two opponents.

    Many of those wins must have been short, or against a new account.
    """
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


def find_sudden_strength(games: Sequence[PlayerGame]) -> Message | None:
    """Return a message if the player's results are far better than their ratings predict."""
    if compute_excess(games) < SUDDEN_FROM:
        return None
    scored, expected = sum(game.score for game in games), sum(game.expected for game in games)
    return build_message(
        "sign.sudden", scored=f"{scored:g}", expected=f"{expected:.1f}", among=len(games)
    )


def compute_excess(games: Sequence[PlayerGame]) -> float:
    """Return by how many standard deviations the results exceed the expectation.

    Return 0 if there are fewer than `SUDDEN_AMONG` games.
    """
    expected = [game.expected for game in games]
    spread = sqrt(sum(each * (1 - each) for each in expected))
    if len(games) < SUDDEN_AMONG or not spread:
        return 0.0
    return (sum(game.score for game in games) - sum(expected)) / spread


def find_rating_manipulation(entry: LedgerEntry, player_id: int) -> Message | None:
    """Return a message if the player's rating is still unreliable after many games."""
    side = entry.side_of(player_id)
    if side.games < WIDE_GAMES or side.after.deviation < WIDE_DEVIATION:
        return None
    return build_message("sign.wide", games=side.games, deviation=round(side.after.deviation))
