"""Signs from move accuracy: how often players choose the best move where analysis has proved it.

Each analysis of a rated game leaves a row for each of its players: their rating at the time, the
number of moves at which they had a choice whose value the analysis proved, and how many of those
moves kept that value. The expected share is the share that other players of about the same rating
have kept. A player who keeps far more than that over their last games gets a sign for moderators to
review.

The site requests the analyses itself: of one rated game in twenty, and of the last games of a
player whose results are much better than expected. Analyses requested by people are not affected.
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
"""Width of a band in rating points. Players are compared within their band."""

OFTEN = 20  # one of this many rated games is analysed in any case
MOST_WAITING = 20  # analyses requested by the site
SUSPECT_FROM = 1.5  # results this many standard deviations above expectation trigger analyses
SUSPECT_GAMES = 5  # number of the player's last games to analyse
AMONG = 10  # number of the player's last analysed games to compare
LEAST_MOVES = 40  # by the player, in those games
OTHERS = 500  # most recent games of other players in the band
LEAST_OTHERS = 20  # distinct players among them
LEAST_THEIRS = 400  # moves in their games
FROM = 3.0  # standard deviations above the others' share


def sample_analysis(entry: LedgerEntry) -> None:
    """Request an analysis of one rated game in `OFTEN`, as a sample of usual play."""
    if entry.lot % OFTEN == 0:
        _ask([entry.key])


def request_analyses(match_ids: Sequence[str], better_by: float) -> None:
    """Request analyses of a player's last games, given newest first, if their results look
    suspicious.

    `better_by` is the number of standard deviations by which the results exceed expectation. The
    sign itself is created when an analysis is done.
    """
    if better_by >= SUSPECT_FROM:
        _ask(match_ids[:SUSPECT_GAMES])


def store_accuracy(found: Analysis) -> None:
    """Store the accuracy of both players of an analysed rated game, and create signs if needed."""
    entry = ledger.get_known_entries([found.match_id]).get(found.match_id)
    stored = get_record(found.match_id)
    if stored is None or entry is None or not entry.counts or entry.second_id is None:
        return
    Accuracy.objects.filter(match=entry.key).delete()  # left by an earlier version of the match
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
                        key=f"accurate:{player_id}:{entry.game}:{entry.at:%Y-%m}",  # monthly
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
    """Return how many moves of a seat were choices with a proved value, and how many kept it.

    A move is a choice if another move was legal and the player had something to lose.
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
    """Return a message if the player keeps far more proved values than others of their rating.

    Games differ in difficulty, so the spread is measured among those other players.
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
    """Return the share of moves that other players in the band keep, and its overdispersion.

    The second value is how much more games vary than independent moves would. None if there are too
    few players or moves.
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
    """Request analyses of these matches, until the site has `MOST_WAITING` pending."""
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
