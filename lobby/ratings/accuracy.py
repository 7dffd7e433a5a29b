"""How often players choose best where the best choice is proved, beside what their rating suggests.

Each analysis of a rated game leaves a row for each of its players: their rating of then, the moves
with a choice whose value the analysis proved, and how many of those kept it. What a rating suggests
is the share that others near it have kept. A player who keeps far more over their last games gets a
sign, which moderators may look at.

The site asks for the analyses itself: of one rated game in twenty, and of the last ones of a player
whose results are much better than expected. Whatever people ask for goes on beside them.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from django.utils import timezone

from games.engine import analysis
from games.engine.judgement import KEPT, judge
from games.messages import Message, build_message
from games.messages.refusal import Refused
from games.models import Analysis, Sign
from games.store.proof import replay_moves
from games.store.records import MatchRecord, get_record
from lobby.models import Accuracy
from lobby.ratings import ledger
from lobby.ratings.ledger import Entry

BAND = 200
"""Points of rating: those in one band are compared with each other."""

OFTEN = 20  # one in so many rated games is analysed anyway
MOST_WAITING = 20  # analyses that the site has asked for
SUSPECT_FROM = 1.5  # standard deviations of results from which a player's games are analysed
SUSPECT_GAMES = 5  # so many of them, the last ones
AMONG = 10  # the player's last analysed games
LEAST_MOVES = 40  # of the player, in them
OTHERS = 500  # games of others near the rating, the newest
LEAST_OTHERS = 20  # players among those
LEAST_THEIRS = 400  # moves
FROM = 3.0  # standard deviations by which the player keeps more


def ask_often(entry: Entry) -> None:
    """Have one rated game in so many analysed, whoever plays it: so it is known what is usual."""
    if entry.lot % OFTEN == 0:
        _ask([entry.key])


def ask_about(match_ids: Sequence[str], better_by: float) -> None:
    """Have a player's last rated games analysed, the newest first, if their results are better than
    expected by that many standard deviations. The sign itself comes when that is done."""
    if better_by >= SUSPECT_FROM:
        _ask(match_ids[:SUSPECT_GAMES])


def note(found: Analysis) -> None:
    """Note what an analysis says of the players of a rated game, and whether that is a sign."""
    entry = ledger.known([found.match_id]).get(found.match_id)
    stored = get_record(found.match_id)
    if stored is None or entry is None or not entry.counts or entry.second_id is None:
        return
    Accuracy.objects.filter(match=entry.key).delete()  # of an earlier version of the match
    for seat, player_id in enumerate((entry.first_id, entry.second_id)):
        moves, kept = choices(stored, found.looks, seat)
        rating = entry.side_of(player_id).before.rating
        Accuracy.objects.create(
            match_id=entry.key, player_id=player_id, game=entry.game,
            band=int(rating // BAND), moves=moves, kept=kept, at=entry.at,
        )  # fmt: skip
        said = far_more_accurate(player_id, entry.game)
        if said is not None:
            Sign.objects.bulk_create(
                [
                    Sign(
                        key=f"accurate:{player_id}:{entry.game}:{entry.at:%Y-%m}",  # once a month
                        kind=Sign.Kind.SUDDEN,
                        match_id=entry.key,
                        player_id=player_id,
                        said=said,
                        at=timezone.now(),
                    )
                ],
                ignore_conflicts=True,
            )


def choices(found: MatchRecord, looks: Sequence[Mapping[str, Any]], seat: int) -> tuple[int, int]:
    """How many moves of a seat were choices whose value is proved, and how many of those were best.

    A move is a choice if there was another, and something to lose.
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


def far_more_accurate(player_id: int, game: str) -> Message | None:
    """By how much the player keeps more of what is proved than others with such a rating, if by
    very much. Games differ in how hard they are, so their spread is measured among those others."""
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
    """The share of moves that others of this band keep, and how much more their games vary than
    single moves would; None if too little is known of them."""
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
    """Ask for the analyses of these matches, as many as may wait."""
    for match_id in match_ids:
        if analysis.waiting_for_site() >= MOST_WAITING:
            return
        stored = get_record(match_id)
        if stored is None:
            continue
        try:
            analysis.ask(stored.state, None)
        except Refused:
            continue
