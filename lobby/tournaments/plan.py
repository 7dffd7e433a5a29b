"""The decision about the next step of a tournament, based on its database rows."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from lobby.models import Entry, Pairing, Round, Tournament

Kind, State, Pace = Tournament.Kind, Tournament.State, Tournament.Pace


class Wait(Struct, frozen=True):
    """Do nothing until the given time, or until somebody acts or a result arrives.

    If the time is None, only an action or a result leads to another step.
    """

    until: datetime | None


class Open(Struct, frozen=True):
    """Open the registration."""


class CheckIn(Struct, frozen=True):
    """Start the check-in."""


class Begin(Struct, frozen=True):
    """Start the tournament, or cancel it if it has too few players."""


class PairRound(Struct, frozen=True):
    """Pair a round. In a knockout, pair the next games of its matches."""

    number: int


class PairFree(Struct, frozen=True):
    """Pair the free players of an arena."""


class SettleGames(Struct, frozen=True):
    """Decide these live games.

    A player may be absent or removed, or the time may be over.
    """

    pairings: tuple[int, ...]


class Finish(Struct, frozen=True):
    """End the tournament, because all games have been played or its time is over."""


Plan = Wait | Open | CheckIn | Begin | PairRound | PairFree | SettleGames | Finish


def plan_step(
    tournament: Tournament, live: Sequence[Pairing], last: Round | None, now: datetime
) -> Plan:
    """Return the next step.

    `live` are the live games. Until the time of an arena is over, only those that are declared
    forfeited or have a removed player are needed. `last` is the last round, or None.
    """
    if tournament.state == State.RUNNING:
        if tournament.paused_at is None:
            return _plan_while_running(tournament, live, last, now)
        # Games that the organiser has declared forfeited end during a pause, too. Games of removed
        # players are decided when the tournament is resumed.
        decided = tuple(each.pk for each in live if each.absent)
        return SettleGames(decided) if decided else Wait(None)
    return _plan_before_start(tournament, now)


def _plan_before_start(tournament: Tournament, now: datetime) -> Plan:
    starts, minutes = tournament.starts_at, timedelta(minutes=tournament.check_in_minutes)
    match tournament.state:
        case State.ANNOUNCED:
            opens = tournament.opens_at
            return Open() if opens is None or opens <= now else Wait(opens)
        case State.REGISTRATION if starts > now:
            return CheckIn() if minutes and starts - minutes <= now else Wait(starts - minutes)
        case State.REGISTRATION | State.CHECK_IN:
            return Begin() if starts <= now else Wait(starts)
    return Wait(None)


def _plan_while_running(
    tournament: Tournament, live: Sequence[Pairing], last: Round | None, now: datetime
) -> Plan:
    ends = tournament.ends_at
    is_ending = ends is not None and ends <= now
    has_ended = is_ending or (last is not None and has_run_out(last, now))
    if due := tuple(each.pk for each in live if has_ended or is_due(each, now)):
        return SettleGames(due)
    if is_ending:
        return Finish()
    return PairFree() if tournament.is_arena else _plan_next_round(tournament, live, last, now)


def _plan_next_round(
    tournament: Tournament, live: Sequence[Pairing], last: Round | None, now: datetime
) -> Plan:
    if tournament.kind == Kind.KNOCKOUT:  # a match continues while others of its round are played
        return PairRound(max(tournament.round, 1))
    if live:
        return Wait(get_next_check(live, last))
    if tournament.round >= tournament.rounds:
        return Finish()
    return get_wait_for_round(tournament, last, now) or PairRound(tournament.round + 1)


def is_due(pairing: Pairing, now: datetime) -> bool:
    """Return whether a live game must be decided, or its players' arrival must be checked."""
    assert pairing.second is not None  # a bye is never live
    removed = Entry.State.REMOVED in (pairing.first.state, pairing.second.state)
    return bool(pairing.absent) or removed or (pairing.late_at or now) < now


def has_run_out(last: Round, now: datetime) -> bool:
    """Return whether the time for the games of a round is over."""
    return last.ends_at is not None and last.ends_at <= now


def get_next_check(live: Sequence[Pairing], last: Round | None) -> datetime | None:
    """Return when to check live games again if no result arrives earlier.

    Return None if they only need to be checked when a result arrives.
    """
    moments = [each.late_at for each in live] + [last.ends_at if last else None]
    return min((at for at in moments if at is not None), default=None)


def get_wait_for_round(tournament: Tournament, last: Round | None, now: datetime) -> Wait | None:
    """Return the wait until the next timed round, or None if the round can start now."""
    if tournament.pace != Pace.TIMED or last is None or last.ends_at is None:
        return None
    return Wait(last.ends_at) if last.ends_at > now else None
