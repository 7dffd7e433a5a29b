"""Live games that their players do not end: somebody has not come, has been removed, or the time
of the round is over.

Then the clock decides: who has less time left has lost; it is a draw where both have the same, or
where there is no clock. A game that somebody has not come to is forfeited.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from games.match.commands import Settle
from games.match.state import BOTH, MatchState
from games.models import Match
from games.store.heartbeat import get_up_since
from games.store.matches import FIELDS
from lobby.models import Entry, Pairing, Tournament
from lobby.tournaments.locking import note
from lobby.tournaments.results import FIRST, SECOND, missing

_LATE = {1: "event.late.1", 2: "event.late.2", 3: "event.late.3"}
_LOST = {FIRST: (0, 100), SECOND: (100, 0)}


class Verdict(Struct, frozen=True):
    """What becomes of a live game. `absent` are those who forfeit. Without a command it goes on,
    and is looked at again at `later`, if that is not None."""

    command: Settle | None = None
    absent: int = 0
    later: datetime | None = None


def verdict(
    pairing: Pairing, match: Match, tournament: Tournament, now: datetime, has_run_out: bool
) -> Verdict:
    """What is to become of a live game now. `has_run_out`: the time of its round is over."""
    absent = pairing.absent or _removed(pairing)
    if absent:
        return Verdict(_lost_by(match, absent), absent)
    if tournament.is_arena and has_run_out and match.acted != BOTH:
        return Verdict(Settle(None), BOTH)  # it has hardly begun: nobody gets anything
    if match.acted == BOTH:
        return Verdict(Settle(goals_by_clock(match, now)) if has_run_out else None)
    # Whoever is waited for has had less time where the other acted late, or the site was down.
    since = max(match.acted_at, get_up_since() or match.acted_at)
    until = since + timedelta(minutes=tournament.late_minutes)
    if until > now and not has_run_out:
        return Verdict(later=until)
    return Verdict(Settle(None), missing(match))


def settle(
    tournament: Tournament, pairings: Sequence[Pairing], now: datetime, has_run_out: bool
) -> list[tuple[str, Settle]]:
    """Store what is decided of these live games; give what is to be asked of the journal, match by
    match. The caller holds the tournament. To ask for it twice changes nothing more."""
    asked = []
    for pairing in pairings:
        match = pairing.match
        assert match is not None  # nobody is live alone
        if match.status != Match.Status.LIVE:
            continue  # its result is on the way
        found = verdict(pairing, match, tournament, now, has_run_out)
        if (pairing.absent, pairing.late_at) != (found.absent, found.later):
            if found.absent and not pairing.absent and not tournament.is_arena:
                _note(tournament, pairing, found.absent)
            pairing.absent, pairing.late_at = found.absent, found.later
            pairing.save(update_fields=["absent", "late_at"])
        if found.command is not None:
            asked.append((match.pk, found.command))
    return asked


def goals_by_clock(match: Match, now: datetime) -> tuple[int, int]:
    """Who has less time left has lost."""
    state = MatchState(*(getattr(match, name) for name in FIELDS))
    if state.left_ms is None or state.turn is None:
        return 50, 50
    left = list(state.left_ms)
    left[state.rules.roles.index(state.turn)] -= (now - state.acted_at) // timedelta(milliseconds=1)
    if left[0] == left[1]:
        return 50, 50
    return (100, 0) if left[0] > left[1] else (0, 100)


def _lost_by(match: Match, absent: int) -> Settle:
    """Where both have acted there is a game that can be lost, not only a forfeit."""
    return Settle(_LOST.get(absent, (50, 50)) if match.acted == BOTH else None)


def _removed(pairing: Pairing) -> int:
    assert pairing.second is not None
    gone = Entry.State.REMOVED
    first = FIRST if pairing.first.state == gone else 0
    return first | (SECOND if pairing.second.state == gone else 0)


def _note(tournament: Tournament, pairing: Pairing, absent: int) -> None:
    assert pairing.second is not None
    names = {"first": pairing.first.player.name, "second": pairing.second.player.name}
    note(tournament, None, _LATE[absent], **names)
