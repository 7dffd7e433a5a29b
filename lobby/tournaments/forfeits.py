"""Decisions about live games that have an absent or removed player, or whose time is over.

If a player has not moved in time, the game is forfeited. If both have moved, a player who was
removed, or whom the organiser declared absent, loses. If both have moved when the time of the round
or the tournament is over, the player with less time left loses. Such a game is a draw if both have
the same time, or if it is untimed.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from games.match.commands import Settle
from games.match.state import BOTH, MatchState
from games.models import Match
from games.store.heartbeat import get_up_since
from games.store.records import FIELDS
from lobby.models import Entry, Pairing, Tournament
from lobby.tournaments.locking import log_action
from lobby.tournaments.results import FIRST, SECOND, get_missing_seats

_LATE = {1: "event.late.1", 2: "event.late.2", 3: "event.late.3"}
_LOST = {FIRST: (0, 100), SECOND: (100, 0)}


class GameDecision(Struct, frozen=True):
    """The decision about a live game.

    `absent` contains the bits of the seats that forfeit. Without a command, the game continues and
    is checked again at `later`, if that is set.
    """

    command: Settle | None = None
    absent: int = 0
    later: datetime | None = None


def decide_game(
    pairing: Pairing, match: Match, tournament: Tournament, now: datetime, has_run_out: bool
) -> GameDecision:
    """Decide a live game. `has_run_out` means that the time of its round or tournament is over."""
    absent = pairing.absent or _get_removed_seats(pairing)
    if absent:
        return GameDecision(_build_loss(match, absent), absent)
    if tournament.is_arena and has_run_out and match.acted != BOTH:
        # At least one player has not moved, so nobody gets a point.
        return GameDecision(Settle(None), BOTH)
    if match.acted == BOTH:
        return GameDecision(Settle(get_goals_by_clock(match, now)) if has_run_out else None)
    # The waiting time starts later if the opponent moved late or if the site was down.
    since = max(match.acted_at, get_up_since() or match.acted_at)
    until = since + timedelta(minutes=tournament.late_minutes)
    if until > now and not has_run_out:
        return GameDecision(later=until)
    return GameDecision(Settle(None), get_missing_seats(match))


def decide_games(
    tournament: Tournament, pairings: Sequence[Pairing], now: datetime, has_run_out: bool
) -> list[tuple[str, Settle]]:
    """Store the decisions about these games, and return the journal's commands with match ids.

    The caller must lock the tournament. A second call while a match is still live returns its
    command again, but does not log a forfeit again.
    """
    asked = []
    for pairing in pairings:
        match = pairing.match
        assert match is not None  # a bye is never live
        if match.status != Match.Status.LIVE:
            continue  # the match has ended, and its result is about to be delivered
        found = decide_game(pairing, match, tournament, now, has_run_out)
        if (pairing.absent, pairing.late_at) != (found.absent, found.later):
            if found.absent and not pairing.absent and not tournament.is_arena:
                _log_forfeit(tournament, pairing, found.absent)
            pairing.absent, pairing.late_at = found.absent, found.later
            pairing.save(update_fields=["absent", "late_at"])
        if found.command is not None:
            asked.append((match.pk, found.command))
    return asked


def get_goals_by_clock(match: Match, now: datetime) -> tuple[int, int]:
    """Return the goals of a game that its clock decides.

    The player with less time left loses. The game is a draw if both have the same time, or if it is
    untimed.
    """
    state = MatchState(*(getattr(match, name) for name in FIELDS))
    if state.left_ms is None or state.turn is None:
        return 50, 50
    left = list(state.left_ms)
    left[state.rules.roles.index(state.turn)] -= (now - state.acted_at) // timedelta(milliseconds=1)
    if left[0] == left[1]:
        return 50, 50
    return (100, 0) if left[0] > left[1] else (0, 100)


def _build_loss(match: Match, absent: int) -> Settle:
    """Return the command that ends a match whose `absent` seats lose.

    If both players have moved, those seats lose the match, and if both are absent, it is a draw.
    Otherwise, the match is forfeited.
    """
    return Settle(_LOST.get(absent, (50, 50)) if match.acted == BOTH else None)


def _get_removed_seats(pairing: Pairing) -> int:
    assert pairing.second is not None
    gone = Entry.State.REMOVED
    first = FIRST if pairing.first.state == gone else 0
    return first | (SECOND if pairing.second.state == gone else 0)


def _log_forfeit(tournament: Tournament, pairing: Pairing, absent: int) -> None:
    assert pairing.second is not None
    names = {"first": pairing.first.player.name, "second": pairing.second.player.name}
    log_action(tournament, None, _LATE[absent], **names)
