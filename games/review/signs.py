"""Signs of unfair play for moderators to check, with the figures that they are based on.

A sign has no automatic effect, and each can have innocent causes, which `MEANINGS` lists. Signs
depend only on stored data; `games.review.sign_search` looks for them in ended matches.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from statistics import fmean, pstdev
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext

from games.boards import BOARDS
from games.match.state import NewMove
from games.messages import Message, build_message
from games.messages.refusal import Refused
from games.models import Connection, Match, Sign
from games.rules import Position
from games.runtime.prepared_query import FixedQuery, PreparedQuery
from games.store.proof import replay_moves
from games.store.records import MatchRecord
from games.store.seats import find_pairs_of_one_person

Kind = Sign.Kind

MEANINGS = {kind: build_message(f"meaning.{kind.value}") for kind in Kind}
"""The possible meanings of each kind of sign, including harmless ones, shown next to the sign."""

# Thresholds of the signs.
ABORTS_AMONG = 20  # the number of a player's last matches that are checked
ABORTS_FROM = 5  # the minimum number of aborted matches among these
RHYTHM_FROM = 12  # the minimum number of the player's moves, not counting the first
RHYTHM_SPREAD = 0.08  # the maximum standard deviation of the times, as a share of their mean
RHYTHM_SLOWER = 400  # the minimum mean time in milliseconds; nobody thinks about faster moves
PAIR_FROM = 8  # the minimum number of matches with a winner between two players in PAIR_DAYS
PAIR_DAYS = 30
PAIR_SHARE = 0.9  # the minimum share of these matches that the same player won
THROWN_LEAD = 3  # the minimum lead, in the unit of the game's score, such as boxes


sources: list[Callable[[MatchRecord], Iterator[Sign]]] = []
"""Other functions that yield signs of a finished match. `config.wiring` sets them."""


def find_signs(record: MatchRecord) -> Iterator[Sign]:
    """Yield the signs of a finished match between two people. Other matches have none."""
    state = record.state
    players = (state.first_id, state.second_id)
    if state.is_live or not state.is_readable or state.has_computer:
        return  # the match has no result yet, cannot be replayed, or affects nobody else
    for seat, player_id in enumerate(players):
        if state.ended == "aborted":
            if state.ended_by == seat:
                yield from _build_signs(Kind.ABORTS, record, player_id, find_many_aborts(player_id))
            continue
        role = state.rules.roles[seat]
        own = [move for move in record.moves if move.role == role]
        yield from _build_signs(Kind.RHYTHM, record, player_id, find_constant_rhythm(own))
        yield from _build_signs(Kind.THROWN, record, player_id, find_thrown(record, seat))
    winner = _get_winner(record)
    if winner is not None:
        yield from _build_signs(Kind.PAIR, record, winner, find_one_sided(*players, state.ended_at))
    yield from _build_signs(Kind.ADDRESS, record, players[0], find_one_address(state.id))
    for source in sources:
        yield from source(record)


def find_many_aborts(player_id: int) -> Message | None:
    """Return a message if the player aborted at least `ABORTS_FROM` recent matches, else None."""
    mine = Match.objects.filter(Q(first=player_id) | Q(second=player_id)).exclude(status="live")
    mine = mine.filter(first_level=None, second_level=None)  # only matches between people
    seats = "status", "ended_by", "first_id", "second_id"
    last = list(mine.order_by("-created_at").values_list(*seats)[:ABORTS_AMONG])
    at_one_screen = find_pairs_of_one_person((one, two) for _, _, one, two in last)
    last = [match for match in last if match[2:] not in at_one_screen]
    own = sum(
        status == "aborted" and ended_by == (0 if first == player_id else 1)
        for status, ended_by, first, _ in last
    )
    if own < ABORTS_FROM:
        return None
    return build_message("sign.aborts", own=own, count=len(last))


def find_constant_rhythm(moves: Sequence[NewMove]) -> Message | None:
    """Return a message if the pace of a player's moves was suspiciously even, else None."""
    times = [move.spent_ms for move in moves[1:]]
    if len(times) < RHYTHM_FROM:
        return None
    mean = fmean(times)
    if mean < RHYTHM_SLOWER:
        return None
    spread = pstdev(times)
    if spread > RHYTHM_SPREAD * mean:
        return None
    return build_message(
        "sign.rhythm",
        moves=len(times),
        mean=f"{mean / 1000:.1f}",
        spread=f"{spread / 1000:.2f}",
        share=round(100 * spread / mean),
    )


def find_one_sided(first_id: int, second_id: int, until: datetime | None) -> Message | None:
    """Return a message if one player of a pair won nearly all of their matches, else None.

    Only matches with a winner in the `PAIR_DAYS` before `until` are considered.
    """
    until = until or timezone.now()
    two = (first_id, second_id)
    won = [0, 0]
    for first, one, other in _goals_between(*two, until - timedelta(days=PAIR_DAYS), until):
        if one != other:
            winner = first if (one or 0) > (other or 0) else second_id + first_id - first
            won[two.index(winner)] += 1
    decided = sum(won)
    if decided < PAIR_FROM or max(won) < PAIR_SHARE * decided:
        return None
    return build_message("sign.pair", won=max(won), decided=decided, days=PAIR_DAYS)


_goals_between = FixedQuery(
    lambda one, other, after, until: (
        Match.objects.filter(first__in=(one, other), second__in=(one, other), status="over")
        .filter(ended_at__gt=after, ended_at__lte=until)
        .exclude(ended="voided")
        .values_list("first", "first_goal", "second_goal")
    ),
    *(int, int, datetime, datetime),
)


def find_one_address(match_id: str) -> Message | None:
    """Return a message if both players used the same network in the match, else None."""
    return build_message("sign.address") if any(_shared_addresses([match_id])) else None


_shared_addresses = PreparedQuery(
    lambda match_ids: (
        Connection.objects.filter(match__in=match_ids)
        .exclude(address="")
        .order_by()
        .values("match", "address")
        .annotate(seats=Count("seat", distinct=True))
        .filter(seats=2)
        .values_list("match", "address")
    ),
    of=str,
)


def find_thrown(record: MatchRecord, seat: int) -> Message | None:
    """Return a message if the player resigned or lost on time in a better position, else None."""
    state = record.state
    if state.ended not in {"resignation", "time"} or (state.goals or {}).get(
        state.rules.roles[seat]
    ):
        return None
    position = replay_moves(state, record.moves).positions[-1]
    code = "sign.resigned" if state.ended == "resignation" else "sign.timed-out"
    why = explain_lead(state.game, position, state.rules.roles[seat])
    return (
        build_message("sign.thrown", how=build_message(code, ply=state.ply), why=why)
        if why
        else None
    )


def explain_lead(game: str, position: Position, role: str) -> Message | None:
    """Return why a role stands better according to the game's rules alone, or None.

    A role stands better if its lead in the score is at least `THROWN_LEAD`, or if it can win with
    its next action.
    """
    other = next(each for each in position.roles if each != role)
    score = BOARDS[game].score
    own, others = score(position, role), score(position, other)
    if own is not None and others is not None and own - others >= THROWN_LEAD:
        return build_message("sign.ahead", own=own, others=others)
    if position.turn == role:
        for action in position.actions():
            goals = position.play(action).goals
            if goals is not None and goals[role] > goals[other]:
                return build_message("sign.winning", action=BOARDS[game].say(action))
    return None


def dismiss_sign(sign_id: int, by: Any) -> str:
    """Mark a sign as seen by a moderator. Raise `Refused` if it does not exist or has been seen."""
    unseen = Sign.objects.filter(pk=sign_id, seen_at=None)
    if unseen.update(seen_by=by, seen_at=timezone.now()):
        return gettext("Dismissed.")
    if Sign.objects.filter(pk=sign_id).exists():
        raise Refused("sign-seen")
    raise Refused("no-such")


def _build_signs(
    kind: Sign.Kind, record: MatchRecord, player_id: int, said: Message | None
) -> Iterator[Sign]:
    if said:
        at = record.state.ended_at or timezone.now()
        # A sign about a player rather than a match appears at most once in a calendar month.
        lasting = kind in {Kind.ABORTS, Kind.PAIR}
        key = (
            f"{kind}:{player_id}:{at:%Y-%m}" if lasting else f"{kind}:{player_id}:{record.state.id}"
        )
        yield Sign(
            key=key, kind=kind, match_id=record.state.id, player_id=player_id, said=said, at=at
        )


def _get_winner(record: MatchRecord) -> int | None:
    state = record.state
    if state.first_goal == state.second_goal:
        return None
    return state.first_id if (state.first_goal or 0) > (state.second_goal or 0) else state.second_id
