"""What a tournament is to do next, by itself: a decision about its rows as they are now."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from lobby.models import Entry, Pairing, Round, Tournament

Kind, State, Pace = Tournament.Kind, Tournament.State, Tournament.Pace


class Wait(Struct, frozen=True):
    """Nothing until then; None: until somebody does something."""

    until: datetime | None


class Open(Struct, frozen=True):
    """Registration opens."""


class CheckIn(Struct, frozen=True):
    """Who is registered says from now on that they are there."""


class Begin(Struct, frozen=True):
    """It begins, or is called off where too few have come."""


class PairRound(Struct, frozen=True):
    """A round is to be paired; of a knockout, the next games of its matches."""

    number: int


class PairFree(Struct, frozen=True):
    """In an arena, who is free is to be paired."""


class Settle(Struct, frozen=True):
    """These live games are to be looked at: their time may be over, or somebody has not come."""

    pairings: tuple[int, ...]


class Finish(Struct, frozen=True):
    """All is played."""


Plan = Wait | Open | CheckIn | Begin | PairRound | PairFree | Settle | Finish


def plan(
    tournament: Tournament, live: Sequence[Pairing], last: Round | None, now: datetime
) -> Plan:
    """What is to be done now. `live` are the games that are played, `last` the last round."""
    if tournament.state == State.RUNNING:
        if tournament.paused_at is None:
            return _running(tournament, live, last, now)
        # What the organiser decides of a game is done in a pause, too.
        decided = tuple(each.pk for each in live if each.absent)
        return Settle(decided) if decided else Wait(None)
    return _before(tournament, now)


def _before(tournament: Tournament, now: datetime) -> Plan:
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


def _running(
    tournament: Tournament, live: Sequence[Pairing], last: Round | None, now: datetime
) -> Plan:
    ends = tournament.ends_at
    is_ending = ends is not None and ends <= now
    has_ended = is_ending or (last is not None and has_run_out(last, now))
    if due := tuple(each.pk for each in live if has_ended or is_due(each, now)):
        return Settle(due)
    if is_ending:
        return Finish()
    return PairFree() if tournament.is_arena else _next_round(tournament, live, last, now)


def _next_round(
    tournament: Tournament, live: Sequence[Pairing], last: Round | None, now: datetime
) -> Plan:
    if tournament.kind == Kind.KNOCKOUT:  # a match goes on while others of its round are played
        return PairRound(max(tournament.round, 1))
    if live:
        return Wait(next_moment(live, last))
    if tournament.round >= tournament.rounds:
        return Finish()
    return wait_for_round(tournament, last, now) or PairRound(tournament.round + 1)


def is_due(pairing: Pairing, now: datetime) -> bool:
    """Whether a live game is to be looked at."""
    assert pairing.second is not None  # nobody is live alone
    removed = Entry.State.REMOVED in (pairing.first.state, pairing.second.state)
    return bool(pairing.absent) or removed or (pairing.late_at or now) < now


def has_run_out(last: Round, now: datetime) -> bool:
    """Whether the time of the games of a round is over."""
    return last.ends_at is not None and last.ends_at <= now


def next_moment(live: Sequence[Pairing], last: Round | None) -> datetime | None:
    """When to look at live games again, if no result comes before."""
    moments = [each.late_at for each in live] + [last.ends_at if last else None]
    return min((at for at in moments if at is not None), default=None)


def wait_for_round(tournament: Tournament, last: Round | None, now: datetime) -> Wait | None:
    """Where rounds begin at given times: until when the next one waits; None if it need not."""
    if tournament.pace != Pace.TIMED or last is None or last.ends_at is None:
        return None
    return Wait(last.ends_at) if last.ends_at > now else None
