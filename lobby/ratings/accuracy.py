"""Signs from accuracy: how often a player's moves keep a value that analysis has proved.

Each analysis of a rated game stores a row for each player: the band of the player's rating at that
time, the number of moves that were a choice with a proved value, and how many of those moves kept
the value. The expected share is the share that other players in the band have kept. If a player
keeps far more than that in recent games, a sign for moderators is stored.

Besides analyses that people request, the site requests some itself: of one rated game in twenty,
and of the last games of a player whose results are much better than expected.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from django.utils import timezone

from games.engine import analysis
from games.engine.verdicts import KEPT, judge
from games.messages import Message, build_message
from games.messages.refusal import Refused
from games.models import Analysis, Sign
from games.store.proof import replay_moves
from games.store.records import MatchRecord, get_record
from lobby.models import Accuracy
from lobby.ratings import ledger
from lobby.ratings.ledger import LedgerEntry

BAND = 200
"""The width of a band in rating points. Players are compared within their band."""

OFTEN = 20  # one in this many rated games is analysed as a sample
MOST_WAITING = 20  # the maximum number of pending analyses that the site itself requested
SUSPECT_FROM = 1.5  # games are analysed from this many standard deviations above the expectation
SUSPECT_GAMES = 5  # the number of the player's last games to analyse
AMONG = 10  # the number of the player's last analysed games to compare
LEAST_MOVES = 40  # the minimum number of the player's moves in these games
OTHERS = 500  # the maximum number of games of others in the band to compare with
LEAST_OTHERS = 20  # the minimum number of different players in the games of others
LEAST_THEIRS = 400  # the minimum number of moves in the games of others
FROM = 3.0  # a sign is stored from this many standard deviations above the expected share


def sample_analysis(entry: LedgerEntry) -> None:
    """Request the analysis of a rated game if it is in the random sample, one game in `OFTEN`."""
    if entry.lot % OFTEN == 0:
        _ask([entry.key])


def request_analyses(match_ids: Sequence[str], better_by: float) -> None:
    """Request analyses of a player's last games if the results are suspicious.

    The games are given newest first. `better_by` is the number of standard deviations by which the
    results exceed the expectation. The sign itself is stored when an analysis is done.
    """
    if better_by >= SUSPECT_FROM:
        _ask(match_ids[:SUSPECT_GAMES])


def store_accuracy(found: Analysis) -> None:
    """Store the accuracy of both players in an analysed rated game, and signs if there are any."""
    entry = ledger.get_known_entries([found.match_id]).get(found.match_id)
    stored = get_record(found.match_id)
    if stored is None or entry is None or not entry.counts or entry.second_id is None:
        return
    Accuracy.objects.filter(match=entry.key).delete()  # from an earlier analysis of the match
    for seat, player_id in enumerate((entry.first_id, entry.second_id)):
        moves, kept = count_choices(stored, found.looks, seat)
        rating = entry.side_of(player_id).before.rating
        Accuracy.objects.create(
            match_id=entry.key, player_id=player_id, game=entry.game,
            band=int(rating // BAND), moves=moves, kept=kept, at=entry.at,
        )  # fmt: skip
        said = find_unusual_accuracy(player_id, entry.game)
        if said is not None:
            Sign.objects.bulk_create(
                [
                    Sign(
                        # At most one sign per month.
                        key=f"accurate:{player_id}:{entry.game}:{entry.at:%Y-%m}",
                        kind=Sign.Kind.SUDDEN,
                        match_id=entry.key,
                        player_id=player_id,
                        said=said,
                        at=timezone.now(),
                    )
                ],
                ignore_conflicts=True,
            )


def count_choices(
    found: MatchRecord, looks: Sequence[Mapping[str, Any]], seat: int
) -> tuple[int, int]:
    """Return how many of a seat's moves were choices with a proved value, and how many kept it.

    A move is a choice if there was another legal move and the player had something to lose.
    """
    positions = replay_moves(found.state, found.moves).positions
    role = found.state.rules.roles[seat]
    kinds = []
    for position, move, look in zip(positions, found.moves, looks, strict=False):
        if move.role != role or not look or not look["proved"] or len(position.legal()) < 2:
            continue
        margin = look.get("margin")
        if look["value"] or (margin is not None and margin > -100):
            kinds.append(judge(look).kind)
    return len(kinds), kinds.count(KEPT)


def find_unusual_accuracy(player_id: int, game: str) -> Message | None:
    """Return a message if the player keeps far more proved values than others of similar strength.

    Some games are more difficult than others, so the spread is measured among these other players.
    """
    own = list(
        Accuracy.objects.filter(player=player_id, game=game, moves__gt=0)
        .order_by("-at")
        .values_list("band", "moves", "kept")[:AMONG]
    )
    moves, kept = sum(row[1] for row in own), sum(row[2] for row in own)
    if moves < LEAST_MOVES:
        return None
    expected = variance = 0.0
    for band in {row[0] for row in own}:
        usual = _usual(game, band, player_id)
        if usual is None:
            return None
        share, spread = usual
        here = sum(row[1] for row in own if row[0] == band)
        expected += here * share
        variance += here * share * (1 - share) * spread
    if kept - expected < FROM * sqrt(variance):
        return None
    return build_message(
        "sign.accurate", kept=kept, moves=moves, games=len(own), usual=round(100 * expected / moves)
    )


def _usual(game: str, band: int, but: int) -> tuple[float, float] | None:
    """Return the share of moves by others in the band that keep the value, and its overdispersion.

    Overdispersion is how much more games vary than independent moves would. Return None if there
    are too few players or moves.
    """
    others = list(
        Accuracy.objects.filter(game=game, band=band, moves__gt=0)
        .exclude(player=but)
        .order_by("-at")
        .values_list("player", "moves", "kept")[:OTHERS]
    )
    moves = sum(row[1] for row in others)
    if len({row[0] for row in others}) < LEAST_OTHERS or moves < LEAST_THEIRS:
        return None
    share = (sum(row[2] for row in others) + 1) / (moves + 2)
    unequal = [(kept - n * share) ** 2 / (n * share * (1 - share)) for _, n, kept in others]
    return share, max(1.0, sum(unequal) / len(unequal))


def _ask(match_ids: Sequence[str]) -> None:
    """Request analyses of these matches, until `MOST_WAITING` requests of the site are pending."""
    for match_id in match_ids:
        if analysis.count_site_requests() >= MOST_WAITING:
            return
        stored = get_record(match_id)
        if stored is None:
            continue
        try:
            analysis.request_analysis(stored.state, None)
        except Refused:
            continue
