"""The steps that advance tournaments. A due step is run by the first server that leases it.

A step reads the tournament, decides what to do (`plan_step`), computes pairs outside of any
transaction, and stores everything in one transaction if the tournament still has the version that
was read. Otherwise, the result is discarded, and the step is planned again. A step is therefore
stored only once, even if several servers compute it or one of them is killed.

The wave of an arena is stored a few pairs at a time without comparing the version. Results arrive
while it is computed, so each pair is checked again when it is stored.
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
from lobby.ratings.standing import get_current_ratings
from lobby.tournaments import arena, rounds, series
from lobby.tournaments.field import Field, compute_pairs, get_field
from lobby.tournaments.field import PairingInput as RoundRequest
from lobby.tournaments.forfeits import decide_games
from lobby.tournaments.locking import lock_tournament, log_action, mark_changed
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
    get_next_check,
    get_wait_for_round,
    has_run_out,
    plan_step,
)
from lobby.tournaments.points import update_ranks
from lobby.webhooks.outbox import notify_of_tournament

LEASE = Lease("due_at", timedelta(seconds=30))
_AT_ONCE = 20  # the maximum number of tournaments that one process leases at a time
# Moves wait for these transactions on SQLite.
_SETTLED = 50  # the maximum number of games decided in one step
_PAIRS = 15  # the maximum number of an arena's pairs stored in one transaction
_RETRY_AFTER = timedelta(seconds=2)  # enough for the journal to end the decided games

_CANNOT = {
    "too-few-players": "event.cannot.too-few-players",
    "too-many-rounds": "event.cannot.too-many-rounds",
    "no-pairing-left": "event.cannot.no-pairing-left",
    "too-many-players": "event.cannot.too-many-players",
}

Kind, State = Tournament.Kind, Tournament.State
MatchCommands = list[tuple[str, SettleMatch]]


class Snapshot(Struct):
    """A tournament as it was read, the step to take, and the input for its computation."""

    tournament: Tournament
    plan: Plan
    field: Field | None = None
    absent: tuple[int, ...] = ()  # entries that do not play in the round to be paired
    wave: tuple[Pair, ...] = ()  # the pairs of an arena that are not stored yet


class Taken(Struct, frozen=True):
    """A due tournament that this process has leased."""

    id: str
    until: datetime


def lease_due_tournaments(now: datetime | None = None, but: Collection[str] = ()) -> list[Taken]:
    """Lease up to `_AT_ONCE` of the tournaments that are due, except those in `but`.

    Return those that were leased. Another process may have been faster to lease the others.
    """
    now = now or timezone.now()
    found = []
    due = LEASE.due(Tournament.objects.exclude(pk__in=list(but)).order_by("due_at"), now)
    for pk, due_at in due.values_list("pk", "due_at")[:_AT_ONCE]:
        until = LEASE.take(Tournament.objects.filter(pk=pk), due_at, now)
        if until is not None:
            found.append(Taken(pk, until))
    return found


def lease_tournament(tournament_id: str) -> bool:
    """Lease this tournament if it is due. Return whether it was leased."""
    now = timezone.now()
    mine = Tournament.objects.filter(pk=tournament_id)
    due_at = LEASE.due(mine, now).values_list("due_at", flat=True).first()
    return due_at is not None and LEASE.take(mine, due_at, now) is not None


def read_snapshot(tournament_id: str, now: datetime | None = None) -> Snapshot:
    """Read the tournament, and decide the next step. If an arena is to be paired, compute the wave.

    This uses no transaction, because moves would wait for it on SQLite. The tournament's row is
    read first: if later queries find newer rows, the version has changed as well, and the step is
    not stored. A wave is stored regardless of the version, because each pair is checked again.
    """
    now = now or timezone.now()
    tournament = Tournament.objects.select_related("group").get(pk=tournament_id)
    todo = _plan_step(tournament, now)
    if isinstance(todo, PairFree):
        return Snapshot(
            tournament, todo, wave=arena.compute_wave(arena.get_free_players(tournament, now))
        )
    if isinstance(todo, PairRound):
        field = get_field(tournament)
        return Snapshot(
            tournament, todo, field, rounds.list_absent_entries(tournament, todo.number)
        )
    return Snapshot(tournament, todo)


def build_pairing_input(snapshot: Snapshot) -> RoundRequest:
    """Return the input from which the pairs of the round are computed."""
    assert isinstance(snapshot.plan, PairRound) and snapshot.field is not None
    number, absent = snapshot.plan.number, snapshot.absent
    return RoundRequest.of(snapshot.tournament, snapshot.field, number, absent)


def store_step(
    snapshot: Snapshot,
    computed: tuple[Pair, ...] | CannotPair | None = None,
    now: datetime | None = None,
) -> MatchCommands:
    """Store the step, and return the commands for the journal, each with the id of its match.

    If the step is no longer valid, it is not stored, and the tournament is due again. A wave is
    stored in parts, so call this function again until `snapshot.wave` is empty.
    """
    now = now or timezone.now()
    with transaction.atomic():
        tournament = lock_tournament(snapshot.tournament.pk)
        if not _is_still_valid(snapshot, tournament):
            snapshot.wave = ()
            Tournament.objects.filter(pk=tournament.pk).update(due_at=now)
            return []
        asked = _carry_out(tournament, snapshot, computed, now)
        tournament.save()
    return asked


def run_step(tournament_id: str, now: datetime | None = None) -> MatchCommands:
    """Read, compute and store a step, and return the commands for the journal with match ids."""
    snapshot = read_snapshot(tournament_id, now)
    computed: tuple[Pair, ...] | CannotPair | None = None
    if isinstance(snapshot.plan, PairRound):
        try:
            computed = compute_pairs(build_pairing_input(snapshot))
        except CannotPair as cannot:
            computed = cannot
    asked = store_step(snapshot, computed, now)
    while snapshot.wave:
        asked += store_step(snapshot, computed, now)
    return asked


def _is_still_valid(snapshot: Snapshot, tournament: Tournament) -> bool:
    """Return whether the step can be stored, now that the tournament is locked.

    The version of the tournament must not have changed. A wave only requires that the arena is
    running and not paused.
    """
    if isinstance(snapshot.plan, PairFree):
        return tournament.state == State.RUNNING and not tournament.is_paused
    return tournament.version == snapshot.tournament.version


def _plan_step(tournament: Tournament, now: datetime) -> Plan:
    live: Sequence[Pairing] = ()
    if tournament.state == State.RUNNING:
        ends = tournament.ends_at
        goes_on = tournament.is_arena and ends is not None and ends > now
        # An arena takes a step every second, so do not read all of its games.
        live = list_live_pairings(tournament, decided=goes_on)
    return plan_step(tournament, live, _get_last_round(tournament), now)


def list_live_pairings(tournament: Tournament, decided: bool = False) -> Sequence[Pairing]:
    """Return the live games with their players and matches.

    If `decided` is true, return only forfeited games and games of removed players.
    """
    rows = Pairing.objects.filter(tournament=tournament, ended_at=None).order_by("pk")
    if decided:
        gone = Entry.State.REMOVED
        rows = rows.filter(Q(absent__gt=0) | Q(first__state=gone) | Q(second__state=gone))
    return list(rows.select_related("first__player", "second__player", "match"))


def _get_last_round(tournament: Tournament) -> Round | None:
    return Round.objects.filter(tournament=tournament).order_by("-number").first()


def _carry_out(
    tournament: Tournament,
    snapshot: Snapshot,
    computed: tuple[Pair, ...] | CannotPair | None,
    now: datetime,
) -> MatchCommands:
    match snapshot.plan:
        case Wait(until):
            tournament.due_at = until
        case Open():
            tournament.state = State.REGISTRATION
            log_action(tournament, None, "event.registration")
            mark_changed(tournament)
        case CheckIn():
            tournament.state = State.CHECK_IN
            log_action(tournament, None, "event.check-in")
            mark_changed(tournament)
        case Begin():
            start_tournament(tournament, now)
            mark_changed(tournament, now)
        case SettleGames(pairing_ids):
            return _settle_games(tournament, pairing_ids, now)
        case PairFree():
            some, snapshot.wave = snapshot.wave[:_PAIRS], snapshot.wave[_PAIRS:]
            tournament.due_at = arena.store_wave(tournament, some, now)
        case PairRound(number):
            _pair_round(tournament, number, computed, now)
        case Finish():
            finish_tournament(tournament, now)
            mark_changed(tournament)
    return []


def _settle_games(
    tournament: Tournament, pairing_ids: Sequence[int], now: datetime
) -> MatchCommands:
    last = _get_last_round(tournament)
    ends = tournament.ends_at
    over = (ends is not None and ends <= now) or (last is not None and has_run_out(last, now))
    wanted = [each for each in list_live_pairings(tournament) if each.pk in set(pairing_ids)]
    # The result of a match that has ended is about to be delivered.
    unheard = [each for each in wanted if each.match and each.match.status != Match.Status.LIVE]
    still_live = [each for each in wanted if each not in unheard]
    asked = decide_games(tournament, still_live[:_SETTLED], now, over)
    has_more = len(still_live) > _SETTLED
    is_awaited = bool(asked or unheard)
    mark_changed(tournament, now + _RETRY_AFTER if is_awaited and not has_more else now)
    return asked


def _pair_round(
    tournament: Tournament,
    number: int,
    computed: tuple[Pair, ...] | CannotPair | None,
    now: datetime,
) -> None:
    if isinstance(computed, CannotPair):
        log_action(tournament, None, _CANNOT[computed.code], round=number)
        finish_tournament(tournament, now)
        mark_changed(tournament)
        return
    assert computed is not None
    if tournament.kind != Kind.KNOCKOUT:
        rounds.store_round(tournament, number, computed, now)
        mark_changed(tournament, now)
        return
    live, last = list_live_pairings(tournament), _get_last_round(tournament)
    new = rounds.list_unstored_pairs(tournament, computed)
    stage = max((pair.round for pair in new), default=0)
    if not new and not live:
        finish_tournament(tournament, now)
        mark_changed(tournament)
    elif not new:
        tournament.due_at = get_next_check(live, last)
    elif stage > tournament.round and (wait := get_wait_for_round(tournament, last, now)):
        tournament.due_at = wait.until
    else:
        rounds.store_round(tournament, stage, new, now)
        mark_changed(tournament, now)


def finish_tournament(tournament: Tournament, now: datetime) -> None:
    """End a running tournament without live games, and create the next one of its series.

    The caller must lock and save the tournament.
    """
    tournament.state, tournament.ended_at = Tournament.State.OVER, now
    Round.objects.filter(tournament=tournament).update(is_over=True)
    Entry.objects.filter(tournament=tournament, playing__isnull=False).update(playing=None)
    update_ranks(tournament)
    log_action(tournament, None, "event.over")
    notify_of_tournament(tournament, "over", now)
    series.create_next_tournament(tournament, now)


def cancel_tournament(
    tournament: Tournament, now: datetime, why: str, by: Player | None = None
) -> None:
    """Cancel a tournament that has not started, and create the next one of its series.

    `why` is the code of a log message. The caller must lock and save the tournament.
    """
    tournament.state, tournament.ended_at = Tournament.State.CALLED_OFF, now
    log_action(tournament, by, why)
    notify_of_tournament(tournament, "called-off", now)
    series.create_next_tournament(tournament, now)


Kind, State = Tournament.Kind, Tournament.State


def start_tournament(tournament: Tournament, now: datetime) -> None:
    """Start a tournament, or cancel it if it has fewer than two players.

    After a check-in, players who have not checked in are withdrawn first. The caller must lock and
    save the tournament.
    """
    if tournament.state == State.CHECK_IN:
        _withdraw_absent_players(tournament)
    entries = list(
        Entry.objects.filter(tournament=tournament, state=Entry.State.IN).select_related("player")
    )
    if len(entries) < 2:
        cancel_tournament(tournament, now, "event.called-off.few")
        return
    strength = get_current_ratings({entry.player_id for entry in entries}, tournament.game, now)
    for entry in entries:
        entry.rating = strength[entry.player_id].rating_if_rated
    # Players without a rating are seeded as if they had the rating of new players. Among equals,
    # those who registered earlier come first.
    entries.sort(key=lambda entry: (-strength[entry.player_id].rating, entry.entered_at, entry.pk))
    for seed, entry in enumerate(entries, 1):
        entry.seed, entry.free_since = seed, now
    Entry.objects.bulk_update(entries, ["seed", "rating", "free_since"], batch_size=500)
    asked, tournament.rounds = tournament.rounds, count_rounds(tournament, len(entries))
    tournament.state, tournament.started_at = State.RUNNING, now
    if tournament.is_arena:
        tournament.ends_at = now + timedelta(minutes=tournament.minutes)
    log_action(tournament, None, "event.began", count=len(entries))
    notify_of_tournament(tournament, "began", now)
    if tournament.kind == Kind.SWISS and tournament.rounds < asked:
        log_action(tournament, None, "event.fewer-rounds", count=tournament.rounds)


def count_rounds(tournament: Tournament, players: int) -> int:
    """Return the number of rounds for `players` players, 0 for an arena.

    A Swiss has at most as many rounds as can be played without a rematch or a second bye.
    """
    match tournament.kind:
        case Kind.ROUND_ROBIN:
            return len(berger.build_rounds(players, tournament.is_double))
        case Kind.KNOCKOUT:
            return knockout.count_rounds(players)
        case Kind.SWISS:
            from lobby.tournaments.pairing import swiss  # a slow import that few processes need

            return min(tournament.rounds, swiss.get_max_rounds(players))
    return 0


def _withdraw_absent_players(tournament: Tournament) -> None:
    """Withdraw the players who have not checked in."""
    late = Entry.objects.filter(
        tournament=tournament, state=Entry.State.IN, checked_in_at=None
    ).select_related("player")
    for entry in late:
        log_action(tournament, None, "event.not-checked-in", name=entry.player.name)
    late.update(state=Entry.State.WITHDRAWN)
