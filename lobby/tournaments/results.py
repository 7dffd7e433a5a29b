"""The results of tournament matches, and the points that follow from them.

The result is read from the match as it is now, not from the event, so an event can be delivered
twice. A later decision by staff changes the points, but not who has been paired with whom.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import connection
from msgspec import Struct

from games.match.state import BOTH
from games.models import Attendance, Event, Match
from games.runtime.prepared_query import PreparedQuery
from lobby.models import Entry, Pairing, Tournament
from lobby.tournaments.locking import lock_tournament, log_action, mark_changed
from lobby.tournaments.pairing.field import DRAW, LOSS, WIN
from lobby.tournaments.points import update_ranks, update_scores

Kind, Status, Ended = Pairing.Kind, Match.Status, Match.Ended
_COLUMNS = (
    *("first_points", "second_points", "kind", "absent", "ended_at", "berserk"),
    "late_at",
)
# Plain SQL for many rows, because on SQLite moves wait while results are stored.
_KEEP = (
    f"UPDATE lobby_pairing SET {', '.join(f'{name} = %s' for name in _COLUMNS)}"  # nosec B608  # noqa: S608  # column names from the code
    " WHERE id = %s"
)
_SET_FREE = (
    "UPDATE lobby_entry SET playing_id = NULL, free_since = %s WHERE id = %s AND playing_id = %s"
)
_PLAY_ON = "UPDATE lobby_entry SET playing_id = %s WHERE id = %s AND playing_id IS NULL"
FIRST, SECOND = 1, 2
"""The bits of the seats, in columns that say who has moved, went berserk or is absent."""


class PairingResult(Struct, frozen=True):
    """The result of a pairing that follows from its match. Without points, the match is live."""

    first_points: int | None
    second_points: int | None
    kind: str
    absent: int
    ended_at: datetime | None
    berserk: int = 0


def note_results(events: Sequence[Event]) -> None:
    """Store the results of matches that ended or whose result changed."""
    store_results([event.match_id for event in events if event.kind != Event.Kind.BEGAN])


def store_results(match_ids: Collection[str]) -> None:
    """Store the current results of these matches, in the caller's transaction."""
    if not match_ids:
        return
    found: defaultdict[str, list[int]] = defaultdict(list)
    for tournament_id, pk in _pairings(match_ids):
        found[tournament_id].append(pk)
    for tournament_id in sorted(found):  # a fixed order prevents deadlocks
        _store_tournament_results(lock_tournament(tournament_id), found[tournament_id])


_pairings = PreparedQuery(
    lambda match_ids: Pairing.objects.filter(match__in=match_ids).values_list("tournament", "pk"),
    of=str,
)


def compute_result(match: Match, absent: int) -> PairingResult:
    """Return the result of a match. `absent` has the seats that are known to be absent.

    Points follow from the goals, as rating scores do. A voided match gives no points. In a
    cancelled match, the absent players forfeit (see `get_missing_seats`). If a match was abandoned
    or lost on time, the loser forfeits if they never moved.
    """
    berserk = match.berserk or 0
    if match.status == Status.LIVE:
        return PairingResult(None, None, Kind.PLAYED, absent, None, berserk)
    if match.ended == Ended.VOIDED:
        return PairingResult(LOSS, LOSS, Kind.FORFEIT, 0, match.ended_at, berserk)
    if match.status == Status.ABORTED:
        absent = absent or get_missing_seats(match)
        first = WIN if absent == SECOND else LOSS
        second = WIN if absent == FIRST else LOSS
        return PairingResult(first, second, Kind.FORFEIT, absent, match.ended_at, berserk)
    first_goal, second_goal = match.first_goal or 0, match.second_goal or 0
    if first_goal == second_goal:
        return PairingResult(DRAW, DRAW, Kind.PLAYED, 0, match.ended_at, berserk)
    first_won = first_goal > second_goal
    points = (WIN, LOSS) if first_won else (LOSS, WIN)
    loser = SECOND if first_won else FIRST
    if match.ended in (Ended.TIME, Ended.ABANDONED) and not match.acted & loser:
        return PairingResult(*points, Kind.FORFEIT, loser, match.ended_at, berserk)
    return PairingResult(*points, Kind.PLAYED, 0, match.ended_at, berserk)


def get_missing_seats(match: Match) -> int:
    """Return the seats that are absent from a match in which not both players have moved.

    A player who did not make a first move when it was their turn is absent. If nobody moved, an
    opponent who never opened the match is absent, too.
    """
    if match.acted:
        return BOTH - match.acted
    seats = match.rules.roles
    late = FIRST if match.rules.start.turn == seats[0] else SECOND
    seen = Attendance.objects.filter(match=match).values_list("first_at", "second_at")
    other = 1 if late == FIRST else 0
    return late if any(row[other] is not None for row in seen) else BOTH


def _store_tournament_results(tournament: Tournament, pairing_ids: Sequence[int]) -> None:
    changed_ones = []
    corrected = []
    rows = Pairing.objects.filter(pk__in=pairing_ids).select_related("match")
    for pairing in rows.order_by("pk"):
        assert pairing.match is not None and pairing.second_id is not None
        before = PairingResult(
            *(getattr(pairing, name) for name in PairingResult.__struct_fields__)
        )
        now = compute_result(pairing.match, pairing.absent)
        if now == before:
            continue
        if before.ended_at is not None:
            corrected.append(pairing)
        for name in PairingResult.__struct_fields__:
            setattr(pairing, name, getattr(now, name))
        if now.ended_at is not None:
            pairing.late_at = None
        changed_ones.append(pairing)
    if not changed_ones:
        return
    _store(changed_ones)
    concerned = {pk for each in changed_ones for pk in _get_entries(each)}
    update_scores(tournament, concerned)
    if not tournament.is_arena:
        _eliminate_absent(tournament, concerned)
    for pairing in corrected:
        log_action(tournament, None, "event.corrected", round=pairing.round, board=pairing.board)
    if tournament.state == Tournament.State.OVER:
        update_ranks(tournament)
    # Take the next step immediately, because a round may be over. An arena takes one every second.
    due = tournament.due_at if tournament.is_arena else None
    mark_changed(tournament, due)
    tournament.save(update_fields=["version", "due_at"])


def _store(pairings: Sequence[Pairing]) -> None:
    """Store the results of pairings. The players become free, or busy if the game is live again."""
    adapt = connection.ops.adapt_datetimefield_value
    results = [
        (
            *(
                adapt(v) if isinstance(v := getattr(each, name), datetime) else v
                for name in _COLUMNS
            ),
            each.pk,
        )
        for each in pairings
    ]
    over = [each for each in pairings if each.ended_at is not None]
    free = [(adapt(each.ended_at), pk, each.pk) for each in over for pk in _get_entries(each)]
    again = [
        (each.pk, pk) for each in pairings if each.ended_at is None for pk in _get_entries(each)
    ]
    with connection.cursor() as cursor:
        for sql, rows in ((_KEEP, results), (_SET_FREE, free), (_PLAY_ON, again)):
            if rows:
                cursor.executemany(sql, rows)
    # An absent player is not paired in an arena before returning to its page.
    bits = (FIRST, SECOND)
    away = [
        pk
        for each in over
        for pk, bit in zip(_get_entries(each), bits, strict=True)
        if each.absent & bit
    ]
    if away:
        Entry.objects.filter(pk__in=away).update(seen_at=None)


def _get_entries(pairing: Pairing) -> tuple[int, int]:
    assert pairing.second_id is not None  # a pairing with a match has two players
    return pairing.first_id, pairing.second_id


def _eliminate_absent(tournament: Tournament, entry_ids: Collection[int]) -> None:
    """Eliminate the players of these entries who have forfeited at least two games."""
    entries = Entry.objects.filter(pk__in=entry_ids, state=Entry.State.IN, forfeits__gte=2)
    out = list(entries.select_related("player"))
    for entry in out:
        log_action(tournament, None, "event.out", name=entry.player.name)
    Entry.objects.filter(pk__in=[entry.pk for entry in out]).update(state=Entry.State.OUT)
