"""Advance tournaments: each step runs when it is due, on the first server that takes it.

A step reads the tournament, decides what to do (`plan`), computes pairs outside of any transaction,
and stores everything in one transaction if the tournament still has the version that was read.
Otherwise it stores nothing and the step is repeated. A step is therefore stored exactly once, even
if several servers compute it or one is killed halfway.

The wave of an arena is stored a few pairs at a time without checking the version: results
arrive while it is computed, so each pair is checked again when it is stored.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from msgspec import Struct

from games.match.commands import Settle as SettleMatch
from games.models import Match
from games.runtime.leases import Lease
from lobby.models import Entry, Pairing, Player, Round, Tournament
from lobby.ratings.standing import get_standings
from lobby.tournaments import arena, rounds, series
from lobby.tournaments.field import Field, field_of, pairs_of
from lobby.tournaments.field import PairingInput as RoundRequest
from lobby.tournaments.forfeits import settle
from lobby.tournaments.locking import changed, locked, note
from lobby.tournaments.pairing import berger, knockout
from lobby.tournaments.pairing.field import CannotPair, Pair
from lobby.tournaments.plan import (
    Begin,
    CheckIn,
    Finish,
    Open,
    PairFree,
    PairRound,
    Plan,
    SettleGames,
    Wait,
    has_run_out,
    next_moment,
    plan,
    wait_for_round,
)
from lobby.tournaments.points import rank
from lobby.webhooks.outbox import notify_of_tournament

LEASE = Lease("due_at", timedelta(seconds=30))
_AT_ONCE = 20  # tournaments that one process takes at a time
_SETTLED = 50  # games decided in one step; on SQLite, moves wait for the transaction
_PAIRS = 15  # of a wave in one transaction, for the same reason
_AGAIN = timedelta(seconds=2)  # until a decided game that is still live is decided again

_CANNOT = {
    "too-few-players": "event.cannot.too-few-players",
    "too-many-rounds": "event.cannot.too-many-rounds",
    "no-pairing-left": "event.cannot.no-pairing-left",
    "too-many-players": "event.cannot.too-many-players",
}

Kind, State = Tournament.Kind, Tournament.State
Asked = list[tuple[str, SettleMatch]]


class Snapshot(Struct):
    """A tournament as it was read, the step to do, and the input of its computation."""

    tournament: Tournament
    plan: Plan
    field: Field | None = None
    absent: tuple[int, ...] = ()  # entries that do not play in the round to pair
    wave: tuple[Pair, ...] = ()  # the pairs of an arena that are not stored yet


class Taken(Struct, frozen=True):
    """A due tournament that this process has leased."""

    id: str
    until: datetime


def take_due(now: datetime | None = None, but: Collection[str] = ()) -> list[Taken]:
    """Lease the tournaments that are due, except those in `but`, and return them."""
    now = now or timezone.now()
    found = []
    due = LEASE.due(Tournament.objects.exclude(pk__in=list(but)).order_by("due_at"), now)
    for pk, due_at in due.values_list("pk", "due_at")[:_AT_ONCE]:
        until = LEASE.take(Tournament.objects.filter(pk=pk), due_at, now)
        if until is not None:
            found.append(Taken(pk, until))
    return found


def take(tournament_id: str) -> bool:
    """Lease this tournament if it is due. Return whether it was leased."""
    now = timezone.now()
    mine = Tournament.objects.filter(pk=tournament_id)
    due_at = LEASE.due(mine, now).values_list("due_at", flat=True).first()
    return due_at is not None and LEASE.take(mine, due_at, now) is not None


def read(tournament_id: str, now: datetime | None = None) -> Snapshot:
    """Read the tournament and decide what to do. Computes the wave of an arena.

    Uses no transaction, because moves would wait for it on SQLite. The tournament's row is read
    first: if later reads see newer rows, the version has changed as well and nothing is stored.
    """
    now = now or timezone.now()
    tournament = Tournament.objects.select_related("group").get(pk=tournament_id)
    todo = _plan(tournament, now)
    if isinstance(todo, PairFree):
        return Snapshot(tournament, todo, wave=arena.wave(arena.waiting(tournament, now)))
    if isinstance(todo, PairRound):
        field = field_of(tournament)
        return Snapshot(tournament, todo, field, rounds.absent(tournament, todo.number))
    return Snapshot(tournament, todo)


def question(snapshot: Snapshot) -> RoundRequest:
    """Return the input from which the pairs of the round are computed."""
    assert isinstance(snapshot.plan, PairRound) and snapshot.field is not None
    number, absent = snapshot.plan.number, snapshot.absent
    return RoundRequest.of(snapshot.tournament, snapshot.field, number, absent)


def store(
    snapshot: Snapshot,
    computed: tuple[Pair, ...] | CannotPair | None = None,
    now: datetime | None = None,
) -> Asked:
    """Store the step, and return the commands for the journal by match.

    If the tournament has changed since it was read, nothing is stored and it is due again. A wave
    is stored in parts: call this until `snapshot.wave` is empty.
    """
    now = now or timezone.now()
    with transaction.atomic():
        tournament = locked(snapshot.tournament.pk)
        if not _holds(snapshot, tournament):
            snapshot.wave = ()
            Tournament.objects.filter(pk=tournament.pk).update(due_at=now)
            return []
        asked = _do(tournament, snapshot, computed, now)
        tournament.save()
    return asked


def step(tournament_id: str, now: datetime | None = None) -> Asked:
    """Run a whole step."""
    snapshot = read(tournament_id, now)
    computed: tuple[Pair, ...] | CannotPair | None = None
    if isinstance(snapshot.plan, PairRound):
        try:
            computed = pairs_of(question(snapshot))
        except CannotPair as cannot:
            computed = cannot
    asked = store(snapshot, computed, now)
    while snapshot.wave:
        asked += store(snapshot, computed, now)
    return asked


def _holds(snapshot: Snapshot, tournament: Tournament) -> bool:
    """Return whether the decision is still valid, now that the tournament is locked."""
    if isinstance(snapshot.plan, PairFree):
        return tournament.state == State.RUNNING and not tournament.is_paused
    return tournament.version == snapshot.tournament.version


def _plan(tournament: Tournament, now: datetime) -> Plan:
    live: Sequence[Pairing] = ()
    if tournament.state == State.RUNNING:
        ends = tournament.ends_at
        goes_on = tournament.is_arena and ends is not None and ends > now
        # An arena takes a step every second: skip reading all of its games.
        live = live_pairings(tournament, decided=goes_on)
    return plan(tournament, live, _last(tournament), now)


def live_pairings(tournament: Tournament, decided: bool = False) -> Sequence[Pairing]:
    """Return the live games with their players and matches.

    With `decided`, return only forfeited games and those of removed players.
    """
    rows = Pairing.objects.filter(tournament=tournament, ended_at=None).order_by("pk")
    if decided:
        gone = Entry.State.REMOVED
        rows = rows.filter(Q(absent__gt=0) | Q(first__state=gone) | Q(second__state=gone))
    return list(rows.select_related("first__player", "second__player", "match"))


def _last(tournament: Tournament) -> Round | None:
    return Round.objects.filter(tournament=tournament).order_by("-number").first()


def _do(
    tournament: Tournament,
    snapshot: Snapshot,
    computed: tuple[Pair, ...] | CannotPair | None,
    now: datetime,
) -> Asked:
    match snapshot.plan:
        case Wait(until):
            tournament.due_at = until
        case Open():
            tournament.state = State.REGISTRATION
            note(tournament, None, "event.registration")
            changed(tournament)
        case CheckIn():
            tournament.state = State.CHECK_IN
            note(tournament, None, "event.check-in")
            changed(tournament)
        case Begin():
            begin(tournament, now)
            changed(tournament, now)
        case SettleGames(pairing_ids):
            return _settled(tournament, pairing_ids, now)
        case PairFree():
            some, snapshot.wave = snapshot.wave[:_PAIRS], snapshot.wave[_PAIRS:]
            tournament.due_at = arena.pair_free(tournament, some, now)
        case PairRound(number):
            _pair_round(tournament, number, computed, now)
        case Finish():
            finish(tournament, now)
            changed(tournament)
    return []


def _settled(tournament: Tournament, pairing_ids: Sequence[int], now: datetime) -> Asked:
    last = _last(tournament)
    ends = tournament.ends_at
    over = (ends is not None and ends <= now) or (last is not None and has_run_out(last, now))
    wanted = [each for each in live_pairings(tournament) if each.pk in set(pairing_ids)]
    # The result of a match that has ended is about to be delivered.
    unheard = [each for each in wanted if each.match and each.match.status != Match.Status.LIVE]
    still_live = [each for each in wanted if each not in unheard]
    asked = settle(tournament, still_live[:_SETTLED], now, over)
    has_more = len(still_live) > _SETTLED
    is_awaited = bool(asked or unheard)
    changed(tournament, now + _AGAIN if is_awaited and not has_more else now)
    return asked


def _pair_round(
    tournament: Tournament,
    number: int,
    computed: tuple[Pair, ...] | CannotPair | None,
    now: datetime,
) -> None:
    if isinstance(computed, CannotPair):
        note(tournament, None, _CANNOT[computed.code], round=number)
        finish(tournament, now)
        changed(tournament)
        return
    assert computed is not None
    if tournament.kind != Kind.KNOCKOUT:
        rounds.store_round(tournament, number, computed, now)
        changed(tournament, now)
        return
    live, last = live_pairings(tournament), _last(tournament)
    new = rounds.not_yet(tournament, computed)
    stage = max((pair.round for pair in new), default=0)
    if not new and not live:
        finish(tournament, now)
        changed(tournament)
    elif not new:
        tournament.due_at = next_moment(live, last)
    elif stage > tournament.round and (wait := wait_for_round(tournament, last, now)):
        tournament.due_at = wait.until
    else:
        rounds.store_round(tournament, stage, new, now)
        changed(tournament, now)


def finish(tournament: Tournament, now: datetime) -> None:
    """End a running tournament without live games. The caller has locked it."""
    tournament.state, tournament.ended_at = Tournament.State.OVER, now
    Round.objects.filter(tournament=tournament).update(is_over=True)
    Entry.objects.filter(tournament=tournament, playing__isnull=False).update(playing=None)
    rank(tournament)
    note(tournament, None, "event.over")
    notify_of_tournament(tournament, "over", now)
    series.make_next(tournament, now)


def call_off(tournament: Tournament, now: datetime, why: str, by: Player | None = None) -> None:
    """Cancel a tournament that has not started. The caller has locked it.

    `why` is the code of a log message.
    """
    tournament.state, tournament.ended_at = Tournament.State.CALLED_OFF, now
    note(tournament, by, why)
    notify_of_tournament(tournament, "called-off", now)
    series.make_next(tournament, now)


Kind, State = Tournament.Kind, Tournament.State


def begin(tournament: Tournament, now: datetime) -> None:
    """Start a tournament, or cancel it with fewer than two players. The caller has locked it."""
    if tournament.state == State.CHECK_IN:
        _leave_out(tournament)
    entries = list(
        Entry.objects.filter(tournament=tournament, state=Entry.State.IN).select_related("player")
    )
    if len(entries) < 2:
        call_off(tournament, now, "event.called-off.few")
        return
    strength = get_standings({entry.player_id for entry in entries}, tournament.game, now)
    for entry in entries:
        entry.rating = strength[entry.player_id].rating_if_rated
    # Players without a rating are seeded at the rating of new players. Registration decides ties.
    entries.sort(key=lambda entry: (-strength[entry.player_id].rating, entry.entered_at, entry.pk))
    for seed, entry in enumerate(entries, 1):
        entry.seed, entry.free_since = seed, now
    Entry.objects.bulk_update(entries, ["seed", "rating", "free_since"], batch_size=500)
    asked, tournament.rounds = tournament.rounds, rounds_for(tournament, len(entries))
    tournament.state, tournament.started_at = State.RUNNING, now
    if tournament.is_arena:
        tournament.ends_at = now + timedelta(minutes=tournament.minutes)
    note(tournament, None, "event.began", count=len(entries))
    notify_of_tournament(tournament, "began", now)
    if tournament.kind == Kind.SWISS and tournament.rounds < asked:
        note(tournament, None, "event.fewer-rounds", count=tournament.rounds)


def rounds_for(tournament: Tournament, players: int) -> int:
    """Return the number of rounds for that many players, 0 for an arena.

    A Swiss has at most as many rounds as a player has opponents.
    """
    match tournament.kind:
        case Kind.ROUND_ROBIN:
            return len(berger.rounds(players, tournament.is_double))
        case Kind.KNOCKOUT:
            return knockout.stages(players)
        case Kind.SWISS:
            from lobby.tournaments.pairing import swiss  # a slow import that few processes need

            return min(tournament.rounds, swiss.most_rounds(players))
    return 0


def _leave_out(tournament: Tournament) -> None:
    """Withdraw the players who have not checked in."""
    late = Entry.objects.filter(
        tournament=tournament, state=Entry.State.IN, checked_in_at=None
    ).select_related("player")
    for entry in late:
        note(tournament, None, "event.not-checked-in", name=entry.player.name)
    late.update(state=Entry.State.WITHDRAWN)
