"""Apply the commands of players, staff, tournaments and the site to a match.

The functions use no database, no clock and no sockets, except through the values and functions of
the `Context`. The journal reads a `MatchState`, calls `apply_command`, and stores the change.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from games.match.clock import get_deadline, pause_clock
from games.match.commands import (
    Abort,
    AcceptDraw,
    Adjudicate,
    Berserk,
    Cancel,
    ClaimAbandoned,
    ClaimDraw,
    ClaimStalled,
    ClaimTime,
    Command,
    DeclineDraw,
    OfferDraw,
    Play,
    PlayerCommand,
    Rematch,
    Resign,
    Restore,
    Resume,
    Settle,
    StaffCommand,
    Sweep,
    Void,
    WithdrawRematch,
)
from games.match.ends import (
    abort,
    claim_abandoned,
    claim_stalled,
    claim_time,
    end,
    must_be_live,
    resign,
    sweep,
)
from games.match.offers import (
    accept_draw,
    claim_draw,
    decline_draw,
    may_claim_draw,
    may_offer_draw,
    offer_draw,
    rematch,
    withdraw_rematch,
)
from games.match.play import berserk, may_berserk, play
from games.match.state import BOTH, Change, Context, Limits, MatchState
from games.messages.refusal import Refused


def apply_command(
    state: MatchState,
    player_id: int | None,
    command: Command,
    context: Context,
    acts_for: Collection[int] = (),
) -> Change:
    """Return the change that a command makes. Raise `Refused` if the command is not allowed.

    If the command changes nothing, the change contains `state` itself.

    `Sweep`, `Resume` and the commands of staff do not belong to a seat. Every other command belongs
    to the player's seat, or to another seat that the player controls (`games.store.seats`).
    """
    if isinstance(command, PlayerCommand):
        change = _apply_for_player(state, player_id, command, context, acts_for)
    elif isinstance(command, Sweep):
        change = sweep(state, context)
    elif isinstance(command, Resume):
        change = resume_match(state, command)
    else:
        change = Change(apply_decision(state, command, context))
    after = change.state
    if after is state:
        return change
    after = replace(after, version=state.version + 1)
    return replace(
        change, state=_called(state, after, context.now) if after.has_computer else after
    )


def _apply_for_player(
    state: MatchState,
    player_id: int | None,
    command: PlayerCommand,
    context: Context,
    acts_for: Collection[int],
) -> Change:
    seats = state.seats_of(() if player_id is None else (player_id, *acts_for))
    if not seats:
        raise Refused("not-a-player")
    seat = seat_for(state, seats, command, context)
    change = _COMMANDS[type(command)](state, seat, command, context)
    if len(seats) == 2 and isinstance(command, Rematch) and not change.rematch:
        # Both players share one screen.
        change = rematch(change.state, 1 - seat, command, context)
    if state.is_live and not change.state.is_live:
        change = replace(change, state=replace(change.state, ended_by=seat))
    return change


def begin_match(state: MatchState, limits: Limits) -> MatchState:
    """Set the clocks of a new match, and start the computer's turn if it moves first."""
    control = state.control
    if control is not None:
        left = control.initial_ms
        due = state.created_at + limits.start_within
        state = replace(state, first_ms=left, second_ms=left, deadline=due)
    return _called(None, state, state.created_at)


def _called(before: MatchState | None, state: MatchState, now: datetime) -> MatchState:
    """Start the computer's turn, unless it has already started.

    If the computer is not in control, clear `bot_at`.
    """
    turn = state.turn
    if turn is None or state.levels[state.rules.roles.index(turn)] is None:
        return replace(state, bot_at=None) if state.bot_at is not None else state
    if before is not None and before.is_live and before.ply == state.ply:
        return state  # the computer's turn has already started
    return replace(state, bot_at=now)


def list_allowed(state: MatchState, seats: Sequence[int]) -> list[str]:
    """Return the names of the commands that the page should offer a player with these seats."""
    if len(seats) == 1:
        return may(state, seats[0])
    seat = seat_in_hand(state, seats)
    if not seats or (seat is None and state.is_live):
        return []
    if state.draw_by is not None:
        seat = 1 - state.draw_by
    return may(state, seat or 0)


def may(state: MatchState, seat: int) -> list[str]:
    """Return the names of the commands that the page should offer a player with this seat.

    Claims of a win are not included, because they depend on more than the state.
    """
    if not state.is_live:
        ended = state.status == "aborted" or state.rematch_id or state.arranged
        return [] if ended else ["rematch"]
    able = ["resign"]
    if state.berserk is not None and may_berserk(state, seat):
        able.append("berserk")
    if state.acted != BOTH and not state.arranged:
        able.append("abort")
    if state.draw_by is None:
        if may_offer_draw(state, seat):
            able.append("offer-draw")
    elif state.draw_by != seat:
        able += ["accept-draw", "decline-draw"]
    if may_claim_draw(state):
        able.append("claim-draw")
    return able


def resume_match(state: MatchState, command: Resume) -> Change:
    """Give the time of an outage back to a match, unless the match already has it.

    `games.store.heartbeat` does so for many matches at a time.
    """
    if not state.is_live or not state.clock or state.deadline is None:
        return Change(state)
    since = pause_clock(state.acted_at, command.down_from, command.up_at)
    moved = since - state.acted_at
    if not moved or (state.outage or 0) >= command.outage:
        return Change(state)
    due = state.deadline + moved
    return Change(replace(state, acted_at=since, deadline=due, outage=command.outage))


_COMMANDS: dict[type[Command], Callable[[MatchState, int, Any, Context], Change]] = {
    Play: play,
    Resign: resign,
    Abort: abort,
    OfferDraw: offer_draw,
    AcceptDraw: accept_draw,
    DeclineDraw: decline_draw,
    ClaimDraw: claim_draw,
    ClaimTime: claim_time,
    ClaimAbandoned: claim_abandoned,
    ClaimStalled: claim_stalled,
    Berserk: berserk,
    Rematch: rematch,
    WithdrawRematch: withdraw_rematch,
}


BOTH_SEATS = (0, 1)


def seat_in_hand(state: MatchState, seats: Sequence[int]) -> int | None:
    """Return the seat for which the player in these seats acts now.

    A player with one seat acts for that seat, and a player with both seats for the seat to move.
    Return None for a watcher, and for a player with both seats once the match is over.
    """
    if len(seats) == 1:
        return seats[0]
    turn = state.turn if seats else None
    return None if turn is None else state.rules.roles.index(turn)


def seat_for(
    state: MatchState, seats: Sequence[int], command: PlayerCommand, context: Context
) -> int:
    """Return the seat that a command is for.

    If the player has both seats, this is the seat to move, with two exceptions: a draw offer is
    answered by the seat that did not make it, and a repeated action belongs to the seat that played
    it. Once the match is over, it is seat 0.
    """
    if len(seats) == 1:
        return seats[0]
    if isinstance(command, AcceptDraw | DeclineDraw) and state.draw_by is not None:
        return 1 - state.draw_by
    if isinstance(command, Play) and command.ply < state.ply:
        known = context.recorded(command.ply)
        if known is not None and known[0] in state.rules.roles:
            return state.rules.roles.index(known[0])
    return seat_in_hand(state, seats) or 0


def apply_decision(state: MatchState, command: StaffCommand, context: Context) -> MatchState:
    """Return the state after a decision.

    Raise `Refused` if the state does not allow the decision, or if the match was already voided, or
    adjudicated with the same goals.
    """
    match command:
        case Void(seat):
            return replace(_restart(state, "voided", (0, 0), context.now), ended_by=seat)
        case Adjudicate(goals):
            return _restart(state, "adjudicated", goals, context.now)
        case Settle(goals):
            return _settle(state, goals, context.now)
        case Cancel():
            must_be_live(state)
            return end(state, "aborted", (0, 0), context.now)
        case Restore(status="live"):
            return _continue(state, context)
        case Restore(status, ended, goals, ended_at, ended_by):
            one, other = goals or (None, None)
            return replace(
                state,
                status=status,
                ended=ended,
                first_goal=one,
                second_goal=other,
                ended_at=ended_at,
                ended_by=ended_by,
            )


def _restart(state: MatchState, ended: str, goals: tuple[int, int], now: datetime) -> MatchState:
    """Return the state with another result. A match that is over keeps its end time."""
    if state.ended == ended and (state.first_goal, state.second_goal) == goals:
        raise Refused("not-allowed")  # the match already has this result
    after = end(state, ended, goals, state.ended_at or now)
    return replace(after, ended_by=None)


def _settle(state: MatchState, goals: tuple[int, int] | None, now: datetime) -> MatchState:
    """End a live match for its tournament.

    `ended_by` is set to distinguish this result from one that staff set.
    """
    must_be_live(state)
    if not state.arranged or (goals is None and state.acted == BOTH):
        raise Refused("not-allowed")
    if goals is None:
        return end(state, "aborted", (0, 0), now)
    winner = 1 if goals[1] > goals[0] else 0
    return replace(end(state, "adjudicated", goals, now), ended_by=winner)


def _continue(state: MatchState, context: Context) -> MatchState:
    """Return the state of a match that continues live, with the time that was left.

    Raise `Refused` if the match is live, or if the game is over by its rules.
    """
    position = state.position
    if state.is_live or position.turn is None:
        raise Refused("not-allowed")
    due = None
    if state.left_ms is not None:
        left = state.left_ms[state.rules.roles.index(position.turn)]
        due = (
            context.now + context.limits.start_within
            if state.acted == 0
            else get_deadline(context.now, left)
        )
    return replace(
        state,
        status="live",
        ended="",
        first_goal=None,
        second_goal=None,
        ended_at=None,
        ended_by=None,
        acted_at=context.now,
        resumed_at=context.now,
        deadline=due,
        rematch_by=None,
    )
