"""The computer's due turns, and their assignment to processes.

A process takes a turn with a lease on the match (`bot_at`), and renews the lease every second until
the action is sent. If two processes search the same turn nevertheless, the journal accepts only one
action. Taking a turn changes only `bot_at`, not the match's version.
"""

import time
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from zlib import crc32

from django.conf import settings
from django.utils import timezone
from msgspec import Struct

from games.bots import LONGEST
from games.match.commands import AcceptDraw, ClaimDraw, OfferDraw
from games.match.state import MatchState
from games.models import Match
from games.runtime.db import atomic_without_fsync
from games.runtime.fair_queue import Requester, RoundRobin
from games.runtime.leases import Lease
from games.store.client_networks import get_caller_networks
from games.store.records import FIELDS

LEASE = Lease("bot_at", timedelta(seconds=4))
_SHARE = 30  # a search gets 1 / _SHARE of the remaining time, plus half of the increment
_LEAST = 0.02  # the minimum time that a search gets, in seconds
_LOOKED_AT = 2000  # the number of due matches among which the next turns are chosen
_HASTE = 30.0  # seconds; with less time left, the computer plays without a pause

_LATELY = 60.0  # a network counts as waiting for this many seconds after its last due turn
_round_robin = RoundRobin()  # when this process last served each network and player
_called: dict[str, float] = {}  # when each network last had a due turn


class Turn(Struct, frozen=True):
    """One of the computer's turns, taken by this process."""

    state: MatchState
    level: int
    player_id: int
    client_network: str = ""  # the network of the person who is waiting for the action

    @property
    def left(self) -> float | None:
        """Return the seconds left on the computer's clock; None in an untimed match."""
        left = self.state.left_ms
        return None if left is None else left[self.state.seat_of(self.player_id) or 0] / 1000

    @property
    def budget(self) -> float:
        """Return the seconds that the clock allows for this search."""
        left, control = self.left, self.state.control
        if left is None or control is None:
            return LONGEST
        return max(_LEAST, min(LONGEST, left / _SHARE + control.increment_ms / 2000))

    @property
    def pause(self) -> float:
        """Return the seconds to wait before the action, so that people can follow the game."""
        if self.left is not None and self.left < _HASTE:
            return 0.0
        since = (timezone.now() - self.state.acted_at).total_seconds()
        return max(0.0, settings.BOT_PAUSE_MS / 1000 - since)

    @property
    def seed(self) -> int:
        """Return a seed that is the same in every process that takes this turn."""
        return crc32(f"{self.state.id} {self.state.ply}".encode())


def has_due_turns() -> bool:
    """Return whether any turn of the computer is due."""
    return LEASE.due(Match.objects.all(), timezone.now()).exists()


def lease_turns(most: int, held: Sequence[Turn] = (), processes: int = 0) -> list[Turn]:
    """Take at most `most` turns that are due. No other process gets them during their lease.

    If more are due, the order is a round-robin over the networks of the waiting players, and over
    the players within a network. A player's longest-waiting match comes first. `processes` is the
    number of worker processes. If there are several, no network occupies all of them while another
    network has a due turn or had one recently. `held` has the turns that this process is already
    searching.
    """
    # If a power cut loses a lease, another process may search the same turn, which does no harm.
    with atomic_without_fsync():
        return _lease_turns(most, Counter(turn.client_network for turn in held), processes)


def renew_turns(turns: list[Turn]) -> None:
    """Renew the leases of these turns."""
    with atomic_without_fsync():
        # All processes lock in the same order, to prevent deadlocks.
        for turn in sorted(turns, key=lambda turn: turn.state.id):
            LEASE.renew(Match.objects.filter(pk=turn.state.id, ply=turn.state.ply))


def _lease_turns(most: int, held: Counter[str], processes: int) -> list[Turn]:
    now = timezone.now()
    due = LEASE.due(Match.objects.all(), now).order_by("bot_at").values_list(*FIELDS)
    rows = [MatchState(*values) for values in due[: most + 1]]
    if len(rows) > most:
        rows = [MatchState(*values) for values in due[:_LOOKED_AT]]
    taken = []
    chosen = _choose_turns(rows, most, held, processes)
    for client_network, state in sorted(chosen, key=lambda one: one[1].id):
        mine = Match.objects.filter(pk=state.id, version=state.version)
        if LEASE.take(mine, state.bot_at):
            turn = _build_turn(state, client_network)
            if turn is None:  # the match is corrupt, or it is not the computer's turn
                LEASE.end(mine)
            else:
                taken.append(turn)
    return taken


def _choose_turns(
    rows: list[MatchState], most: int, held: Counter[str], processes: int
) -> list[tuple[str, MatchState]]:
    """Return the next turns to search, each with the network that is waiting for it."""
    people = [state.second_id if state.second_level is None else state.first_id for state in rows]
    known = get_caller_networks(set(people))
    # A player without a known network counts as a network of their own.
    requesters = [Requester(known.get(player, f"player {player}"), player) for player in people]
    waiting = {
        state.id: (requester, (requester.client_network, state))
        for requester, state in zip(requesters, rows, strict=True)
    }
    _note_called({requester.client_network for requester in requesters})
    each = max(1, processes - 1) if processes and len(_called) > 1 else most + held.total()
    chosen: list[tuple[str, MatchState]] = []
    while len(chosen) < most:
        found = _round_robin.choose(
            (one for one in waiting.values() if held[one[0].client_network] < each), 1
        )
        if not found:
            break
        chosen += found
        del waiting[found[0][1].id]
        held[found[0][0]] += 1
    return chosen


def _note_called(named: set[str]) -> None:
    """Remember which networks had a due turn recently."""
    now = time.monotonic()
    _called.update(dict.fromkeys(named, now))
    for client_network in [one for one, at in _called.items() if at < now - _LATELY]:
        del _called[client_network]


def _build_turn(state: MatchState, client_network: str) -> Turn | None:
    if not state.is_readable or state.turn is None:
        return None
    seat = state.rules.roles.index(state.turn)
    level = state.levels[seat]
    if level is None:
        return None
    return Turn(state, level, (state.first_id, state.second_id)[seat], client_network)


_OFFER_EVERY = 20  # the minimum number of plies from any draw offer to one by the computer


def choose_draw_command(state: MatchState, seat: int) -> AcceptDraw | ClaimDraw | OfferDraw | None:
    """Return the draw command that the computer sends before its action, if any.

    On a dead board, the computer claims the draw. If neither player can force a win, it accepts the
    opponent's offer, or makes one unless a player has offered a draw in the last `_OFFER_EVERY`
    plies. Otherwise it sends nothing; its action then declines any offer.
    """
    if not state.rules.can_be_dead:
        return None
    position = state.position
    if position.is_dead:
        return ClaimDraw()
    if not position.is_flat:
        return None
    if state.draw_by == 1 - seat:
        return AcceptDraw()
    if state.draw_by is None and (
        state.draw_ply is None or state.ply - state.draw_ply >= _OFFER_EVERY
    ):
        return OfferDraw()
    return None
